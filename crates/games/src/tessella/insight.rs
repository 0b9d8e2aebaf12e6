//! What an engine knows of Tessella: pieces, threats and room to move.

use quincunx_game::{Insight, bits::Bits, insight::TACTICAL};

use super::{
    Move, Tessella,
    moves::{self, move_to},
};

impl<const D: usize> Insight for Tessella<D> {
    type State = ();

    const MOVE_CODES: usize = 64 * 64;

    fn code(mv: Move) -> u16 {
        64 * u16::from(mv.from) + u16::from(mv.to)
    }

    fn decode(code: u16) -> Move {
        Move { from: (code / 64) as u8, to: (code % 64) as u8 }
    }

    fn state(&self) {}

    /// A piece is 100. The other weights are guesses: no match has measured them yet.
    fn evaluate(&self, (): &()) -> i32 {
        let worth = |own: u64, enemy: u64| {
            let destinations = moves::destinations::<D>(own, enemy);
            let threatened = destinations.iter().fold(0, |all, set| all | set) & enemy;
            let moves: u32 = destinations.iter().map(|set| set.count_ones()).sum();
            (100 * own.count_ones() + 20 * threatened.count_ones() + moves) as i32
        };
        worth(self.own, self.enemy) - worth(self.enemy, self.own)
    }

    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        for (direction, set) in self.destinations().into_iter().enumerate() {
            for to in Bits(set & self.enemy) {
                visit(move_to::<D>(direction, to, self.own | self.enemy));
            }
        }
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if self.enemy & (1 << mv.to) == 0 { 0 } else { TACTICAL }
    }
}
