//! How learners see Tessella: two rows of cells; an action is the cell a piece leaves and the one it goes to.

use quincunx_game::Position;
use quincunx_search::encoding::{Encoding, bits_to_bytes};

use super::{Move, Tessella};

impl<const D: usize> Encoding for Tessella<D> {
    #[inline]
    fn actions(&self) -> usize {
        self.cells() * self.cells()
    }

    #[inline]
    fn action(&self, mv: Move) -> usize {
        usize::from(mv.from) * self.cells() + usize::from(mv.to)
    }

    #[inline]
    fn of_action(&self, action: usize) -> Move {
        Move::new((action / self.cells()) as u32, (action % self.cells()) as u32)
    }

    #[inline]
    fn observe(&self, planes: &mut [u8]) {
        let (own, enemy) = planes.split_at_mut(self.cells());
        bits_to_bytes(self.stones.own, own);
        bits_to_bytes(self.stones.enemy, enemy);
    }
}
