//! The benchmark of a game: fixed searches whose node count is a signature of the search, and whose time is its speed.

use quincunx_agents::{Failure, Request, Resources, analyst};
use quincunx_game::{AnyGame, TextError};
use quincunx_games::open;
use quincunx_machine::CpuTimer;
use quincunx_search::Limits;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random plies before each position searched.
const PLIES: [usize; 6] = [0, 4, 9, 14, 20, 27];
/// The nodes of one search.
const NODES: u64 = 150_000;

/// What the fixed searches of a game say of the program and the machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bench {
    /// The nodes up to the last complete iteration of each search: they reveal every change of the search.
    pub signature: u64,
    /// All nodes.
    pub visited: u64,
    /// The CPU time they took.
    pub seconds: f64,
}

impl Bench {
    /// Searches the fixed positions of a game.
    pub fn of(game: &str) -> Result<Self, BenchError> {
        let mut bench = Self { signature: 0, visited: 0, seconds: 0.0 };
        for plies in PLIES {
            let table = position(game, plies)?;
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let request = Request { limits, ..Request::default() };
            // Each search has a new engine, made before the clock starts: unpacking weights is not searching.
            let mut analyst = analyst(table.rules(), Resources { megabytes: 16, threads: 1 }, None);
            let mut complete = 0;
            let timer = CpuTimer::start();
            let last = analyst.analyse(&*table, 1, &request, &mut |analysis| complete = analysis.nodes)?;
            bench.seconds += timer.elapsed().as_secs_f64();
            bench.signature += complete;
            bench.visited += last.nodes;
        }
        Ok(bench)
    }

    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.visited as f64 / self.seconds
    }
}

/// Why a game cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// There is no such game.
    #[error(transparent)]
    Wrong(#[from] TextError),
    /// The engine gave up.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A position after random moves, the same every time, in which the game is not over.
fn position(game: &str, plies: usize) -> Result<Box<dyn AnyGame>, TextError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plies as u64);
    loop {
        let mut table = open(game, None, None)?;
        for _ in 0..plies {
            table.play_random(&mut rng);
        }
        if table.outcome().is_none() {
            return Ok(table);
        }
    }
}
