//! What an engine knows of Othello: mobility, corners and what touches them.

use quincunx_game::{
    Insight,
    insight::{TACTICAL, Tuning},
};

use super::{Move, Othello};

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0x3c81_8181_8181_813c;

impl<const N: usize> Insight for Othello<N> {
    type State = ();

    const TUNING: Tuning = Tuning { null_move: false, futility: 0, reduction: 2.5, aspiration: 150, scale: 800.0 };
    const MOVE_CODES: usize = 65;

    fn code(mv: Move) -> u16 {
        u16::from(mv.0)
    }

    fn decode(code: u16) -> Move {
        Move(code as u8)
    }

    fn state(&self) {}

    fn evaluate(&self, (): &()) -> i32 {
        let (own, enemy) = (self.own, self.enemy);
        let difference = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
        let mobility = difference(self.placements(), Self::placements_of(enemy, own));
        let frontier = difference(Self::frontier(enemy, own), Self::frontier(own, enemy));
        let corners = difference(own & CORNERS, enemy & CORNERS);
        let edges = difference(own & EDGES, enemy & EDGES);
        80 * mobility + 40 * frontier + 800 * corners + 30 * edges
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if mv == Move::PASS {
            return TACTICAL;
        }
        let mut child = *self;
        quincunx_game::Game::play(&mut child, mv);
        let corner = i32::from(CORNERS >> mv.0 & 1 == 1);
        4000 * corner - 600 * child.placements().count_ones() as i32
    }
}

impl<const N: usize> Othello<N> {
    /// The discs of `own` next to an empty square.
    fn frontier(own: u64, enemy: u64) -> u64 {
        let empty = Self::BOARD & !(own | enemy);
        let sideways = ((empty << 1) & 0xfefe_fefe_fefe_fefe) | ((empty >> 1) & 0x7f7f_7f7f_7f7f_7f7f) | empty;
        own & (sideways | sideways << 8 | sideways >> 8)
    }
}
