//! The sum in WebAssembly with SIMD128: eight units in a register.

use std::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    i32x4_splat, v128, v128_load,
};

use crate::net::{Row, UNIT};

/// Units in a register.
const LANES: usize = 8;

/// Registers at a time: their additions do not wait for each other.
const TOGETHER: usize = 4;

#[inline]
pub(super) fn sum<const UNITS: usize>(
    rows: &[Row<UNITS>],
    bias: &Row<UNITS>,
    output: &Row<UNITS>,
    features: &[u16],
) -> i32 {
    let mut sum = i32x4_splat(0);
    for first in (0..UNITS).step_by(TOGETHER * LANES) {
        let mut hidden = load(bias, first);
        for &feature in features {
            let row = load(&rows[usize::from(feature)], first);
            for (hidden, weight) in hidden.iter_mut().zip(row) {
                *hidden = i16x8_add(*hidden, weight);
            }
        }
        for (hidden, weight) in hidden.into_iter().zip(load(output, first)) {
            let clipped = i16x8_min(i16x8_max(hidden, i16x8_splat(0)), i16x8_splat(UNIT));
            sum = i32x4_add(sum, i32x4_dot_i16x8(i16x8_mul(clipped, weight), clipped));
        }
    }
    i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum)
}

/// The registers that begin with a unit.
#[inline]
fn load<const UNITS: usize>(row: &Row<UNITS>, first: usize) -> [v128; TOGETHER] {
    let units: &[i16; TOGETHER * LANES] = row.0[first..].first_chunk().expect("a row has a multiple of 32 units");
    let (lanes, _) = units.as_chunks::<LANES>();
    // SAFETY: eight units of two bytes are what a register holds.
    #[expect(unsafe_code, reason = "loads of registers take pointers")]
    std::array::from_fn(|register| unsafe { v128_load(lanes[register].as_ptr().cast()) })
}
