//! Which move to try first: fastest first, that is the one that leaves the enemy the fewest replies.

use super::{
    last::odd_quadrants,
    table::Known,
    worker::{Candidates, Worker},
};

/// A move with the position after it, for the side to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) square: u8,
    /// The larger the sooner.
    pub(super) worth: i32,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Worth of a move that the table calls best; the one it called best before is worth half of it.
const KNOWN_BEST: i32 = 1 << 24;

/// Sets the worth of all candidates.
pub(super) fn rank(candidates: &mut Candidates, worker: &Worker, own: u64, enemy: u64, known: Known) {
    let odd = odd_quadrants(worker.empty(own, enemy));
    for candidate in candidates {
        candidate.worth = if candidate.square == known.best[0] {
            KNOWN_BEST
        } else if candidate.square == known.best[1] {
            KNOWN_BEST / 2
        } else {
            let replies = worker.placements(candidate.own, candidate.enemy);
            let near = around(candidate.enemy) & worker.empty(candidate.own, candidate.enemy);
            let corner = 1u64 << candidate.square & CORNERS != 0;
            let held = candidate.enemy & CORNERS;
            -32 * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32 - 2 * near.count_ones() as i32
                + 16 * held.count_ones() as i32
                + 4 * i32::from(odd >> candidate.square & 1 != 0)
                + 2 * i32::from(corner)
        };
    }
}

/// The squares next to a set of squares, those of the set included.
#[inline]
fn around(set: u64) -> u64 {
    let row = set | (set & !0x8080_8080_8080_8080) << 1 | (set & !0x0101_0101_0101_0101) >> 1;
    row | row << 8 | row >> 8
}
