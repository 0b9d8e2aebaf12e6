//! What an engine knows of Othello: on 8x8 patterns trained on games and the exact endgame, on smaller boards mobility and corners.

use quincunx_game::{Position, Side};
use quincunx_search::{
    Insight,
    book::Book,
    insight::{Effort, Foretelling, Memory, Solution, TACTICAL, Tuning, Verdict},
};

use super::{
    Move, Othello, book,
    endgame::{self, Solver},
    evaluation::{Evaluation, Indices},
    foretelling,
    shallow::Node,
};
use crate::solve::{Bounds, Goal};

/// As deep as the search of the last plies goes.
const SHALLOW: i32 = 2;

/// The table of the endgame solver: room for the positions of a solution of two seconds, and cheap to make at the first call.
const MEBIBYTES: usize = 4;

/// What is kept up along the line of play: the numbers of the patterns as Black sees them, by the number of discs on the board. So
/// nothing has to be taken back.
#[derive(Clone)]
pub struct Progress {
    evaluation: &'static Evaluation,
    by_discs: [Indices; 65],
}

impl<const N: usize> Insight for Othello<N> {
    type State = Progress;

    const TUNING: Tuning = Tuning { aspiration: 150, scale: 800.0, pace: 4.0, ..Tuning::CAUTIOUS };
    const COUNTED: bool = true;
    const MOVE_CODES: usize = 65;

    fn code(mv: Move) -> u16 {
        u16::from(mv.0)
    }

    fn decode(code: u16) -> Move {
        Move(code as u8)
    }

    fn moves_ahead(&self, _made: u32) -> u32 {
        // The last moves of a game are solved and cost next to nothing.
        let empty = self.count_empty();
        (empty / 2).saturating_sub(6).max(4)
    }

    fn longest(&self) -> Option<u32> {
        Some(self.count_empty())
    }

    fn prepare() {
        if N == 8 {
            Evaluation::embedded();
            endgame::prepare();
        }
    }

    fn prepare_solver(memory: &mut Memory, threads: usize) {
        solver(memory, threads);
    }

    fn state(&self) -> Progress {
        let mut progress = Progress { evaluation: Evaluation::embedded(), by_discs: [Indices::EMPTY; 65] };
        let (black, white) = (self.of_side(Side::First), self.of_side(Side::Second));
        progress.by_discs[self.count_discs() as usize] = Indices::of(black, white);
        progress
    }

    #[inline]
    fn advance(state: &mut Progress, before: &Self, mv: Move, after: &Self) {
        if N == 8 && mv != Move::PASS {
            let discs = before.count_discs() as usize;
            let (square, flipped) = (u32::from(mv.0), before.enemy & after.enemy);
            let now = &state.by_discs[discs];
            let next = if before.to_move == Side::First {
                now.after_own(square, flipped)
            } else {
                now.after_enemy(square, flipped)
            };
            state.by_discs[(discs + 1) % 65] = next;
        }
    }

    #[inline]
    fn evaluate(&self, state: &Progress) -> i32 {
        if N == 8 {
            let discs = self.count_discs();
            return state.evaluation.hundredths_of(&self.seen(state), discs);
        }
        let (own, enemy) = (self.own, self.enemy);
        let difference = |ours: u64, theirs: u64| ours.count_ones() as i32 - theirs.count_ones() as i32;
        let mobility = difference(self.placements(), Self::placements_of(enemy, own));
        let frontier = difference(Self::frontier(enemy, own), Self::frontier(own, enemy));
        let corners = difference(own & Self::CORNERS, enemy & Self::CORNERS);
        let edges = difference(own & Self::EDGES, enemy & Self::EDGES);
        80 * mobility + 40 * frontier + 800 * corners + 30 * edges
    }

    fn order(&self, _state: &Progress, mv: Move) -> i32 {
        if mv == Move::PASS {
            return TACTICAL;
        }
        let mut child = *self;
        child.play(mv);
        let corner = i32::from(Self::CORNERS >> mv.0 & 1 == 1);
        4000 * corner - 600 * child.placements().count_ones() as i32
    }

    fn result(&self) -> i32 {
        let score = 100 * self.final_score();
        if self.to_move == Side::First { score } else { -score }
    }

    #[inline]
    fn shallow(&self, state: &Progress, alpha: i32, depth: i32, nodes: &mut u64) -> Option<i32> {
        if N != 8 || depth > SHALLOW {
            return None;
        }
        let node = Node { own: self.own, enemy: self.enemy, seen: &self.seen(state), discs: self.count_discs() };
        Some(node.search(state.evaluation, alpha, depth, nodes))
    }

    fn foretelling(&self, depth: i32) -> Option<Foretelling> {
        if N == 8 { foretelling::of(self.count_discs(), depth) } else { None }
    }

    fn book() -> Option<&'static Book> {
        (N == 8).then(book::embedded)
    }

    fn solve(&self, effort: &mut Effort<'_>) -> Option<Solution<Move>> {
        let empty = self.count_empty();
        let usual = usual_nodes(empty);
        let seconds = effort.seconds.min(LONGEST);
        if usual > (effort.nodes as f64).min(seconds * NODES_A_SECOND * effort.threads as f64) {
            return None;
        }
        // Without a clock a position much harder than usual is better searched: that shows something meanwhile.
        let nodes = effort.nodes.min((10.0 * usual) as u64 + 1_000_000);
        let solver = solver(effort.memory, effort.threads);
        let Some(solution) = solver.solve(self, Goal::Score, &Bounds { nodes, stop: effort.stopped }) else {
            effort.nodes = 0;
            return None;
        };
        let (mut line, mut nodes) = (vec![solution.best?], solution.nodes);
        // The rest of the line, as far as the table still knows it: for a tenth of the effort.
        let mut position = *self;
        position.play(line[0]);
        let mut spare = nodes / 10;
        while position.outcome().is_none() {
            let bounds = Bounds { nodes: spare.min(effort.nodes.saturating_sub(nodes)), stop: effort.stopped };
            let Some(next) = solver.solve(&position, Goal::Score, &bounds) else { break };
            let Some(mv) = next.best else { break };
            spare = spare.saturating_sub(next.nodes);
            nodes += next.nodes;
            line.push(mv);
            position.play(mv);
        }
        effort.nodes = effort.nodes.saturating_sub(nodes);
        Some(Solution { verdict: Verdict::Exact(100 * solution.score), line, depth: empty, nodes })
    }
}

/// The solver an engine keeps.
fn solver(memory: &mut Memory, threads: usize) -> &mut Solver {
    memory.get_or_make(|| Solver::new(MEBIBYTES, threads))
}

/// The positions an exact solution seldom exceeds much with so many empty squares: medians of 12 positions of games were 18 thousand with 14,
/// 57 thousand with 16, 350 thousand with 18, 1.5 million with 20 and 6.7 million with 22, the most of each three to four times as many.
fn usual_nodes(empty: u32) -> f64 {
    2.1f64.powi(empty as i32)
}

/// An exact solution that usually takes longer, in seconds, is not tried even where no clock runs.
const LONGEST: f64 = 2.0;

/// What the solver looks at in a second of one thread.
const NODES_A_SECOND: f64 = 3e7;

impl<const N: usize> Othello<N> {
    /// The corners of this board, which lies in the middle of the 8x8 squares.
    const CORNERS: u64 = {
        let corners = 1 << Self::bit_of_cell(0) | 1 << Self::bit_of_cell(N - 1);
        corners | 1 << Self::bit_of_cell(N * N - N) | 1 << Self::bit_of_cell(N * N - 1)
    };

    /// The rim of this board without its corners.
    const EDGES: u64 = {
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

    fn count_discs(&self) -> u32 {
        (self.own | self.enemy).count_ones()
    }

    fn count_empty(&self) -> u32 {
        (N * N) as u32 - self.count_discs()
    }

    /// The numbers of the patterns as the side to move sees them.
    #[inline]
    fn seen(&self, state: &Progress) -> Indices {
        let black = &state.by_discs[self.count_discs() as usize];
        if self.to_move == Side::First { *black } else { black.reversed() }
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
        // X O - -: Black may move to c1, White could not move: mobility 1. Both discs lie next to empty squares: frontier 0.
        // Black has a corner, White a square of the edge.
        let position = Othello::<4>::parse("4x4", "XO-------------- X").unwrap();
        assert_eq!(position.evaluate(&position.state()), 80 + 800 - 30);
    }

    #[test]
    fn a_corner_of_a_small_board_is_tried_first() {
        // - O X O - -: after a1 White has no move, after e1 the one on f1.
        let position = Othello::<6>::parse("6x6", "-OXO-------------------------------- X").unwrap();
        let order = |text: &str| position.order(&position.state(), position.parse_move(text).unwrap());
        assert_eq!((order("a1"), order("e1")), (4000, -600));
    }
}
