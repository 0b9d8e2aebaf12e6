//! The Universal Game Interface, for all games and rulesets.

#[cfg(target_os = "linux")]
pub(crate) mod client;
mod command;
mod engine;

pub use engine::serve;
