//! The transposition table: what earlier searches found, shared by all threads without locks.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::memory::{large_table, prefetch};

/// What kind of bound a stored value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is at most the stored one.
    Upper,
    /// The true value is at least the stored one.
    Lower,
    /// The stored value is the true one.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move's code, or [`NO_MOVE`].
    pub(crate) code: u16,
    pub(crate) value: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
}

/// The code of no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// Two words: the key is stored exclusive-or the data, so that words of two different writes never pass for an entry.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four slots fill a cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

/// A table of fixed size; forgets old and shallow entries first.
pub(crate) struct TranspositionTable {
    clusters: Box<[Cluster]>,
    generation: AtomicU8,
}

const GENERATIONS: u8 = 64;

impl TranspositionTable {
    /// A table of about this many megabytes, at least one; a smaller one if memory is short.
    pub(crate) fn new(megabytes: usize) -> Self {
        let count = (megabytes.clamp(1, 1 << 20) << 20) / size_of::<Cluster>();
        Self { clusters: large_table(count).into_boxed_slice(), generation: AtomicU8::new(0) }
    }

    /// Begins a new search: entries of earlier ones may be replaced sooner.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    /// How much of the table entries of this search fill, in thousandths, by a sample of its first slots.
    pub(crate) fn fill(&self) -> u32 {
        const SAMPLE: usize = 250;
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..SAMPLE.min(self.clusters.len())];
        let words = sample.iter().flat_map(|cluster| &cluster.0).map(|slot| slot.data.load(Ordering::Relaxed));
        let filled = words.filter(|&data| data != 0 && age_of(data) == generation).count();
        (filled * 1000 / (sample.len() * 4).max(1)) as u32
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Fetches what is known of a position that will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known of the position with this hash.
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers an entry in place of an older one of the same position, or of the least useful one of its cluster.
    pub(crate) fn put(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut target = None;
        let mut lowest = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data);
                if entry.code == NO_MOVE {
                    entry.code = old.code;
                }
                // A much deeper result of the same search is worth more than a new shallow bound.
                if entry.bound != Bound::Exact
                    && age_of(data) == generation
                    && i32::from(entry.depth) + 3 < i32::from(old.depth)
                {
                    return;
                }
                target = Some(slot);
                break;
            }
            let age = i32::from((generation + GENERATIONS - age_of(data)) % GENERATIONS);
            let worth = if data == 0 { i32::MIN } else { i32::from(unpack(data).depth) - 8 * age };
            if worth < lowest {
                (lowest, target) = (worth, Some(slot));
            }
        }
        if let Some(slot) = target {
            let data = pack(entry, generation);
            slot.check.store(key ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }
}

fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.code)
        | u64::from(entry.value as u16) << 16
        | u64::from(entry.depth as u8) << 32
        | bound << 40
        | u64::from(generation) << 42
}

fn unpack(data: u64) -> Entry {
    Entry {
        code: data as u16,
        value: (data >> 16) as i16,
        depth: (data >> 32) as i8,
        bound: match (data >> 40) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 42) as u8 % GENERATIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_again() {
        let table = TranspositionTable::new(1);
        for key in 1..1000u64 {
            let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let entry = Entry { code: key as u16, value: -(key as i16 >> 1), depth: -3, bound: Bound::Lower };
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
            assert_eq!(table.get(!key), None);
        }
        table.clear();
        assert_eq!(table.get(0x9e37_79b9_7f4a_7c15), None);
    }

    #[test]
    fn what_this_search_has_filled_is_told_in_thousandths() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.fill(), 0);
        // As many keys as there are slots, spread evenly: about two of three slots are taken.
        let slots = table.clusters.len() as u64 * 4;
        for number in 1..=slots {
            let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.put(key, Entry { code: 1, value: 0, depth: 1, bound: Bound::Exact });
        }
        assert!((500..=1000).contains(&table.fill()), "{}", table.fill());
        table.age();
        assert_eq!(table.fill(), 0);
    }

    #[test]
    fn deep_entries_of_this_search_survive_shallow_ones() {
        let table = TranspositionTable::new(1);
        let deep = Entry { code: 7, value: 1, depth: 20, bound: Bound::Exact };
        table.put(1, deep);
        for other in 2..100 {
            table.put(other, Entry { code: 1, value: 0, depth: 1, bound: Bound::Upper });
        }
        assert_eq!(table.get(1), Some(deep));
    }
}
