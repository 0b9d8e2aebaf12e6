//! The last plies of a midgame search: most of its positions, so nothing here is listed, sorted or remembered.

use quincunx_game::bits::Bits;

use super::{
    discs::{flips, mobility},
    evaluation::{Evaluation, Indices},
};

/// Squares in the order in which they tend to be good: corners, then edges and middle, what touches a corner last.
const GROUPS: [u64; 4] = [0x8100_0000_0000_0081, 0x3c00_bdbd_bdbd_003c, 0x003c_4242_4242_3c00, 0x42c3_0000_0000_c342];

/// As deep as this search goes.
pub(super) const SHALLOW: i32 = 2;

/// Below every value.
const NONE: i32 = -20_000;

/// A position within such a search.
pub(super) struct Node<'a> {
    pub(super) own: u64,
    pub(super) enemy: u64,
    /// The numbers of the patterns as the side to move sees them.
    pub(super) seen: &'a Indices,
    pub(super) discs: u32,
}

impl Node<'_> {
    /// A bound of the value after `depth` plies, one at least, above `alpha` exactly if the value is.
    pub(super) fn search(&self, evaluation: &Evaluation, alpha: i32, depth: i32, nodes: &mut u64) -> i32 {
        *nodes += 1;
        let (own, enemy, discs) = (self.own, self.enemy, self.discs + 1);
        let moves = mobility(own, enemy);
        let theirs = self.seen.reversed();
        if moves == 0 {
            if mobility(enemy, own) == 0 {
                return final_value(own, enemy);
            }
            let passed = Node { own: enemy, enemy: own, seen: &theirs, discs: self.discs };
            return -passed.search(evaluation, -alpha - 1, depth, nodes);
        }
        let mut best = NONE;
        for group in GROUPS {
            for square in Bits(moves & group) {
                let flipped = flips(own, enemy, square);
                let (next_own, next_enemy) = (enemy ^ flipped, own ^ flipped | 1 << square);
                let value = if next_own == 0 || discs == 64 {
                    *nodes += 1;
                    -final_value(next_own, next_enemy)
                } else {
                    let seen = theirs.after_enemy(square, flipped);
                    if depth <= 1 {
                        *nodes += 1;
                        -evaluation.hundredths_of(&seen, discs)
                    } else {
                        let next = Node { own: next_own, enemy: next_enemy, seen: &seen, discs };
                        -next.search(evaluation, -alpha - 1, depth - 1, nodes)
                    }
                };
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }
}

/// What a finished game on 8x8 is worth to the side with the discs `own`, in hundredths of a disc.
fn final_value(own: u64, enemy: u64) -> i32 {
    let (own, enemy) = (own.count_ones() as i32, enemy.count_ones() as i32);
    let difference = own - enemy;
    100 * (difference + difference.signum() * (64 - own - enemy))
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;
    use quincunx_search::Evaluator;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::Othello;

    fn plain(position: &Othello<8>, depth: i32) -> i32 {
        let (own, enemy) = position.discs();
        if position.outcome().is_some() {
            return final_value(own, enemy);
        }
        if depth == 0 {
            return Evaluation::embedded().hundredths_of(&Indices::of(own, enemy), (own | enemy).count_ones());
        }
        let mut best = NONE;
        position.for_each_move(|mv| {
            let mut child = *position;
            child.play(mv);
            best = best.max(-plain(&child, if Othello::<8>::is_pass(mv) { depth } else { depth - 1 }));
        });
        best
    }

    #[test]
    fn bounds_are_on_the_side_of_the_value_of_a_plain_search() {
        assert_eq!(GROUPS.iter().fold(0, |all, group| all ^ group), !0, "every square is in one group");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for _ in 0..10 {
            let mut position = Othello::<8>::start("8x8").unwrap();
            while position.outcome().is_none() {
                let (own, enemy) = position.discs();
                let (seen, discs) = (Indices::of(own, enemy), (own | enemy).count_ones());
                let node = Node { own, enemy, seen: &seen, discs };
                for depth in 1..=2 {
                    let value = plain(&position, depth);
                    // A position whose mover has just lost its last reply is evaluated where a plain search sees its
                    // end.
                    let ended = value.abs() == 6400 || discs >= 60;
                    for alpha in [value - 1, value, value + 1, value - 700, value + 700] {
                        let bound = node.search(&Evaluation::embedded(), alpha, depth, &mut 0);
                        assert!(ended || (bound > alpha) == (value > alpha), "{bound} {value} {alpha}");
                    }
                }
                position.play(position.random_move(&mut rng).unwrap());
            }
        }
    }
}
