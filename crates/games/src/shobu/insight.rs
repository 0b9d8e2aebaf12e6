//! What an engine knows of Shobu: boards with few stones are weak, central stones strong, and some turns are two names of one.

use quincunx_game::{Insight, insight::TACTICAL};

use super::{Move, SHIFTS, Shobu, on_board};

/// What a side lacks on a board where it has so many stones: each loss weighs more than the one before.
const WEAKNESS: [i32; 5] = [2000, 900, 400, 150, 0];

/// The four middle cells of each board.
const CENTRE: u64 = 0x0660_0660_0660_0660;

impl Insight for Shobu {
    type State = ();

    const MOVE_CODES: usize = 1 << 15;

    /// The passive board's colour tells that of the aggressive board, so 15 bits are enough.
    fn code(mv: Move) -> u16 {
        let (passive, aggressive) = (mv.passive() as u16, mv.aggressive() as u16);
        passive | (aggressive % 32) << 6 | (mv.vector().0 as u16) << 11
    }

    fn decode(code: u16) -> Move {
        let passive = u32::from(code % 64);
        let aggressive = u32::from(code >> 6) % 32 + if passive < 32 { 32 } else { 0 };
        Move::new(passive, aggressive, usize::from(code >> 11) % 16)
    }

    fn state(&self) {}

    fn evaluate(&self, (): &()) -> i32 {
        let worth = |stones: u64| {
            let weakness: i32 = (0..4).map(|board| WEAKNESS[on_board(stones, board).count_ones() as usize % 5]).sum();
            12 * (stones & CENTRE).count_ones() as i32 - weakness
        };
        worth(self.own) - worth(self.enemy)
    }

    /// Two moves on both homeboards that push nothing are one turn with two names: the one with the dark passive move stands for both.
    fn for_each_candidate(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.board_emptied() {
            return;
        }
        let turns = self.turns();
        turns.for_each(|passive, aggressive, vector| {
            if passive < 32 || turns.passive[vector] >> aggressive & 1 == 0 {
                visit(Move::new(passive, aggressive, vector));
            }
        });
    }

    /// Stones pushed off a board.
    fn for_each_forcing(&self, state: &(), mut visit: impl FnMut(Move)) {
        self.for_each_candidate(state, |mv| {
            if self.captures(mv) {
                visit(mv);
            }
        });
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if !self.captures(mv) {
            return 0;
        }
        let left = on_board(self.enemy, mv.aggressive() / 16).count_ones();
        TACTICAL + 5 - left as i32
    }
}

impl Shobu {
    /// Whether a legal turn pushes a stone off the board.
    fn captures(&self, mv: Move) -> bool {
        let shift = SHIFTS[mv.vector().0][mv.aggressive() % 16];
        shift.beyond == 0 && self.enemy & u64::from(shift.path) << (mv.aggressive() & 0x30) != 0
    }
}
