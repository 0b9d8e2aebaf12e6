//! Evaluators: what a position is worth, as a value with weights of its own.

use std::sync::Arc;

use quincunx_game::{Position, TextError};

use crate::{
    Encoding, Tactics, Tuning,
    file::Label,
    probcut::{Prediction, ProbCut},
    solver::Solver,
};

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

    /// The numbers of the search for weights that say nothing of them.
    const TUNING: Tuning;

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

    /// The same evaluator with other numbers of the search.
    #[must_use]
    fn with_tuning(&self, tuning: Tuning) -> Self;

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
    let (weights, numbers) = label::<E>().open_noted(file)?;
    let evaluator = E::from_weights(weights)?;
    if numbers.is_empty() {
        return Ok(evaluator);
    }
    // Pages load the weights of the program, which name none, and have a small budget.
    if cfg!(target_family = "wasm") {
        return Err(TextError::new("these weights name numbers of the search, which pages cannot read"));
    }
    Ok(evaluator.with_tuning(evaluator.tuning().with_words(numbers)?))
}

/// An evaluator as a file of weights, which [`from_file`] reads back.
///
/// Its first line names the numbers of the search that differ from [`Evaluator::TUNING`].
pub fn to_file<E: Evaluator>(evaluator: &E) -> Vec<u8> {
    label::<E>().seal_noted(&evaluator.weights(), &evaluator.tuning().to_words(&E::TUNING))
}

fn label<E: Evaluator>() -> Label<'static> {
    Label { kind: "weights", game: E::Position::about().name, shape: E::SHAPE }
}
