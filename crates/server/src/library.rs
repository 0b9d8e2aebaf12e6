//! What the games say to people, in all languages, as it is sent.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use quincunx_game::Rules;
use quincunx_games::{entry, variant};
use quincunx_messages::{content::ENGLISH, contents, languages, lessons};
use quincunx_search::Entry;

use crate::document::Document;

/// The contents in all languages, as they are sent.
pub(crate) struct Library(BTreeMap<&'static str, Arc<Document>>);

impl Library {
    /// The contents of these games.
    pub(crate) fn new(games: &[&'static Entry]) -> Self {
        let documents = languages(games).into_iter().map(|language| {
            let text = serde_json::to_string(&contents(games, language));
            (language, Document::new("application/json", text.expect("a plain value is written without error")))
        });
        Self(documents.collect())
    }

    /// The contents by language.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&'static str, &Arc<Document>)> {
        self.0.iter().map(|(language, document)| (*language, document))
    }

    /// The contents in a language, or in English if no game has it.
    pub(crate) fn in_language(&self, language: &str) -> &Arc<Document> {
        self.0.get(language).unwrap_or_else(|| &self.0[ENGLISH])
    }
}

/// The puzzles of a game; `None` if there is no such game.
pub(crate) fn puzzles(game: &str) -> Option<Arc<Document>> {
    Some(Document::new("application/json", entry(game).ok()?.content.puzzles))
}

/// The lessons of a game in a language, by the name of their file such as `othello.pt`; `None` if there are none.
pub(crate) fn course(name: &str) -> Option<Arc<Document>> {
    let (game, language) = name.split_once('.')?;
    let game = entry(game).ok()?;
    let text = serde_json::to_string(&lessons(game, language));
    Some(Document::new("application/json", text.expect("a plain value is written without error")))
}

/// The opening book of a game as a file; `None` if it has none.
pub(crate) fn book(game: &str) -> Option<Arc<Document>> {
    let entry = entry(game).ok()?;
    let book = entry.book?().to_bytes(&Rules::of(entry.about));
    Some(Document::new("application/octet-stream", book))
}

/// The weights of a game's default rules as a file, which is written once; `None` if there is no such game.
pub(crate) fn weights(game: &str) -> Option<Arc<Document>> {
    static WRITTEN: Mutex<BTreeMap<&'static str, Arc<Document>>> = Mutex::new(BTreeMap::new());
    let about = entry(game).ok()?.about;
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let write = || Document::new("application/octet-stream", variant(&Rules::of(about)).evaluator().file());
    Some(Arc::clone(written.entry(about.name).or_insert_with(write)))
}
