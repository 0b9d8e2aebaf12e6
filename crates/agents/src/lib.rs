//! Everything that can be asked for a move, by its spec string: `random`, `engine:level=7`, `classic:depth=3`, ….

mod agent;
pub mod analysis;
mod classic;
mod engine;
pub mod exchange;
mod level;
mod mcts;
mod options;
mod random;
mod spec;

pub use agent::{Agent, Answer, Failure, Fault, Request};
pub use analysis::{Analysis, Analyst, Resources, analyse};
pub use level::HIGHEST_LEVEL;
pub use options::Options;
pub use spec::{AGENTS, Spec, build};
