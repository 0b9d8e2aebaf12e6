//! Where pieces may go: steps and captures of all pieces at once, a set of destinations in each direction.
//!
//! In one direction a destination tells the move: a step comes from the cell behind it, a capture from the nearest
//! piece behind it.

use std::array::from_fn;

use super::board::{Board, DIRECTIONS, Lanes};

/// The destinations in each direction, the rising ones first.
#[derive(Clone, Copy)]
pub(super) struct Destinations {
    /// Empty cells to step to.
    pub(super) steps: [u64; DIRECTIONS],
    /// Enemy pieces to capture.
    pub(super) captures: [u64; DIRECTIONS],
}

/// The destinations of the pieces in `own`.
#[inline]
pub(super) fn destinations<const D: usize>(own: u64, enemy: u64) -> Destinations {
    let (rising_steps, rising_captures) = half::<D, true>(own, enemy);
    let (falling_steps, falling_captures) = half::<D, false>(own, enemy);
    let join = |rising: Lanes, falling: Lanes| from_fn(|d| if d < 4 { rising[d] } else { falling[d - 4] });
    Destinations { steps: join(rising_steps, falling_steps), captures: join(rising_captures, falling_captures) }
}

/// Steps and captures in the four rising or the four falling directions.
#[inline]
fn half<const D: usize, const RISING: bool>(own: u64, enemy: u64) -> (Lanes, Lanes) {
    let followers = if RISING { Board::<D>::FOLLOWERS_RISING } else { Board::<D>::FOLLOWERS_FALLING };
    let ahead = |set: Lanes, times: u32| {
        from_fn(|lane| {
            let distance = times * Board::<D>::STEPS[lane];
            if RISING { set[lane] << distance } else { set[lane] >> distance }
        })
    };

    // Runs of empty cells: `gaps[k]` are the cells that end one of 2^k cells.
    let gap1: Lanes = followers.map(|set| set & Board::<D>::ALL & !(own | enemy));
    let gap2: Lanes = and(gap1, ahead(gap1, 1));
    let gap4: Lanes = and(gap2, ahead(gap2, 2));
    // The cells behind which, across empty ones, a piece of `set` is the first.
    let reached = |set: Lanes| {
        let mut filled = or(set, and(gap1, ahead(set, 1)));
        filled = or(filled, and(gap2, ahead(filled, 2)));
        filled = or(filled, and(gap4, ahead(filled, 4)));
        if D > 5 {
            // The array is 11 cells wide, two of them taken by the other pieces: up to 8 empty ones lie between.
            filled = or(filled, and(gap1, ahead(filled, 1)));
        }
        and(ahead(filled, 1), followers)
    };
    let attackers = reached([own; 4]).map(|set| set & own);
    let captures = reached(attackers).map(|set| set & enemy);

    // From a square the diagonals of the array lead to no edge.
    let octagons = own & Board::<D>::OCTAGONS;
    (and(gap1, ahead([octagons, octagons, own, own], 1)), captures)
}

#[inline]
fn and(a: Lanes, b: Lanes) -> Lanes {
    from_fn(|lane| a[lane] & b[lane])
}

#[inline]
fn or(a: Lanes, b: Lanes) -> Lanes {
    from_fn(|lane| a[lane] | b[lane])
}

/// The cell a step in `direction` to `cell` comes from.
#[inline]
pub(super) fn step_origin<const D: usize>(direction: usize, cell: u32) -> u32 {
    let step = Board::<D>::STEPS[direction % 4];
    if direction < 4 { cell.wrapping_sub(step) } else { cell + step }
}

/// The cell of the piece that captures on `cell` in `direction`: the nearest one behind.
#[inline]
pub(super) fn capture_origin<const D: usize>(direction: usize, cell: u32, occupied: u64) -> u32 {
    let behind = Board::<D>::BEHIND[direction % DIRECTIONS][cell as usize % 64] & occupied;
    if direction < 4 { behind.checked_ilog2().unwrap_or(0) } else { behind.trailing_zeros() }
}
