//! A guess at the score: a search of a few plies that ends in an opinion.

use arrayvec::ArrayVec;
use quincunx_game::bits::Bits;

use super::{
    super::discs::{flips, mobility},
    worker::Worker,
};
use crate::othello::evaluation::UNIT;

/// Above every guess.
pub(super) const INFINITE: i32 = 100 * UNIT;

impl Worker<'_> {
    /// The score expected after `depth` more plies, in units of the evaluation, within the window (a bound outside).
    pub(super) fn guess(&mut self, own: u64, enemy: u64, (mut alpha, beta): (i32, i32), depth: u32) -> i32 {
        self.last.nodes += 1;
        if depth == 0 {
            return self.opinion.units(own, enemy);
        }
        let moves = mobility(own, enemy);
        if moves == 0 {
            return if mobility(enemy, own) == 0 {
                UNIT * self.last.finished(own, enemy)
            } else {
                -self.guess(enemy, own, (-beta, -alpha), depth)
            };
        }
        let mut children: ArrayVec<(i32, u64, u64), 34> = Bits(moves)
            .map(|square| {
                let flipped = flips(own, enemy, square);
                let (next_own, next_enemy) = (enemy ^ flipped, own ^ flipped | 1 << square);
                let worth = if depth > 1 { mobility(next_own, next_enemy).count_ones() as i32 } else { 0 };
                (worth, next_own, next_enemy)
            })
            .collect();
        if depth > 1 {
            children.sort_unstable_by_key(|child| child.0);
        }
        let mut best = -INFINITE;
        for (_, next_own, next_enemy) in children {
            best = best.max(-self.guess(next_own, next_enemy, (-beta, -alpha), depth - 1));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
