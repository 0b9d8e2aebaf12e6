//! Four directions in the four lanes of a vector; otherwise as the portable functions.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64,
};

use super::{INNER_COLUMNS, RAYS, STEPS};

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn lanes(values: [u64; 4]) -> __m256i {
    _mm256_setr_epi64x(values[0] as i64, values[1] as i64, values[2] as i64, values[3] as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn steps(times: i64) -> __m256i {
    _mm256_setr_epi64x(times * STEPS[0], times * STEPS[1], times * STEPS[2], times * STEPS[3])
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn union(lanes: __m256i) -> u64 {
    let halves: __m128i = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}

/// As [`flips`](super::flips).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn flips(own: u64, enemy: u64, square: u32) -> u64 {
    union(directions(_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(enemy as i64), square))
}

/// The flips in each of the directions, `own` and `enemy` being in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn directions(own: __m256i, enemy: __m256i, square: u32) -> __m256i {
    let rays = &RAYS[square as usize % 64];
    let zero = _mm256_setzero_si256();

    // The first square that is no enemy ends the run; if it is ours, everything before it flips.
    let ray = lanes(rays.rising);
    let ends = _mm256_andnot_si256(enemy, ray);
    let first = _mm256_and_si256(ends, _mm256_sub_epi64(zero, ends));
    let outflank = _mm256_and_si256(first, own);
    let not_before = _mm256_sub_epi64(_mm256_cmpeq_epi64(outflank, zero), outflank);
    let rising = _mm256_andnot_si256(not_before, ray);

    // Downwards there is no such carry: the square before each disc of ours is kept if no end of a run
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

/// As [`mobility`](super::mobility).
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
