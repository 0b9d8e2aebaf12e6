//! One search for every game: alpha-beta over any game with [`Insight`](quincunx_game::Insight), within limits.

mod budget;
mod engine;
mod history;
pub mod limits;
pub mod mcts;
mod path;
pub mod score;
mod transpositions;
pub mod tune;
mod value;
mod worker;

pub use engine::{Engine, Handicap, Line, Report};
pub use limits::{Clock, Limits, Stop};
pub use score::Score;
