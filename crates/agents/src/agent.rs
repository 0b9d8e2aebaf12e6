//! The agent trait: a game in, a move out.

use quincunx_game::Table;

/// A move, and what the agent says about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The text of the move: checked by whoever asked, like any other text.
    pub mv: String,
}

/// Why an agent gave no answer, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

/// Something that can be asked for a move.
pub trait Agent: Send {
    /// The move the agent makes where the game stands; the game is not over.
    fn choose(&mut self, table: &dyn Table) -> Result<Answer, Failure>;
}
