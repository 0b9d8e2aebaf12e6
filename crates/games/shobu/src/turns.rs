//! The turns of a position, visited, counted and picked.
//!
//! Every passive move combines with every aggressive one of the same vector on the boards of the other colour, so turns
//! are counted by products of set sizes and picked by ranks in the sets, without a list of them.

use quincunx_game::bits::nth_bit;

use super::{
    movers::{DARK, Movers},
    vectors::VECTORS,
};

/// Calls `visit` with the passive cell, the aggressive cell and the vector of every turn.
#[inline]
pub(super) fn for_each(movers: &Movers, mut visit: impl FnMut(u32, u32, usize)) {
    for vector in 0..VECTORS {
        let mut passive = movers.passive[vector];
        while passive != 0 {
            let from = passive.trailing_zeros();
            let mut aggressive = movers.aggressive[vector] & if from < 32 { !DARK } else { DARK };
            while aggressive != 0 {
                visit(from, aggressive.trailing_zeros(), vector);
                aggressive &= aggressive - 1;
            }
            passive &= passive - 1;
        }
    }
}

/// The turn that `pick` chooses by its rank, given the number of turns; `None` if there is none.
#[inline]
pub(super) fn pick(movers: &Movers, pick: impl FnOnce(u64) -> u64) -> Option<(u32, u32, usize)> {
    let counts = movers.counts();
    let of_lane = |lane: usize| [0, 4, 8, 12].map(|row| counts[row + lane]);
    let lanes = [0, 1, 2, 3].map(|lane| of_lane(lane).iter().sum());
    let total = lanes.iter().sum();
    if total == 0 {
        return None;
    }
    let (lane, rank) = slot(lanes, pick(total));
    let (row, rank) = slot(of_lane(lane), rank);
    let (vector, mut rank) = (4 * row + lane, rank as u32);
    let (passive, aggressive) = (movers.passive[vector], movers.aggressive[vector]);
    let (dark, light) = (passive & DARK, passive & !DARK);
    let dark_first = dark.count_ones() * (aggressive & !DARK).count_ones();
    let (passive, aggressive) = if rank < dark_first {
        (dark, aggressive & !DARK)
    } else {
        rank -= dark_first;
        (light, aggressive & DARK)
    };
    let width = aggressive.count_ones();
    Some((nth_bit(passive, rank / width), nth_bit(aggressive, rank % width), vector))
}

/// Which of four consecutive ranges of these sizes a rank falls into, and its rank there.
#[inline]
fn slot(sizes: [u64; 4], rank: u64) -> (usize, u64) {
    // All ends are compared: a search that stops early would be mispredicted every other time.
    let (mut index, mut end, mut within) = (0, 0, rank);
    for size in &sizes[..3] {
        end += size;
        index += usize::from(rank >= end);
        within = if rank >= end { rank - end } else { within };
    }
    (index, within)
}
