//! Between the last four squares and the large table: fastest first, with a small table of each thread.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use quincunx_game::bits::Bits;

use super::{
    super::discs::{flips, mobility},
    last::{NONE, odd_quadrants},
    local_table::LocalTable,
    table::NO_MOVE,
    worker::Worker,
};

/// Positions with up to this many empty squares are searched here.
pub(super) const FASTEST_FIRST: u32 = 11;

/// From this many empty squares on all children are looked up before one of them is searched.
const LOOK_AHEAD: u32 = 9;

/// From this many empty squares on the search looks whether it has to end: fewer take no time worth checking for.
const POLLED: u32 = 9;

/// A move with the position after it, for the side to move there.
#[derive(Clone, Copy)]
struct Child {
    own: u64,
    enemy: u64,
    /// Where the side to move there can place a disc.
    moves: u64,
    square: u32,
}

impl Worker<'_> {
    /// A bound of the score, above `alpha` exactly if the score is, with five squares empty and these moves.
    /// So near the end ordering the moves may cost no more than a look at the squares.
    pub(super) fn five(&mut self, own: u64, enemy: u64, alpha: i32, empty: u64, moves: u64) -> i32 {
        self.last.nodes += 1;
        if let Some(bound) = self.stability_cut(own, enemy, alpha, 5) {
            return bound;
        }
        if moves == 0 {
            return self.passed(own, enemy, alpha, empty, Self::five);
        }
        // Quadrants with an odd number of empty squares first: the side that begins there also ends there.
        let (odd, corners) = (odd_quadrants(empty), self.corners);
        let mut best = NONE;
        for group in [odd & corners, odd & !corners, !odd & corners, !odd & !corners] {
            for square in Bits(moves & group) {
                let flipped = flips(own, enemy, square);
                let (own, enemy) = (enemy ^ flipped, own ^ flipped | 1 << square);
                best = best.max(-self.last.four(own, enemy, -alpha - 1, empty ^ 1 << square));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// As [`five`](Self::five), if there is no move: the other side goes on with a `search` of the same kind, or the
    /// game is over.
    #[inline]
    fn passed(
        &mut self,
        own: u64,
        enemy: u64,
        alpha: i32,
        empty: u64,
        search: impl FnOnce(&mut Self, u64, u64, i32, u64, u64) -> i32,
    ) -> i32 {
        let moves = mobility(enemy, own) & empty;
        if moves == 0 { self.last.finished(own, enemy) } else { -search(self, enemy, own, -alpha - 1, empty, moves) }
    }

    /// As [`five`](Self::five), with six to [`FASTEST_FIRST`] squares empty. On four endgames of 22 and 23 empty squares this
    /// kind of search from six squares on took 63 million nodes, from eight on, with parity alone for six and seven, 92
    /// million.
    pub(super) fn fastest_first(&mut self, own: u64, enemy: u64, alpha: i32, empty: u64, moves: u64) -> i32 {
        self.last.nodes += 1;
        let count = empty.count_ones();
        if count >= POLLED && self.halted() {
            return alpha;
        }
        if let Some(bound) = self.stability_cut(own, enemy, alpha, count) {
            return bound;
        }
        if moves == 0 {
            return self.passed(own, enemy, alpha, empty, Self::fastest_first);
        }
        let place = LocalTable::place(own, enemy);
        let mut known_best = NO_MOVE;
        if let Some(known) = self.local.find(place, own, enemy) {
            if i32::from(known.lower) > alpha {
                return i32::from(known.lower);
            }
            if i32::from(known.upper) <= alpha {
                return i32::from(known.upper);
            }
            known_best = known.best;
        }
        let mut children = ArrayVec::<Child, { FASTEST_FIRST as usize }>::new();
        for square in Bits(moves) {
            let flipped = flips(own, enemy, square);
            if flipped == enemy {
                return self.last.area;
            }
            let (own, enemy) = (enemy ^ flipped, own ^ flipped | 1 << square);
            children.push(Child { own, enemy, moves: 0, square });
        }
        if count >= LOOK_AHEAD {
            for &Child { own, enemy, .. } in &children {
                if let Some(known) = self.local.find(LocalTable::place(own, enemy), own, enemy)
                    && -i32::from(known.upper) > alpha
                {
                    return -i32::from(known.upper);
                }
            }
        }
        let odd = odd_quadrants(empty);
        // The larger the sooner, each with the number of its child in its last bits: so the best is found without
        // moving children or a branch that could not be foreseen. The first is found on the way, since what was just
        // written is slow to read as one vector.
        let (mut worths, mut most) = ([i16::MIN; 16], i16::MIN);
        for (number, child) in children.iter_mut().enumerate() {
            child.moves = self.placements(child.own, child.enemy);
            let worth = if child.square == u32::from(known_best) { i16::MAX >> 4 } else { self.worth(child, odd) };
            worths[number] = worth << 4 | number as i16;
            most = most.max(worths[number]);
        }
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        while most != i16::MIN {
            let number = most as usize & 15;
            worths[number] = i16::MIN;
            let Child { own, enemy, moves, square } = children[number];
            let rest = empty ^ 1 << square;
            let score = if count == 6 {
                -self.five(own, enemy, -alpha - 1, rest, moves)
            } else {
                -self.fastest_first(own, enemy, -alpha - 1, rest, moves)
            };
            if score > best {
                (best, best_move) = (score, square as u8);
                if best > alpha {
                    break;
                }
            }
            most = worths.into_iter().fold(i16::MIN, i16::max);
        }
        if count < POLLED || !self.halt.flag.load(Relaxed) {
            self.local.store(place, own, enemy, alpha, best, best_move);
        }
        best
    }

    /// The fewer replies the better, corners counted twice; then corners and parity.
    #[inline]
    fn worth(&self, child: &Child, odd: u64) -> i16 {
        let count = |set: u64| set.count_ones() as i16;
        16 * count(child.enemy & self.corners) + 4 * i16::from(odd >> child.square & 1 != 0)
            - 32 * (count(child.moves) + count(child.moves & self.corners))
    }
}
