//! From the arguments of the command line to a game.

use quincunx_game::{AnyGame, TextError, text::moves_in};
use quincunx_games::{rules, set_up};

use crate::cli::Setup;

impl Setup {
    /// Sets up the game and plays the given moves.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let rules = rules(&self.game, self.ruleset.as_deref())?;
        set_up(rules, self.position.as_deref(), moves_in(self.moves.as_deref().unwrap_or("")))
    }
}
