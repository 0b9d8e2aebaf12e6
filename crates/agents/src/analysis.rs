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

/// The engine for one game, kept from one analysis to the next.
pub struct Analyst(Box<dyn AnyEngine>);

impl Analyst {
    /// An analyst of games under `rules`, at full strength.
    pub fn new(rules: &Rules, resources: Resources) -> Self {
        Self(variant(rules).evaluator().engine(Level::FULL.settings(resources)))
    }

    /// An analyst at a level; `seed` says what it overlooks and misjudges.
    pub fn at_level(rules: &Rules, resources: Resources, level: u64, seed: u64) -> Self {
        let evaluator = variant(rules).evaluator();
        Self(evaluator.engine(Level::new(evaluator.tuning(), level, seed).settings(resources)))
    }

    /// Finds the `count` best lines where the game stands, telling `tell` each time the search got deeper, until the
    /// limits are reached or the request is stopped. Fails if the game is over or of another kind.
    pub fn analyse(
        &mut self,
        game: &dyn AnyGame,
        count: usize,
        request: &Request,
        tell: &mut Tell<'_>,
    ) -> Result<Analysis, Failure> {
        self.0.analyse(game, count, request, tell)
    }
}

/// One analysis with an engine of its own.
pub fn analyse(
    game: &dyn AnyGame,
    count: usize,
    resources: Resources,
    request: &Request,
    tell: &mut Tell<'_>,
) -> Result<Analysis, Failure> {
    Analyst::new(game.rules(), resources).analyse(game, count, request, tell)
}
