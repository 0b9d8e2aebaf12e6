//! How learners see Aboyne: two rows of cells; an action is the cell a stone leaves and the one it goes to.

use quincunx_search::encoding::Encoding;

use super::{
    Aboyne, Move,
    board::{CELLS, bit_of_cell, cell_of_bit},
};

impl<const RULESET: usize> Encoding for Aboyne<RULESET> {
    #[inline]
    fn actions(&self) -> usize {
        CELLS * CELLS
    }

    #[inline]
    fn action(&self, mv: Move) -> usize {
        // No stone goes from a cell to itself: the first such number is the pass.
        if mv == Move::PASS {
            return 0;
        }
        cell_of_bit(u32::from(mv.from)) * CELLS + cell_of_bit(u32::from(mv.to))
    }

    #[inline]
    fn of_action(&self, action: usize) -> Move {
        if action == 0 {
            return Move::PASS;
        }
        Move::new(bit_of_cell(action / CELLS % CELLS), bit_of_cell(action % CELLS))
    }

    #[inline]
    fn observe(&self, planes: &mut [u8]) {
        let (own, enemy) = planes.split_at_mut(CELLS);
        for (cell, (own, enemy)) in own.iter_mut().zip(enemy).enumerate() {
            let bit = bit_of_cell(cell);
            *own = (self.stones.own >> bit) as u8 & 1;
            *enemy = (self.stones.enemy >> bit) as u8 & 1;
        }
    }
}
