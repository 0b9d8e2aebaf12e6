//! How to find and learn good moves, for every game: alpha-beta, Monte Carlo, tables, time, evaluators and their
//! fitting.
//!
//! A game answers two traits beside its rules: [`Tactics`] and, with a value that holds weights, [`Evaluator`].

pub mod abdada;
pub mod agent;
pub mod book;
mod budget;
pub mod classic;
pub mod content;
pub mod encoding;
mod engine;
pub mod entry;
pub mod evaluator;
mod file;
mod handicap;
mod history;
pub mod limits;
pub mod matrix;
pub mod mcts;
pub mod memory;
pub mod net;
pub mod packing;
mod path;
mod picker;
pub mod platform;
pub mod probcut;
#[cfg(feature = "promises")]
pub mod promises;
mod ranked;
#[cfg(feature = "promises")]
pub mod reference;
pub mod score;
pub mod selfplay;
pub mod solver;
pub mod tactics;
pub mod terms;
pub mod train;
mod transposition;
pub mod tune;
pub mod tuning;
mod value;
#[cfg(not(target_family = "wasm"))]
pub mod vec_env;
mod worker;

pub use content::Content;
pub use encoding::Encoding;
pub use engine::{Engine, Line, MOST_SELECTIVE, Report, moves_ahead};
pub use entry::{AnyEvaluator, Entry, Variant};
pub use evaluator::Evaluator;
pub use handicap::Handicap;
pub use limits::{Clock, Limits, Stop};
pub use score::Score;
pub use tactics::{Tactics, Verdict};
pub use tuning::{Number, Tuning};
