//! The last four empty squares: null-window searches by hand, without lists, tables or mobility.

use super::super::discs::{Wide, flips};

/// Below every score.
pub(super) const NONE: i32 = -128;

/// The board that the last moves are played on, and the count of positions.
#[derive(Clone, Debug)]
pub(super) struct Last {
    /// The squares of the board.
    pub(super) board: u64,
    /// Their number.
    pub(super) area: i32,
    /// Positions visited.
    pub(super) nodes: u64,
}

impl Last {
    /// The score of a finished game for the side of `own`, empty squares given to the winner.
    pub(super) fn finished(&self, own: u64, enemy: u64) -> i32 {
        let difference = own.count_ones() as i32 - enemy.count_ones() as i32;
        difference + difference.signum() * (self.board & !(own | enemy)).count_ones() as i32
    }

    /// A bound of the score, above `alpha` exactly if the score is, with one square empty: all other squares that are
    /// not `own` hold the enemy.
    #[inline]
    fn one(&mut self, own: u64, alpha: i32, square: u32) -> i32 {
        self.nodes += 1;
        let balance = 2 * own.count_ones() as i32 - self.area;
        let enemy = self.board & !(own | 1 << square);
        let flipped = last_flips(own, enemy, square);
        if flipped > 0 {
            return balance + 2 * flipped + 2;
        }
        // The square stays empty, and goes to the winner: the discs cannot be equal, their number being odd.
        let stays = if balance >= 0 { balance + 2 } else { balance };
        if stays <= alpha {
            return stays;
        }
        let flipped = last_flips(enemy, own, square);
        if flipped > 0 { balance - 2 * flipped } else { stays }
    }

    /// As [`one`](Self::one), with the squares `a` and `b` empty.
    fn two(&mut self, own: Wide, enemy: Wide, alpha: i32, a: u32, b: u32) -> i32 {
        self.nodes += 1;
        // Both are computed at once: the second is ready when the first turns out not to be enough.
        let (at_a, at_b) = (own.flips(enemy, a).squares(), own.flips(enemy, b).squares());
        let mut best = NONE;
        if at_a != 0 {
            best = -self.one(enemy.squares() ^ at_a, -alpha - 1, b);
            if best > alpha {
                return best;
            }
        }
        if at_b != 0 {
            return best.max(-self.one(enemy.squares() ^ at_b, -alpha - 1, a));
        }
        if best != NONE {
            return best;
        }
        let (own, enemy) = (own.squares(), enemy.squares());
        let (at_a, at_b) = (flips(enemy, own, a), flips(enemy, own, b));
        let mut worst = -NONE;
        if at_a != 0 {
            worst = self.one(own ^ at_a, alpha, b);
            if worst <= alpha {
                return worst;
            }
        }
        if at_b != 0 {
            return worst.min(self.one(own ^ at_b, alpha, a));
        }
        if worst == -NONE { self.finished(own, enemy) } else { worst }
    }

    /// As [`one`](Self::one), with three squares empty.
    fn three(&mut self, own: Wide, enemy: Wide, alpha: i32, squares: [u32; 3]) -> i32 {
        // A square alone in its quadrant goes first: the side that moves there also has the last move in it.
        let [mut a, mut b, mut c] = squares;
        if same_quadrant(a, b) {
            (a, b, c) = (c, a, b);
        } else if same_quadrant(a, c) {
            (a, b) = (b, a);
        }
        let squares = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
        self.best_of(own, enemy, alpha, squares, |last, own, enemy, alpha, [x, y]| last.two(own, enemy, alpha, x, y))
    }

    /// As [`one`](Self::one), with four squares empty.
    pub(super) fn four(&mut self, own: u64, enemy: u64, alpha: i32, empty: u64) -> i32 {
        // Of four squares none, two or all are in quadrants with an odd number of them: if two are, they go first.
        let odd = empty & odd_quadrants(empty);
        let first = if odd == 0 { empty } else { odd };
        let (a, b) = (first.trailing_zeros(), (first & (first - 1)).trailing_zeros());
        let rest = empty & !(1 << a | 1 << b);
        let (c, d) = (rest.trailing_zeros(), rest.ilog2());
        let squares = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
        self.best_of(Wide::of(own), Wide::of(enemy), alpha, squares, Self::three)
    }

    /// The best score of a move to one of the empty squares, each given with the others: `next` plays on there. A side
    /// that has no move passes; if neither has one, the game is over.
    #[inline]
    fn best_of<const EMPTY: usize, const LEFT: usize>(
        &mut self,
        mut own: Wide,
        mut enemy: Wide,
        mut alpha: i32,
        squares: [(u32, [u32; LEFT]); EMPTY],
        next: impl Fn(&mut Self, Wide, Wide, i32, [u32; LEFT]) -> i32,
    ) -> i32 {
        let mut sign = 1;
        loop {
            self.nodes += 1;
            let mut best = NONE;
            for (at, others) in squares {
                let flipped = own.flips(enemy, at);
                if flipped.squares() != 0 {
                    let score = -next(self, enemy ^ flipped, own ^ flipped ^ Wide::of(1 << at), -alpha - 1, others);
                    best = best.max(score);
                    if best > alpha {
                        return sign * best;
                    }
                }
            }
            if best != NONE {
                return sign * best;
            }
            if sign < 0 {
                return self.finished(enemy.squares(), own.squares());
            }
            (own, enemy, alpha, sign) = (enemy, own, -alpha - 1, -1);
        }
    }
}

/// The quadrants of the board with an odd number of `empty` squares, as a set of squares.
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    let mut parity = empty ^ (empty >> 1);
    parity ^= parity >> 2;
    parity ^= parity >> 8;
    parity ^= parity >> 16;
    (parity & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

#[inline]
fn same_quadrant(a: u32, b: u32) -> bool {
    (a ^ b) & 0o44 == 0
}

/// The number of discs flipped by `own` on the last empty `square`, all other squares holding `own` or the enemy.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
fn last_flips(own: u64, enemy: u64, square: u32) -> i32 {
    flips(own, enemy, square).count_ones() as i32
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use by_line::last_flips;

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod by_line {
    //! Counting flips line by line: the discs of a line, packed together, look the count up.

    use std::arch::x86_64::_pext_u64;

    /// The lines through a square other than its row, and the places of the square on them.
    #[derive(Clone, Copy)]
    struct Lines {
        squares: [u64; 3],
        places: [u8; 3],
    }

    static LINES: [Lines; 64] = {
        const STEPS: [(i32, i32); 3] = [(1, 0), (1, -1), (1, 1)];
        let mut lines = [Lines { squares: [0; 3], places: [0; 3] }; 64];
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 3 {
                let (down, right) = STEPS[line];
                let (mut row, mut column) = (square as i32 / 8, square as i32 % 8);
                while row - down >= 0 && column - right >= 0 && column - right < 8 {
                    row -= down;
                    column -= right;
                    lines[square].places[line] += 1;
                }
                while row < 8 && column >= 0 && column < 8 {
                    lines[square].squares[line] |= 1 << (8 * row + column);
                    row += down;
                    column += right;
                }
                line += 1;
            }
            square += 1;
        }
        lines
    };

    /// By the place of the new disc on a line and the own discs of the line: how many of the others are flipped.
    static FLIPPED: [[u8; 256]; 8] = {
        let mut flipped = [[0; 256]; 8];
        let mut place = 0;
        while place < 8 {
            let mut own = 0;
            while own < 256 {
                let above = (own >> place) >> 1;
                if above != 0 {
                    flipped[place][own] += (above as u32).trailing_zeros() as u8;
                }
                let below = own & ((1 << place) - 1);
                if below != 0 {
                    flipped[place][own] += place as u8 - 1 - (below as u32).ilog2() as u8;
                }
                own += 1;
            }
            place += 1;
        }
        flipped
    };

    #[inline]
    pub(super) fn last_flips(own: u64, _enemy: u64, square: u32) -> i32 {
        let lines = &LINES[square as usize % 64];
        let row = (own >> (square & 0o70)) as u8;
        let mut sum = FLIPPED[square as usize % 8][usize::from(row)];
        for (&squares, &place) in lines.squares.iter().zip(&lines.places) {
            // SAFETY: the instruction is part of the target this is compiled for.
            #[allow(unsafe_code)]
            let packed = unsafe { _pext_u64(own, squares) };
            sum += FLIPPED[usize::from(place % 8)][packed as usize % 256];
        }
        i32::from(sum)
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::*;

    #[test]
    fn last_flips_are_the_flips_of_a_full_board() {
        for seed in 0..2000 {
            let own = mix(seed, 1) & if seed % 2 == 0 { !0 } else { mix(seed, 2) };
            for square in 0..64 {
                let own = own & !(1 << square);
                let enemy = !(own | 1 << square);
                assert_eq!(last_flips(own, enemy, square), flips(own, enemy, square).count_ones() as i32);
            }
        }
    }

    #[test]
    fn odd_quadrants_are_those_with_an_odd_number_of_empty_squares() {
        for seed in 0..1000 {
            let empty = mix(seed, 3) & mix(seed, 4);
            let mut odd = 0;
            for quadrant in [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000]
            {
                if (empty & quadrant).count_ones() % 2 == 1 {
                    odd |= quadrant;
                }
            }
            assert_eq!(odd_quadrants(empty), odd);
        }
    }
}
