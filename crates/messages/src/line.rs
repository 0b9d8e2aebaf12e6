//! A line of moves from a position, as a client sends it, and how a game ended, as it is sent back.

use quincunx_game::{AnyGame, Outcome, Rules, Side, TextError, refusal, text::moves_in};
use quincunx_games::{rules, set_up};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Most bytes of a position or a ruleset.
pub const LONGEST_TEXT: usize = 2_000;
/// Most moves in a line.
pub const MOST_MOVES: usize = 1_000;

/// A game with a position and moves, to look at, to analyse or to import; it is not kept.
#[derive(Serialize, Deserialize, ToSchema, IntoParams, Clone, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Line {
    /// The name of the game.
    #[schema(max_length = 2_000)]
    #[param(max_length = 2_000)]
    pub game: String,
    /// The ruleset; the default one if missing.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    #[param(max_length = 2_000, nullable = false)]
    pub ruleset: Option<String>,
    /// The position to begin with; the start of the game if missing.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    #[param(max_length = 2_000, nullable = false)]
    pub position: Option<String>,
    /// Moves from there, separated by spaces or commas.
    #[serde(default)]
    #[param(required = false)]
    pub moves: String,
}

impl Line {
    /// The rules it is played by.
    pub fn rules(&self) -> Result<Rules, TextError> {
        let short = |text: Option<&String>| text.is_none_or(|text| text.len() <= LONGEST_TEXT);
        if !short(Some(&self.game)) || !short(self.ruleset.as_ref()) || !short(self.position.as_ref()) {
            return Err(refusal!("line.text_too_long", "a text is longer than {most} bytes", most = LONGEST_TEXT));
        }
        rules(&self.game, self.ruleset.as_deref())
    }

    /// Sets the game up and plays the moves.
    pub fn open(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let rules = self.rules()?;
        let moves = moves_in(&self.moves);
        if moves.clone().nth(MOST_MOVES).is_some() {
            return Err(refusal!("line.too_many_moves", "more than {most} moves", most = MOST_MOVES));
        }
        set_up(rules, self.position.as_deref(), moves)
    }
}

/// How a game ended: by its rules, or resigned, agreed, out of time.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[schema(as = Outcome)]
pub struct Ending {
    /// The side that won; null for a draw.
    #[schema(required, maximum = 1)]
    pub winner: Option<usize>,
    /// Why it ended, in English.
    pub reason: String,
}

impl From<Outcome> for Ending {
    fn from(end: Outcome) -> Self {
        Self { winner: end.winner.map(Side::index), reason: end.reason.into() }
    }
}
