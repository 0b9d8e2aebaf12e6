//! Documents that do not change: sent compressed, and not again to those who have them. Long answers made for one reader
//! are compressed too, but quickly.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, LazyLock, Mutex, OnceLock},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Smaller ones are sent as they are.
const WORTH_COMPRESSING: usize = 400;

/// How hard to compress: documents are compressed once and sent often, but the first reader waits for it. The best takes
/// 8 % off the files of the page and many times as long, so large documents do with less.
const BROTLI_BEST: u32 = 11;
const BROTLI_LARGE: u32 = 9;

/// Documents of more bytes are large.
const LARGE: usize = 64 << 10;

/// How hard to compress what is sent once: a tenth of a millisecond for 20 KB.
const BROTLI_AT_ONCE: u32 = 3;

/// Documents remembered with their compressed forms; far more than there are.
const MOST_REMEMBERED: usize = 1_000;

/// A document and its forms.
pub(crate) struct Document {
    pub(crate) bytes: Bytes,
    content_type: &'static str,
    digest: [u8; 32],
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

/// How long a reader may keep a document without asking again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fresh {
    /// It asks every time and is mostly answered "not modified", so that a new version is seen at once.
    Asks,
    /// For ever: its address names its contents.
    Forever,
}

/// How a document is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coding {
    Brotli,
    Gzip,
    None,
}

impl Document {
    pub(crate) fn new(content_type: &'static str, bytes: impl Into<Bytes>) -> Arc<Self> {
        let bytes = bytes.into();
        Self::known(content_type, Sha256::digest(&bytes).into(), move || bytes)
    }

    /// A document of which the digest is known: the one that is remembered, if there is one.
    pub(crate) fn known(content_type: &'static str, digest: [u8; 32], bytes: impl FnOnce() -> Bytes) -> Arc<Self> {
        static REMEMBERED: LazyLock<Mutex<HashMap<[u8; 32], Arc<Document>>>> = LazyLock::new(Mutex::default);
        let mut remembered = REMEMBERED.lock().expect("no thread panics with the lock");
        if let Some(document) = remembered.get(&digest).filter(|document| document.content_type == content_type) {
            return Arc::clone(document);
        }
        if remembered.len() >= MOST_REMEMBERED {
            remembered.clear();
        }
        let document = Self { bytes: bytes(), content_type, digest, brotli: OnceLock::new(), gzip: OnceLock::new() };
        let document = Arc::new(document);
        remembered.insert(digest, Arc::clone(&document));
        document
    }

    /// The name of its contents: 128 bits of the digest.
    pub(crate) fn hash(&self) -> String {
        let bits = u128::from_be_bytes(self.digest[..16].try_into().unwrap_or_default());
        format!("{bits:032x}")
    }

    /// The answer to a request with these headers.
    pub(crate) async fn answer(self: Arc<Self>, headers: &HeaderMap, fresh: Fresh) -> Response {
        // Weak, because the forms differ in their bytes.
        let tag = format!("W/\"{}\"", self.hash());
        let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let known =
            known.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == &tag[2..]);
        let cache = match fresh {
            Fresh::Asks => "no-cache",
            Fresh::Forever => "public, max-age=31536000, immutable",
        };
        let fields = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.content_type)),
            (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        let mut response = if known {
            (StatusCode::NOT_MODIFIED, fields).into_response()
        } else {
            let wanted = self.coding(headers);
            let document = Arc::clone(&self);
            // The first time it is compressed, which takes a while.
            let form = tokio::task::spawn_blocking(move || document.form(wanted)).await.ok().flatten();
            let coded = form.is_some().then_some(wanted);
            let mut response = (fields, Body::from(form.unwrap_or_else(|| self.bytes.clone()))).into_response();
            if let Some(name) = coded.and_then(Coding::name) {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            }
            response
        };
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }

    fn coding(&self, headers: &HeaderMap) -> Coding {
        if self.bytes.len() < WORTH_COMPRESSING { Coding::None } else { Coding::of(headers) }
    }

    /// The document in a coding; none if that is not smaller.
    fn form(&self, coding: Coding) -> Option<Bytes> {
        let smaller = |form: &Vec<u8>| form.len() < self.bytes.len();
        let kept = |form: Option<Vec<u8>>| form.filter(smaller).map(Bytes::from);
        let quality = if self.bytes.len() > LARGE { BROTLI_LARGE } else { BROTLI_BEST };
        match coding {
            Coding::Brotli => self.brotli.get_or_init(|| kept(brotli(&self.bytes, quality))).clone(),
            Coding::Gzip => self.gzip.get_or_init(|| kept(gzip(&self.bytes, flate2::Compression::best()))).clone(),
            Coding::None => None,
        }
    }
}

/// An answer in JSON that is made for one reader.
pub(crate) fn answer_once<T: Serialize>(headers: &HeaderMap, value: &T) -> Response {
    let text = serde_json::to_vec(value).expect("a plain value is written without error");
    let coding = if text.len() < WORTH_COMPRESSING { Coding::None } else { Coding::of(headers) };
    let form = match coding {
        Coding::Brotli => brotli(&text, BROTLI_AT_ONCE),
        Coding::Gzip => gzip(&text, flate2::Compression::fast()),
        Coding::None => None,
    };
    let fields = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let name = form.is_some().then(|| coding.name()).flatten();
    let mut response = (fields, Body::from(form.unwrap_or(text))).into_response();
    if let Some(name) = name {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    response
}

impl Coding {
    /// The best one that a client takes.
    fn of(headers: &HeaderMap) -> Self {
        let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let mut best = Self::None;
        for offer in accepted.flat_map(|value| value.split(',')) {
            let (name, quality) = offer.split_once(';').unwrap_or((offer, ""));
            let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0));
            match name.trim() {
                "br" if !refused => return Self::Brotli,
                "gzip" if !refused => best = Self::Gzip,
                _ => {}
            }
        }
        best
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::None => None,
        }
    }
}

fn brotli(bytes: &[u8], quality: u32) -> Option<Vec<u8>> {
    let mut form = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut form, 4096, quality, 22);
    writer.write_all(bytes).ok()?;
    drop(writer);
    Some(form)
}

fn gzip(bytes: &[u8], level: flate2::Compression) -> Option<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), level);
    writer.write_all(bytes).ok()?;
    writer.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coding(accepted: &'static str) -> Coding {
        Coding::of(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]))
    }

    #[test]
    fn the_best_coding_is_chosen_among_those_that_are_accepted() {
        assert_eq!(coding("gzip, deflate, br, zstd"), Coding::Brotli);
        assert_eq!(coding("gzip;q=0.5"), Coding::Gzip);
        assert_eq!(coding("br;q=0, gzip"), Coding::Gzip);
        assert_eq!(coding("gzip;q=0.0"), Coding::None);
        assert_eq!(coding("identity"), Coding::None);
        assert_eq!(Coding::of(&HeaderMap::new()), Coding::None);
    }

    #[test]
    fn what_is_compressed_is_read_back() {
        let text = "the same words again and again ".repeat(100);
        let mut read = Vec::new();
        let form = brotli(text.as_bytes(), BROTLI_AT_ONCE).unwrap();
        brotli::BrotliDecompress(&mut form.as_slice(), &mut read).unwrap();
        assert_eq!(read, text.as_bytes());
        let form = gzip(text.as_bytes(), flate2::Compression::fast()).unwrap();
        let mut read = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(form.as_slice()), &mut read).unwrap();
        assert_eq!(read, text.as_bytes());
    }
}
