//! Which stones can move by which vector: all four boards in a word, four directions at a time.

use super::vectors::{INSIDE, STEPS, VECTORS};

/// The dark boards; the light ones are the other half of the word.
pub(super) const DARK: u64 = 0x0000_0000_ffff_ffff;

/// The stones that can move by each vector.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(super) struct Movers {
    /// On the homeboards, onto empty cells only.
    pub(super) passive: [u64; VECTORS],
    /// On any board, pushing what may be pushed.
    pub(super) aggressive: [u64; VECTORS],
}

impl Movers {
    /// The movers of a side with the stones `own` and the homeboards `home`.
    #[inline]
    pub(super) fn new(own: u64, enemy: u64, home: u64) -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            // SAFETY: the instructions are part of the target this is compiled for.
            #[allow(unsafe_code)]
            unsafe {
                avx2::movers(own, enemy, home)
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        portable::movers(own, enemy, home)
    }

    /// The stones that can push one of `enemy` off its board by each vector, as part of a turn.
    #[inline]
    pub(super) fn capturers(&self, enemy: u64) -> [u64; VECTORS] {
        let mut capturers = [0; VECTORS];
        for direction in 0..8 {
            let step = STEPS[direction % 4];
            let away = |times: u32| if direction < 4 { enemy >> (step * times) } else { enemy << (step * times) };
            let vector = direction / 4 * 8 + direction % 4;
            // What is pushed ends one cell beyond the mover.
            capturers[vector] = self.attackers(vector) & away(1) & !INSIDE[1][direction];
            capturers[vector + 4] = self.attackers(vector + 4) & (away(1) | away(2)) & !INSIDE[2][direction];
        }
        capturers
    }

    /// The stones that can make the aggressive move of a turn with this vector.
    #[inline]
    fn attackers(&self, vector: usize) -> u64 {
        let passive = self.passive[vector];
        let light = if passive & DARK == 0 { 0 } else { !DARK };
        let dark = if passive & !DARK == 0 { 0 } else { DARK };
        self.aggressive[vector] & (light | dark)
    }

    /// The number of turns with each vector.
    #[inline]
    pub(super) fn counts(&self) -> [u64; VECTORS] {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            // SAFETY: the instructions are part of the target this is compiled for.
            #[allow(unsafe_code)]
            unsafe {
                avx2::counts(self)
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        portable::counts(self)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{
        super::vectors::{INSIDE, STEPS, VECTORS},
        DARK, Movers,
    };

    pub(super) fn movers(own: u64, enemy: u64, home: u64) -> Movers {
        let mut movers = Movers { passive: [0; VECTORS], aggressive: [0; VECTORS] };
        for direction in 0..8 {
            let step = STEPS[direction % 4];
            // What stands so many steps away from each cell.
            let away = |stones: u64, times: u32| {
                if direction < 4 { stones >> (step * times) } else { stones << (step * times) }
            };
            let [one, two, three] = [0, 1, 2].map(|times| INSIDE[times][direction]);
            let [first, second, third] = [1, 2, 3].map(|times| away(own | enemy, times));
            let [own_first, own_second] = [1, 2].map(|times| away(own, times));
            let vector = direction / 4 * 8 + direction % 4;
            movers.passive[vector] = own & home & one & !first;
            movers.passive[vector + 4] = own & home & two & !(first | second);
            // One step pushes a stone into the second cell; two steps push one of two cells into the third.
            movers.aggressive[vector] = own & one & !(own_first | (first & second & two));
            let two_in_the_way = (first & second) | ((first | second) & third & three);
            movers.aggressive[vector + 4] = own & two & !(own_first | own_second | two_in_the_way);
        }
        movers
    }

    pub(super) fn counts(movers: &Movers) -> [u64; VECTORS] {
        std::array::from_fn(|vector| {
            let (passive, aggressive) = (movers.passive[vector], movers.aggressive[vector]);
            let size = |cells: u64| u64::from(cells.count_ones());
            size(passive & DARK) * size(aggressive & !DARK) + size(passive & !DARK) * size(aggressive & DARK)
        })
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! Four directions in the four lanes of a vector; otherwise as the portable functions.

    use std::{
        arch::x86_64::{
            __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_maddubs_epi16, _mm256_or_si256,
            _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setr_epi64x,
            _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sllv_epi64, _mm256_srli_epi16, _mm256_srlv_epi64,
        },
        mem::transmute,
    };

    use super::{
        super::vectors::{INSIDE, STEPS, VECTORS},
        Movers,
    };

    /// The movers of four directions by one cell and by two: passive, then aggressive ones.
    type Lanes = [[__m256i; 2]; 2];

    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes(values: [u64; 4]) -> __m256i {
        _mm256_setr_epi64x(values[0] as i64, values[1] as i64, values[2] as i64, values[3] as i64)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn away<const RISING: bool>(stones: __m256i, times: u32) -> __m256i {
        let distance = lanes(STEPS.map(|step| u64::from(step * times)));
        if RISING { _mm256_srlv_epi64(stones, distance) } else { _mm256_sllv_epi64(stones, distance) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn four_directions<const RISING: bool>(own: u64, enemy: u64, home: u64) -> Lanes {
        let inside = |times: usize| {
            let [a, b, c, d, e, f, g, h] = INSIDE[times];
            lanes(if RISING { [a, b, c, d] } else { [e, f, g, h] })
        };
        let (one, two, three) = (inside(0), inside(1), inside(2));
        let occupied = _mm256_set1_epi64x((own | enemy) as i64);
        let home = _mm256_set1_epi64x(home as i64);
        let own = _mm256_set1_epi64x(own as i64);

        let first = away::<RISING>(occupied, 1);
        let second = _mm256_and_si256(away::<RISING>(occupied, 2), two);
        let third = _mm256_and_si256(away::<RISING>(occupied, 3), three);
        let own_first = away::<RISING>(own, 1);
        let own_second = away::<RISING>(own, 2);
        let (can_one, can_two) = (_mm256_and_si256(own, one), _mm256_and_si256(own, two));
        let either = _mm256_or_si256(first, second);
        let both = _mm256_and_si256(first, second);
        let two_in_the_way = _mm256_or_si256(both, _mm256_and_si256(either, third));
        [
            [
                _mm256_and_si256(_mm256_andnot_si256(first, can_one), home),
                _mm256_and_si256(_mm256_andnot_si256(either, can_two), home),
            ],
            [
                _mm256_andnot_si256(_mm256_or_si256(own_first, both), can_one),
                _mm256_andnot_si256(_mm256_or_si256(_mm256_or_si256(own_first, own_second), two_in_the_way), can_two),
            ],
        ]
    }

    /// The set bits of each byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn sizes(cells: __m256i) -> __m256i {
        let bits = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let nibble = _mm256_set1_epi8(0x0f);
        let low = _mm256_shuffle_epi8(bits, _mm256_and_si256(cells, nibble));
        let high = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16::<4>(cells), nibble));
        _mm256_add_epi8(low, high)
    }

    /// The number of turns with each of four vectors, in the lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn products(passive: __m256i, aggressive: __m256i) -> __m256i {
        // Bytes 0 to 3 of a lane are dark, 4 to 7 light, two of them a board. Each aggressive byte is multiplied by the
        // number of passive movers of the other colour, brought there from the first byte of the lower or the upper
        // board.
        let spread = |first_byte: i64| {
            let low = 0x0000_0000_0404_0404 + 0x0101_0101_0101_0101 * first_byte;
            let high = low + 0x0808_0808_0808_0808;
            _mm256_setr_epi64x(low, high, low, high)
        };
        let passive = sizes(passive);
        let passive = _mm256_add_epi8(passive, _mm256_srli_epi16::<8>(passive));
        let lower = _mm256_shuffle_epi8(passive, spread(0));
        let upper = _mm256_shuffle_epi8(passive, spread(2));
        // A board holds at most four stones of a side, so every product fits into a byte.
        let products = _mm256_maddubs_epi16(sizes(aggressive), _mm256_add_epi8(lower, upper));
        _mm256_sad_epu8(products, _mm256_setzero_si256())
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn movers(own: u64, enemy: u64, home: u64) -> Movers {
        let [rising, falling] = [four_directions::<true>(own, enemy, home), four_directions::<false>(own, enemy, home)];
        let [passive, aggressive] =
            [0, 1].map(|kind| words([rising[kind][0], rising[kind][1], falling[kind][0], falling[kind][1]]));
        Movers { passive, aggressive }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn counts(movers: &Movers) -> [u64; VECTORS] {
        let [passive, aggressive] = [&movers.passive, &movers.aggressive].map(vectors);
        words([0, 1, 2, 3].map(|four| products(passive[four], aggressive[four])))
    }

    /// The words in the lanes of four vectors.
    fn words(lanes: [__m256i; 4]) -> [u64; VECTORS] {
        // SAFETY: both are plain bits of the same size.
        #[allow(unsafe_code)]
        unsafe {
            transmute(lanes)
        }
    }

    /// Four vectors with these words in their lanes.
    fn vectors(words: &[u64; VECTORS]) -> [__m256i; 4] {
        // SAFETY: both are plain bits of the same size.
        #[allow(unsafe_code)]
        unsafe {
            transmute(*words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::LOWER, *};

    #[test]
    fn vectors_and_portable_code_agree() {
        let mut state = 5;
        let mut next = || {
            state = quincunx_game::hash::mix(state, 11);
            state
        };
        for _ in 0..20_000 {
            let own = next() & next();
            let (enemy, home) = (next() & next() & !own, if next() & 1 == 0 { LOWER } else { !LOWER });
            let movers = Movers::new(own, enemy, home);
            assert_eq!(movers, portable::movers(own, enemy, home));
            assert_eq!(movers.counts(), portable::counts(&movers));
        }
    }
}
