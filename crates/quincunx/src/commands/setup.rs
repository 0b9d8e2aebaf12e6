//! From the arguments of the command line to a game.

use quincunx_game::{AnyGame, TextError};
use quincunx_games::open;

use crate::cli::Setup;

impl Setup {
    /// Sets up the game and plays the given moves.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let mut game = open(&self.game, self.ruleset.as_deref(), self.position.as_deref())?;
        let moves = self.moves.as_deref().unwrap_or("");
        let moves = moves.split(|c: char| c.is_whitespace() || c == ',').filter(|text| !text.is_empty());
        for (index, text) in moves.enumerate() {
            game.play(text).map_err(|error| error.of_move(index + 1))?;
        }
        Ok(game)
    }
}
