//! The agent trait: a game in, a move out.

use quincunx_game::Table;
use quincunx_search::{Limits, Score, Stop};

/// What is asked of an agent beside the game itself.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How long it may think. An agent whose spec has limits of its own keeps to both.
    pub limits: Limits,
    /// Ends the thinking from outside: the best move so far is answered at once.
    pub stop: Stop,
}

/// A move, and what the agent says about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The text of the move: checked by whoever asked, like any other text.
    pub mv: String,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// The chance of the side to move to win, a draw counting half, from 0 to 1.
    pub win_probability: Option<f64>,
    /// The plies searched.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The wall-clock seconds spent.
    pub seconds: f64,
    /// The line the agent expects, its own move first.
    pub pv: Vec<String>,
}

/// Why an agent gave no answer, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

/// Something that can be asked for a move.
pub trait Agent: Send {
    /// The move the agent makes where the game stands; the game is not over.
    fn choose(&mut self, table: &dyn Table, request: &Request) -> Result<Answer, Failure>;

    /// Forgets what belongs to the game played before.
    fn new_game(&mut self) {}
}
