//! The tactics of Tessella: captures, and the last one that wins at once.

use quincunx_game::bits::Bits;
use quincunx_search::{Tactics, Verdict, tactics::TACTICAL};

use super::{Move, Tessella, moves::move_to};

impl<const D: usize> Tactics for Tessella<D> {
    type Known = ();

    const USUAL_MOVES: u32 = 16;
    const MOVE_CODES: usize = Move::CODES;

    fn code(mv: Move) -> u16 {
        mv.code()
    }

    fn decode(code: u16) -> Move {
        Move::of_code(code)
    }

    fn known(&self) {}

    /// The last capture wins at once.
    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        let last = Self::is_one_from_losing(self.stones.enemy);
        let captures = || self.destinations().into_iter().any(|set| set & self.stones.enemy != 0);
        (last && captures()).then_some(Verdict::Win(1))
    }

    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        for (direction, set) in self.destinations().into_iter().enumerate() {
            for to in Bits(set & self.stones.enemy) {
                visit(move_to::<D>(direction, to, self.stones.occupied()));
            }
        }
    }

    fn themes(&self, line: &[Move]) -> Vec<&'static str> {
        self.themes_of(line)
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if self.stones.enemy & (1 << mv.to) == 0 { 0 } else { TACTICAL }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;

    use super::*;

    #[test]
    fn a_fourth_capture_is_seen_at_a_glance() {
        // Dark has four pieces left: one more is the fourth captured.
        let text = "~~~~x~~~~/~~~...~~~/~~x...x~~/~.......~/....x..../~..o....~/~~o....~~/~~~.o.~~~/~~~~o~~~~ o";
        let position = Tessella::<5>::parse("d5", text).unwrap();
        let wins = position.moves().into_iter().any(|mv| {
            let mut child = position;
            child.play(mv);
            child.outcome().is_some()
        });
        assert_eq!(position.verdict(&(), 0).is_some(), wins);
        assert!(wins);
    }
}
