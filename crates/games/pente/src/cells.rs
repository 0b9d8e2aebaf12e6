//! Sets of intersections.

use std::ops::{BitAnd, BitOr};

use quincunx_game::bits::Bits;

use super::{FULL_ROW, Move, SIZE};

const WORDS: usize = (SIZE * SIZE).div_ceil(64);

/// A set of intersections, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cells([u64; WORDS]);

impl Cells {
    pub(super) const NONE: Self = Self([0; WORDS]);

    /// Adds a cell, or takes it out if it is there.
    #[inline]
    pub(super) fn toggle(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    #[inline]
    pub(super) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there are two or more.
    #[inline]
    pub(super) fn has_several(&self) -> bool {
        self.count() > 1
    }

    /// Those that are not in the other set.
    #[inline]
    pub(super) fn without(&self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The cells, by their number.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |word| Bits(words[word]).map(move |bit| 64 * word + bit as usize))
    }

    /// Those of a row, a bit a column.
    #[inline]
    pub(super) fn row(&self, row: usize) -> u32 {
        let (word, bit) = (row * SIZE / 64, row * SIZE % 64);
        let next = self.0.get(word + 1).map_or(0, |&next| u128::from(next) << 64);
        ((u128::from(self.0[word]) | next) >> bit) as u32 & FULL_ROW
    }

    /// The same as moves.
    #[inline]
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        self.iter().map(Move::of_cell)
    }
}

impl BitOr for Cells {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitAnd for Cells {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}
