//! The site without a server: the front end with the engine for pages, as files for any static host.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use quincunx_games::{entries, rules, variant};
use quincunx_messages::languages;
use sha2::{Digest, Sha256};

use crate::{
    assets,
    library::{self, Library},
};

/// Why a site was not written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The program does not carry the engine for pages.
    #[error("this program was built without the engine for pages; ./site builds both")]
    NoEngine,
    /// There is something else.
    #[error("{0} is not empty and holds no site of this program; name a new directory")]
    Occupied(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {path}: {why}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
}

/// The page, by its name in a site.
const PAGE: &str = "index.html";

/// Weights of more bytes are kept for a page without a network only when there is time.
const LARGE: usize = 1_000_000;

/// What the page of a site without a server says of itself.
const MARK: &str = "<html lang=\"en\" data-backend=\"page\">";

/// What a page from a static host may load: the same as from a server.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
     script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
     font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'\" />";

/// Writes the site into `folder`, which must be new, empty or an older site; returns the number of files and bytes.
pub fn write_site(folder: &Path) -> Result<(usize, u64), SiteError> {
    if !assets::has_engine() {
        return Err(SiteError::NoEngine);
    }
    let older = fs::read_to_string(folder.join(PAGE)).is_ok_and(|page| page.contains(MARK));
    let empty = fs::read_dir(folder).map_or(true, |mut files| files.next().is_none());
    if !older && !empty {
        return Err(SiteError::Occupied(folder.into()));
    }
    let mut files: Vec<(String, Vec<u8>)> = assets::all();
    let games = entries();
    let mut later = Vec::new();
    let mut small = Vec::new();
    for game in &games {
        let name = game.about.name;
        let weights = library::weights(name).filter(|_| needs_weights(name));
        let weights = weights.map(|file| (format!("weights/{name}.bin"), file.bytes.to_vec()));
        let (large, other): (Vec<_>, Vec<_>) = weights.into_iter().partition(|(_, bytes)| bytes.len() > LARGE);
        later.extend(large);
        small.extend(other);
        small.extend(library::book(name).map(|file| (format!("weights/{name}-book.bin"), file.bytes.to_vec())));
        later.extend(library::puzzles(name).map(|found| (format!("puzzles/{name}.json"), found.bytes.to_vec())));
        let courses = languages(&games).into_iter().map(|language| format!("{name}.{language}"));
        later.extend(
            courses.filter_map(|course| {
                Some((format!("lessons/{course}.json"), library::course(&course)?.bytes.to_vec()))
            }),
        );
    }
    files.extend(small);
    let library = Library::new(&games);
    let contents = library.documents();
    files.extend(contents.map(|(language, text)| (format!("content/{language}.json"), text.bytes.to_vec())));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| format!("./{name}")).collect::<Vec<_>>();
    let kept: Vec<_> = names(&files).into_iter().filter(|name| !name.ends_with("service-worker.js")).collect();
    let mut digest = Sha256::new();
    for (name, bytes) in files.iter().chain(&later) {
        digest.update(name);
        digest.update(bytes);
    }
    let version = u64::from_be_bytes(digest.finalize()[..8].try_into().unwrap_or_default());
    let version = format!("{version:016x}");
    for (name, bytes) in &mut files {
        match name.as_str() {
            PAGE => *bytes = page(&String::from_utf8_lossy(bytes)).into_bytes(),
            "service-worker.js" => {
                let list = |names: &[String]| serde_json::to_string(names).expect("a list of names is written");
                let text = String::from_utf8_lossy(bytes)
                    .replace("VERSION = 'none'", &format!("VERSION = '{version}'"))
                    .replace("FILES = []", &format!("FILES = {}", list(&kept)))
                    .replace("LATER = []", &format!("LATER = {}", list(&names(&later))));
                *bytes = text.into_bytes();
            }
            _ => {}
        }
    }
    files.extend(later);
    // The page comes last: until then an interrupted site is no site.
    files.sort_by_key(|(name, _)| name == PAGE);
    let mut written = 0;
    for (name, bytes) in &files {
        let path = folder.join(name);
        let failed = |why| SiteError::Write { path: path.clone(), why };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, bytes).map_err(failed)?;
        written += bytes.len() as u64;
    }
    Ok((files.len(), written))
}

/// Whether the engine in a page has to load the weights of a game.
fn needs_weights(game: &str) -> bool {
    rules(game, None).is_ok_and(|rules| !variant(&rules).carried_by_pages())
}

/// The page as it is without a server: it lies in any folder, so it names its files from there.
fn page(served: &str) -> String {
    let relative = served.replace("href=\"/", "href=\"./").replace("src=\"/", "src=\"./");
    relative.replace("<html lang=\"en\">", MARK).replace("<head>", &format!("<head>\n    {POLICY}"))
}
