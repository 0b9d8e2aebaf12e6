//! What the games say to people, in all languages, as it is sent.

use std::collections::BTreeMap;

use quincunx_messages::{content::ENGLISH, contents, languages};
use quincunx_search::Entry;
use sha2::{Digest, Sha256};

/// The contents in all languages, as they are sent.
pub(crate) struct Library(BTreeMap<&'static str, Document>);

/// A text, and the digest that tells whether a reader has it already.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) digest: [u8; 32],
}

impl Library {
    /// The contents of these games.
    pub(crate) fn new(games: &[&'static Entry]) -> Self {
        let documents = languages(games).into_iter().map(|language| {
            let text = serde_json::to_string(&contents(games, language));
            let text = text.expect("a plain value is written without error");
            let digest = Sha256::digest(&text).into();
            (language, Document { text, digest })
        });
        Self(documents.collect())
    }

    /// The contents in a language, or in English if no game has it.
    pub(crate) fn in_language(&self, language: &str) -> &Document {
        self.0.get(language).unwrap_or_else(|| &self.0[ENGLISH])
    }
}
