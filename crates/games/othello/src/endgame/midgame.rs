//! A midgame search of a few plies, for move ordering and multi-ProbCut.

use arrayvec::ArrayVec;
use quincunx_game::bits::Bits;

use super::{
    super::discs::{flips, mobility},
    estimator::View,
    worker::Worker,
};
use crate::evaluation::UNIT;

/// Above every guess.
pub(super) const INFINITE: i32 = 100 * UNIT;

impl Worker<'_> {
    /// The score expected after `depth` more plies, in units of the evaluation, within the window (a bound outside).
    pub(super) fn midgame(&mut self, view: &View, (mut alpha, beta): (i32, i32), depth: u32) -> i32 {
        self.last.nodes += 1;
        if depth == 0 {
            return self.estimator.units(view);
        }
        let (own, enemy) = (view.own, view.enemy);
        let moves = self.placements(own, enemy);
        let reversed = view.reversed();
        if moves == 0 {
            return if self.placements(enemy, own) == 0 {
                UNIT * self.last.finished(own, enemy)
            } else {
                -self.midgame(&reversed, (-beta, -alpha), depth)
            };
        }
        let mut children: ArrayVec<(u32, u32, u64), 34> = Bits(moves)
            .map(|square| {
                let flipped = flips(own, enemy, square);
                let replies = if depth > 1 { mobility(enemy ^ flipped, own ^ flipped | 1 << square) } else { 0 };
                (replies.count_ones(), square, flipped)
            })
            .collect();
        if depth > 1 {
            children.sort_unstable_by_key(|child| child.0);
        }
        let mut best = -INFINITE;
        for (_, square, flipped) in children {
            let next = reversed.after_enemy(square, flipped);
            best = best.max(-self.midgame(&next, (-beta, -alpha), depth - 1));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
