//! Evaluators: what a position is worth, as a value with weights of its own.

use std::sync::Arc;

use quincunx_game::{Position, TextError};

use crate::{
    Encoding, Tactics,
    file::Label,
    probcut::{Prediction, ProbCut},
    solver::Solver,
};

/// The numbers of a search that go with an evaluator; each is measured by matches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tuning {
    /// Whether null-move pruning is sound: whether a move is always worth more than none.
    pub null_move: bool,
    /// Reverse futility pruning: by how much, for each ply left, an evaluation must exceed beta; 0 for never.
    pub reverse_futility: i32,
    /// Futility pruning: by how much, for each ply left, an evaluation must lie below alpha before quiet moves are
    /// given up; 0 for never.
    pub futility: i32,
    /// Late move reduction: late moves are searched less deep by `ln(depth) ln(number) / reduction`; 0 for never.
    pub reduction: f32,
    /// Late move pruning: close to the leaves only so many quiet moves for each ply left are searched, and as many more;
    /// 0 for all. It takes a good order of moves.
    pub late_moves: usize,
    /// Half the width of the first aspiration window around the score of the last iteration.
    pub aspiration: i32,
    /// The difference of scores that makes a win about three times as likely as a loss.
    pub scale: f32,
    /// How many times the usual positions the highest level that counts them looks at in this game; lower levels have
    /// less of it.
    pub pace: f64,
}

impl Tuning {
    /// A search without assumptions about the game.
    pub const CAUTIOUS: Self = Self {
        null_move: false,
        reverse_futility: 0,
        futility: 0,
        reduction: 2.5,
        late_moves: 0,
        aspiration: 40,
        scale: 200.0,
        pace: 1.0,
    };

    /// The numbers of the search in a file of weights.
    pub const NUMBERS: usize = 5;

    /// Those numbers, which [`with_numbers`](Self::with_numbers) reads back.
    pub fn numbers(&self) -> [i16; Self::NUMBERS] {
        let Self { null_move, reverse_futility, futility, reduction, aspiration, .. } = *self;
        let numbers =
            [i32::from(null_move), reverse_futility, futility, (100.0 * reduction).round() as i32, aspiration];
        numbers.map(|number| number.clamp(0, 32_767) as i16)
    }

    /// The same search with the numbers of a file of weights.
    #[must_use]
    pub fn with_numbers(self, numbers: &[i16]) -> Self {
        let positive = |at: usize| i32::from(numbers[at]).max(0);
        Self {
            null_move: numbers[0] != 0,
            reverse_futility: positive(1),
            futility: positive(2),
            reduction: positive(3) as f32 / 100.0,
            aspiration: positive(4).max(1),
            ..self
        }
    }

    /// Whether any pruning compares an evaluation with the window.
    #[inline]
    pub(crate) fn has_margins(&self) -> bool {
        self.reverse_futility > 0 || self.futility > 0 || self.null_move
    }
}

/// What makes the evaluator of a file of weights beside the source, for a `LazyLock`.
#[cfg(not(target_family = "wasm"))]
#[macro_export]
macro_rules! embedded_weights {
    ($file:literal) => {
        || {
            let evaluator = $crate::evaluator::from_file(include_bytes!($file));
            ::std::sync::Arc::new(evaluator.expect("the weights in the repository are whole"))
        }
    };
}

/// There are none: pages load the weights when their game is opened.
#[cfg(target_family = "wasm")]
#[macro_export]
macro_rules! embedded_weights {
    ($file:literal) => {
        || unreachable!("the weights are handed in before")
    };
}

/// A term of an evaluation that is a weighted sum: its name, and its value in one position.
pub type Term = (&'static str, i32);

/// A move of the positions that an evaluator judges.
pub(crate) type MoveOf<E> = <<E as Evaluator>::Position as Position>::Move;

/// An evaluation with its weights. It is a value: two of them can play each other in one process.
pub trait Evaluator: Send + Sync + Sized + 'static {
    /// What it evaluates.
    type Position: Encoding;

    /// What is kept up along the line of play: what the tactics know, and the evaluator's own sums.
    type State: Clone + Send;

    /// What its weights are for, such as `patterns`: weights of another shape cannot be loaded.
    const SHAPE: &'static str;

    /// Whether the engine in a page carries its weights; otherwise they are loaded with the game and handed in, see
    /// [`embedded_weights`].
    const CARRIED_BY_PAGES: bool = true;

    /// ProbCut asks for no bound beyond this, in hundredths of the game's unit: evaluations hardly reach it.
    const LARGEST: i32 = 20_000;

    /// The evaluator that comes with the program.
    fn embedded() -> Arc<Self>;

    /// The evaluator with the weights that [`weights`](Self::weights) gave; the error says what is wrong with them.
    fn from_weights(weights: &[u8]) -> Result<Self, TextError>;

    /// Its weights as bytes.
    fn weights(&self) -> Vec<u8>;

    /// The numbers of the search that go with it.
    fn tuning(&self) -> &Tuning;

    /// The same evaluator with other numbers of the search; `None` if they are not part of its value.
    fn with_tuning(&self, _tuning: Tuning) -> Option<Self> {
        None
    }

    /// The state of a position, from scratch.
    fn state(&self, position: &Self::Position) -> Self::State;

    /// What the tactics know, as part of the state.
    fn known(state: &Self::State) -> &<Self::Position as Tactics>::Known;

    /// Takes the state from `before` a move to `after` it.
    fn advance(&self, _state: &mut Self::State, _before: &Self::Position, _mv: MoveOf<Self>, _after: &Self::Position) {}

    /// Takes the state back from `after` a move to `before` it.
    fn retreat(&self, _state: &mut Self::State, _before: &Self::Position, _mv: MoveOf<Self>, _after: &Self::Position) {}

    /// What the position is worth for the side to move, in hundredths of the game's unit, between -20000 and 20000.
    fn evaluate(&self, position: &Self::Position, state: &Self::State) -> i32;

    /// How good a move looks before it is searched, as in [`Tactics::order`]; an evaluator may know better than that.
    #[inline]
    fn order(&self, position: &Self::Position, state: &Self::State, mv: MoveOf<Self>) -> i32 {
        position.order(Self::known(state), mv)
    }

    /// The terms of the evaluation for the side to move, before they are weighted; empty if it is no such sum.
    fn terms(&self, _position: &Self::Position, _state: &Self::State) -> Vec<Term> {
        Vec::new()
    }

    /// The same evaluator with these weights of its [`terms`](Self::terms), in hundredths of the game's unit; `None` if
    /// it is no such sum.
    fn with_terms(&self, _weights: &[f64]) -> Option<Self> {
        None
    }

    /// A bound of the value after `depth` plies, above `alpha` exactly if the value is, by a search of its own that
    /// needs no table; adds the positions it looked at to `nodes`. `None` if it has none so deep.
    fn shallow(
        &self,
        _position: &Self::Position,
        _state: &Self::State,
        _alpha: i32,
        _depth: i32,
        _nodes: &mut u64,
    ) -> Option<i32> {
        None
    }

    /// ProbCut: how a shallow search predicts one of `depth` plies here; fitted by `quincunx probcut`.
    fn prediction(&self, _position: &Self::Position, _depth: i32) -> Option<Prediction> {
        None
    }

    /// The same evaluator with this ProbCut table; `None` if it keeps none.
    fn with_probcut(&self, _table: ProbCut) -> Option<Self> {
        None
    }

    /// A solver of the game's own with a table of about `mebibytes` and this many threads, if the game has one. It may
    /// order its moves by the evaluator.
    fn solver(self: &Arc<Self>, _mebibytes: usize, _threads: usize) -> Option<Box<dyn Solver<Self::Position>>> {
        None
    }
}

/// The evaluator that a file of weights holds; the error says what is wrong with it.
pub fn from_file<E: Evaluator>(file: &[u8]) -> Result<E, TextError> {
    E::from_weights(label::<E>().open(file)?)
}

/// An evaluator as a file of weights, which [`from_file`] reads back.
pub fn to_file<E: Evaluator>(evaluator: &E) -> Vec<u8> {
    label::<E>().seal(&evaluator.weights())
}

fn label<E: Evaluator>() -> Label<'static> {
    Label { kind: "weights", game: E::Position::about().name, shape: E::SHAPE }
}
