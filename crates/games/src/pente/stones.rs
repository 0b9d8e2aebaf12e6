//! The stones on the board, and what a stone on an intersection captures and completes.

use quincunx_game::{Side, bits::Bits};

use super::{Move, SIZE};

/// How far a stone sees along a line: four more stones make five.
const SIGHT: usize = 4;

/// The rows between one side's first row and the other's: empty ones lie between, so that none sees beyond the board.
const SIDE_STRIDE: usize = SIZE + SIGHT;

/// The stones of both sides: a word a row, bit `x` being column `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stones {
    rows: [u32; SIGHT + 2 * SIDE_STRIDE],
}

/// Eight cells a line around an intersection, a byte a line (row, column, falling diagonal, rising diagonal): bits 0 to 3
/// are four to one step back, bits 4 to 7 one to four steps on. The intersection itself is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Around(u32);

/// One step along each line: rows down, columns to the right.
pub(super) const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Stones {
    pub(super) const NONE: Self = Self { rows: [0; SIGHT + 2 * SIDE_STRIDE] };

    #[inline]
    const fn index(side: Side, row: usize) -> usize {
        SIGHT + SIDE_STRIDE * side.index() + row
    }

    /// The stones of a side in a row.
    #[inline]
    pub(super) fn row(&self, side: Side, row: usize) -> u32 {
        self.rows[Self::index(side, row)]
    }

    /// The stones of both sides in a row.
    #[inline]
    pub(super) fn occupied_row(&self, row: usize) -> u32 {
        self.row(Side::First, row) | self.row(Side::Second, row)
    }

    #[inline]
    pub(super) fn has(&self, side: Side, place: Move) -> bool {
        self.row(side, place.row()) >> place.column() & 1 != 0
    }

    /// Places a stone where there is none, or takes away the one that is there.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, place: Move) {
        self.rows[Self::index(side, place.row())] ^= 1 << place.column();
    }

    pub(super) fn count(&self, side: Side) -> u32 {
        (0..SIZE).map(|row| self.row(side, row).count_ones()).sum()
    }

    /// All stones, from the top row to the bottom one.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Side, Move)> {
        (0..SIZE).flat_map(|row| Side::BOTH.map(|side| (row, side))).flat_map(|(row, side)| {
            Bits(u64::from(self.row(side, row))).map(move |column| (side, Move::at(row, column as usize)))
        })
    }

    /// The stones of `side` near a place.
    #[inline]
    pub(super) fn around(&self, side: Side, place: Move) -> Around {
        let middle = Self::index(side, place.row());
        let near = self.rows[middle - SIGHT..].first_chunk().expect("every row has empty rows on both sides");
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            // SAFETY: the instructions are part of the target this is compiled for.
            #[allow(unsafe_code)]
            Around(unsafe { avx2::around(near, place.column()) })
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        Around(portable::around(near, place.column()))
    }
}

impl Around {
    /// The pairs a stone in the middle captures, if these are the stones of its side: for line `n`, bit `8 n` is a pair
    /// behind it and bit `8 n + 1` a pair before it.
    #[inline]
    pub(super) fn captures(self, enemy: Self) -> u32 {
        const LOWEST: u32 = 0x0101_0101;
        let behind = (self.0 >> 1) & (enemy.0 >> 2) & (enemy.0 >> 3) & LOWEST;
        let before = (enemy.0 >> 4) & (enemy.0 >> 5) & (self.0 >> 6) & LOWEST;
        behind | before << 1
    }

    /// Whether a stone in the middle makes five or more in a row.
    #[inline]
    pub(super) fn makes_five(self) -> bool {
        let two = self.0 & (self.0 >> 1);
        let four = two & (two >> 2);
        four & 0x1f1f_1f1f != 0
    }

    /// The stones.
    pub(super) fn count(self) -> i32 {
        self.0.count_ones() as i32
    }

    /// The longest unbroken run of stones that a stone in the middle of some line joins or bridges, itself left out.
    pub(super) fn longest_run(self) -> i32 {
        let runs = self.0.to_le_bytes().map(|line| (line >> 4).trailing_ones() + (line << 4).leading_ones());
        runs.into_iter().max().unwrap_or(0) as i32
    }
}

/// The nine rows around a place, the fifth being its own.
type Near = [u32; 2 * SIGHT + 1];

/// The byte of the row itself.
#[inline]
fn along_row(row: u32, column: usize) -> u32 {
    let window = (row << SIGHT) >> column;
    (window & 0x0f) | ((window >> 1) & 0xf0)
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{LINES, Near, SIGHT, along_row};

    pub(super) fn around(near: &Near, column: usize) -> u32 {
        let mut around = along_row(near[SIGHT], column);
        for (line, (_, right)) in LINES.into_iter().enumerate().skip(1) {
            for (bit, down) in [-4, -3, -2, -1, 1, 2, 3, 4].into_iter().enumerate() {
                // Space for four columns left of the board keeps the shift from going below zero.
                let row = near[(SIGHT as i32 + down) as usize] << SIGHT;
                let seen = row >> (column as i32 + SIGHT as i32 + right * down) & 1;
                around |= seen << (8 * line + bit);
            }
        }
        around
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! The eight other rows in the eight lanes of a vector; otherwise as the portable function.

    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_movemask_ps, _mm256_set1_epi32, _mm256_setr_epi32,
        _mm256_sllv_epi32, _mm256_sub_epi32,
    };

    use super::{Near, along_row};

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn around(near: &Near, column: usize) -> u32 {
        let [a, b, c, d, row, e, f, g, h] = near.map(|row| row as i32);
        let rows = _mm256_setr_epi32(a, b, c, d, e, f, g, h);
        let steps = _mm256_setr_epi32(-4, -3, -2, -1, 1, 2, 3, 4);
        // A shift that brings the cell of the line to the sign bit; one beyond 31 (left of the board) gives zero.
        let straight = _mm256_set1_epi32(31 - column as i32);
        let signs = |shifts: __m256i| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(rows, shifts))) as u32;
        along_row(row as u32, column)
            | signs(straight) << 8
            | signs(_mm256_sub_epi32(straight, steps)) << 16
            | signs(_mm256_add_epi32(straight, steps)) << 24
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::game::mix;

    use super::*;

    /// Looks at cell after cell, as the rules say it.
    fn around_by_walking(stones: &Stones, side: Side, place: Move) -> u32 {
        let mut around = 0;
        for (line, (down, right)) in LINES.into_iter().enumerate() {
            for (bit, step) in [-4, -3, -2, -1, 1, 2, 3, 4].into_iter().enumerate() {
                let seen = place.moved(down * step, right * step).is_some_and(|cell| stones.has(side, cell));
                around |= u32::from(seen) << (8 * line + bit);
            }
        }
        around
    }

    #[test]
    fn all_ways_to_look_around_agree_with_walking() {
        let mut state = 1;
        for round in 0..200 {
            let mut stones = Stones::NONE;
            for cell in 0..SIZE * SIZE {
                state = mix(state, 77);
                // From sparse boards to full ones.
                if state % 200 <= round {
                    stones.toggle(Side::BOTH[(state >> 32) as usize % 2], Move::of_cell(cell));
                }
            }
            for place in (0..SIZE * SIZE).map(Move::of_cell) {
                for side in Side::BOTH {
                    let expected = around_by_walking(&stones, side, place);
                    assert_eq!(stones.around(side, place), Around(expected), "{place:?}");
                    let middle = Stones::index(side, place.row());
                    let near = stones.rows[middle - SIGHT..].first_chunk().unwrap();
                    assert_eq!(portable::around(near, place.column()), expected, "{place:?}");
                }
            }
        }
    }
}
