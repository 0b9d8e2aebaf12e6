//! One search for every game.

pub mod limits;
pub mod score;

pub use limits::{Clock, Limits, Stop};
pub use score::Score;
