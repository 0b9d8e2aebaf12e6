//! Which move to try first: fastest first, that is the one that leaves the enemy the fewest replies.

use super::{
    super::transformed_bits,
    last::odd_quadrants,
    midgame::INFINITE,
    table::Known,
    worker::{Candidates, Worker},
};
use crate::evaluation::UNIT;

/// A move with the position after it, for the side to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) square: u8,
    /// The larger the sooner.
    pub(super) worth: i32,
}

/// Worth of a move that the table calls best; the one it called best before is worth half of it.
const KNOWN_BEST: i32 = 1 << 24;

/// From this many empty squares on the evaluation has a say, a ply deeper with every three more. A ply with every two
/// took more nodes (105 instead of 93 million on three endgames of 20 to 22 empty squares). On six of 22 to 25
/// beginning at 13, 14, 15 and 16 took 127, 128, 125 and 134 million nodes.
const EVALUATED: u32 = 13;

/// As deep as that goes, so that ordering stays cheap beside what it orders. Chosen, not yet measured.
const DEEPEST: u32 = 4;

/// A move guessed this many discs worse than needed is not looked at more closely.
const HOPELESS: i32 = 12;

/// Sets the worth of all candidates for a search that wants more than `alpha`.
pub(super) fn rank(candidates: &mut Candidates, worker: &mut Worker, own: u64, enemy: u64, known: Known, alpha: i32) {
    let empty = worker.empty(own, enemy);
    let (odd, count) = (odd_quadrants(empty), empty.count_ones());
    let depth = (count.saturating_sub(EVALUATED) / 3).min(DEEPEST);
    let needed = ((HOPELESS - alpha) * UNIT).min(INFINITE);
    let reversed = (count >= EVALUATED).then(|| worker.estimator.view(enemy, own));
    for candidate in candidates {
        if candidate.square == known.best[0] {
            candidate.worth = KNOWN_BEST;
        } else if candidate.square == known.best[1] {
            candidate.worth = KNOWN_BEST / 2;
        } else {
            candidate.worth = quick_worth(candidate, worker, odd);
            if let Some(reversed) = &reversed {
                let view = reversed.after_enemy(u32::from(candidate.square), enemy ^ candidate.own);
                let guess = worker.midgame(&view, (-INFINITE, needed), depth);
                // Two discs are worth as much as one reply. On seven endgames of 22 to 25 empty squares a sixth of a
                // guess took 174 million nodes, a twelfth 166, none 608; on six of them two thirds took 127, a third
                // 120, a sixth 109.
                candidate.worth -= guess / 8;
            }
        }
    }
}

/// Leaves one of several moves whose positions are images of each other: their scores are the same.
pub(super) fn without_mirror_images(candidates: &mut Candidates) {
    let mut seen = Candidates::new();
    candidates.retain(|candidate| {
        let image = |symmetry| (transformed_bits(candidate.own, symmetry), transformed_bits(candidate.enemy, symmetry));
        let new = !seen.iter().any(|one| (0..8).any(|symmetry| image(symmetry) == (one.own, one.enemy)));
        if new {
            seen.push(*candidate);
        }
        new
    });
}

/// The fewer replies the better, then the fewer squares that may become replies, then corners and parity.
fn quick_worth(candidate: &Candidate, worker: &Worker, odd: u64) -> i32 {
    let replies = worker.placements(candidate.own, candidate.enemy);
    let near = around(candidate.enemy) & worker.empty(candidate.own, candidate.enemy);
    let count = |set: u64| set.count_ones() as i32;
    16 * count(candidate.enemy & worker.corners) + 4 * i32::from(odd >> candidate.square & 1 != 0)
        - 32 * (count(replies) + count(replies & worker.corners))
        - 4 * count(near)
}

/// The squares next to a set of squares, those of the set included.
#[inline]
fn around(set: u64) -> u64 {
    let row = set | (set & !0x8080_8080_8080_8080) << 1 | (set & !0x0101_0101_0101_0101) >> 1;
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Othello, endgame::worker::list_candidates};
    use quincunx_game::Position;

    #[test]
    fn of_moves_that_are_images_of_each_other_one_is_left() {
        let count = |position: &Othello<6>| {
            let (own, enemy) = position.discs();
            let mut candidates = Candidates::new();
            assert!(list_candidates(&mut candidates, own, enemy, position.placements()));
            without_mirror_images(&mut candidates);
            candidates.len()
        };
        let mut position = Othello::<6>::start("6x6").unwrap();
        assert_eq!(count(&position), 1);
        position.play(position.moves()[0]);
        // The three replies along a line, across it and diagonal are no images of each other.
        assert_eq!(count(&position), 3);
    }
}
