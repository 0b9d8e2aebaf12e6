//! Evaluations that are weighted sums of a few terms.

use std::{fmt::Debug, sync::Arc};

use quincunx_game::TextError;

use crate::{Encoding, Evaluator, Tuning, evaluator::Term, solver::Solver};

/// A game whose positions are judged by a few terms, each with a weight.
pub trait Weighted: Encoding<Known = ()> {
    /// The terms of one position, or a weight for each: an array.
    type Values: AsRef<[i32]> + AsMut<[i32]> + Copy + Debug + Send + Sync;

    /// The names of the terms.
    const NAMES: &'static [&'static str];

    /// Their weights, in thousandths of the game's unit.
    const WEIGHTS: Self::Values;

    /// The numbers of the search that go with them.
    const TUNING: Tuning;

    /// The terms for the side to move.
    fn terms(&self) -> Self::Values;

    /// The game's own solver, as in [`Evaluator::solver`].
    fn solver(_mebibytes: usize, _threads: usize) -> Option<Box<dyn Solver<Self>>> {
        None
    }
}

/// The evaluator of such a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms<P: Weighted> {
    /// Weights from a file; `None` for those of the program, which the compiler knows: with them a search of Tessella
    /// is 7 % faster.
    loaded: Option<P::Values>,
    tuning: Tuning,
}

impl<P: Weighted> Terms<P> {
    fn values(&self) -> P::Values {
        self.loaded.unwrap_or(P::WEIGHTS)
    }
}

/// The weighted sum of terms, from thousandths to hundredths.
#[inline]
fn sum(terms: impl AsRef<[i32]>, weights: impl AsRef<[i32]>) -> i32 {
    terms.as_ref().iter().zip(weights.as_ref()).map(|(term, weight)| term * weight).sum::<i32>() / 10
}

impl<P: Weighted> Evaluator for Terms<P> {
    type Position = P;
    type State = ();

    const SHAPE: &'static str = "terms";

    const TUNING: Tuning = P::TUNING;

    fn embedded() -> Arc<Self> {
        Arc::new(Self { loaded: None, tuning: P::TUNING })
    }

    fn from_weights(bytes: &[u8]) -> Result<Self, TextError> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        let mut weights = P::WEIGHTS;
        let places = weights.as_mut();
        if chunks.len() != places.len() || !rest.is_empty() {
            let (found, wanted) = (bytes.len() / 4, places.len());
            return Err(TextError::new(format!("these are {found} weights; the evaluation has {wanted}")));
        }
        for (place, &chunk) in places.iter_mut().zip(chunks) {
            // A larger weight could overflow the sum.
            *place = i32::from_le_bytes(chunk).clamp(-1_000_000, 1_000_000);
        }
        Ok(Self { loaded: Some(weights), tuning: P::TUNING })
    }

    fn weights(&self) -> Vec<u8> {
        self.values().as_ref().iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn with_tuning(&self, tuning: Tuning) -> Self {
        Self { tuning, ..*self }
    }

    fn state(&self, _position: &P) {}

    fn known(state: &()) -> &() {
        state
    }

    #[inline]
    fn evaluate(&self, position: &P, (): &()) -> i32 {
        let terms = position.terms();
        self.loaded.as_ref().map_or_else(|| sum(terms, P::WEIGHTS), |weights| sum(terms, weights))
    }

    fn terms(&self, position: &P, (): &()) -> Vec<Term> {
        P::NAMES.iter().copied().zip(position.terms().as_ref().iter().copied()).collect()
    }

    fn with_terms(&self, weights: &[f64]) -> Option<Self> {
        let mut fitted = self.values();
        let places = fitted.as_mut();
        if weights.len() != places.len() {
            return None;
        }
        for (place, weight) in places.iter_mut().zip(weights) {
            *place = (10.0 * weight).round() as i32;
        }
        Some(Self { loaded: Some(fitted), ..*self })
    }

    fn solver(self: &Arc<Self>, mebibytes: usize, threads: usize) -> Option<Box<dyn Solver<P>>> {
        P::solver(mebibytes, threads)
    }
}
