//! One search for every game: alpha-beta over any game with [`Insight`](quincunx_game::Insight), within limits.

pub mod book;
mod budget;
mod engine;
pub mod foretell;
mod handicap;
mod history;
pub mod limits;
pub mod mcts;
mod path;
pub mod score;
mod transpositions;
pub mod tune;
mod value;
mod worker;

pub use budget::thread_cpu_time;
pub use engine::{Engine, Line, MOST_SELECTIVE, Report, moves_ahead};
pub use handicap::Handicap;
pub use limits::{Clock, Limits, Stop};
pub use score::Score;
