//! How the store is doing, for those who watch over the server.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};

/// Counts since the server started, and how the last transaction went.
#[derive(Default, Debug)]
pub(crate) struct Health {
    failing: AtomicBool,
    /// Writes that are on disk.
    pub(crate) written: AtomicU64,
    /// Transactions that failed.
    pub(crate) failures: AtomicU64,
    /// Games removed to make room, or because of their age.
    pub(crate) removed: AtomicU64,
    /// How often house was kept: the slices in which games were looked for and removed.
    pub(crate) slices: AtomicU64,
    /// What they took together, in microseconds.
    pub(crate) slices_took: AtomicU64,
    /// The longest that moves had to wait for one, in microseconds.
    pub(crate) longest_slice: AtomicU64,
    /// Games kept.
    pub(crate) games: AtomicUsize,
}

impl Health {
    /// Whether the last transaction failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    pub(super) fn wrote(&self, writes: usize, well: bool) {
        self.failing.store(!well, Ordering::Relaxed);
        if well {
            self.written.fetch_add(writes as u64, Ordering::Relaxed);
        } else {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn removed(&self, games: usize) {
        self.removed.fetch_add(games as u64, Ordering::Relaxed);
    }

    /// Notes how long a slice of housekeeping took.
    pub(super) fn kept_house(&self, took: Duration) {
        let micros = took.as_micros() as u64;
        self.slices.fetch_add(1, Ordering::Relaxed);
        self.slices_took.fetch_add(micros, Ordering::Relaxed);
        self.longest_slice.fetch_max(micros, Ordering::Relaxed);
    }
}
