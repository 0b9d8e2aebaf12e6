//! What can go wrong with a contest.

use std::{io, path::Path};

use quincunx_game::TextError;

/// Why a contest cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// What was asked cannot be done.
    #[error(transparent)]
    Wrong(#[from] TextError),
    /// The disk did not do what it should.
    #[error("{what}: {error}")]
    Disk {
        /// What was tried, and with which file.
        what: String,
        /// What happened.
        error: io::Error,
    },
    /// The machines that play cannot be reached, or do not do what they should.
    #[error("{0}")]
    Queue(String),
    /// An experiment was ended from outside.
    #[error("stopped: an experiment is complete or says nothing{}", if *.kept { "; the same command goes on with it" } else { "" })]
    Stopped {
        /// Whether its games are on the disk.
        kept: bool,
    },
}

impl ContestError {
    /// What was asked cannot be done, in one line.
    pub fn wrong(message: impl Into<String>) -> Self {
        Self::Wrong(TextError::new(message))
    }

    /// The journal's file cannot be used.
    pub(crate) fn keeping(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = format!("cannot keep the games: {}", path.display());
        move |error| Self::Disk { what, error }
    }
}

/// Writes a page or list, all of it or nothing.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ContestError> {
    quincunx_machine::write_whole(path, text)
        .map_err(|error| ContestError::Disk { what: format!("cannot write {}", path.display()), error })
}
