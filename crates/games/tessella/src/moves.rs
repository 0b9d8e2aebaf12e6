//! Where pieces may go: steps and captures of all pieces at once, as a set of destinations in each direction.
//!
//! A direction and a destination tell the move: a step goes to an empty cell, a capture to an enemy piece, and both
//! come from the nearest piece behind it.

use std::array::from_fn;

use super::{
    Move,
    board::{Board, DIRECTIONS, Lanes},
};

/// The destinations in each direction, the rising ones first.
pub(super) type Destinations = [u64; DIRECTIONS];

/// Where the pieces of a side can go, in each direction.
pub(super) struct Reach {
    /// The empty cells a step leads to.
    pub(super) steps: Destinations,
    /// The first piece, of either side, on the line of an attacker with a backer, and the empty cells before it.
    pub(super) aims: Destinations,
}

/// The destinations of the pieces in `own`.
#[inline]
pub(super) fn destinations<const D: usize>(own: u64, enemy: u64) -> Destinations {
    let Reach { steps, aims } = reach::<D>(own, enemy);
    from_fn(|direction| steps[direction] | aims[direction] & enemy)
}

/// Where the pieces in `own` can step, and what they aim at.
#[inline]
pub(super) fn reach<const D: usize>(own: u64, enemy: u64) -> Reach {
    let (rising, falling) = (half::<D, true>(own, enemy), half::<D, false>(own, enemy));
    let joined =
        |rising: Lanes, falling: Lanes| from_fn(|lane| if lane < 4 { rising[lane] } else { falling[lane - 4] });
    Reach { steps: joined(rising.0, falling.0), aims: joined(rising.1, falling.1) }
}

/// The steps and the aims in the four rising or the four falling directions; the lanes become those of a vector.
#[inline]
fn half<const D: usize, const RISING: bool>(own: u64, enemy: u64) -> (Lanes, Lanes) {
    let followers = if RISING { Board::<D>::FOLLOWERS_RISING } else { Board::<D>::FOLLOWERS_FALLING };
    let ahead = |set: Lanes, times: u32| {
        from_fn(|lane| {
            let distance = times * Board::<D>::STEPS[lane];
            if RISING { set[lane] << distance } else { set[lane] >> distance }
        })
    };

    // The cells that end a run of one, two and four empty ones.
    let gap1: Lanes = followers.map(|set| set & !(own | enemy));
    let gap2 = and(gap1, ahead(gap1, 1));
    let gap4 = and(gap2, ahead(gap2, 2));
    // The cells whose line back meets a piece of `set` before anything else.
    let reached = |set: Lanes| {
        let mut filled = or(set, and(gap1, ahead(set, 1)));
        filled = or(filled, and(gap2, ahead(filled, 2)));
        filled = or(filled, and(gap4, ahead(filled, 4)));
        if D > 5 {
            // On a line of 11 cells three pieces leave up to 8 empty ones between two of them.
            filled = or(filled, and(gap1, ahead(filled, 1)));
        }
        and(ahead(filled, 1), followers)
    };
    let attackers = reached([own; 4]).map(|set| set & own);
    let aims = reached(attackers);

    // Squares share edges along rows and columns alone.
    let octagons = own & Board::<D>::OCTAGONS;
    let steps = and(gap1, ahead([octagons, octagons, own, own], 1));
    (steps, aims)
}

#[inline]
fn and(a: Lanes, b: Lanes) -> Lanes {
    from_fn(|lane| a[lane] & b[lane])
}

#[inline]
fn or(a: Lanes, b: Lanes) -> Lanes {
    from_fn(|lane| a[lane] | b[lane])
}

/// The move in `direction` that goes to `cell`.
#[inline]
pub(super) fn move_to<const D: usize>(direction: usize, cell: u32, occupied: u64) -> Move {
    let behind = Board::<D>::BEHIND[direction % DIRECTIONS][cell as usize % 64] & occupied;
    let (highest, lowest) = ((behind | 1).ilog2(), behind.trailing_zeros());
    Move::new(if direction < 4 { highest } else { lowest }, cell)
}
