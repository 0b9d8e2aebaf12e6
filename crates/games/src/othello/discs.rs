//! Mobility and flips on the 8x8 bitboard: bit 8 x row + column, row 0 at the top.
//!
//! Smaller boards lie in its middle; their rim is never occupied, so runs end there as they end at an empty square.

/// The squares beyond a square in four directions of rising bits and the four opposite ones, the nearest first.
/// All of them lie on one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    rising: [u64; 4],
    falling: [u64; 4],
}

/// The bit distance of a step in each of the four directions: east, south, south-west, south-east (or their opposites).
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
const STEPS: [i64; 4] = [1, 8, 7, 9];

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];
    let mut rays = [Rays { rising: [0; 4], falling: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (down, right) = DIRECTIONS[direction];
            rays[square].rising[direction] = ray(square, down, right);
            rays[square].falling[direction] = ray(square, -down, -right);
            direction += 1;
        }
        square += 1;
    }
    rays
}

const fn ray(square: usize, down: i32, right: i32) -> u64 {
    let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
    let mut ray = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        ray |= 1 << (8 * row + column);
        row += down;
        column += right;
    }
    ray
}

/// The enemy discs that a disc of `own` on the empty `square` (below 64) flips.
#[inline]
pub(crate) fn flips(own: u64, enemy: u64, square: u32) -> u64 {
    Wide::of(own).flips(Wide::of(enemy), square).squares()
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::Wide;

/// A set of squares in the form that [`flips`](Self::flips) takes and gives.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
#[derive(Clone, Copy)]
pub(crate) struct Wide(u64);

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
impl Wide {
    #[inline]
    pub(crate) fn of(squares: u64) -> Self {
        Self(squares)
    }

    #[inline]
    pub(crate) fn squares(self) -> u64 {
        self.0
    }

    /// As the function [`flips`], these being the own discs.
    #[inline]
    pub(crate) fn flips(self, enemy: Self, square: u32) -> Self {
        Self(portable::flips(self.0, enemy.0, square))
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
impl std::ops::BitXor for Wide {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The squares, occupied ones excepted, where a disc of `own` flips something.
#[inline]
pub(crate) fn mobility(own: u64, enemy: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: the instructions are part of the target this is compiled for.
        #[allow(unsafe_code)]
        unsafe {
            avx2::mobility(own, enemy)
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    portable::mobility(own, enemy)
}

/// The squares that a run in an east-west or diagonal direction may lie on.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{INNER_COLUMNS, RAYS};

    pub(super) fn flips(own: u64, enemy: u64, square: u32) -> u64 {
        let rays = &RAYS[square as usize % 64];
        let mut flips = 0;
        for ray in rays.rising {
            // The carry runs through the enemy discs to the first square that holds none.
            let outflank = (enemy | !ray).wrapping_add(1) & own & ray;
            flips |= outflank.wrapping_sub(u64::from(outflank != 0)) & ray;
        }
        for ray in rays.falling {
            let first_other = (1 << 63) >> ((ray & !enemy) | 1).leading_zeros();
            let outflank = first_other & own & ray;
            flips |= (outflank.wrapping_neg() << 1) & ray;
        }
        flips
    }

    pub(super) fn mobility(own: u64, enemy: u64) -> u64 {
        let inner = enemy & INNER_COLUMNS;
        let mut found = 0;
        for (step, run) in [(1, inner), (8, enemy), (7, inner), (9, inner)] {
            let mut rising = run & (own << step);
            let mut falling = run & (own >> step);
            rising |= run & (rising << step);
            falling |= run & (falling >> step);
            let rising_pair = run & (run << step);
            let falling_pair = rising_pair >> step;
            rising |= rising_pair & (rising << (2 * step));
            falling |= falling_pair & (falling >> (2 * step));
            rising |= rising_pair & (rising << (2 * step));
            falling |= falling_pair & (falling >> (2 * step));
            found |= (rising << step) | (falling >> step);
        }
        found & !(own | enemy)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! Four directions in the four lanes of a vector; otherwise as the portable functions.

    use std::arch::x86_64::{
        __m128i, __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_andnot_si256,
        _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_or_si256,
        _mm256_permute2x128_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32,
        _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_xor_si256,
    };

    use super::{INNER_COLUMNS, RAYS, STEPS};

    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes(values: [u64; 4]) -> __m256i {
        _mm256_setr_epi64x(values[0] as i64, values[1] as i64, values[2] as i64, values[3] as i64)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn steps(times: i64) -> __m256i {
        _mm256_setr_epi64x(times * STEPS[0], times * STEPS[1], times * STEPS[2], times * STEPS[3])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn union(lanes: __m256i) -> u64 {
        let halves: __m128i = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
    }

    /// A set of squares in the form that [`flips`](Self::flips) takes and gives: in each lane of a vector. So from one move to the next it
    /// need not go through other registers, for which near the end of a game everything would wait.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(__m256i);

    impl Wide {
        #[inline]
        pub(crate) fn of(squares: u64) -> Self {
            // SAFETY: the instruction is part of the target this is compiled for.
            #[allow(unsafe_code)]
            Self(unsafe { _mm256_set1_epi64x(squares as i64) })
        }

        #[inline]
        pub(crate) fn squares(self) -> u64 {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) as u64
            }
        }

        /// As the function [`flips`](super::flips), these being the own discs.
        #[inline]
        pub(crate) fn flips(self, enemy: Self, square: u32) -> Self {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                let flips = flips(self.0, enemy.0, square);
                let flips = _mm256_or_si256(flips, _mm256_permute2x128_si256::<1>(flips, flips));
                Self(_mm256_or_si256(flips, _mm256_shuffle_epi32::<0b01_00_11_10>(flips)))
            }
        }
    }

    impl std::ops::BitXor for Wide {
        type Output = Self;

        #[inline]
        fn bitxor(self, other: Self) -> Self {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Self(unsafe { _mm256_xor_si256(self.0, other.0) })
        }
    }

    /// The flips in each of the directions.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn flips(own: __m256i, enemy: __m256i, square: u32) -> __m256i {
        let rays = &RAYS[square as usize % 64];
        let zero = _mm256_setzero_si256();

        // The first square that is no enemy ends the run; where it is ours, everything before it flips.
        let ray = lanes(rays.rising);
        let ends = _mm256_andnot_si256(enemy, ray);
        let first = _mm256_and_si256(ends, _mm256_sub_epi64(zero, ends));
        let outflank = _mm256_and_si256(first, own);
        let not_before = _mm256_sub_epi64(_mm256_cmpeq_epi64(outflank, zero), outflank);
        let rising = _mm256_andnot_si256(not_before, ray);

        // Downwards there is no such carry: the square before each disc of ours is kept where no end of a run
        // lies on it or between it and the new disc, found by doubling shifts. At most one is left.
        let ray = lanes(rays.falling);
        let ends = _mm256_andnot_si256(enemy, ray);
        let shadow = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, steps(1)));
        let farther = _mm256_srlv_epi64(shadow, steps(2));
        let farthest = _mm256_srlv_epi64(farther, steps(2));
        let last = _mm256_sllv_epi64(_mm256_and_si256(own, ray), steps(1));
        let last = _mm256_andnot_si256(farthest, _mm256_andnot_si256(farther, _mm256_andnot_si256(shadow, last)));
        let falling = _mm256_and_si256(ray, _mm256_sub_epi64(zero, last));

        _mm256_or_si256(rising, falling)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn mobility(own: u64, enemy: u64) -> u64 {
        let occupied = own | enemy;
        let (one, two) = (steps(1), steps(2));
        let inner = lanes([INNER_COLUMNS, !0, INNER_COLUMNS, INNER_COLUMNS]);
        let run = _mm256_and_si256(_mm256_set1_epi64x(enemy as i64), inner);
        let own = _mm256_set1_epi64x(own as i64);

        let mut rising = _mm256_and_si256(run, _mm256_sllv_epi64(own, one));
        let mut falling = _mm256_and_si256(run, _mm256_srlv_epi64(own, one));
        rising = _mm256_or_si256(rising, _mm256_and_si256(run, _mm256_sllv_epi64(rising, one)));
        falling = _mm256_or_si256(falling, _mm256_and_si256(run, _mm256_srlv_epi64(falling, one)));
        let rising_pair = _mm256_and_si256(run, _mm256_sllv_epi64(run, one));
        let falling_pair = _mm256_srlv_epi64(rising_pair, one);
        for _ in 0..2 {
            rising = _mm256_or_si256(rising, _mm256_and_si256(rising_pair, _mm256_sllv_epi64(rising, two)));
            falling = _mm256_or_si256(falling, _mm256_and_si256(falling_pair, _mm256_srlv_epi64(falling, two)));
        }
        union(_mm256_or_si256(_mm256_sllv_epi64(rising, one), _mm256_srlv_epi64(falling, one))) & !occupied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks from `square` cell by cell, as the rules say it.
    fn flips_by_walking(own: u64, enemy: u64, square: u32) -> u64 {
        let rays = &RAYS[square as usize];
        let mut flips = 0;
        let walk = |ray: u64, step: i64| {
            let (mut at, mut run) = (i64::from(square) + step, 0);
            while (0..64).contains(&at) && ray & (1 << at) != 0 {
                match 1 << at {
                    bit if enemy & bit != 0 => run |= bit,
                    bit if own & bit != 0 => return run,
                    _ => return 0,
                }
                at += step;
            }
            0
        };
        for ((step, rising), falling) in STEPS.into_iter().zip(rays.rising).zip(rays.falling) {
            flips |= walk(rising, step) | walk(falling, -step);
        }
        flips
    }

    #[test]
    fn all_ways_to_flip_agree_with_walking() {
        let mut state = 1u64;
        let mut next = || {
            state = quincunx_game::game::mix(state, 77);
            state
        };
        for round in 0..20_000 {
            // From crowded boards to sparse ones.
            let occupied = if round % 3 == 0 { next() } else { next() | next() };
            let own = occupied & next();
            let enemy = occupied & !own;
            let mut found = 0;
            for square in (0..64).filter(|square| occupied & (1 << square) == 0) {
                let expected = flips_by_walking(own, enemy, square);
                assert_eq!(portable::flips(own, enemy, square), expected);
                assert_eq!(flips(own, enemy, square), expected);
                found |= u64::from(expected != 0) << square;
            }
            assert_eq!(portable::mobility(own, enemy), found);
            assert_eq!(mobility(own, enemy), found);
        }
    }
}
