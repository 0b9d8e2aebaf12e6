//! What the protocols of lines share: a program that runs for a whole game, and an engine that thinks while its client
//! talks.

#[cfg(target_os = "linux")]
pub(crate) mod client;
pub(crate) mod engine;
#[cfg(target_os = "linux")]
pub(crate) mod program;
