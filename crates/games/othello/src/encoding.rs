//! How learners see Othello: two planes of discs, an action a square and one for the pass.

use quincunx_search::encoding::{Encoding, bits_to_bytes};

use super::{Move, Othello};

impl<const N: usize> Encoding for Othello<N> {
    #[inline]
    fn actions(&self) -> usize {
        N * N + 1
    }

    #[inline]
    fn action(&self, mv: Move) -> usize {
        if mv == Move::PASS { N * N } else { Self::cell_of_bit(usize::from(mv.0)) }
    }

    #[inline]
    fn of_action(&self, action: usize) -> Move {
        if action == N * N { Move::PASS } else { Move(Self::bit_of_cell(action) as u8) }
    }

    fn observation_shape(&self) -> Vec<usize> {
        vec![2, N, N]
    }

    #[inline]
    fn observe(&self, planes: &mut [u8]) {
        for (discs, plane) in [self.stones.own, self.stones.enemy].into_iter().zip(planes.chunks_exact_mut(N * N)) {
            for (row, bytes) in plane.chunks_exact_mut(N).enumerate() {
                bits_to_bytes(discs >> (8 * (row + Self::RIM) + Self::RIM), bytes);
            }
        }
    }
}
