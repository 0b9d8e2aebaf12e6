//! Everything of ours that can be asked for a move, by its spec string: `random`, `engine:level=7`, `classic:depth=3`,
//! ….

pub mod analysis;
pub mod elsewhere;
mod level;
#[cfg(not(target_family = "wasm"))]
#[cfg(not(target_family = "wasm"))]
pub mod puzzles;
mod random;
mod spec;

pub use analysis::{Resources, analyse, analyst};
pub use level::HIGHEST_LEVEL;
pub use quincunx_search::agent::{Agent, Analysis, Answer, AnyEngine, Failure, Fault, Options, Request};
pub use spec::{AGENTS, Pace, Spec, build, embedded_book, evaluator, load_weights, pace};
