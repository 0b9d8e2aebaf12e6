//! The sum on any processor.

use crate::net::{Row, UNIT};

pub(super) fn sum<const UNITS: usize>(
    rows: &[Row<UNITS>],
    bias: &Row<UNITS>,
    output: &Row<UNITS>,
    features: &[u16],
) -> i32 {
    let mut hidden = bias.0;
    for &feature in features {
        for (hidden, weight) in hidden.iter_mut().zip(&rows[usize::from(feature)].0) {
            *hidden = hidden.wrapping_add(*weight);
        }
    }
    let units = hidden.iter().zip(&output.0);
    units.map(|(&hidden, &weight)| i32::from(hidden.clamp(0, UNIT)).pow(2) * i32::from(weight)).sum()
}
