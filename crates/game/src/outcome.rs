//! How a game ended, in absolute terms.

use crate::Side;

/// Reason of a draw by repetition.
pub const REPETITION: &str = "third repetition";
/// Reason of a draw by the length of the game.
pub const PLY_LIMIT: &str = "ply limit";
/// Reason of a loss, or an end, because there is no legal move.
pub const NO_LEGAL_MOVE: &str = "no legal move";

/// The end of a game: who won, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why the game ended, as shown to people.
    pub reason: &'static str,
}

impl Outcome {
    /// A win for `side`.
    pub const fn win(side: Side, reason: &'static str) -> Self {
        Self { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn draw(reason: &'static str) -> Self {
        Self { winner: None, reason }
    }
}
