//! Analysis: the best lines of a position, deepening while it goes on.

use quincunx_game::{AnyGame, Rules};
use quincunx_games::variant;
use quincunx_search::agent::{Analysis, AnyEngine, Failure, Request, Tell};

use crate::level::Level;

/// The memory and threads an analysis may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Megabytes of transposition table.
    pub megabytes: usize,
    /// Threads.
    pub threads: usize,
}

/// An engine to analyse games under `rules` with, kept from one analysis to the next: at full strength, or at a level with
/// the seed of what it overlooks and misjudges.
pub fn analyst(rules: &Rules, resources: Resources, level: Option<(u64, u64)>) -> Box<dyn AnyEngine> {
    let evaluator = variant(rules).evaluator();
    let level = level.map_or(Level::FULL, |(number, seed)| Level::new(evaluator.tuning(), number, seed));
    evaluator.engine(level.settings(resources))
}

/// One analysis with an engine of its own.
pub fn analyse(
    game: &dyn AnyGame,
    count: usize,
    resources: Resources,
    request: &Request,
    tell: &mut Tell<'_>,
) -> Result<Analysis, Failure> {
    analyst(game.rules(), resources, None).analyse(game, count, request, tell)
}
