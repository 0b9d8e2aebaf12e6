//! One search for every game: alpha-beta over any game with [`Insight`], within limits.

pub mod abdada;
pub mod book;
mod budget;
mod engine;
pub mod foretell;
mod handicap;
mod history;
pub mod insight;
pub mod limits;
pub mod matrix;
pub mod mcts;
pub mod memory;
mod path;
pub mod platform;
pub mod score;
mod transpositions;
pub mod tune;
mod value;
mod worker;

pub use engine::{Engine, Line, MOST_SELECTIVE, Report, moves_ahead};
pub use handicap::Handicap;
pub use insight::Insight;
pub use limits::{Clock, Limits, Stop};
pub use score::Score;
