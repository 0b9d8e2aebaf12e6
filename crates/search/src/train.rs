//! Training: weights fitted to games, by a method of the game's own.

use std::sync::Arc;

use quincunx_game::TextError;

use crate::{AnyEvaluator, Stop};

/// What weights are made of.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// Files of games by others, each with its name.
    pub files: &'a [(String, Vec<u8>)],
    /// Files of self-play, each with its name; [`selfplay::read`](crate::selfplay::read) reads them.
    pub data: &'a [(String, Vec<u8>)],
    /// Games that the program plays while it trains; `None` for as many as the game likes.
    pub games: Option<u32>,
    /// Passes over all positions; `None` for as many as the game likes.
    pub epochs: Option<u32>,
    /// The share of the search's score in what a position of self-play is said to be worth, from 0 to 1; the rest is how
    /// its game ended. `None` for what the game likes.
    pub score_share: Option<f32>,
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
    /// The learning curve as an SVG picture, if it keeps one.
    pub curve: Option<String>,
}

/// Trains an evaluator of one game; `None` if it was stopped.
pub type Train = fn(&Training<'_>) -> Result<Option<Trained>, TextError>;
