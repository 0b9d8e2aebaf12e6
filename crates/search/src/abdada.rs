//! ABDADA: the threads of one search mark the moves they are at, so that each takes first what no other is searching.

use std::sync::atomic::{AtomicU64, Ordering};

/// Far more than the moves that all threads together are at, so that two seldom share a place.
const PLACES: usize = 1 << 14;

/// The moves being searched by any thread, each known by a key. Where two share a place, the later one is kept: nothing
/// but time is lost.
#[derive(Debug)]
pub struct Abdada(Box<[AtomicU64]>);

impl Default for Abdada {
    fn default() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Abdada {
    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % PLACES]
    }

    /// Whether a thread is searching this move.
    #[inline]
    pub fn has(&self, key: u64) -> bool {
        self.place(key).load(Ordering::Relaxed) == key
    }

    /// A thread begins to search a move.
    #[inline]
    pub fn enter(&self, key: u64) {
        self.place(key).store(key, Ordering::Relaxed);
    }

    /// A thread has searched a move.
    #[inline]
    pub fn leave(&self, key: u64) {
        self.place(key).store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_abdada_until_it_is_left() {
        let abdada = Abdada::default();
        let (one, same_place) = (17, 17 + PLACES as u64);
        assert!(!abdada.has(one));
        abdada.enter(one);
        assert!(abdada.has(one) && !abdada.has(same_place));
        abdada.enter(same_place);
        assert!(!abdada.has(one) && abdada.has(same_place));
        abdada.leave(one);
        assert!(!abdada.has(same_place), "a place is free once anyone has left it");
    }
}
