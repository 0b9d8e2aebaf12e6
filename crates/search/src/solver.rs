//! Exact values: the one interface of a game's own solver.

use quincunx_game::{AnyGame, Game, Position, TextError};

use crate::{Tactics, Verdict};

/// What is asked of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The exact score.
    Score,
    /// Who wins: the score is right in its sign only.
    Winner,
}

/// What a solution may take.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// Positions visited, over all threads.
    pub nodes: u64,
    /// About how many seconds; infinite if no clock runs.
    pub seconds: f64,
    /// Whether to give up at once; asked every few milliseconds.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Bounds<'_> {
    /// None: it takes what it takes.
    pub const NONE: Bounds<'static> = Bounds { nodes: u64::MAX, seconds: f64::INFINITY, stopped: &|| false };
}

/// A position solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// What it is worth for the side to move.
    pub verdict: Verdict,
    /// The best line; at least its first move, unless the game is over.
    pub line: Vec<M>,
    /// The plies looked ahead.
    pub depth: u32,
    /// The positions looked at.
    pub nodes: u64,
}

/// Solves positions by a method of the game's own, remembering what it found from one to the next.
pub trait Solver<P: Position>: Send {
    /// The exact value of an unfinished game, or `None` if the bounds did not suffice.
    fn solve(&mut self, position: &P, goal: Goal, bounds: &Bounds<'_>) -> Option<Solution<P::Move>>;

    /// The exact score, if it is likely to be found within the bounds of one move; `None` soon if it is not. Adds the
    /// positions it looked at to `nodes`, also if in vain.
    fn attempt(&mut self, position: &P, bounds: &Bounds<'_>, nodes: &mut u64) -> Option<Solution<P::Move>>;
}

/// The exact value of a game that is held by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The score for the side to move, in the game's unit; a game that is not scored is worth 1, 0 or -1.
    pub score: i32,
    /// A move that reaches it; none if the game is over.
    pub mv: Option<String>,
    /// Positions visited.
    pub nodes: u64,
}

/// A [`Solver`] whatever the type of its game.
pub trait AnySolver: Send {
    /// The exact value where the game stands, `None` if the bounds did not suffice; fails if the game is another one.
    fn solve(&mut self, game: &dyn AnyGame, goal: Goal, bounds: &Bounds<'_>) -> Result<Option<Solved>, TextError>;
}

/// The [`AnySolver`] of positions of type `P`.
pub(crate) struct Held<P: Position>(pub(crate) Box<dyn Solver<P>>);

impl<P: Tactics> AnySolver for Held<P> {
    fn solve(&mut self, game: &dyn AnyGame, goal: Goal, bounds: &Bounds<'_>) -> Result<Option<Solved>, TextError> {
        let game = game.as_any().downcast_ref::<Game<P>>();
        let game = game.ok_or_else(|| TextError::new(format!("this solver is for {} only", P::about().title)))?;
        let position = game.position();
        if let Some(end) = position.outcome() {
            let won = end.winner.map_or(0, |winner| if winner == position.to_move() { 1 } else { -1 });
            let score = if P::SCORED { position.score() / 100 } else { won };
            return Ok(Some(Solved { score, mv: None, nodes: 1 }));
        }
        let solution = self.0.solve(position, goal, bounds);
        Ok(solution.map(|Solution { verdict, line, nodes, .. }| Solved {
            score: match verdict {
                Verdict::Win(_) => 1,
                Verdict::Loss(_) => -1,
                Verdict::Exact(value) => value / 100,
            },
            mv: line.first().map(|&mv| position.move_text(mv)),
            nodes,
        }))
    }
}
