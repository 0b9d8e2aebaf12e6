//! The transposition table: bounds and best moves of positions, shared by all threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use quincunx_game::hash::mix;
use quincunx_search::memory::{large_table, prefetch};

/// What is known of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The score is at least this.
    pub(super) lower: i8,
    /// The score is at most this.
    pub(super) upper: i8,
    /// The moves that were best last and before, as squares; [`NO_MOVE`] if there is none.
    pub(super) best: [u8; 2],
    /// Plies searched below the position: all empty squares for a solved one.
    pub(super) depth: u8,
    /// How sure the bounds are: [`EXACT`](super::EXACT) if nothing was cut by ProbCut.
    pub(super) certainty: u8,
}

/// No square.
pub(super) const NO_MOVE: u8 = 64;

impl Known {
    /// Nothing at all.
    pub(super) const NOTHING: Self = Self { lower: -64, upper: 64, best: [NO_MOVE; 2], depth: 0, certainty: 0 };

    /// Whether the bounds hold for a search of this depth and certainty.
    pub(super) fn reaches(self, depth: u8, certainty: u8) -> bool {
        self.depth >= depth && self.certainty >= certainty
    }
}

/// One entry: the data, and the key of the position xored with it, so that an entry torn by two writers matches
/// nothing.
#[derive(Default, Debug)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four entries on one line of the cache.
#[derive(Default, Debug)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// A table of a fixed size.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// Counts the searches, so that entries of old ones go first.
    age: AtomicU64,
}

/// The key of a position: what finds it in the table.
#[derive(Clone, Copy)]
pub(super) struct Key(pub(super) u64);

impl Key {
    #[inline]
    pub(super) fn of(own: u64, enemy: u64) -> Self {
        Self(mix(own, enemy))
    }
}

impl Table {
    /// A table of about this many mebibytes, a smaller one if there is not enough memory for it.
    pub(super) fn new(mebibytes: usize) -> Self {
        let buckets = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        // Halving keeps it a power of two.
        Self { buckets: large_table(1 << buckets.ilog2()), age: AtomicU64::new(1) }
    }

    /// Begins a new search: entries of earlier ones are still found, but give way first.
    pub(super) fn grow_old(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        &self.buckets[key.0 as usize & (self.buckets.len() - 1)]
    }

    /// Fetches the place of a position into the cache, to be read soon.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// What is known of the position, if anything.
    #[inline]
    pub(super) fn find(&self, key: Key) -> Option<Known> {
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key.0 && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Adds what a search found: a score against the window (`alpha`, `beta`), and the move that gave it.
    /// `cost` is the logarithm of the nodes spent: expensive entries stay longer.
    pub(super) fn store(
        &self,
        key: Key,
        window: (i32, i32),
        score: i32,
        best: u8,
        (depth, certainty): (u8, u8),
        cost: u8,
    ) {
        let age = self.age.load(Relaxed) as u8;
        let bucket = self.bucket(key);
        let mut known = Known::NOTHING;
        let (mut place, mut least) = (&bucket.0[0], u32::MAX);
        for entry in &bucket.0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key.0 && data != 0 {
                known = unpack(data);
                place = entry;
                break;
            }
            // An older entry gives way first, then the one that is cheapest to find again.
            let worth =
                if data == 0 { 0 } else { (u32::from((data >> 56) as u8 == age) << 8) + (data >> 48 & 63) as u32 + 1 };
            if worth < least {
                (place, least) = (entry, worth);
            }
        }
        let same = known.depth == depth && known.certainty == certainty;
        if !same {
            if known.reaches(depth, certainty) && known.depth > 0 {
                return;
            }
            (known.lower, known.upper, known.depth, known.certainty) = (-64, 64, depth, certainty);
        }
        if score > window.0 {
            known.lower = known.lower.max(score as i8);
        }
        if score < window.1 {
            known.upper = known.upper.min(score as i8);
        }
        if (score > window.0 || known.best[0] == NO_MOVE) && known.best[0] != best {
            known.best = [best, known.best[0]];
        }
        let data = pack(known, cost.min(63), age);
        place.data.store(data, Relaxed);
        place.check.store(key.0 ^ data, Relaxed);
    }
}

fn pack(known: Known, cost: u8, age: u8) -> u64 {
    u64::from_le_bytes([
        known.lower as u8,
        known.upper as u8,
        known.best[0],
        known.best[1],
        known.depth,
        known.certainty,
        cost,
        age,
    ])
}

fn unpack(data: u64) -> Known {
    let [lower, upper, first, second, depth, certainty, ..] = data.to_le_bytes();
    Known { lower: lower as i8, upper: upper as i8, best: [first, second], depth, certainty }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_one_position_close_in_and_shallower_ones_do_not_replace_them() {
        let table = Table::new(1);
        let key = Key::of(3, 5);
        assert!(table.find(key).is_none());
        table.store(key, (3, 4), 6, 19, (20, 7), 9);
        table.store(key, (9, 10), 8, 26, (20, 7), 9);
        let known = table.find(key).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (6, 8, [19, NO_MOVE]));
        table.store(key, (-1, 0), -20, 37, (12, 7), 9);
        assert_eq!(table.find(key).unwrap(), known);
        assert!(known.reaches(20, 7) && !known.reaches(21, 7) && !known.reaches(20, 8));
    }

    #[test]
    fn dear_entries_of_this_search_outlive_cheap_and_old_ones() {
        let table = Table::new(1);
        let buckets = table.buckets.len() as u64;
        let key = |number: u64| Key(7 + buckets * number);
        table.store(key(1), (0, 1), 2, 1, (20, 7), 30);
        table.grow_old();
        for (number, cost) in [(2, 9), (3, 5), (4, 9), (5, 9), (6, 9)] {
            table.store(key(number), (0, 1), 2, 1, (20, 7), cost);
        }
        let found = [1, 2, 3, 4, 5, 6].map(|number| table.find(key(number)).is_some());
        assert_eq!(found, [false, true, false, true, true, true]);
    }
}
