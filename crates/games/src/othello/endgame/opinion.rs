//! What is thought of a position before its end is seen: trained patterns on 8x8, mobility and corners on smaller boards.

use super::super::{
    discs::mobility,
    evaluation::{Evaluation, UNIT},
};

/// How positions of one board are judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opinion {
    /// By the patterns, which are trained for 8x8 alone.
    Patterns(&'static Evaluation),
    /// By counting, on a board of these squares with these corners.
    Counts { board: u64, corners: u64 },
}

impl Opinion {
    /// The judge of a board of these squares.
    pub(super) fn of(board: u64) -> Self {
        if board == !0 {
            Self::Patterns(Evaluation::embedded())
        } else {
            Self::Counts { board, corners: corners(board) }
        }
    }

    /// The score expected for the side of `own`, which is to move, in units of the evaluation.
    #[inline]
    pub(super) fn units(&self, own: u64, enemy: u64) -> i32 {
        match *self {
            Self::Patterns(evaluation) => evaluation.units(own, enemy),
            Self::Counts { board, corners } => {
                let difference = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
                let moves = difference(mobility(own, enemy) & board, mobility(enemy, own) & board);
                // On a 6x6 board of 24 empty squares corners worth 5 and 8 moves took 108 and 123 million nodes.
                UNIT * (moves + 5 * difference(own & corners, enemy & corners))
            }
        }
    }
}

/// The corners of a square board.
pub(super) fn corners(board: u64) -> u64 {
    let (top, bottom) = (board.trailing_zeros() / 8, 7 - board.leading_zeros() / 8);
    let row = board >> (8 * top) & 0xff;
    let ends = row & row.wrapping_neg() | 1 << row.ilog2();
    ends << (8 * top) | ends << (8 * bottom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Othello;

    #[test]
    fn corners_are_those_of_the_board() {
        assert_eq!(corners(Othello::<8>::BOARD), 0x8100_0000_0000_0081);
        assert_eq!(corners(Othello::<6>::BOARD), 1 << 9 | 1 << 14 | 1 << 49 | 1 << 54);
        assert_eq!(corners(Othello::<4>::BOARD), 1 << 18 | 1 << 21 | 1 << 42 | 1 << 45);
    }
}
