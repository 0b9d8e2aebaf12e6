//! The forms for any processor.

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
