//! Pente: `near`, which plays at random next to a stone, and minimax without pruning, its depth by the time left.

use quincunx_game::{Game, Position, Rules, Side, TextError, position::random_below};
use quincunx_search::{
    agent::{Agent, Options, Request},
    classic::{Choose, Deadline, Thought, agent},
};

use super::{Move, Pente};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const SIZE: usize = 19;
/// A won game outweighs every pattern.
const WON: f64 = 1e9;
/// What five cells in a line are worth, by the number of stones of one side on them, if the other side has none there.
const WINDOW: [f64; 6] = [0.0, 1.0, 10.0, 100.0, 1000.0, WON];
/// What captured pairs are worth, by their number.
const PAIRS: [f64; 6] = [0.0, 60.0, 200.0, 600.0, 2500.0, WON];
const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Plays uniformly among the legal moves next to a stone, or among all if there is none.
pub(crate) struct Near {
    rng: Xoshiro256PlusPlus,
}

impl Near {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Choose<Pente> for Near {
    fn choose(&mut self, game: &Game<Pente>, _request: &Request) -> Thought<Move> {
        let moves = Board::new(game.position()).moves_near_stones(game.position());
        let mv = moves[random_below(&mut self.rng, moves.len() as u64) as usize];
        Thought { mv, score: None, depth: 0, nodes: 0 }
    }
}

/// The agent of the document.
pub(crate) fn build(_rules: &Rules, options: &mut Options<'_>, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    Ok(agent::<Pente, _>(Plan::new(options, seed)?))
}

/// The agent that plays at random next to a stone.
pub(crate) fn near(seed: u64) -> Box<dyn Agent> {
    agent::<Pente, _>(Near::new(seed))
}

pub(crate) struct Plan {
    depth: Option<u32>,
    /// Decides between moves of equal worth.
    rng: Xoshiro256PlusPlus,
}

impl Plan {
    pub(crate) fn new(options: &mut Options<'_>, seed: u64) -> Result<Self, TextError> {
        Ok(Self::with(options.number("depth", 1, 3)?.map(|depth| depth as u32), seed))
    }

    fn with(depth: Option<u32>, seed: u64) -> Self {
        Self { depth, rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The depth of the assignment: 3 while more than 50 s are left, 1 below 3 s, otherwise 2.
    fn depth_for(seconds_left: f64) -> u32 {
        match seconds_left {
            left if left > 50.0 => 3,
            left if left < 3.0 => 1,
            _ => 2,
        }
    }
}

impl Choose<Pente> for Plan {
    fn choose(&mut self, game: &Game<Pente>, request: &Request) -> Thought<Move> {
        let position = game.position();
        // The depths share out the clock already.
        let deadline = Deadline::new(request, 2);
        let limits = &request.limits;
        let left = limits.cpu.or(limits.clock.map(|clock| clock.left)).map(|left| left.as_secs_f64());
        let depth = self.depth.unwrap_or_else(|| left.map_or(3, Self::depth_for));
        let board = Board::new(position);
        let mut search = Search { player: position.to_move(), deadline: &deadline, nodes: 0, stopped: false };
        // Many moves are worth the same: in what order they are looked at decides between them.
        let mut moves = board.moves_near_stones(position);
        for index in (1..moves.len()).rev() {
            moves.swap(index, random_below(&mut self.rng, index as u64 + 1) as usize);
        }
        let mut thought = Thought { mv: moves[0], score: None, depth: 0, nodes: 0 };
        let first = if deadline.seconds.is_finite() { 1 } else { depth };
        for depth in first..=depth {
            let Some((mv, value)) = search.best(position, &board, &moves, depth) else { break };
            thought = Thought { mv, score: Some(value / 100.0), depth, nodes: search.nodes };
        }
        thought
    }
}

struct Search<'a> {
    player: Side,
    deadline: &'a Deadline<'a>,
    nodes: u64,
    stopped: bool,
}

impl Search<'_> {
    /// The best move; `None` if time ran out.
    fn best(&mut self, position: &Pente, board: &Board, moves: &[Move], depth: u32) -> Option<(Move, f64)> {
        let mut best = None;
        for &mv in moves {
            let value = self.after(position, board, mv, depth);
            if self.stopped {
                return None;
            }
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((mv, value));
            }
        }
        best
    }

    /// The value for the player at the root of a position after a move: plain minimax, every move looked at.
    fn after(&mut self, position: &Pente, board: &Board, mv: Move, depth: u32) -> f64 {
        self.nodes += 1;
        if self.deadline.is_over() {
            self.stopped = true;
        }
        if self.stopped {
            return 0.0;
        }
        let mut child = *position;
        child.play(mv);
        let mut next = board.clone();
        next.follow(position, mv, &child);
        if let Some(end) = child.outcome() {
            return match end.winner {
                Some(winner) if winner == self.player => WON + f64::from(depth),
                Some(_) => -WON - f64::from(depth),
                None => 0.0,
            };
        }
        if depth <= 1 {
            return next.value(self.player);
        }
        let maximising = child.to_move() == self.player;
        let values = next.moves_near_stones(&child).into_iter().map(|mv| self.after(&child, &next, mv, depth - 1));
        if maximising { values.fold(f64::NEG_INFINITY, f64::max) } else { values.fold(f64::INFINITY, f64::min) }
    }
}

/// The stones with the worth of their lines, kept up from move to move.
#[derive(Clone)]
struct Board {
    cells: [Option<Side>; SIZE * SIZE],
    lines: [f64; 2],
    pairs: [usize; 2],
}

impl Board {
    fn new(position: &Pente) -> Self {
        let mut board = Self { cells: [None; SIZE * SIZE], lines: [0.0; 2], pairs: [0; 2] };
        for cell in 0..SIZE * SIZE {
            if let Some(side) = position.stone(cell) {
                board.set(cell, Some(side));
            }
        }
        board.count_pairs(position);
        board
    }

    /// Updates it with a move.
    fn follow(&mut self, before: &Pente, mv: Move, after: &Pente) {
        let cell = mv.row() * SIZE + mv.column();
        self.set(cell, Some(before.to_move()));
        self.count_pairs(after);
        // Captured stones lie one and two steps from the stone that took them.
        for (down, right) in LINES {
            for step in [-2, -1, 1, 2] {
                if let Some(near) = at(mv.row() as i32 + step * down, mv.column() as i32 + step * right)
                    && self.cells[near].is_some()
                    && after.stone(near).is_none()
                {
                    self.set(near, None);
                }
            }
        }
    }

    fn count_pairs(&mut self, position: &Pente) {
        self.pairs = Side::BOTH.map(|side| (position.captured(side) as usize / 2).min(5));
    }

    /// Changes a cell and the worth of the windows through it.
    fn set(&mut self, cell: usize, stone: Option<Side>) {
        let (row, column) = ((cell / SIZE) as i32, (cell % SIZE) as i32);
        for sign in [-1.0, 1.0] {
            if sign > 0.0 {
                self.cells[cell] = stone;
            }
            for (down, right) in LINES {
                for start in -4..=0 {
                    let mut counts = [0; 2];
                    let mut whole = true;
                    for step in start..start + 5 {
                        match at(row + step * down, column + step * right) {
                            Some(near) => {
                                if let Some(side) = self.cells[near] {
                                    counts[side.index()] += 1;
                                }
                            }
                            None => whole = false,
                        }
                    }
                    match counts {
                        _ if !whole => {}
                        [count, 0] => self.lines[0] += sign * WINDOW[count],
                        [0, count] => self.lines[1] += sign * WINDOW[count],
                        _ => {}
                    }
                }
            }
        }
    }

    fn value(&self, player: Side) -> f64 {
        let worth = |side: Side| self.lines[side.index()] + PAIRS[self.pairs[side.index()]];
        worth(player) - worth(!player)
    }

    /// The legal moves next to a stone, or all if there is none.
    fn moves_near_stones(&self, position: &Pente) -> Vec<Move> {
        let moves = position.moves();
        let near = |mv: &Move| {
            let (row, column) = (mv.row() as i32, mv.column() as i32);
            (-1..=1).any(|down| {
                (-1..=1).any(|right| at(row + down, column + right).is_some_and(|cell| self.cells[cell].is_some()))
            })
        };
        let near: Vec<_> = moves.iter().copied().filter(near).collect();
        if near.is_empty() { moves } else { near }
    }
}

fn at(row: i32, column: i32) -> Option<usize> {
    let on_board = |line: i32| (0..SIZE as i32).contains(&line);
    (on_board(row) && on_board(column)).then(|| row as usize * SIZE + column as usize)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, time::Duration};

    use quincunx_game::Rules;
    use quincunx_search::{Clock, Limits};

    use super::*;

    fn after(moves: &str) -> Pente {
        let mut position = Pente::start("free").unwrap();
        for text in moves.split_whitespace() {
            position.play(position.parse_move(text).unwrap());
        }
        position
    }

    #[test]
    fn depth_follows_the_time_left() {
        assert_eq!([100.0, 50.1, 50.0, 3.0, 2.9].map(Plan::depth_for), [3, 3, 2, 2, 1]);
    }

    #[test]
    fn one_stone_in_the_middle_has_twenty_windows() {
        // Five windows along each of four lines, a point each.
        assert!((Board::new(&after("10K")).value(Side::First) - 20.0).abs() < 1e-9);
        assert!((Board::new(&after("10K")).value(Side::Second) + 20.0).abs() < 1e-9);
    }

    #[test]
    fn following_moves_gives_the_same_as_counting_anew() {
        let mut position = Pente::start("free").unwrap();
        let mut board = Board::new(&position);
        // White takes the pair 10L 10M from 10N.
        for text in "10K 10L 5A 10M 10N 9A 9B".split_whitespace() {
            let before = position;
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            board.follow(&before, mv, &position);
            let anew = Board::new(&position);
            assert_eq!(board.cells, anew.cells);
            assert_eq!(board.pairs, anew.pairs);
            assert!((board.value(Side::First) - anew.value(Side::First)).abs() < 1e-6);
        }
        assert_eq!(board.pairs, [1, 0]);
    }

    #[test]
    fn lines_and_captured_pairs_add_up() {
        // White has 10K, 10N, 5A and a pair, Black nothing. Of the five windows of 10K and of 10N in their row two are
        // the same, with two stones: 3 + 3 + 2 x 10. Their other lines: 3 x 5 each. 5A at the rim: 1 in its row and on
        // each diagonal, 5 in its column. The pair: 60.
        assert!(
            (Board::new(&after("10K 10L 5A 10M 10N")).value(Side::First) - (26.0 + 30.0 + 8.0 + 60.0)).abs() < 1e-9
        );
    }

    fn game(moves: &str) -> Game<Pente> {
        Game::from_position(Rules::parse(Pente::about(), "free").unwrap(), after(moves))
    }

    /// What minimax at this depth says of a position, in points, and its depth.
    fn value(moves: &str, depth: u32) -> (i32, u32) {
        let thought = Plan::with(Some(depth), 0).choose(&game(moves), &Request::default());
        ((100.0 * thought.score.unwrap()).round() as i32, thought.depth)
    }

    #[test]
    fn minimax_has_the_values_worked_out_by_hand() {
        // One black stone beside 10K: four of five windows of their common line are lost to both. 16 - 16.
        assert_eq!(value("10K", 1), (0, 1));
        // White's best answer is a second stone beside 10K, say 9L where Black has 11K: four windows with two stones
        // and one with each alone, 42; the other lines of 10K 1 + 5 + 5, those of 9L 15. Black keeps 16: 16 - 68. Where
        // the stone is beside Black's too, as 10L is, both lose another four: 12 - 64. On the far side of 10K, 9K, it
        // has 11 + 15 + 15 only.
        assert_eq!(value("10K", 2), (-52, 2));
    }

    #[test]
    fn minimax_takes_five_in_a_row_at_once() {
        let game = game("10K 1A 10L 3A 10M 5A 10N 7A");
        let thought = Plan::with(Some(2), 0).choose(&game, &Request::default());
        assert!(["10J", "10O"].contains(&game.position().move_text(thought.mv).as_str()));
        assert!((thought.score.unwrap() - (WON + 2.0) / 100.0).abs() < 1e-6);
    }

    #[test]
    fn the_time_left_sets_the_depth_searched() {
        for (seconds, depth) in [(100, 3), (50, 2), (3, 2), (2, 1)] {
            let left = Duration::from_secs(seconds);
            let cpu = Limits { cpu: Some(left), ..Limits::default() };
            let clock = Limits { clock: Some(Clock { left, increment: Duration::ZERO }), ..Limits::default() };
            for limits in [cpu, clock] {
                let thought = Plan::with(None, 0).choose(&game("10K"), &Request { limits, ..Request::default() });
                assert_eq!(thought.depth, depth, "{limits:?}");
            }
        }
    }

    #[test]
    fn near_plays_everywhere_next_to_stones_and_nowhere_else() {
        let played = |moves: &str| -> BTreeSet<String> {
            let game = game(moves);
            let mut near = Near::new(1);
            let choose = |_| game.position().move_text(near.choose(&game, &Request::default()).mv);
            (0..200).map(choose).collect()
        };
        assert_eq!(played("10K"), ["9J", "9K", "9L", "10J", "10L", "11J", "11K", "11L"].map(String::from).into());
        // In the corner, and where a neighbour is taken.
        assert_eq!(played("1A 1B"), ["2A", "2B", "2C", "1C"].map(String::from).into());
        // Without a stone anywhere.
        assert!(played("").len() > 100);
    }
}
