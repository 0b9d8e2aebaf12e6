//! How learners see Shobu: four boards of each side's stones. An action is the passive stone, which stands on one of two
//! homeboards, the aggressive one, which stands on a board of the other colour, and the vector: 32 x 32 x 16.

use quincunx_search::encoding::{Encoding, bits_to_bytes};

use super::{LOWER, Move, Shobu};

impl Encoding for Shobu {
    #[inline]
    fn actions(&self) -> usize {
        32 * 32 * 16
    }

    #[inline]
    fn action(&self, mv: Move) -> usize {
        let (passive, aggressive) = (mv.passive(), mv.aggressive());
        // Of the two bits that name the board of the passive stone one is that of the side to move.
        let passive = (passive % 16) + passive / 32 * 16;
        (passive * 32 + aggressive % 32) * 16 + mv.vector().0
    }

    #[inline]
    fn of_action(&self, action: usize) -> Move {
        let (vector, cells) = (action % 16, action / 16);
        let (passive, aggressive) = (cells / 32 % 32, cells % 32);
        let upper = if self.home() == LOWER { 0 } else { 16 };
        let passive = (passive % 16) + upper + passive / 16 * 32;
        // A passive stone below 32 stands on a dark board: the aggressive one stands on a light one.
        Move::new(passive as u32, (aggressive + if passive < 32 { 32 } else { 0 }) as u32, vector)
    }

    fn observation_shape(&self) -> Vec<usize> {
        vec![8, 4, 4]
    }

    #[inline]
    fn observe(&self, planes: &mut [u8]) {
        let (own, enemy) = planes.split_at_mut(64);
        bits_to_bytes(self.stones.own, own);
        bits_to_bytes(self.stones.enemy, enemy);
    }
}
