//! The tactics of Othello: corners and few replies first, scores of finished games.

use quincunx_game::{Position, Side};
use quincunx_search::{
    Tactics, Tuning,
    solver::Solver,
    tactics::TACTICAL,
    terms::{Terms, Weighted},
};

use super::{Move, Othello, endgame::EndgameSolver};

impl<const N: usize> Tactics for Othello<N> {
    type Known = ();

    const SCORED: bool = true;
    const MOVE_CODES: usize = 65;

    fn code(mv: Move) -> u16 {
        u16::from(mv.0)
    }

    fn decode(code: u16) -> Move {
        Move(code as u8)
    }

    fn known(&self) {}

    fn moves_ahead(&self, _made: u32) -> u32 {
        // The last moves of a game are solved and cost next to nothing.
        let empty = self.count_empty();
        (empty / 2).saturating_sub(6).max(4)
    }

    fn longest(&self) -> Option<u32> {
        Some(self.count_empty())
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if mv == Move::PASS {
            return TACTICAL;
        }
        let mut child = *self;
        child.play(mv);
        let corner = i32::from(Self::CORNERS >> mv.0 & 1 == 1);
        4000 * corner - 600 * child.placements().count_ones() as i32
    }

    fn themes(&self, line: &[Move]) -> Vec<&'static str> {
        self.themes_of(line)
    }

    fn score(&self) -> i32 {
        let score = 100 * self.final_score();
        if self.stones.to_move == Side::First { score } else { -score }
    }
}

/// The numbers of the search that go with both evaluations.
///
/// Without late move reductions, which ProbCut makes needless: 52.1 ± 3.7 % of 400 games at 20,000 nodes a move; with
/// margins of 0.75 instead of 1.1 standard deviations as well 53.2 ± 4.5 %.
pub(super) const TUNING: Tuning =
    Tuning { aspiration: 150, scale: 800.0, pace: 4.0, reduction: 0, probcut: 75, ..Tuning::CAUTIOUS };

/// The evaluation of small boards: mobility, frontier, corners and edges.
pub type Counts<const N: usize> = Terms<Othello<N>>;

impl<const N: usize> Weighted for Othello<N> {
    type Values = [i32; 4];

    const NAMES: &'static [&'static str] = &["mobility", "frontier", "corners", "edges"];

    /// In thousandths of a disc; chosen, not fitted.
    const WEIGHTS: Self::Values = [800, 400, 8000, 300];

    const TUNING: Tuning = TUNING;

    fn terms(&self) -> Self::Values {
        let (own, enemy) = self.discs();
        let difference = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
        [
            difference(self.placements(), self.enemy_placements()),
            difference(Self::frontier(enemy, own), Self::frontier(own, enemy)),
            difference(own & Self::CORNERS, enemy & Self::CORNERS),
            difference(own & Self::EDGES, enemy & Self::EDGES),
        ]
    }

    fn solver(mebibytes: usize, threads: usize) -> Option<Box<dyn Solver<Self>>> {
        Some(Box::new(EndgameSolver::new(None, mebibytes, threads)))
    }
}

impl<const N: usize> Othello<N> {
    /// The corners of this board, which lies in the middle of the 8x8 squares.
    pub(super) const CORNERS: u64 = {
        let corners = 1 << Self::bit_of_cell(0) | 1 << Self::bit_of_cell(N - 1);
        corners | 1 << Self::bit_of_cell(N * N - N) | 1 << Self::bit_of_cell(N * N - 1)
    };

    /// The rim of this board without its corners.
    pub(super) const EDGES: u64 = {
        let (mut edges, mut cell) = (0, 0);
        while cell < N * N {
            let (row, column) = (cell / N, cell % N);
            if row == 0 || row == N - 1 || column == 0 || column == N - 1 {
                edges |= 1 << Self::bit_of_cell(cell);
            }
            cell += 1;
        }
        edges & !Self::CORNERS
    };

    pub(super) fn count_discs(&self) -> u32 {
        self.stones.occupied().count_ones()
    }

    pub(super) fn count_empty(&self) -> u32 {
        (N * N) as u32 - self.count_discs()
    }

    /// The discs of `own` next to an empty square.
    fn frontier(own: u64, enemy: u64) -> u64 {
        let empty = Self::BOARD & !(own | enemy);
        let sideways = ((empty << 1) & 0xfefe_fefe_fefe_fefe) | ((empty >> 1) & 0x7f7f_7f7f_7f7f_7f7f) | empty;
        own & (sideways | sideways << 8 | sideways >> 8)
    }
}

#[cfg(test)]
mod tests {
    use quincunx_search::Evaluator;

    use super::*;

    #[test]
    fn corners_and_edges_are_those_of_the_board_itself() {
        assert_eq!(Othello::<8>::CORNERS, 0x8100_0000_0000_0081);
        assert_eq!(Othello::<8>::EDGES, 0x7e81_8181_8181_817e);
        // 6x6 lies on b2 to g7 of the 8x8 squares, 4x4 on c3 to f6.
        assert_eq!(Othello::<6>::CORNERS, 0x0042_0000_0000_4200);
        assert_eq!(Othello::<6>::EDGES, 0x003c_4242_4242_3c00);
        assert_eq!(Othello::<4>::CORNERS, 0x0000_2400_0024_0000);
        assert_eq!(Othello::<4>::EDGES, 0x0000_1824_2418_0000);
    }

    #[test]
    fn small_boards_count_mobility_frontier_corners_and_edges() {
        // X O - -: Black may move to c1, White could not move: mobility 1. Both discs lie next to empty squares:
        // frontier 0. Black has a corner, White a square of the edge.
        let position = Othello::<4>::parse("4x4", "XO-------------- X").unwrap();
        assert_eq!(Counts::embedded().evaluate(&position, &()), 80 + 800 - 30);
    }

    #[test]
    fn a_corner_of_a_small_board_is_tried_first() {
        // - O X O - -: after a1 White has no move, after e1 the one on f1.
        let position = Othello::<6>::parse("6x6", "-OXO-------------------------------- X").unwrap();
        let order = |text: &str| position.order(&(), position.parse_move(text).unwrap());
        assert_eq!((order("a1"), order("e1")), (4000, -600));
    }
}
