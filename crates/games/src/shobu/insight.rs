//! What an engine knows of Shobu: boards with few stones are weak, central stones strong, and some turns are two names of one.

use quincunx_game::bits::Bits;
use quincunx_search::{
    Insight,
    insight::{TACTICAL, Tuning, Verdict},
};

use super::{
    Move, SHIFTS, Shobu,
    movers::{DARK, Movers},
    on_board, turns,
};

/// The terms of the evaluation with their weights, in thousandths of what the second stone lost on a board costs: fitted
/// by `quincunx tune shobu --games 4000 --nodes 800 --random-plies 4 --seed 2` to 28,656 quiet positions.
const WEIGHTS: [(&str, i32); 6] = [
    ("boards with three stones", -75),
    ("boards with two stones", -1000),
    ("boards with one stone", -2970),
    ("stones in the centre", -108),
    ("stones in corners", 42),
    ("ways to move", 83),
];

/// The corners of each board.
const CORNERS: u64 = 0x9009_9009_9009_9009;

/// The four middle cells of each board.
const CENTRE: u64 = 0x0660_0660_0660_0660;

impl Insight for Shobu {
    type State = ();

    const TUNING: Tuning = Tuning { scale: 290.0, moves: 14, ..Tuning::CAUTIOUS };
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
        self.terms().into_iter().zip(WEIGHTS).map(|(term, (_, weight))| term * weight).sum::<i32>() / 10
    }

    fn features(&self, (): &()) -> Vec<(&'static str, i32)> {
        WEIGHTS.into_iter().zip(self.terms()).map(|((name, _), term)| (name, term)).collect()
    }

    /// A last stone that can be pushed off its board loses the game.
    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        let lonely = (0..4).map(|board| on_board(self.enemy, board)).filter(|stones| stones.is_power_of_two());
        let last = lonely.fold(0, |cells, stone| cells | 0xffff << (stone.trailing_zeros() & 0x30));
        if last == 0 {
            return None;
        }
        let capturers = self.movers().capturers(self.enemy);
        capturers.iter().any(|stones| stones & last != 0).then_some(Verdict::Win(1))
    }

    /// Two moves on both homeboards that push nothing are one turn with two names: the one with the dark passive move stands for both.
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

    /// Stones pushed off a board, each way with one passive move that allows it: which one rarely matters.
    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.board_emptied() {
            return;
        }
        let movers = self.movers();
        for (vector, capturers) in movers.capturers(self.enemy).into_iter().enumerate() {
            for aggressive in Bits(capturers) {
                let passive = movers.passive[vector] & if aggressive < 32 { !DARK } else { DARK };
                visit(Move::new(passive.trailing_zeros(), aggressive, vector));
            }
        }
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
    /// The terms of the evaluation for the side to move, in the order of [`WEIGHTS`].
    fn terms(&self) -> [i32; WEIGHTS.len()] {
        let of_side = |stones: u64, others: u64, home: u64| {
            let mut boards = [0; 5];
            for board in 0..4 {
                boards[on_board(stones, board).count_ones() as usize % 5] += 1;
            }
            let movers = Movers::new(stones, others, home);
            let ways: u32 = movers.passive.iter().chain(&movers.aggressive).map(|set| set.count_ones()).sum();
            let count = |cells: u64| (stones & cells).count_ones() as i32;
            [boards[3], boards[2], boards[1], count(CENTRE), count(CORNERS), ways as i32]
        };
        let home = self.home();
        let own = of_side(self.own, self.enemy, home);
        let enemy = of_side(self.enemy, self.own, !home);
        std::array::from_fn(|term| own[term] - enemy[term])
    }

    /// Whether a legal turn pushes a stone off the board.
    fn captures(&self, mv: Move) -> bool {
        let shift = SHIFTS[mv.vector().0][mv.aggressive() % 16];
        shift.beyond == 0 && self.enemy & u64::from(shift.path) << (mv.aggressive() & 0x30) != 0
    }
}
