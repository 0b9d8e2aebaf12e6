//! What is thought of a position before its end is seen: trained patterns on 8x8, mobility and corners on smaller
//! boards.

use super::super::{
    discs::mobility,
    evaluation::{Evaluation, Indices, UNIT},
};

/// How positions of one board are judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Estimator<'a> {
    /// By the patterns, which are trained for 8x8 alone.
    Patterns(&'a Evaluation),
    /// By counting, on a board of these squares with these corners.
    Counts { board: u64, corners: u64 },
}

impl<'a> Estimator<'a> {
    /// The judge of a board of these squares.
    pub(super) fn of(board: u64, patterns: Option<&'a Evaluation>) -> Self {
        match patterns {
            Some(patterns) if board == !0 => Self::Patterns(patterns),
            _ => Self::Counts { board, corners: corners(board) },
        }
    }

    /// What the side of `own` sees of a position, from scratch.
    pub(super) fn view(&self, own: u64, enemy: u64) -> View {
        match self {
            Self::Patterns(_) => View { own, enemy, seen: Indices::of(own, enemy) },
            Self::Counts { .. } => View { own, enemy, seen: Indices::EMPTY },
        }
    }

    /// The score expected for the side to move, in units of the evaluation.
    #[inline]
    pub(super) fn units(&self, view: &View) -> i32 {
        let (own, enemy) = (view.own, view.enemy);
        match *self {
            Self::Patterns(evaluation) => evaluation.units_of(&view.seen, (own | enemy).count_ones()),
            Self::Counts { board, corners } => {
                let difference = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
                let moves = difference(mobility(own, enemy) & board, mobility(enemy, own) & board);
                // On a 6x6 board of 24 empty squares corners worth 5 and 8 moves took 108 and 123 million nodes.
                UNIT * (moves + 5 * difference(own & corners, enemy & corners))
            }
        }
    }
}

/// A position with what the patterns show of it to the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) own: u64,
    pub(super) enemy: u64,
    seen: Indices,
}

impl View {
    /// The same position seen by the other side, which is to move after a pass.
    #[inline]
    pub(super) fn reversed(&self) -> Self {
        Self { own: self.enemy, enemy: self.own, seen: self.seen.reversed() }
    }

    /// The position after the side that is not to move in this one placed a disc and flipped others.
    #[inline]
    pub(super) fn after_enemy(&self, square: u32, flipped: u64) -> Self {
        Self {
            own: self.own ^ flipped,
            enemy: self.enemy ^ flipped | 1 << square,
            seen: self.seen.after_enemy(square, flipped),
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
    use crate::Othello;

    #[test]
    fn corners_are_those_of_the_board() {
        assert_eq!(corners(Othello::<8>::BOARD), 0x8100_0000_0000_0081);
        assert_eq!(corners(Othello::<6>::BOARD), 1 << 9 | 1 << 14 | 1 << 49 | 1 << 54);
        assert_eq!(corners(Othello::<4>::BOARD), 1 << 18 | 1 << 21 | 1 << 42 | 1 << 45);
    }
}
