//! What can go wrong between machines.

use std::fmt::Display;

use quincunx_arena::ContestError;
use quincunx_game::TextError;

/// Why the queue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// What was asked cannot be done.
    #[error(transparent)]
    Wrong(#[from] TextError),
    /// The server cannot be reached, or does not do what it should.
    #[error("{0}")]
    Failed(String),
}

impl QueueError {
    /// Something was tried with the server and failed.
    pub(crate) fn of(what: &str) -> impl Fn(&dyn Display) -> Self + '_ {
        move |error| Self::Failed(format!("{what}: {error}"))
    }

    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::Wrong(TextError::new(message))
    }
}

impl From<QueueError> for ContestError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Wrong(wrong) => Self::Wrong(wrong),
            QueueError::Failed(line) => Self::Queue(line),
        }
    }
}
