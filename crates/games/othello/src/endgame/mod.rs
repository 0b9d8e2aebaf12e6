//! The exact endgame: the score under perfect play, and a move that reaches it.

mod estimator;
mod fastest_first;
mod last;
mod local_table;
mod midgame;
mod order;
mod stability;
mod table;
mod worker;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use quincunx_game::{Position, bits::Bits};
use quincunx_search::{
    Verdict,
    abdada::Abdada,
    solver::{Bounds, Goal, Solution, Solver},
};

use self::{
    estimator::{Estimator, corners},
    last::{Last, NONE},
    local_table::LocalTable,
    midgame::INFINITE,
    order::{rank, without_mirror_images},
    table::{Key, Known, NO_MOVE, Table},
    worker::{Candidates, Halt, MIRRORED, PROBCUT_FROM as DEEPENED, Queue, Worker, list_candidates},
};
use super::{
    Move, Othello,
    discs::flips,
    evaluation::{Evaluation, UNIT},
};

/// The certainty of a search that trusts no ProbCut.
const EXACT: u8 = 7;

/// Before the exact search come ones with multi-ProbCut, the first of them trusting almost any: they are quick, and leave good moves
/// to try first and a score to expect.
const LEVELS: [u8; 3] = [1, 3, EXACT];

/// The exact value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    /// The score for the side to move: the difference of discs at the end, empty squares given to the winner.
    pub(crate) score: i32,
    /// A move that reaches it; none if the game is over.
    pub(crate) best: Option<Move>,
    /// Positions visited.
    pub(crate) nodes: u64,
}

/// Solves positions, remembering what it found from one to the next.
#[derive(Debug)]
pub(crate) struct EndgameSolver {
    /// Guides the order of moves on 8x8.
    patterns: Option<Arc<Evaluation>>,
    table: Table,
    abdada: Abdada,
    /// One for each thread.
    local: Vec<LocalTable>,
}

impl EndgameSolver {
    /// A solver with a table of about `mebibytes`, searching with this many threads; `patterns` guide it on 8x8.
    pub(crate) fn new(patterns: Option<Arc<Evaluation>>, mebibytes: usize, threads: usize) -> Self {
        stability::prepare();
        Self {
            patterns,
            table: Table::new(mebibytes),
            abdada: Abdada::default(),
            local: vec![LocalTable::default(); threads.clamp(1, 256)],
        }
    }

    /// The exact value of the position, or `None` if the bounds did not suffice.
    pub(crate) fn exact<const N: usize>(
        &mut self,
        position: &Othello<N>,
        goal: Goal,
        bounds: &Bounds<'_>,
    ) -> Option<Exact> {
        self.table.grow_old();
        let (own, enemy) = position.discs();
        let halt =
            Halt { flag: AtomicBool::new(false), nodes: AtomicU64::new(0), limit: bounds.nodes, asked: bounds.stopped };
        let (board, area) = (Othello::<N>::BOARD, (N * N) as i32);
        let window = if goal == Goal::Winner { (-1, 1) } else { (-area, area) };
        let abdada = (self.local.len() > 1).then_some(&self.abdada);
        let estimator = Estimator::of(board, self.patterns.as_deref());
        let search = |local: &mut LocalTable| {
            let last = Last { board, area, nodes: 0 };
            let mut worker = Worker {
                last,
                outside: !board,
                estimator,
                corners: corners(board),
                certainty: EXACT,
                table: &self.table,
                local,
                abdada,
                halt: &halt,
                reported: 0,
                // A signal that was given before the search is seen at once.
                quota: 0,
            };
            let (score, square) = worker.deepened(own, enemy, window);
            worker.report();
            // The first thread to finish ends the others.
            (!halt.flag.swap(true, Relaxed)).then_some((score, square))
        };
        let (score, square) = thread::scope(|scope| {
            let (first, others) = self.local.split_first_mut()?;
            let helpers: Vec<_> = others.iter_mut().map(|local| scope.spawn(|| search(local))).collect();
            let mut found = search(first);
            for helper in helpers {
                found = found.or(helper.join().expect("a search does not panic"));
            }
            found
        })?;
        let best = match position.outcome() {
            Some(_) => None,
            None if square == NO_MOVE => Some(Move::PASS),
            None => Some(Move(square)),
        };
        Some(Exact { score, best, nodes: halt.nodes.load(Relaxed) })
    }
}

impl<const N: usize> Solver<Othello<N>> for EndgameSolver {
    fn solve(&mut self, position: &Othello<N>, goal: Goal, bounds: &Bounds<'_>) -> Option<Solution<Move>> {
        let Exact { score, best, nodes } = self.exact(position, goal, bounds)?;
        let line = best.into_iter().collect();
        Some(Solution { verdict: Verdict::Exact(100 * score), line, depth: position.count_empty(), nodes })
    }

    fn attempt(&mut self, position: &Othello<N>, bounds: &Bounds<'_>, nodes: &mut u64) -> Option<Solution<Move>> {
        let empty = position.count_empty();
        let usual = usual_nodes(empty);
        let seconds = bounds.seconds.min(LONGEST);
        if usual > (bounds.nodes as f64).min(seconds * NODES_A_SECOND * self.local.len() as f64) {
            return None;
        }
        // Without a clock a position much harder than usual is left to the search, which shows results meanwhile.
        let allowed = bounds.nodes.min((10.0 * usual) as u64 + 1_000_000);
        let Some(solution) = self.exact(position, Goal::Score, &Bounds { nodes: allowed, ..*bounds }) else {
            // Nothing more is to be tried in this move, however much was allowed.
            *nodes += bounds.nodes;
            return None;
        };
        let (mut line, mut spent) = (vec![solution.best?], solution.nodes);
        // The rest of the line, as far as the table still knows it: for a tenth of the effort.
        let mut position = *position;
        position.play(line[0]);
        let mut spare = spent / 10;
        while position.outcome().is_none() {
            let rest = Bounds { nodes: spare.min(bounds.nodes.saturating_sub(spent)), ..*bounds };
            let Some(next) = self.exact(&position, Goal::Score, &rest) else { break };
            let Some(mv) = next.best else { break };
            spare = spare.saturating_sub(next.nodes);
            spent += next.nodes;
            line.push(mv);
            position.play(mv);
        }
        *nodes += spent.min(bounds.nodes);
        Some(Solution { verdict: Verdict::Exact(100 * solution.score), line, depth: empty, nodes: spent })
    }
}

/// About the most positions that an exact solution takes, by the number of empty squares: medians of 12 positions of
/// games were 18 thousand with 14, 57 thousand with 16, 350 thousand with 18, 1.5 million with 20 and 6.7 million with
/// 22, the most of each three to four times as many.
fn usual_nodes(empty: u32) -> f64 {
    2.1f64.powi(empty as i32)
}

/// An exact solution that usually takes longer, in seconds, is not tried even if no clock runs.
const LONGEST: f64 = 2.0;

/// What the solver looks at in a second of one thread.
const NODES_A_SECOND: f64 = 3e7;

impl Worker<'_> {
    /// The score within the window (a bound of it outside), and the best move: first with little certainty, then
    /// exactly.
    fn deepened(&mut self, own: u64, enemy: u64, window: (i32, i32)) -> (i32, u8) {
        let count = self.empty(own, enemy).count_ones();
        if count < DEEPENED {
            return self.principal(own, enemy, window);
        }
        let guess = self.midgame(&self.estimator.view(own, enemy), (-INFINITE, INFINITE), 4);
        // Scores are even.
        let mut found = (2 * ((guess + guess.signum() * UNIT) / (2 * UNIT)), NO_MOVE);
        for level in LEVELS {
            self.certainty = level;
            found = self.aspired(own, enemy, window, found.0);
        }
        found
    }

    /// As [`principal`](Self::principal), beginning with a narrow window around the score that is expected.
    fn aspired(&mut self, own: u64, enemy: u64, window: (i32, i32), expected: i32) -> (i32, u8) {
        let (mut below, mut above) = (1, 1);
        loop {
            let alpha = (expected - below).clamp(window.0, window.1 - 1);
            let beta = (expected + above).clamp(alpha + 1, window.1);
            let (score, square) = self.principal(own, enemy, (alpha, beta));
            if score <= alpha && alpha > window.0 {
                below *= 3;
            } else if score >= beta && beta < window.1 {
                above *= 3;
            } else {
                return (score, square);
            }
            if self.halt.flag.load(Relaxed) {
                return (score, square);
            }
        }
    }

    /// The score within the window (a bound of it outside), and the best move.
    fn principal(&mut self, own: u64, enemy: u64, window: (i32, i32)) -> (i32, u8) {
        self.last.nodes += 1;
        if self.halted() {
            return (window.0, NO_MOVE);
        }
        let moves = self.placements(own, enemy);
        if moves == 0 {
            return if self.placements(enemy, own) == 0 {
                (self.last.finished(own, enemy), NO_MOVE)
            } else {
                (-self.principal(enemy, own, (-window.1, -window.0)).0, NO_MOVE)
            };
        }
        let count = self.empty(own, enemy).count_ones();
        let key = Key::of(own, enemy);
        let known = self.table.find(key).unwrap_or(Known::NOTHING);
        let before = self.last.nodes;
        let mut candidates = Candidates::new();
        if !list_candidates(&mut candidates, own, enemy, moves) {
            let wipes = |&square: &u32| flips(own, enemy, square) == enemy;
            let square = Bits(moves).find(wipes).map_or(NO_MOVE, |square| square as u8);
            return (self.last.area, square);
        }
        if count >= MIRRORED {
            without_mirror_images(&mut candidates);
        }
        rank(&mut candidates, self, own, enemy, known, window.0);
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        let (mut alpha, beta) = window;
        let mut queue = Queue::new(&mut candidates);
        while let Some((child, first)) = queue.next(self, count) {
            let mut score = NONE;
            if !first {
                score = -self.null_window(child.own, child.enemy, -alpha - 1);
            }
            if first || (score > alpha && score < beta) {
                score = -self.principal(child.own, child.enemy, (-beta, -alpha)).0;
            }
            if score > best {
                (best, best_move) = (score, child.square);
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
        }
        queue.leave(self);
        if !self.halt.flag.load(Relaxed) {
            let cost = (self.last.nodes - before).max(1).ilog2() as u8;
            self.table.store(key, window, best, best_move, (count as u8, self.certainty_at(count)), cost);
        }
        (best, best_move)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use quincunx_search::Evaluator;

    use super::*;

    fn new_solver(mebibytes: usize, threads: usize) -> EndgameSolver {
        EndgameSolver::new(Some(Evaluation::embedded()), mebibytes, threads)
    }

    /// The score by trying everything.
    fn plain<const N: usize>(position: &Othello<N>, mut alpha: i32, beta: i32) -> i32 {
        let mut best = -100;
        position.for_each_move(|mv| {
            if best >= beta {
                return;
            }
            let mut child = *position;
            child.play(mv);
            best = best.max(-plain(&child, -beta, -alpha));
            alpha = alpha.max(best);
        });
        if best > -100 {
            return best;
        }
        let score = position.final_score();
        if position.to_move() == quincunx_game::Side::First { score } else { -score }
    }

    fn random_ending<const N: usize>(ruleset: &str, empty: u32, rng: &mut Xoshiro256PlusPlus) -> Option<Othello<N>> {
        let mut position = Othello::<N>::start(ruleset)?;
        loop {
            let (own, enemy) = position.discs();
            if (N * N) as u32 - (own | enemy).count_ones() <= empty {
                return Some(position);
            }
            position.play(position.random_move(rng)?);
        }
    }

    fn agrees_with_plain_search<const N: usize>(ruleset: &str, empty: std::ops::RangeInclusive<u32>, rounds: u32) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut solver = new_solver(4, 1);
        let mut solved = 0;
        for count in empty {
            for _ in 0..rounds {
                let Some(position) = random_ending::<N>(ruleset, count, &mut rng) else { continue };
                let expected = plain(&position, -100, 100);
                let solution = solver.exact(&position, Goal::Score, &Bounds::NONE).unwrap();
                assert_eq!(solution.score, expected, "{}", position.text());
                let winner = solver.exact(&position, Goal::Winner, &Bounds::NONE).unwrap();
                assert_eq!(winner.score.signum(), expected.signum(), "{}", position.text());
                match solution.best {
                    None => assert!(position.outcome().is_some()),
                    Some(mv) => {
                        let mut child = position;
                        child.play(mv);
                        assert!(position.moves().contains(&mv));
                        assert_eq!(-plain(&child, -100, 100), expected, "{} {mv:?}", position.text());
                    }
                }
                solved += 1;
            }
        }
        assert!(solved > rounds);
    }

    #[test]
    fn scores_are_those_of_a_plain_search() {
        agrees_with_plain_search::<8>("8x8", 0..=8, 60);
        agrees_with_plain_search::<8>("8x8", 9..=10, 5);
        agrees_with_plain_search::<6>("6x6", 0..=9, 20);
    }

    #[test]
    fn four_by_four_is_won_by_white() {
        // With perfect play 11-3: the two empty squares go to the winner.
        let start = Othello::<4>::start("4x4").unwrap();
        let solution = new_solver(4, 1).exact(&start, Goal::Score, &Bounds::NONE).unwrap();
        assert_eq!(solution.score, -10);
        assert_eq!(plain(&start, -100, 100), -10);
    }

    #[test]
    fn bounds_end_a_search_without_an_answer() {
        let start = Othello::<8>::start("8x8").unwrap();
        let mut solver = new_solver(4, 1);
        assert_eq!(solver.exact(&start, Goal::Score, &Bounds { nodes: 100_000, ..Bounds::NONE }), None);
        assert_eq!(solver.exact(&start, Goal::Score, &Bounds { stopped: &|| true, ..Bounds::NONE }), None);
    }

    #[test]
    fn a_search_that_was_ended_leaves_nothing_wrong_behind() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..20 {
            let Some(position) = random_ending::<8>("8x8", 13, &mut rng) else { continue };
            let expected = new_solver(1, 1).exact(&position, Goal::Score, &Bounds::NONE).unwrap();
            let mut solver = new_solver(1, 1);
            let mut limits = (0..).map(|round| 100 << round);
            let found =
                limits.find_map(|nodes| solver.exact(&position, Goal::Score, &Bounds { nodes, ..Bounds::NONE }));
            assert_eq!(found.unwrap().score, expected.score, "{}", position.text());
        }
    }

    #[test]
    fn whether_to_give_up_is_asked_every_few_thousand_positions() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let position = random_ending::<8>("8x8", 16, &mut rng).unwrap();
        let asked = AtomicU64::new(0);
        let go_on = || asked.fetch_add(1, Relaxed) == u64::MAX;
        let bounds = Bounds { stopped: &go_on, ..Bounds::NONE };
        let nodes = new_solver(1, 1).exact(&position, Goal::Score, &bounds).unwrap().nodes;
        assert!(nodes > 50_000);
        assert!(asked.load(Relaxed) >= nodes / 6000, "{asked:?} times in {nodes}");
    }
}
