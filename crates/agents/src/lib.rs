//! Everything that can be asked for a move, by its spec string: `random`, `engine:level=7`, `classic:depth=3`, ….

mod agent;
mod random;
mod spec;

pub use agent::{Agent, Answer, Failure, Request};
pub use spec::{Spec, build};
