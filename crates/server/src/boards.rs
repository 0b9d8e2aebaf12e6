//! The boards of the rulesets, described once and kept for ever by those who know their hashes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use quincunx_game::{Rules, TextError};
use quincunx_games::set_up;
use quincunx_messages::view;

use crate::document::Document;

/// The boards that were asked for, by game and ruleset. Settings behind a ruleset do not change its board.
#[derive(Default)]
pub(crate) struct Boards(Mutex<HashMap<(&'static str, &'static str), Arc<Document>>>);

impl Boards {
    /// The board of a ruleset.
    pub(crate) fn of(&self, rules: Rules) -> Result<Arc<Document>, TextError> {
        let key = (rules.about.name, rules.ruleset.name);
        if let Some(board) = self.0.lock().expect("no thread panics with the lock").get(&key) {
            return Ok(Arc::clone(board));
        }
        let game = set_up(rules, None, std::iter::empty::<&str>())?;
        let board = serde_json::to_vec(&view::board(&*game)).expect("a plain value is written without error");
        let board = Document::new("application/json", board);
        self.0.lock().expect("no thread panics with the lock").insert(key, Arc::clone(&board));
        Ok(board)
    }
}
