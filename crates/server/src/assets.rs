//! The front end, embedded in the program.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/site"]
struct Site;

/// The page for every address that is not a file.
const PAGE: &str = "index.html";

/// The paths under which the page is served; the page itself looks at the rest of the address.
const PAGES: [&str; 7] = ["", "games", "play", "rules", "learn", "study", "contests"];

/// A file of the front end, or its page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_matches('/');
    if let Some(found) = Site::get(path) {
        return answer(path, found, &headers);
    }
    let (first, last) = (path.split('/').next().unwrap_or(""), path.rsplit('/').next().unwrap_or(""));
    let status = if PAGES.contains(&first) && !last.contains('.') { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let Some(page) = Site::get(PAGE) else { return StatusCode::NOT_FOUND.into_response() };
    let mut response = answer(PAGE, page, &headers);
    if status == StatusCode::NOT_FOUND {
        *response.status_mut() = status;
    }
    response
}

fn answer(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = u128::from_be_bytes(file.metadata.sha256_hash()[..16].try_into().unwrap_or_default());
    let tag = format!("\"{tag:032x}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let status = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = if known { status.into_response() } else { (status, file.data.into_owned()).into_response() };
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    // Browsers ask every time and are mostly answered "not modified", so that a new version is seen at once.
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        fields.insert(header::ETAG, tag);
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}
