//! Programs that are started anew for each move, read a file and write one.

mod archive_name;
mod engine;

#[cfg(target_os = "linux")]
mod archive;
#[cfg(target_os = "linux")]
mod build;
#[cfg(target_os = "linux")]
pub(crate) mod client;
#[cfg(target_os = "linux")]
mod submission;

pub use archive_name::archive_name;
#[cfg(target_os = "linux")]
pub use build::agent_file;
#[cfg(target_os = "linux")]
pub use client::{content_of, open_submission, prepare};
pub use engine::{answer, calibrate};
#[cfg(not(target_os = "linux"))]
pub use without_sandbox::{agent_file, content_of, open_submission, prepare};

/// What a calibration has found out, for all games.
const CALIBRATION_FILE: &str = "calibration.txt";

/// What a program keeps from one move of a game to the next.
const PLAY_DATA_FILE: &str = "playdata.txt";

/// What was found out about a program before its first game.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// A number for the content of what was handed in: names, modes and bytes.
    pub content: String,
    /// Why it cannot be run, in one line.
    pub refusal: Option<String>,
    /// What compilers said.
    pub messages: String,
    /// What its author should know of its calibration.
    pub calibration: Option<String>,
}

/// The same questions on a system without a sandbox, where no program is run.
#[cfg(not(target_os = "linux"))]
mod without_sandbox {
    use std::path::{Path, PathBuf};

    use quincunx_game::{Rules, TextError};

    use super::Prepared;

    /// The file that makes an agent of a directory.
    pub fn agent_file(_directory: &Path) -> Option<String> {
        None
    }

    /// The directory with what was handed in.
    pub fn open_submission(path: &Path) -> Result<PathBuf, TextError> {
        Ok(path.to_path_buf())
    }

    /// A number for the content of what a spec names.
    pub fn content_of(spec: &str) -> Result<String, TextError> {
        prepare(spec, &Rules::of(quincunx_games::all()[0])).map(|prepared| prepared.content)
    }

    /// Builds the program of a spec.
    pub fn prepare(spec: &str, _rules: &Rules) -> Result<Prepared, TextError> {
        Err(TextError::new(format!("{spec}: programs from outside run in a sandbox that needs Linux")))
    }
}
