//! The tactics of Shobu: a last stone that can be pushed off loses, and some turns have two names.

use quincunx_game::bits::Bits;
use quincunx_search::{Tactics, Verdict, tactics::TACTICAL};

use super::{Move, SHIFTS, Shobu, movers::DARK, on_board, turns};

impl Tactics for Shobu {
    type Known = ();

    const USUAL_MOVES: u32 = 14;
    const MOVE_CODES: usize = 1 << 15;

    /// The colour of the passive board implies that of the aggressive board, so 15 bits are enough.
    fn code(mv: Move) -> u16 {
        let (passive, aggressive) = (mv.passive() as u16, mv.aggressive() as u16);
        passive | (aggressive % 32) << 6 | (mv.vector().0 as u16) << 11
    }

    fn decode(code: u16) -> Move {
        let passive = u32::from(code % 64);
        let aggressive = u32::from(code >> 6) % 32 + if passive < 32 { 32 } else { 0 };
        Move::new(passive, aggressive, usize::from(code >> 11) % 16)
    }

    fn known(&self) {}

    /// A last stone that can be pushed off its board loses the game.
    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        let lonely = (0..4).map(|board| on_board(self.stones.enemy, board)).filter(|stones| stones.is_power_of_two());
        let last = lonely.fold(0, |cells, stone| cells | 0xffff << (stone.trailing_zeros() & 0x30));
        if last == 0 {
            return None;
        }
        let capturers = self.movers().capturers(self.stones.enemy);
        capturers.iter().any(|stones| stones & last != 0).then_some(Verdict::Win(1))
    }

    /// A turn on both homeboards that pushes nothing has two names: only the one with the dark passive move is visited.
    fn for_each_candidate(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.board_emptied() {
            return;
        }
        let movers = self.movers();
        turns::for_each(&movers, |passive, aggressive, vector| {
            if passive < 32 || movers.passive[vector] >> aggressive & 1 == 0 {
                visit(Move::new(passive, aggressive, vector));
            }
        });
    }

    /// Stones pushed off a board, each push with one passive move that allows it: which one rarely matters.
    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.board_emptied() {
            return;
        }
        let movers = self.movers();
        for (vector, capturers) in movers.capturers(self.stones.enemy).into_iter().enumerate() {
            for aggressive in Bits(capturers) {
                let passive = movers.passive[vector] & if aggressive < 32 { !DARK } else { DARK };
                visit(Move::new(passive.trailing_zeros(), aggressive, vector));
            }
        }
    }

    fn themes(&self, line: &[Move]) -> Vec<&'static str> {
        self.themes_of(line)
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if !self.captures(mv) {
            return 0;
        }
        let left = on_board(self.stones.enemy, mv.aggressive() / 16).count_ones();
        TACTICAL + 5 - left as i32
    }
}

impl Shobu {
    /// Whether a legal turn pushes a stone off the board.
    fn captures(&self, mv: Move) -> bool {
        let shift = SHIFTS[mv.vector().0][mv.aggressive() % 16];
        shift.beyond == 0 && self.stones.enemy & u64::from(shift.path) << (mv.aggressive() & 0x30) != 0
    }
}
