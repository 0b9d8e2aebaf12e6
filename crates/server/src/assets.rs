//! The front end, embedded in the program.

use axum::{
    body::Body,
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
    unless_known(headers, content_type(path), file.metadata.sha256_hash(), || file.data.into_owned())
}

/// A body with its digest, which is not sent to those who have it already.
pub(crate) fn unless_known<B: Into<Body>>(
    headers: &HeaderMap,
    content_type: &'static str,
    digest: [u8; 32],
    body: impl FnOnce() -> B,
) -> Response {
    let tag = u128::from_be_bytes(digest[..16].try_into().unwrap_or_default());
    let tag = format!("\"{tag:032x}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let (status, body) =
        if known { (StatusCode::NOT_MODIFIED, Body::empty()) } else { (StatusCode::OK, body().into()) };
    // Browsers ask every time and are mostly answered "not modified", so that a new version is seen at once.
    let fields = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    let mut response = (status, fields, body).into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
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
