//! How learners see Pente: two planes of stones, two filled with the stones that each side has captured; an action a
//! place.

use quincunx_game::Position;
use quincunx_search::encoding::{Encoding, bits_to_bytes};

use super::{Pente, SIZE};

impl Encoding for Pente {
    fn observation_shape(&self) -> Vec<usize> {
        vec![4, SIZE, SIZE]
    }

    #[inline]
    fn observe(&self, planes: &mut [u8]) {
        let (stones, captured) = planes.split_at_mut(2 * SIZE * SIZE);
        let sides = [self.to_move(), !self.to_move()];
        for (side, plane) in sides.into_iter().zip(stones.chunks_exact_mut(SIZE * SIZE)) {
            for (row, bytes) in plane.chunks_exact_mut(SIZE).enumerate() {
                bits_to_bytes(u64::from(self.stones.row(side, row)), bytes);
            }
        }
        for (side, plane) in sides.into_iter().zip(captured.chunks_exact_mut(SIZE * SIZE)) {
            plane.fill(self.captured(side));
        }
    }
}
