//! Positions that are two sets of stones and a side to move, each set in one machine word.

use crate::{Side, hash::mix};

/// The stones on a board of at most 64 cells, as the side to move sees them.
///
/// A position that holds one in a field gets half of the [`Position`](crate::Position) trait from
/// [`position_of_stones!`](crate::position_of_stones).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stones {
    /// The stones of the side to move.
    pub own: u64,
    /// The stones of the other side.
    pub enemy: u64,
    /// Whose turn it is.
    pub to_move: Side,
}

impl Stones {
    /// The stones of the first and of the second side, with this side to move.
    pub fn new(stones: [u64; 2], to_move: Side) -> Self {
        Self { own: stones[to_move.index()], enemy: stones[(!to_move).index()], to_move }
    }

    /// The stones of a side.
    #[inline]
    pub fn of(&self, side: Side) -> u64 {
        if side == self.to_move { self.own } else { self.enemy }
    }

    /// The stones of the first and of the second side.
    pub fn by_side(&self) -> [u64; 2] {
        Side::BOTH.map(|side| self.of(side))
    }

    /// The stones of both sides.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// The side that has a stone on the cell of this bit.
    pub fn side_at(&self, bit: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.of(side) >> bit & 1 != 0)
    }

    /// Replaces the stones by what `change` makes of own and enemy ones, and hands the turn over; the stones before.
    #[inline]
    #[must_use]
    pub fn play(&mut self, change: impl FnOnce(u64, u64) -> (u64, u64)) -> Self {
        // Field by field, here and in `restore`: copied whole, the padding goes in overlapping words that stall the
        // next load.
        let Self { own, enemy, to_move } = *self;
        let (moved, waiting) = change(own, enemy);
        *self = Self { own: waiting, enemy: moved, to_move: !to_move };
        Self { own, enemy, to_move }
    }

    /// Takes back what [`play`](Self::play) or [`hand_over`](Self::hand_over) changed.
    #[inline]
    pub fn restore(&mut self, before: Self) {
        let Self { own, enemy, to_move } = before;
        *self = Self { own, enemy, to_move };
    }

    /// Hands the turn to the other side without a move.
    #[inline]
    pub fn hand_over(&mut self) {
        std::mem::swap(&mut self.own, &mut self.enemy);
        self.to_move = !self.to_move;
    }

    /// The image of both sets, such as through a symmetry of the board.
    #[must_use]
    pub fn mapped(&self, image: impl Fn(u64) -> u64) -> Self {
        Self { own: image(self.own), enemy: image(self.enemy), to_move: self.to_move }
    }

    /// The same stones in the colours of the other side, which then is to move.
    #[must_use]
    pub fn colours_swapped(&self) -> Self {
        Self { to_move: !self.to_move, ..*self }
    }

    /// A 64-bit hash.
    #[inline]
    pub fn hash(&self) -> u64 {
        mix(self.own, self.enemy) ^ if self.to_move == Side::First { 0 } else { 0x5bd1_e995_7b4f_1a2d }
    }
}

/// The methods of [`Position`](crate::Position) that are the same in every game whose positions hold [`Stones`], for
/// use inside the `impl`: `to_move`, `undo`, `hand_over`, `hash` and `stone`. The first argument is the field, the
/// second tells the bit of a cell, such as `position_of_stones!(stones, |cell| cell)`.
#[macro_export]
macro_rules! position_of_stones {
    ($stones:ident, $bit_of_cell:expr) => {
        type Undo = $crate::Stones;

        #[inline]
        fn to_move(&self) -> $crate::Side {
            self.$stones.to_move
        }

        #[inline]
        fn undo(&mut self, _mv: Self::Move, before: $crate::Stones) {
            self.$stones.restore(before);
        }

        fn hand_over(&mut self) {
            self.$stones.hand_over();
        }

        #[inline]
        fn hash(&self) -> u64 {
            self.$stones.hash()
        }

        fn stone(&self, cell: usize) -> Option<$crate::Side> {
            let bit_of_cell: fn(usize) -> usize = $bit_of_cell;
            self.$stones.side_at(bit_of_cell(cell))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const STONES: Stones = Stones { own: 0b0011, enemy: 0b1100, to_move: Side::Second };

    #[test]
    fn a_move_hands_the_turn_over_and_can_be_taken_back() {
        let mut stones = STONES;
        let before = stones.play(|own, enemy| (own ^ 0b1001, enemy & !0b1000));
        assert_eq!(stones, Stones { own: 0b0100, enemy: 0b1010, to_move: Side::First });
        assert_eq!(stones.by_side(), [0b0100, 0b1010]);
        stones.restore(before);
        assert_eq!(stones, STONES);
    }

    #[test]
    fn sides_keep_their_stones_whoever_is_to_move() {
        let mut stones = STONES;
        assert_eq!(Stones::new(stones.by_side(), stones.to_move), stones);
        assert_eq!([0, 2, 4].map(|bit| stones.side_at(bit)), [Some(Side::Second), Some(Side::First), None]);
        stones.hand_over();
        assert_eq!([0, 2, 4].map(|bit| stones.side_at(bit)), [Some(Side::Second), Some(Side::First), None]);
        assert_ne!(stones.hash(), STONES.hash());
        let swapped = STONES.colours_swapped();
        assert_eq!([0, 2, 4].map(|bit| swapped.side_at(bit)), [Some(Side::First), Some(Side::Second), None]);
    }
}
