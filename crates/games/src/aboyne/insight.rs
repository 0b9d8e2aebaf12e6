//! What an engine knows of Aboyne: stones, which of them can move, and how far they are from their goal.

use quincunx_game::{
    Game, Insight, Side,
    bits::Bits,
    insight::{TACTICAL, Tuning},
};

use super::{Aboyne, Move, board::DISTANCES, board::GOALS, moves::neighbours};

impl<const RULESET: usize> Insight for Aboyne<RULESET> {
    type State = ();

    const TUNING: Tuning = Tuning::CAUTIOUS;
    const MOVE_CODES: usize = 64 * 64;

    fn code(mv: Move) -> u16 {
        64 * u16::from(mv.from) + u16::from(mv.to)
    }

    fn decode(code: u16) -> Move {
        Move { from: (code / 64) as u8, to: (code % 64) as u8 }
    }

    fn state(&self) {}

    /// In hundredths of a stone.
    fn evaluate(&self, (): &()) -> i32 {
        let worth = |stones: u64, others: u64, side: Side| {
            let free = stones & !neighbours(others);
            let way: i32 = Bits(stones).map(|bit| i32::from(DISTANCES[side.index()][bit as usize])).sum();
            100 * stones.count_ones() as i32 + 40 * free.count_ones() as i32 - 4 * way
        };
        worth(self.own, self.enemy, self.to_move) - worth(self.enemy, self.own, !self.to_move)
    }

    /// Wins and captures.
    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        let targets = self.enemy | GOALS[self.to_move.index()];
        self.for_each_move(|mv| {
            if mv.bits().1 & targets != 0 {
                visit(mv);
            }
        });
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        let (_, to) = mv.bits();
        if to & GOALS[self.to_move.index()] != 0 {
            2 * TACTICAL
        } else if to & self.enemy != 0 || mv == Move::PASS {
            TACTICAL
        } else {
            let distances = &DISTANCES[self.to_move.index()];
            100 * (i32::from(distances[mv.from as usize % 64]) - i32::from(distances[mv.to as usize % 64]))
        }
    }
}
