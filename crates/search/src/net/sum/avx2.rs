//! The sum with AVX2: sixteen units in a register.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
};

use crate::net::{Row, UNIT};

/// Units in a register.
const LANES: usize = 16;

#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn sum<const UNITS: usize>(
    rows: &[Row<UNITS>],
    bias: &Row<UNITS>,
    output: &Row<UNITS>,
    features: &[u16],
) -> i32 {
    let mut sum = _mm256_setzero_si256();
    // Two registers at a time, so that the additions of one do not wait for those of the other.
    for first in (0..UNITS).step_by(2 * LANES) {
        let second = first + LANES;
        let (mut left, mut right) = (load(bias, first), load(bias, second));
        for &feature in features {
            let row = &rows[usize::from(feature)];
            left = _mm256_add_epi16(left, load(row, first));
            right = _mm256_add_epi16(right, load(row, second));
        }
        sum = _mm256_add_epi32(sum, weighted(left, load(output, first)));
        sum = _mm256_add_epi32(sum, weighted(right, load(output, second)));
    }
    let halves = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
    _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32::<0b10_11_00_01>(quarters)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn weighted(hidden: __m256i, weights: __m256i) -> __m256i {
    let clipped = _mm256_min_epi16(_mm256_max_epi16(hidden, _mm256_setzero_si256()), _mm256_set1_epi16(UNIT));
    _mm256_madd_epi16(_mm256_mullo_epi16(clipped, weights), clipped)
}

#[target_feature(enable = "avx2")]
#[inline]
fn load<const UNITS: usize>(row: &Row<UNITS>, first: usize) -> __m256i {
    let lanes: &[i16; LANES] = row.0[first..].first_chunk().expect("a row has a multiple of 32 units");
    // SAFETY: rows are aligned to 64 bytes, and `first` is a multiple of 16 units of two bytes.
    #[expect(unsafe_code, reason = "loads of registers take pointers")]
    unsafe {
        _mm256_load_si256(lanes.as_ptr().cast())
    }
}
