//! The `NBoard` protocol, version 2, by which the boards of the Othello world speak to engines.

#[cfg(target_os = "linux")]
pub(crate) mod client;
mod engine;
mod game;

pub use engine::serve;
