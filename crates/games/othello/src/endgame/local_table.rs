//! What one thread remembers of positions near the end: a table so small that it stays in the processor's cache.
//!
//! A look into the large table is a walk to memory. Near the end there are too many looks for that, and what they find
//! was nearly always stored a moment ago, by another order of the same moves. Boards of other sizes never meet here:
//! the same discs leave more squares empty on a larger board than are searched with this table.

use quincunx_game::hash::mix;

use super::table::NO_MOVE;

/// One position: the score is no less than `lower` and no more than `upper`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LocalEntry {
    own: u64,
    enemy: u64,
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The move that was best last, as a square.
    pub(super) best: u8,
}

impl LocalEntry {
    const NOTHING: Self = Self { own: 0, enemy: 0, lower: -64, upper: 64, best: NO_MOVE };
}

/// The logarithm of the number of places. Between 12 and 14 nothing changed by more than a fiftieth.
const BITS: u32 = 13;

/// The table: every position has one place, and the latest one keeps it.
#[derive(Clone, Debug)]
pub(super) struct LocalTable(Box<[LocalEntry; 1 << BITS]>);

impl Default for LocalTable {
    fn default() -> Self {
        let places = vec![LocalEntry::NOTHING; 1 << BITS].into_boxed_slice();
        Self(places.try_into().expect("as many as the array has"))
    }
}

impl LocalTable {
    /// The place of a position in the table.
    #[inline]
    pub(super) fn place(own: u64, enemy: u64) -> usize {
        (mix(own, enemy) >> (64 - BITS)) as usize
    }

    /// What is known of the position, which has this place.
    #[inline]
    pub(super) fn find(&self, place: usize, own: u64, enemy: u64) -> Option<&LocalEntry> {
        let entry = &self.0[place % (1 << BITS)];
        (entry.own == own && entry.enemy == enemy).then_some(entry)
    }

    /// Adds the score that a search found with the window (`alpha`, `alpha + 1`), and the move that gave it.
    #[inline]
    pub(super) fn store(&mut self, place: usize, own: u64, enemy: u64, alpha: i32, score: i32, best: u8) {
        let entry = &mut self.0[place % (1 << BITS)];
        if entry.own != own || entry.enemy != enemy {
            *entry = LocalEntry { own, enemy, ..LocalEntry::NOTHING };
        }
        if score > alpha {
            entry.lower = score as i8;
            entry.best = best;
        } else {
            entry.upper = score as i8;
            if entry.best == NO_MOVE {
                entry.best = best;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_one_position_close_in_and_another_takes_their_place() {
        let mut local = LocalTable::default();
        assert_eq!(local.find(7, 3, 5), None);
        local.store(7, 3, 5, 9, 8, 26);
        local.store(7, 3, 5, 3, 6, 19);
        let known = local.find(7, 3, 5).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (6, 8, 19));
        assert_eq!(local.find(7, 5, 3), None);
        local.store(7, 5, 3, 0, 2, 4);
        let known = local.find(7, 5, 3).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (2, 64, 4));
        assert_eq!(local.find(7, 3, 5), None);
    }
}
