//! How long a search may go on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// What bounds one answer; whichever is reached first. Without any limit a search goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Plies of full-width search.
    pub depth: Option<u32>,
    /// Positions visited, over all threads.
    pub nodes: Option<u64>,
    /// Wall-clock time for this move.
    pub movetime: Option<Duration>,
    /// The player's wall clock for the rest of the game.
    pub clock: Option<Clock>,
    /// CPU time left to the player, over all threads, for the rest of the game.
    pub cpu: Option<Duration>,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    /// What is left of it.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A signal that ends a search from outside; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks whoever searches under this signal to end at once.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
