//! Programs that are started anew for each move, read a file and write one.

#[cfg(target_os = "linux")]
pub(crate) mod client;
mod engine;

pub use engine::{answer, calibrate};
