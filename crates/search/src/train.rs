//! Training: weights fitted to games, by a method of the game's own.

use std::sync::Arc;

use quincunx_game::TextError;

use crate::{AnyEvaluator, Stop};

/// What weights are made of.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// Files of games by others, each with its name.
    pub files: &'a [(String, Vec<u8>)],
    /// Games of the program's own.
    pub games: u32,
    /// Passes over all positions.
    pub epochs: u32,
    /// The seed of the games and of the order of positions.
    pub seed: u64,
    /// Ends the training without a result.
    pub stop: &'a Stop,
}

/// What came out.
pub struct Trained {
    /// The evaluator with its new weights.
    pub evaluator: Arc<dyn AnyEvaluator>,
    /// How well it fits, in lines for people.
    pub report: String,
    /// The positions it was fitted to.
    pub positions: usize,
}

/// Trains an evaluator of one game; `None` if it was stopped.
pub type Train = fn(&Training<'_>) -> Result<Option<Trained>, TextError>;
