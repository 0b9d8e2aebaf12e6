//! Analysis: the best lines of a position, deepening while it goes on.

use quincunx_game::{Insight, Table, TextError};
use quincunx_games::{Visitor, visit};
use quincunx_search::{Engine, Limits, Score};

use crate::{Failure, Request, engine::EngineAgent};

/// What the engine has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The plies searched completely.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The wall-clock seconds spent.
    pub seconds: f64,
    /// The best lines, the best first.
    pub lines: Vec<Line>,
}

/// A move with what is expected to follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move.
    pub mv: String,
    /// What it is worth for the side to move.
    pub score: Score,
    /// The chance of the side to move to win, a draw counting half.
    pub win_probability: f64,
    /// The expected line, the move itself first.
    pub pv: Vec<String>,
}

/// The memory and threads an analysis may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Megabytes of transposition table.
    pub megabytes: usize,
    /// Threads.
    pub threads: usize,
}

/// Finds the `count` best lines where the game stands, telling `tell` each time the search got deeper, until the
/// limits are reached or the request is stopped. An error where the game is over.
pub fn analyse(
    table: &dyn Table,
    count: usize,
    resources: Resources,
    request: &Request,
    tell: &mut dyn FnMut(&Analysis),
) -> Result<Analysis, TextError> {
    let analyse = Analyse { table, count, resources, request, tell };
    visit(table.rules(), analyse).map_err(|failure| TextError::new(failure.message))
}

struct Analyse<'a> {
    table: &'a dyn Table,
    count: usize,
    resources: Resources,
    request: &'a Request,
    tell: &'a mut dyn FnMut(&Analysis),
}

impl Visitor for Analyse<'_> {
    type Output = Result<Analysis, Failure>;

    fn visit<G: Insight>(self) -> Self::Output {
        let engine = Engine::new(self.resources.megabytes, self.resources.threads);
        EngineAgent::<G>::new(engine, Limits::default()).analyse(self.table, self.count, self.request, self.tell)
    }
}
