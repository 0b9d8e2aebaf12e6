//! The sum that a net makes of a position, in the form that the processor has.
//!
//! A program built for a processor with AVX2 or AVX-512 has that form inlined where it is used; one built for any
//! processor asks the one it runs on.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use super::Row;

/// The weighted sum of the squares of the clipped hidden units, each of which is its bias and what the features add.
#[inline]
pub(super) fn sum<const UNITS: usize>(
    rows: &[Row<UNITS>],
    bias: &Row<UNITS>,
    output: &Row<UNITS>,
    features: &[u16],
) -> i32 {
    const { assert!(UNITS.is_multiple_of(32) && UNITS <= 128, "the forms below take 32 units at a time") };
    // SAFETY: the processor was asked.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    if is_x86_feature_detected!("avx512bw") {
        return unsafe { avx512::sum(rows, bias, output, features) };
    } else if is_x86_feature_detected!("avx2") {
        return unsafe { avx2::sum(rows, bias, output, features) };
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return simd128::sum(rows, bias, output, features);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::sum(rows, bias, output, features)
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::*;
    use crate::net::LARGEST_OUTPUT;

    type Sum<const UNITS: usize> = fn(&[Row<UNITS>], &Row<UNITS>, &Row<UNITS>, &[u16]) -> i32;

    /// The forms that this processor has.
    fn forms<const UNITS: usize>() -> Vec<(&'static str, Sum<UNITS>)> {
        let mut forms: Vec<(_, Sum<UNITS>)> = vec![("chosen", sum), ("portable", portable::sum)];
        // SAFETY: the processor was asked.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        {
            if is_x86_feature_detected!("avx2") {
                forms.push(("AVX2", |rows, bias, output, features| unsafe { avx2::sum(rows, bias, output, features) }));
            }
            if is_x86_feature_detected!("avx512bw") {
                forms.push(("AVX-512", |rows, bias, output, features| unsafe {
                    avx512::sum(rows, bias, output, features)
                }));
            }
        }
        forms
    }

    /// One unit after the other, in wide numbers.
    fn by_definition<const UNITS: usize>(
        rows: &[Row<UNITS>],
        bias: &Row<UNITS>,
        output: &Row<UNITS>,
        features: &[u16],
    ) -> i64 {
        let hidden = |unit: usize| {
            let sum: i64 = features.iter().map(|&feature| i64::from(rows[usize::from(feature)].0[unit])).sum();
            (sum + i64::from(bias.0[unit])).clamp(0, 255)
        };
        (0..UNITS).map(|unit| hidden(unit).pow(2) * i64::from(output.0[unit])).sum()
    }

    fn check<const UNITS: usize>(largest: i16) {
        let mut state = UNITS as u64;
        let mut row = |largest: i16| {
            Row(std::array::from_fn(|_| {
                state = mix(state, 9);
                (state % (2 * largest as u64 + 1)) as i16 - largest
            }))
        };
        let rows: Vec<Row<UNITS>> = (0..100).map(|_| row(largest)).collect();
        for round in 0..200u64 {
            let (bias, output) = (row(largest), row(LARGEST_OUTPUT));
            let features: Vec<u16> = (0..round % 33).map(|index| (mix(round, index) % 100) as u16).collect();
            let expected = by_definition(&rows, &bias, &output, &features);
            for (name, sum) in forms::<UNITS>() {
                assert_eq!(i64::from(sum(&rows, &bias, &output, &features)), expected, "{name}, {UNITS} units");
            }
        }
        // All units at their largest: nothing overflows.
        let (bias, output) = (Row([255; UNITS]), Row([LARGEST_OUTPUT; UNITS]));
        for (name, sum) in forms::<UNITS>() {
            assert_eq!(i64::from(sum(&rows, &bias, &output, &[])), by_definition(&rows, &bias, &output, &[]), "{name}");
        }
    }

    #[test]
    fn every_form_gives_the_same_sum_to_the_last_bit() {
        for largest in [3, 60, 900] {
            check::<32>(largest);
            check::<64>(largest);
            check::<128>(largest);
        }
    }

    #[test]
    fn every_form_wraps_alike_if_weights_are_absurd() {
        let rows = [Row([i16::MAX; 32])];
        for count in 0..9 {
            let found: Vec<_> = forms::<32>()
                .into_iter()
                .map(|(_, sum)| sum(&rows, &Row([77; 32]), &Row([-127; 32]), &vec![0; count]))
                .collect();
            assert!(found.iter().all(|sum| *sum == found[0]), "{found:?}");
        }
    }
}
