//! As with AVX2, with the leading zeros of a lane counted at once, and eight directions in one vector where they are
//! alike.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_lzcnt_epi64,
    _mm256_maskz_and_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srlv_epi64,
    _mm256_sub_epi64, _mm256_test_epi64_mask, _mm512_and_si512, _mm512_reduce_or_epi64, _mm512_rolv_epi64,
    _mm512_set1_epi64, _mm512_setr_epi64, _mm512_ternarylogic_epi64,
};

use super::{
    INNER_COLUMNS, RAYS, STEPS,
    avx2::{lanes, union},
};

/// As [`flips`](super::flips).
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
pub(super) fn flips(own: u64, enemy: u64, square: u32) -> u64 {
    union(directions(_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(enemy as i64), square))
}

/// The flips in each of the directions, `own` and `enemy` being in all lanes.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
pub(super) fn directions(own: __m256i, enemy: __m256i, square: u32) -> __m256i {
    let rays = &RAYS[square as usize % 64];
    let zero = _mm256_setzero_si256();

    // The first square that is no enemy ends the run; if it is ours, everything before it flips.
    let ray = lanes(rays.rising);
    let ends = _mm256_andnot_si256(enemy, ray);
    let first = _mm256_and_si256(ends, _mm256_sub_epi64(zero, ends));
    let before = _mm256_add_epi64(first, _mm256_set1_epi64x(-1));
    let rising = _mm256_maskz_and_epi64(_mm256_test_epi64_mask(first, own), ray, before);

    let ray = lanes(rays.falling);
    let ends = _mm256_andnot_si256(enemy, ray);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(ends));
    let before = _mm256_sub_epi64(zero, _mm256_add_epi64(first, first));
    let falling = _mm256_maskz_and_epi64(_mm256_test_epi64_mask(first, own), ray, before);

    _mm256_or_si256(rising, falling)
}

/// As [`mobility`](super::mobility).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn mobility(own: u64, enemy: u64) -> u64 {
    /// The squares that a run in a vertical direction may lie on. So nothing that is rotated out of the board comes
    /// back to a run.
    const INNER_ROWS: u64 = 0x00ff_ffff_ffff_ff00;
    const INNER: u64 = INNER_COLUMNS & INNER_ROWS;

    let (one, two) = (steps(1), steps(2));
    let inner = eight([INNER_COLUMNS, INNER_ROWS, INNER, INNER].map(|squares| squares as i64), |squares| squares);
    let run = _mm512_and_si512(_mm512_set1_epi64(enemy as i64), inner);

    let mut found = _mm512_and_si512(run, _mm512_rolv_epi64(_mm512_set1_epi64(own as i64), one));
    found = or_and(found, run, _mm512_rolv_epi64(found, one));
    let pair = _mm512_and_si512(run, _mm512_rolv_epi64(run, one));
    for _ in 0..2 {
        found = or_and(found, pair, _mm512_rolv_epi64(found, two));
    }
    _mm512_reduce_or_epi64(_mm512_rolv_epi64(found, one)) as u64 & !(own | enemy)
}

/// Four rising directions and the four opposite ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn eight([a, b, c, d]: [i64; 4], opposite: impl Fn(i64) -> i64) -> __m512i {
    _mm512_setr_epi64(a, b, c, d, opposite(a), opposite(b), opposite(c), opposite(d))
}

/// This many steps, as rotations.
#[inline]
#[target_feature(enable = "avx512f")]
fn steps(times: i64) -> __m512i {
    eight(STEPS.map(|step| times * step), |step| 64 - step)
}

/// `a | b & c`.
#[inline]
#[target_feature(enable = "avx512f")]
fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xf8>(a, b, c)
}
