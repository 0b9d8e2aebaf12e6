//! The `Insight` trait: what an engine knows of a game beyond its rules. Opinions, never rules.

use crate::Game;

/// Moves whose [`order`](Insight::order) is at least this are tactical: searched first, never reduced.
pub const TACTICAL: i32 = 1 << 20;

/// What is known of a position for the side to move without searching it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins in this many plies at most.
    Win(u32),
    /// It loses, and can resist for no more than this many plies.
    Loss(u32),
    /// It is worth exactly this, in hundredths of the game's unit.
    Exact(i32),
}

/// A position solved by a method of the game's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// What it is worth for the side to move.
    pub verdict: Verdict,
    /// The best line; at least its first move.
    pub line: Vec<M>,
    /// The positions looked at.
    pub nodes: u64,
}

/// How the search treats a game; each number is measured by matches.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Whether handing over the turn shows that a position is too good already.
    pub null_move: bool,
    /// By how much, for each ply left, an evaluation must be off before the rest of the search is believed to change nothing; 0 for never.
    pub futility: i32,
    /// Late moves are searched less deep by `ln(depth) ln(number) / reduction`; 0 for never.
    pub reduction: f32,
    /// Half the width of the first window around the score of the last iteration.
    pub aspiration: i32,
    /// The difference of scores that makes a win about three times as likely as a loss.
    pub scale: f32,
}

impl Tuning {
    /// A search without assumptions about the game.
    pub const CAUTIOUS: Self = Self { null_move: false, futility: 0, reduction: 2.5, aspiration: 40, scale: 200.0 };
}

/// Knowledge of a game for a search; every method but four has an answer for games that know no better.
pub trait Insight: Game {
    /// What is kept up along the line of play, such as line patterns; `()` where nothing is.
    /// It must not depend on whose turn it is: handing over the turn leaves it as it is.
    type State: Clone + Send;

    /// How the search treats this game.
    const TUNING: Tuning = Tuning::CAUTIOUS;

    /// Codes of moves lie below this, which is 65535 at most.
    const MOVE_CODES: usize;

    /// A small number for each move, the same in every position.
    fn code(mv: Self::Move) -> u16;

    /// The move of a code that [`code`](Self::code) gave.
    fn decode(code: u16) -> Self::Move;

    /// The state of this position, from scratch.
    fn state(&self) -> Self::State;

    /// Takes the state from `before` a move to `after` it.
    fn advance(_state: &mut Self::State, _before: &Self, _mv: Self::Move, _after: &Self) {}

    /// Takes the state back from `after` a move to `before` it.
    fn retreat(_state: &mut Self::State, _before: &Self, _mv: Self::Move, _after: &Self) {}

    /// What the position is worth for the side to move, in hundredths of the game's unit, between -20000 and 20000.
    fn evaluate(&self, state: &Self::State) -> i32;

    /// The terms of the evaluation for the side to move, each with a name, before they are weighted: what a tuner fits
    /// weights to. Empty where the evaluation is not such a sum.
    fn features(&self, _state: &Self::State) -> Vec<(&'static str, i32)> {
        Vec::new()
    }

    /// Calls `visit` with the moves worth searching: legal, at least one unless the game is over, of those that lead to the same position only one.
    fn for_each_candidate(&self, _state: &Self::State, visit: impl FnMut(Self::Move)) {
        self.for_each_move(visit);
    }

    /// Calls `visit` with the moves that a quiet evaluation must not overlook, such as captures.
    fn for_each_forcing(&self, _state: &Self::State, _visit: impl FnMut(Self::Move)) {}

    /// Whether the side to move must answer a threat to win at once: its evaluation says nothing then, and its candidates are
    /// few. Such positions are searched a ply deeper.
    fn is_threatened(&self, _state: &Self::State) -> bool {
        false
    }

    /// How good a move looks before searching it; [`TACTICAL`] and more for moves that change the balance.
    fn order(&self, _state: &Self::State, _mv: Self::Move) -> i32 {
        0
    }

    /// What is known without searching; `depth` is what a search would spend, so a long look may pay where it is large.
    fn verdict(&self, _state: &Self::State, _depth: i32) -> Option<Verdict> {
        None
    }

    /// Solves the position by a method of the game's own, looking at no more than `nodes` positions and giving up where `stopped` says so.
    fn solve(&self, _nodes: u64, _stopped: &(dyn Fn() -> bool + Sync)) -> Option<Solution<Self::Move>> {
        None
    }
}
