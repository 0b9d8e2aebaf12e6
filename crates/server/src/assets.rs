//! The front end, embedded in the program.

use std::{
    collections::BTreeSet,
    fmt::Write,
    sync::{Arc, OnceLock},
};

use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

use crate::document::{Document, Fresh};

#[derive(RustEmbed)]
#[folder = "../../web/site"]
struct Site;

/// What the build makes for the front end, by its path: the typeface.
const MADE: [(&str, &[u8]); 2] = [
    ("fonts/inter.woff2", include_bytes!(concat!(env!("OUT_DIR"), "/inter.woff2"))),
    ("fonts/inter-bold.woff2", include_bytes!(concat!(env!("OUT_DIR"), "/inter-bold.woff2"))),
];

/// The page for every address that is not a file.
const PAGE: &str = "index.html";

/// The module that the page begins with.
const FIRST_MODULE: &str = "js/main.js";

/// The paths under which the page is served; the page itself looks at the rest of the address.
const PAGES: [&str; 11] =
    ["", "games", "play", "rules", "learn", "study", "edit", "contests", "lobby", "puzzles", "progress"];

/// The engine for pages, if the program was built with it.
pub(crate) const ENGINE: &str = "wasm/quincunx.wasm";

/// Whether the program carries the engine for pages.
pub(crate) fn has_engine() -> bool {
    Site::get(ENGINE).is_some()
}

/// All files of the front end, by name.
pub(crate) fn all() -> Vec<(String, Vec<u8>)> {
    let mut names: Vec<_> = Site::iter().collect();
    names.sort();
    let files = names.into_iter().filter_map(|name| Some((name.to_string(), Site::get(&name)?.data.into_owned())));
    files.chain(MADE.map(|(name, bytes)| (name.to_string(), bytes.to_vec()))).collect()
}

/// A file of the front end, or its page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_matches('/');
    if path != PAGE
        && let Some(found) = document(path)
    {
        return found.answer(&headers, Fresh::Asks).await;
    }
    let (first, last) = (path.split('/').next().unwrap_or(""), path.rsplit('/').next().unwrap_or(""));
    let is_page = path == PAGE || PAGES.contains(&first) && !last.contains('.');
    let Some(page) = page(if is_page && path != PAGE { first } else { "" }) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = page.answer(&headers, Fresh::Asks).await;
    if !is_page {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

fn document(path: &str) -> Option<Arc<Document>> {
    if let Some((_, bytes)) = MADE.into_iter().find(|(name, _)| *name == path) {
        return Some(Document::new(content_type(path), bytes));
    }
    let file = Site::get(path)?;
    Some(Document::known(content_type(path), file.metadata.sha256_hash(), || Bytes::from(file.data.into_owned())))
}

/// The page, with the names of all modules that it needs under this address.
///
/// So a browser asks for them at once, and not for each when another one has named it.
fn page(first: &str) -> Option<Arc<Document>> {
    static ONCE: [OnceLock<Option<Arc<Document>>>; PAGES.len()] = [const { OnceLock::new() }; PAGES.len()];
    let make = || {
        let page = String::from_utf8(Site::get(PAGE)?.data.into_owned()).ok()?;
        // The module of a page is called as its address begins.
        let module = format!("js/{}.js", if first.is_empty() { "home" } else { first });
        let mut head = String::new();
        for path in modules([FIRST_MODULE, &module]) {
            _ = writeln!(head, "    <link rel=\"modulepreload\" href=\"/{path}\" />");
        }
        let page = page.replacen("  </head>", &(head + "  </head>"), 1);
        Some(Document::new(content_type(PAGE), page))
    };
    let index = PAGES.iter().position(|page| *page == first)?;
    // A debug build reads the files anew each time.
    if cfg!(debug_assertions) { make() } else { ONCE[index].get_or_init(make).clone() }
}

/// These modules, as far as they exist, and all that they import.
fn modules(first: [&str; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<_> = first.into_iter().map(String::from).collect();
    while let Some(path) = waiting.pop() {
        if found.contains(&path) {
            continue;
        }
        let Some(file) = Site::get(&path) else { continue };
        let text = String::from_utf8_lossy(&file.data);
        waiting.extend(imports(&text).filter_map(|name| resolve(&path, name)));
        found.insert(path);
    }
    found
}

/// The names of the modules that a module imports, as it writes them.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    // Types are imported in comments, which do not count.
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('/') && !line.starts_with('*'));
    lines.filter_map(|line| {
        let name = line.split_once(" from '").map(|(_, rest)| rest).or_else(|| line.strip_prefix("import '"))?;
        name.strip_suffix("';").filter(|name| name.starts_with('.'))
    })
}

/// The path of the module that a module at `path` calls `name`.
fn resolve(path: &str, name: &str) -> Option<String> {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_of_the_page_has_an_address() {
        let main = String::from_utf8(Site::get(FIRST_MODULE).unwrap().data.into_owned()).unwrap();
        let views = main.split("() => import('./").skip(1).map(|rest| rest.split('.').next().unwrap());
        let views: BTreeSet<_> = views.map(|view| if view == "home" { "" } else { view }).collect();
        assert_eq!(views, BTreeSet::from(PAGES));
    }

    #[test]
    fn every_page_names_the_modules_it_needs() {
        for first in PAGES {
            let page = String::from_utf8(page(first).unwrap().bytes.to_vec()).unwrap();
            let own = if first.is_empty() { "home" } else { first };
            for module in ["main", "dom", own] {
                assert!(page.contains(&format!("<link rel=\"modulepreload\" href=\"/js/{module}.js\" />")), "{page}");
            }
        }
    }

    #[test]
    fn the_typeface_has_every_character_that_pages_write_in_latin_letters_and_is_small() {
        for (name, bytes) in MADE {
            assert!(bytes.starts_with(b"wOF2") && bytes.len() < 15_000, "{name}: {} bytes", bytes.len());
        }
        let characters = include_str!("../typeface.txt");
        let words = ["en", "pt"].map(|language| {
            let contents = quincunx_messages::contents(&quincunx_games::entries(), language);
            serde_json::to_string(&contents).unwrap()
        });
        let texts = ["texts/en.js", "texts/pt.js", "texts/pt-refusals.js"]
            .map(|path| String::from_utf8(Site::get(path).unwrap().data.into_owned()).unwrap());
        for text in words.iter().chain(&texts) {
            let missing: BTreeSet<_> = text.chars().filter(|c| *c != '\n' && !characters.contains(*c)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    }

    #[test]
    fn a_module_is_named_from_where_it_is_imported() {
        assert_eq!(resolve("js/board/board.js", "../dom.js").unwrap(), "js/dom.js");
        assert_eq!(resolve("js/main.js", "../texts/en.js").unwrap(), "texts/en.js");
        assert_eq!(resolve("js/main.js", "../../../x.js"), None);
    }
}
