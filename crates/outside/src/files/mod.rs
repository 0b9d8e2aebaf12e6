//! Programs that are started anew for each move, read a file and write one.

#[cfg(target_os = "linux")]
pub(crate) mod client;
mod engine;

pub use engine::{answer, calibrate};

/// What a calibration has found out, for all games.
const CALIBRATION_FILE: &str = "calibration.txt";

/// What a program keeps from one move of a game to the next.
const PLAY_DATA_FILE: &str = "playdata.txt";
