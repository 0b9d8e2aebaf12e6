//! Why this engine cannot serve as a program for others.

use std::io;

use quincunx_agents::Failure;
use quincunx_game::TextError;

/// Why this engine gave up answering.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// What was asked is wrong.
    #[error(transparent)]
    Asked(#[from] TextError),
    /// The engine has no move.
    #[error(transparent)]
    Engine(#[from] Failure),
    /// Standard input cannot be read.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// A file cannot be read or written.
    #[error("{what}")]
    File {
        /// What cannot be done with which file.
        what: String,
        /// Why.
        source: io::Error,
    },
}
