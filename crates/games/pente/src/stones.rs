//! The stones on the board, and what a stone on an intersection captures and completes.

use quincunx_game::{Side, bits::Bits};

use super::{Move, SIZE};

/// How far a stone sees along a line: four more stones make five.
const SIGHT: usize = 4;

/// The stones of both sides: a word a row, bit `x` being the first side's stone on column `x` and bit `32 + x` the
/// second's. Empty rows above and below the board keep what a stone sees from needing bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stones {
    rows: [u64; SIGHT + SIZE + SIGHT],
}

/// The nine rows around a place, the fifth being its own.
type Near = [u64; 2 * SIGHT + 1];

/// The stones of both sides on the cells up to four steps back and on along the four lines through a place, which
/// itself is left out. The eight steps of a line, numbered from the last one back (0) to the last one on (7), stand in
/// pairs: step `s` of line `n` is bit `16 (s / 2) + 4 n + 2 (s % 2)` for the first side, and the next bit for the
/// second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Around(u64);

/// The lines: rows down and columns to the right of one step on.
pub(super) const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The eight steps of a line.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
const STEPS: [i32; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];

/// The lowest bit of every line.
const LOWEST: u64 = 0x1111_1111_1111_1111;

impl Stones {
    pub(super) const NONE: Self = Self { rows: [0; SIGHT + SIZE + SIGHT] };

    /// The stones of a side in a row.
    #[inline]
    pub(super) fn row(&self, side: Side, row: usize) -> u32 {
        (self.rows[SIGHT + row] >> (32 * side.index())) as u32
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
        self.rows[SIGHT + place.row()] ^= 1 << (32 * side.index() + place.column());
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

    #[inline]
    fn near(&self, place: Move) -> &Near {
        self.rows[place.row()..].first_chunk().expect("every row of the board has four rows on both sides")
    }

    /// The stones near a place.
    #[inline]
    pub(super) fn around(&self, place: Move) -> Around {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            // SAFETY: the instructions are part of the target this is compiled for.
            #[allow(unsafe_code)]
            Around(unsafe { avx2::around(self.near(place), place.column()) })
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        Around(portable::around(self.near(place), place.column()))
    }
}

impl Around {
    /// The pairs that a stone of `side` captures: for line `n`, bit `4 n` is a pair behind it and bit `4 n + 1` one
    /// before it.
    #[inline]
    pub(super) fn captures(self, side: Side) -> u16 {
        let (own, enemy) = (self.0 >> side.index(), self.0 >> (!side).index());
        let behind = (own >> 2) & (enemy >> 16) & (enemy >> 18) & LOWEST;
        let before = (enemy >> 32) & (enemy >> 34) & (own >> 48) & LOWEST;
        (behind | before << 1) as u16
    }

    /// Whether a stone of `side` makes five or more in a row.
    #[inline]
    pub(super) fn makes_five(self, side: Side) -> bool {
        self.runs(side)[2] != 0
    }

    /// Where stones of `side` stand on two, three and four cells one after the other, the place itself passed over: a
    /// bit each. A stone there would add itself to those runs that lie on both sides of it or touch it.
    #[inline]
    pub(super) fn runs(self, side: Side) -> [u64; 3] {
        let own = self.0 >> side.index();
        let (even, odd) = (own & LOWEST, (own >> 2) & LOWEST);
        let (from_even, from_odd) = (even & odd, odd & (even >> 16));
        let four = (from_even & (from_even >> 16)) | (from_odd & (from_odd >> 16)) << 2;
        let three = (from_even & (even >> 16)) | (from_odd & (odd >> 16)) << 2;
        [from_even | from_odd << 2, three, four]
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{LINES, Near, SIGHT, STEPS};

    pub(super) fn around(near: &Near, column: usize) -> u64 {
        let mut around = 0;
        for (line, (down, right)) in LINES.into_iter().enumerate() {
            for (index, step) in STEPS.into_iter().enumerate() {
                // Left of the board nothing is seen; right of it lie bits that are never set.
                let Ok(column) = u32::try_from(column as i32 + right * step) else { continue };
                let cell = near[(SIGHT as i32 + down * step) as usize] >> column;
                let sides = (cell & 1) | (cell >> 31 & 2);
                around |= sides << (16 * (index / 2) + 4 * line + 2 * (index % 2));
            }
        }
        around
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! Four rows, both sides of each, in the eight lanes of a vector; otherwise as the portable function.

    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_movemask_epi8, _mm256_packs_epi16, _mm256_packs_epi32, _mm256_set1_epi32,
        _mm256_set1_epi64x, _mm256_setr_epi32, _mm256_setr_epi64x, _mm256_sllv_epi32, _mm256_sub_epi32,
    };

    use super::Near;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn around(near: &Near, column: usize) -> u64 {
        let [a, b, c, d, row, e, f, g, h] = near.map(|row| row as i64);
        let (above, row, below) =
            (_mm256_setr_epi64x(a, b, c, d), _mm256_set1_epi64x(row), _mm256_setr_epi64x(e, f, g, h));
        let (back, on) = (_mm256_setr_epi32(4, 4, 3, 3, 2, 2, 1, 1), _mm256_setr_epi32(1, 1, 2, 2, 3, 3, 4, 4));

        // Each shift brings a cell to the sign bit; one beyond 31 (left of the board) gives zero.
        let straight = _mm256_set1_epi32(31 - column as i32);
        let (left_back, right_back) = (_mm256_add_epi32(straight, back), _mm256_sub_epi32(straight, back));
        let (left_on, right_on) = (_mm256_add_epi32(straight, on), _mm256_sub_epi32(straight, on));
        let behind = signs([(row, left_back), (above, straight), (above, left_back), (above, right_back)]);
        let before = signs([(row, right_on), (below, straight), (below, right_on), (below, left_on)]);
        u64::from(behind) | u64::from(before) << 32
    }

    /// The sign bits of the shifted lanes: from the lower halves of all four vectors, then from the upper halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn signs(lines: [(__m256i, __m256i); 4]) -> u32 {
        let [a, b, c, d] = lines.map(|(rows, shifts)| _mm256_sllv_epi32(rows, shifts));
        _mm256_movemask_epi8(_mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d))) as u32
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::*;

    /// Looks at cell after cell, as the rules say it.
    fn around_by_walking(stones: &Stones, place: Move) -> u64 {
        let mut around = 0;
        for (line, (down, right)) in LINES.into_iter().enumerate() {
            for (index, step) in STEPS.into_iter().enumerate() {
                let Some(cell) = place.moved(down * step, right * step) else { continue };
                for side in Side::BOTH.into_iter().filter(|&side| stones.has(side, cell)) {
                    around |= 1 << (16 * (index / 2) + 4 * line + 2 * (index % 2) + side.index());
                }
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
                let expected = around_by_walking(&stones, place);
                assert_eq!(stones.around(place), Around(expected), "{place:?}");
                assert_eq!(portable::around(stones.near(place), place.column()), expected, "{place:?}");
            }
        }
    }

    #[test]
    fn runs_are_found_wherever_they_begin() {
        for (line, side) in (0..4).flat_map(|line| Side::BOTH.map(|side| (line, side))) {
            for pattern in 0..256_u64 {
                let bit = |step: u64| (pattern >> step & 1) << (16 * (step / 2) + 4 * line + 2 * (step % 2));
                let around = Around((0..8).map(bit).sum::<u64>() << side.index());
                let expected = [2, 3, 4].map(|length| {
                    let run = (1 << length) - 1;
                    (0..=8 - length).filter(|begin| pattern >> begin & run == run).count() as u32
                });
                assert_eq!(around.runs(side).map(u64::count_ones), expected);
                assert_eq!(around.runs(!side), [0; 3]);
            }
        }
    }
}
