//! The `Insight` trait: what an engine knows of a game beyond its rules. Opinions, never rules.

use std::any::Any;

use quincunx_game::Position;

use crate::book::Book;

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

impl Verdict {
    /// The plies until it comes true, at most; 0 where it does not say.
    pub fn plies(self) -> u32 {
        match self {
            Self::Win(plies) | Self::Loss(plies) => plies,
            Self::Exact(_) => 0,
        }
    }

    /// The same for the other side, a ply before.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::Exact(value) => Self::Exact(-value),
        }
    }
}

/// A position solved by a method of the game's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// What it is worth for the side to move.
    pub verdict: Verdict,
    /// The best line; at least its first move.
    pub line: Vec<M>,
    /// The plies looked ahead.
    pub depth: u32,
    /// The positions looked at.
    pub nodes: u64,
}

/// What a solver may spend.
pub struct Effort<'a> {
    /// The positions it may look at; a solver takes off what it looked at.
    pub nodes: u64,
    /// About how long it may take, in seconds; infinite where no clock says so.
    pub seconds: f64,
    /// The threads it may use.
    pub threads: usize,
    /// Whether to give up at once; asked every few milliseconds.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// What it remembers from one position to the next.
    pub memory: &'a mut Memory,
}

/// What a game's solver keeps from one position to the next, of whatever type; belongs to one engine.
#[derive(Default)]
pub struct Memory(Option<Box<dyn Any + Send>>);

impl Memory {
    /// What was kept, or what `make` makes where nothing of that type was.
    pub fn get_or_make<T: Any + Send>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        if !self.0.as_ref().is_some_and(|kept| kept.is::<T>()) {
            self.0 = Some(Box::new(make()));
        }
        self.0.as_mut().and_then(|kept| kept.downcast_mut()).expect("what was made is of its type")
    }
}

/// How well a shallow search foretells a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foretelling {
    /// The depth of the shallow search.
    pub depth: i32,
    /// By how much the deep value lies above the shallow one on average, in hundredths.
    pub bias: i32,
    /// How far the deep value spreads around that: its standard deviation, in hundredths.
    pub error: i32,
}

/// How the search treats a game; each number is measured by matches.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Whether handing over the turn shows that a position is too good already.
    pub null_move: bool,
    /// By how much, for each ply left, an evaluation must lie above the window before the rest of the search is spared; 0 for never.
    pub futility: i32,
    /// By how much, for each ply left, an evaluation must lie below the window before quiet moves are given up; 0 for never.
    pub hopeless: i32,
    /// Late moves are searched less deep by `ln(depth) ln(number) / reduction`; 0 for never.
    pub reduction: f32,
    /// Half the width of the first window around the score of the last iteration.
    pub aspiration: i32,
    /// The difference of scores that makes a win about three times as likely as a loss.
    pub scale: f32,
    /// The moves a side makes in a usual game.
    pub moves: u32,
    /// How many times the usual positions the highest level that counts them looks at here; lower levels have less of it.
    pub pace: f64,
}

impl Tuning {
    /// A search without assumptions about the game.
    pub const CAUTIOUS: Self = Self {
        null_move: false,
        futility: 0,
        hopeless: 0,
        reduction: 2.5,
        aspiration: 40,
        scale: 200.0,
        moves: 24,
        pace: 1.0,
    };
}

/// Knowledge of a game for a search; every method but four has an answer for games that know no better.
pub trait Insight: Position {
    /// What is kept up along the line of play, such as line patterns; `()` where nothing is.
    /// It must not depend on whose turn it is: handing over the turn leaves it as it is.
    type State: Clone + Send;

    /// How the search treats this game.
    const TUNING: Tuning = Tuning::CAUTIOUS;

    /// Whether a game is played for a score, so that a finished one is worth its [`result`](Self::result), not the win alone.
    const COUNTED: bool = false;

    /// Codes of moves lie below this, which is 65535 at most.
    const MOVE_CODES: usize;

    /// A small number for each move, the same in every position.
    fn code(mv: Self::Move) -> u16;

    /// The move of a code that [`code`](Self::code) gave.
    fn decode(code: u16) -> Self::Move;

    /// About how many moves the side to move will make still, to share out a clock, where it has `made` some since the game began.
    fn moves_ahead(&self, made: u32) -> u32 {
        Self::TUNING.moves.saturating_sub(made).max(Self::TUNING.moves / 2)
    }

    /// The most plies, passes not counted, until the game must end; `None` where it need not.
    fn longest(&self) -> Option<u32> {
        None
    }

    /// Loads what a first search would otherwise have to wait for.
    fn prepare() {}

    /// Makes what [`solve`](Self::solve) keeps, so that no clock runs meanwhile.
    fn prepare_solver(_memory: &mut Memory, _threads: usize) {}

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

    /// What a finished game came to for the side to move, in hundredths of the game's unit; asked where [`COUNTED`](Self::COUNTED).
    fn result(&self) -> i32 {
        0
    }

    /// A bound of the value after `depth` plies, above `alpha` exactly where the value is, by a search of the game's own that
    /// needs no table; adds the positions it looked at to `nodes`. `None` where the game has none so deep.
    fn shallow(&self, _state: &Self::State, _alpha: i32, _depth: i32, _nodes: &mut u64) -> Option<i32> {
        None
    }

    /// The shallow search that foretells one of `depth` plies here, for cuts on what is probable; fitted by `quincunx foretell`.
    fn foretelling(&self, _depth: i32) -> Option<Foretelling> {
        None
    }

    /// The opening book for the default rules, where the game has one.
    fn book() -> Option<&'static Book> {
        None
    }

    /// Solves the position by a method of the game's own, where that is likely to take no more than the effort allowed.
    fn solve(&self, _effort: &mut Effort<'_>) -> Option<Solution<Self::Move>> {
        None
    }
}
