//! The agent trait: a game in, a move out.

mod engine;
mod mcts;
mod options;

use std::time::Duration;

use quincunx_game::{AnyGame, Game, Position};

use crate::{Limits, Score, Stop};

pub(crate) use engine::EngineAgent;
pub use engine::{Analysis, AnyEngine, EngineSettings, Line, Tell};
pub(crate) use mcts::MctsAgent;
pub use options::Options;

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
    /// The text of the move: checked by the caller, like any other text.
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
    /// The CPU time spent, if not all of it was spent by the asking thread (helper threads, other processes); `None` if
    /// that thread's clock tells it all.
    pub cpu: Option<Duration>,
    /// The line the agent expects, its own move first.
    pub pv: Vec<String>,
    /// What the author of a program should know of its answer, which was accepted all the same.
    pub remark: Option<String>,
}

/// The ways an agent can fail, each with the name it has in records and tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// It used more time than it had.
    Timeout,
    /// It answered a move that the rules do not allow.
    IllegalMove,
    /// What it wrote is not a move at all.
    MalformedOutput,
    /// It ended without an answer.
    NoOutput,
    /// It ended by a signal or with an exit code other than 0, or could not be started.
    Crash,
    /// It neither answered nor computed.
    Stall,
    /// It wrote or started more than it may: output, files, memory, processes.
    Excess,
    /// It broke the protocol it speaks.
    Protocol,
    /// It declined to answer, and says why.
    Declined,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Timeout,
        Self::IllegalMove,
        Self::MalformedOutput,
        Self::NoOutput,
        Self::Crash,
        Self::Stall,
        Self::Excess,
        Self::Protocol,
        Self::Declined,
    ];

    /// The name in records, tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::IllegalMove => "illegal move",
            Self::MalformedOutput => "malformed output",
            Self::NoOutput => "no output",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Excess => "excess",
            Self::Protocol => "protocol error",
            Self::Declined => "no answer",
        }
    }
}

/// Why an agent gave no answer: the kind of fault, and one line for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {message}", .fault.name())]
pub struct Failure {
    /// What kind of failure it is.
    pub fault: Fault,
    /// What happened, in one line.
    pub message: String,
    /// What a program said on standard error: several lines, bounded; empty for agents of ours.
    pub words: String,
}

impl Failure {
    /// An agent of ours that declines to answer.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of(Fault::Declined, message)
    }

    /// A failure of a given kind.
    pub fn of(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, message: message.into(), words: String::new() }
    }
}

/// Something that can be asked for a move.
pub trait Agent: Send {
    /// Does what has to be done before a game and is not part of it: starts programs, copies files. An agent that is
    /// not asked gets ready when the first move is due.
    fn get_ready(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// The move the agent makes where the game stands; the game is not over.
    fn choose(&mut self, table: &dyn AnyGame, request: &Request) -> Result<Answer, Failure>;

    /// Forgets what belongs to the game played before.
    fn new_game(&mut self) {}
}

/// The game behind the interface, which must be of type `P` and unfinished.
pub fn typed<P: Position>(game: &dyn AnyGame) -> Result<&Game<P>, Failure> {
    let game = game.as_any().downcast_ref::<Game<P>>();
    let game = game.ok_or_else(|| Failure::new(format!("this agent plays {}, not this game", P::about().title)))?;
    if game.outcome().is_some() {
        return Err(Failure::new("asked for a move in a finished game"));
    }
    Ok(game)
}

/// The texts of a line of moves.
pub fn texts<P: Position>(position: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    texts
}
