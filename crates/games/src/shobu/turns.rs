//! The turns of a position as sets: for each vector the stones that can move passively and those that can move aggressively.
//!
//! Every passive move combines with every aggressive one of the same vector on the boards of the other colour, so turns
//! are counted by products of set sizes and picked by ranks in the sets, without a list of them.

use quincunx_game::bits::nth_bit;

use super::vectors::{INSIDE, STEPS, VECTORS};

/// The dark boards; the light ones are the other half of the word.
pub(super) const DARK: u64 = 0x0000_0000_ffff_ffff;

/// The stones that can move by each vector.
pub(super) struct Turns {
    /// On the homeboards, onto empty cells only.
    pub(super) passive: [u64; VECTORS],
    /// On any board, pushing what may be pushed.
    pub(super) aggressive: [u64; VECTORS],
}

impl Turns {
    /// The turns of a side with the stones `own` and the homeboards `home`.
    #[inline]
    pub(super) fn new(own: u64, enemy: u64, home: u64) -> Self {
        let mut turns = Self { passive: [0; VECTORS], aggressive: [0; VECTORS] };
        let occupied = own | enemy;
        for (lane, &step) in STEPS.iter().enumerate() {
            let rising = |cells: u64, times: u32| cells >> (step * times);
            let falling = |cells: u64, times: u32| cells << (step * times);
            turns.set(lane, lane, own, home, [1, 2].map(|n| rising(own, n)), [1, 2, 3].map(|n| rising(occupied, n)));
            turns.set(
                8 + lane,
                4 + lane,
                own,
                home,
                [1, 2].map(|n| falling(own, n)),
                [1, 2, 3].map(|n| falling(occupied, n)),
            );
        }
        turns
    }

    /// Fills in the vectors of one direction from what stands 1, 2 and 3 steps away from each cell.
    #[inline]
    fn set(&mut self, vector: usize, direction: usize, own: u64, home: u64, owns: [u64; 2], occupied: [u64; 3]) {
        let [one, two, three] = [0, 1, 2].map(|times| INSIDE[times][direction]);
        let [first, second, third] = occupied;
        self.passive[vector] = own & home & one & !first;
        self.passive[vector + 4] = own & home & two & !(first | second);
        // One step pushes a stone into the second cell; two steps push one of two cells into the third.
        let second_taken = second & two;
        let third_taken = third & three;
        self.aggressive[vector] = own & one & !(owns[0] | (first & second_taken));
        let two_in_the_way = (first & second) | ((first | second) & third_taken);
        self.aggressive[vector + 4] = own & two & !(owns[0] | owns[1] | two_in_the_way);
    }

    /// The number of turns with each vector.
    #[inline]
    fn counts(&self) -> [u32; VECTORS] {
        std::array::from_fn(|vector| {
            let (passive, aggressive) = (self.passive[vector], self.aggressive[vector]);
            let size = |cells: u64| cells.count_ones();
            size(passive & DARK) * size(aggressive & !DARK) + size(passive & !DARK) * size(aggressive & DARK)
        })
    }

    /// The number of turns.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.counts().into_iter().sum()
    }

    /// Calls `visit` with the passive cell, the aggressive cell and the vector of every turn.
    #[inline]
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, u32, usize)) {
        for vector in 0..VECTORS {
            let mut passive = self.passive[vector];
            while passive != 0 {
                let from = passive.trailing_zeros();
                let mut aggressive = self.aggressive[vector] & partners(from);
                while aggressive != 0 {
                    visit(from, aggressive.trailing_zeros(), vector);
                    aggressive &= aggressive - 1;
                }
                passive &= passive - 1;
            }
        }
    }

    /// The turn that `pick` chooses by its rank, given the number of turns; `None` where there is none.
    #[inline]
    pub(super) fn pick(&self, pick: impl FnOnce(u32) -> u32) -> Option<(u32, u32, usize)> {
        let counts = self.counts();
        let total = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut rank = pick(total);
        let mut vector = 0;
        while rank >= counts[vector] {
            rank -= counts[vector];
            vector += 1;
        }
        let (passive, aggressive) = (self.passive[vector], self.aggressive[vector]);
        let (mut passive, mut others) = (passive & DARK, aggressive & !DARK);
        let first = passive.count_ones() * others.count_ones();
        if rank >= first {
            rank -= first;
            (passive, others) = (self.passive[vector] & !DARK, aggressive & DARK);
        }
        let width = others.count_ones();
        Some((nth_bit(passive, rank / width), nth_bit(others, rank % width), vector))
    }
}

/// The boards of the other colour than that of `cell`.
#[inline]
fn partners(cell: u32) -> u64 {
    if cell < 32 { !DARK } else { DARK }
}
