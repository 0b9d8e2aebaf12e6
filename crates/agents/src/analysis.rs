//! Analysis: the best lines of a position, deepening while it goes on.

use quincunx_game::{AnyGame, Rules};
use quincunx_games::{Visitor, visit};
use quincunx_search::Insight;
use quincunx_search::Score;

use crate::{Agent, Failure, Request, engine::EngineAgent, level::Level};

/// What the engine has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The plies searched completely.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The wall-clock seconds spent.
    pub seconds: f64,
    /// The best lines, the best first; never empty.
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

/// Told each time a search got deeper.
pub type Tell<'a> = dyn FnMut(&Analysis) + 'a;

/// The engine for one game, kept from one analysis to the next.
pub struct Analyst(Box<dyn Analyse>);

impl Analyst {
    /// An analyst of games under `rules`, at full strength.
    pub fn new(rules: &Rules, resources: Resources) -> Self {
        Self(visit(rules, Build { resources, level: None }))
    }

    /// An analyst at a level; `seed` says what it overlooks and misjudges.
    pub fn at_level(rules: &Rules, resources: Resources, level: u64, seed: u64) -> Self {
        Self(visit(rules, Build { resources, level: Some((level, seed)) }))
    }

    /// Finds the `count` best lines where the game stands, telling `tell` each time the search got deeper, until the
    /// limits are reached or the request is stopped. Fails where the game is over or of another kind.
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

/// An engine agent whatever the type of its game.
pub(crate) trait Analyse: Agent {
    fn analyse(
        &mut self,
        game: &dyn AnyGame,
        count: usize,
        request: &Request,
        tell: &mut Tell<'_>,
    ) -> Result<Analysis, Failure>;
}

struct Build {
    resources: Resources,
    /// The number of the level and its seed; `None` is full strength.
    level: Option<(u64, u64)>,
}

impl Visitor for Build {
    type Output = Box<dyn Analyse>;

    fn visit<P: Insight>(self) -> Self::Output {
        let level = self.level.map_or(Level::FULL, |(number, seed)| Level::new::<P>(number, seed));
        let engine = level.engine(self.resources.megabytes, self.resources.threads);
        Box::new(EngineAgent::<P>::new(engine, level.limits))
    }
}
