//! The sum with AVX-512: thirty-two units in a register.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
};

use crate::net::{Row, UNIT};

/// Units in a register.
const LANES: usize = 32;

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn sum<const UNITS: usize>(
    rows: &[Row<UNITS>],
    bias: &Row<UNITS>,
    output: &Row<UNITS>,
    features: &[u16],
) -> i32 {
    let mut sum = _mm512_setzero_si512();
    for first in (0..UNITS).step_by(LANES) {
        let mut hidden = load(bias, first);
        for &feature in features {
            hidden = _mm512_add_epi16(hidden, load(&rows[usize::from(feature)], first));
        }
        let clipped = _mm512_min_epi16(_mm512_max_epi16(hidden, _mm512_setzero_si512()), _mm512_set1_epi16(UNIT));
        let weighted = _mm512_mullo_epi16(clipped, load(output, first));
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(weighted, clipped));
    }
    _mm512_reduce_add_epi32(sum)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load<const UNITS: usize>(row: &Row<UNITS>, first: usize) -> __m512i {
    let lanes: &[i16; LANES] = row.0[first..].first_chunk().expect("a row has a multiple of 32 units");
    // SAFETY: rows are aligned to 64 bytes, and `first` is a multiple of 32 units of two bytes.
    #[expect(unsafe_code, reason = "loads of registers take pointers")]
    unsafe {
        _mm512_load_si512(lanes.as_ptr().cast())
    }
}
