//! Exact values: the games that can be solved, behind one interface.

use quincunx_game::{About, AnyGame};

use crate::{othello, pente};

/// What is asked of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The exact score.
    Score,
    /// Who wins: the score is right in its sign only.
    Winner,
}

/// How long a solution may take.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// Positions visited, over all threads.
    pub nodes: u64,
    /// Asked every few thousand positions: whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Bounds<'_> {
    /// None: it takes what it takes.
    pub const NONE: Bounds<'static> = Bounds { nodes: u64::MAX, stop: &|| false };
}

/// The exact value of a game where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The score for the side to move, in the game's unit.
    pub score: i32,
    /// A move that reaches it; none where the game is over.
    pub mv: Option<String>,
    /// Positions visited.
    pub nodes: u64,
}

/// Something that finds exact values.
pub trait Solve {
    /// The exact value, or `None` where the bounds did not suffice.
    fn solve(&mut self, game: &dyn AnyGame, goal: Goal, bounds: &Bounds) -> Option<Solved>;
}

/// The solver of a game, with a game of about `mebibytes` and this many threads; `None` where the game has none.
pub fn solver(game: &About, mebibytes: usize, threads: usize) -> Option<Box<dyn Solve>> {
    match game.name {
        "othello" => Some(Box::new(othello::endgame::Solver::new(mebibytes, threads))),
        "pente" => Some(Box::new(pente::Solver)),
        _ => None,
    }
}
