//! The engine: iterative deepening over one or more threads, within limits.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use quincunx_game::{Game, Outcome, Position};

use crate::{
    Evaluator, Limits, Score, Stop, Tactics, Verdict,
    abdada::Abdada,
    budget::Budget,
    evaluator::MoveOf,
    handicap::Handicap,
    path::Path,
    platform,
    ranked::ranked,
    solver::{Bounds, Solution, Solver},
    transposition::{NO_MOVE, TranspositionTable},
    value::{DECIDED, DRAW, INFINITY, Value, WIN, of_verdict, to_score},
    worker::{MAX_PLY, Shared, Worker},
};

/// A line of play and what it is worth for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// What it is worth.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<M>,
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The plies searched completely.
    pub depth: u32,
    /// The plies of the longest line looked at, extensions and quiescence included.
    pub selective_depth: u32,
    /// The positions visited by all threads.
    pub nodes: u64,
    /// How much of the transposition table this search has filled, in thousandths.
    pub table_fill: u32,
    /// The wall-clock time spent.
    pub elapsed: Duration,
    /// The best lines, the best first; never empty.
    pub lines: Vec<Line<M>>,
}

/// A search with an evaluator and its memory.
pub struct Engine<E: Evaluator> {
    evaluator: Arc<E>,
    table: TranspositionTable,
    /// The game's own solver, if it has one and it was needed.
    solver: Mutex<Option<Box<dyn Solver<E::Position>>>>,
    threads: usize,
    /// What makes it play weaker than it can.
    pub handicap: Handicap,
    /// How readily it trusts ProbCut: 0 never, 1 if a cut is all but sure, up to [`MOST_SELECTIVE`].
    pub selectivity: u8,
}

/// The selectivity that cuts most readily.
pub const MOST_SELECTIVE: u8 = 5;

/// The table of a game's own solver: room for the positions of a solution of two seconds, and cheap to make.
const SOLVER_MEBIBYTES: usize = 4;

impl<E: Evaluator> Engine<E> {
    /// An engine with a transposition table of this many megabytes and this many threads.
    pub fn new(evaluator: Arc<E>, megabytes: usize, threads: usize) -> Self {
        Self {
            evaluator,
            table: TranspositionTable::new(megabytes),
            solver: Mutex::new(None),
            threads: if platform::THREADS { threads.clamp(1, 256) } else { 1 },
            handicap: Handicap::default(),
            selectivity: MOST_SELECTIVE,
        }
    }

    /// What it believes of positions.
    pub fn evaluator(&self) -> &Arc<E> {
        &self.evaluator
    }

    /// The threads it searches with.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Makes what a first search would otherwise have to wait for.
    pub fn prepare(&self) {
        if self.handicap.is_none() {
            self.with_solver(|_| ());
        }
    }

    /// Forgets everything it learnt.
    pub fn clear(&self) {
        self.table.clear();
        *self.solver.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Does something with the game's own solver, if it has one.
    fn with_solver<T>(&self, act: impl FnOnce(&mut dyn Solver<E::Position>) -> T) -> Option<T> {
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        if solver.is_none() {
            *solver = self.evaluator.solver(SOLVER_MEBIBYTES, self.threads);
        }
        solver.as_mut().map(|solver| act(&mut **solver))
    }

    /// Searches the position of an unfinished game for its `count` best lines, telling `tell` after every iteration.
    /// Whatever the limits, the answer has at least one legal move.
    pub fn search(
        &self,
        game: &Game<E::Position>,
        limits: &Limits,
        stop: &Stop,
        count: usize,
        tell: &mut dyn FnMut(&Report<MoveOf<E>>),
    ) -> Report<MoveOf<E>> {
        self.table.age();
        let root = game.position();
        let mut shared = Shared {
            evaluator: &*self.evaluator,
            table: &self.table,
            budget: Budget::new(limits, stop, self.threads, moves_ahead(game)),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
            abdada: (self.threads > 1).then(Abdada::default),
            handicap: self.handicap,
            selectivity: self.selectivity.min(MOST_SELECTIVE),
        };
        let rules = game.rules();
        let plies = if rules.plies == 0 { u32::MAX } else { rules.plies };
        let plies_left = (plies as usize).saturating_sub(game.moves().len());
        if limits.depth.is_none() && self.handicap.is_none() {
            let report = self.with_solver(|solver| solved(root, count.max(1), plies_left, &shared, solver)).flatten();
            if let Some(report) = report {
                tell(&report);
                return report;
            }
            shared.budget.share_out_again(limits, self.threads, moves_ahead(game));
        }
        let path = Path::new(game.positions().iter().map(Position::hash), rules.repetition);
        let worker = || Worker::new(&shared, root, path.clone(), plies_left);
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| help(&mut worker(), root));
            }
            let report = deepen(&mut worker(), &shared, root, count.max(1), self.threads == 1, tell);
            shared.done.store(true, Ordering::Relaxed);
            report
        })
    }
}

/// The moves the side to move should expect to make still.
pub fn moves_ahead<P: Tactics>(game: &Game<P>) -> u32 {
    game.position().moves_ahead(game.moves().len() as u32 / 2).max(1)
}

/// The answer of the game's own solver, if it has one within a part of the limits.
fn solved<E: Evaluator>(
    root: &E::Position,
    count: usize,
    plies_left: usize,
    shared: &Shared<'_, E>,
    solver: &mut dyn Solver<E::Position>,
) -> Option<Report<MoveOf<E>>> {
    // An exact number for every other move is worth its time only if results are scored.
    if count > 1 && !E::Position::SCORED {
        return None;
    }
    // A solver does not know of a ply limit. At most every other ply is a pass.
    if root.longest().is_some_and(|plies| 2 * plies as usize > plies_left) {
        return None;
    }
    let mut nodes = 0;
    let allowed = shared.budget.nodes / 2;
    let mut solve = |position: &E::Position| -> Option<Solution<MoveOf<E>>> {
        let stopped = || shared.budget.is_unsettled();
        let seconds = shared.budget.seconds_to_settle();
        let solution =
            solver.attempt(position, &Bounds { nodes: allowed - nodes, seconds, stopped: &stopped }, &mut nodes);
        // What was spent in vain is spent.
        if solution.is_none() && allowed < u64::MAX / 2 {
            shared.nodes.fetch_add(nodes, Ordering::Relaxed);
        }
        solution
    };
    let best = solve(root).filter(|best| best.verdict.plies() as usize <= plies_left)?;
    let depth = best.depth;
    let mut lines = vec![(best.verdict, best.line)];
    if count > 1 {
        let mut others = candidates(root, shared);
        others.retain(|mv| *mv != lines[0].1[0]);
        let mut found = Vec::new();
        for mv in others {
            let mut child = *root;
            child.play(mv);
            let (verdict, mut line) = if child.outcome().is_some() {
                (Verdict::Exact(child.score()), Vec::new())
            } else {
                let solution = solve(&child)?;
                (solution.verdict, solution.line)
            };
            line.insert(0, mv);
            found.push((verdict.reversed(), line));
        }
        found = ranked(found, |(verdict, _)| of_verdict(*verdict, 0));
        lines.extend(found);
        lines.truncate(count);
    }
    let in_words = |(verdict, moves)| {
        let score = match verdict {
            Verdict::Win(plies) => Score::Win(plies),
            Verdict::Loss(plies) => Score::Loss(plies),
            Verdict::Exact(value) => Score::Exact(value),
        };
        Line { score, moves }
    };
    let lines = lines.into_iter().map(in_words).collect();
    let elapsed = shared.budget.elapsed();
    Some(Report { depth, selective_depth: depth, nodes, table_fill: shared.table.fill(), elapsed, lines })
}

/// Searches deeper and deeper until the budget is used up.
fn deepen<E: Evaluator>(
    worker: &mut Worker<'_, E>,
    shared: &Shared<'_, E>,
    root: &E::Position,
    count: usize,
    alone: bool,
    tell: &mut dyn FnMut(&Report<MoveOf<E>>),
) -> Report<MoveOf<E>> {
    let candidates = candidates(root, shared);
    let count = count.min(candidates.len());
    let mut report =
        Report { depth: 0, selective_depth: 0, nodes: 0, table_fill: 0, elapsed: Duration::ZERO, lines: Vec::new() };
    let mut values = vec![DRAW; count];
    let deepest = shared.budget.depth.min(MAX_PLY as u32 - 20);
    for depth in 1..=deepest {
        worker.excluded.clear();
        let mut lines: Vec<(Value, Line<MoveOf<E>>)> = Vec::new();
        for value in &mut values {
            let found = aspire(worker, root, *value, depth as i32);
            let line: Vec<_> = worker.line().iter().map(|&code| E::Position::decode(code)).collect();
            if worker.stopped && (line.is_empty() || !lines.is_empty()) {
                break;
            }
            if line.is_empty() {
                break;
            }
            worker.excluded.push(E::Position::code(line[0]));
            if worker.stopped {
                // An unfinished iteration counts if it has confirmed the last best move or found a better one.
                lines.push((found, Line { score: to_score(found), moves: legal_prefix(root, &line) }));
                break;
            }
            *value = found;
            lines.push((found, Line { score: to_score(found), moves: legal_prefix(root, &line) }));
        }
        report.elapsed = shared.budget.elapsed();
        report.selective_depth = worker.deepest as u32;
        report.table_fill = shared.table.fill();
        report.nodes = if alone { worker.nodes() } else { shared.nodes.load(Ordering::Relaxed).max(worker.nodes()) };
        if worker.stopped {
            // One of several lines alone would contradict those of the last iteration.
            if count == 1
                && let Some((_, line)) = lines.into_iter().next()
            {
                report.lines = vec![line];
            }
            break;
        }
        let lines = ranked(lines, |(value, _)| *value);
        report.depth = depth;
        report.lines = lines.into_iter().map(|(_, line)| line).collect();
        tell(&report);
        let best = values[0];
        let settled = best.abs() > DECIDED && WIN - best.abs() <= depth as Value;
        let forced = candidates.len() == 1 && shared.budget.is_timed();
        if count == 1 && (settled || forced) || shared.budget.enough() {
            break;
        }
    }
    // Whatever happens, there is an answer, and none that loses at a glance to an engine that sees such things.
    if report.depth == 0 && report.lines.first().is_none_or(|line| matches!(line.score, Score::Loss(_))) {
        let seen = if shared.handicap.sees_tactics() { candidates.len() } else { 1 };
        report.lines = vec![at_a_glance(root, shared.evaluator, &candidates[..seen])];
    }
    report
}

/// The best of the `candidates` by what is known without searching.
fn at_a_glance<E: Evaluator>(root: &E::Position, evaluator: &E, candidates: &[MoveOf<E>]) -> Line<MoveOf<E>> {
    let state = evaluator.state(root);
    let value = |mv: MoveOf<E>| {
        let mut child = *root;
        child.play(mv);
        if let Some(Outcome { winner, .. }) = child.outcome() {
            return winner.map_or(DRAW, |winner| if winner == root.to_move() { WIN - 1 } else { 1 - WIN });
        }
        let mut state = state.clone();
        evaluator.advance(&mut state, root, mv, &child);
        child.verdict(E::known(&state), 0).map_or(DRAW, |verdict| -of_verdict(verdict, 1))
    };
    let values = candidates.iter().map(|&mv| (value(mv), mv));
    // Of equal ones the first, which is the most promising.
    let (value, mv) =
        values.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("there is a candidate");
    Line { score: to_score(value), moves: vec![mv] }
}

/// Searches an aspiration window around the value expected, and a wider one if the value falls outside.
fn aspire<E: Evaluator>(worker: &mut Worker<'_, E>, root: &E::Position, expected: Value, depth: i32) -> Value {
    let mut width = worker.tuning().aspiration;
    let (mut alpha, mut beta) = if depth < 4 { (-INFINITY, INFINITY) } else { (expected - width, expected + width) };
    loop {
        let value = worker.search_root(root, alpha.max(-INFINITY), beta.min(INFINITY), depth);
        if worker.stopped || (value > alpha && value < beta) || (alpha <= -INFINITY && beta >= INFINITY) {
            return value;
        }
        width *= 4;
        if width > 2000 || value.abs() > DECIDED {
            (alpha, beta) = (-INFINITY, INFINITY);
        } else if value <= alpha {
            alpha = value - width;
        } else {
            beta = value + width;
        }
    }
}

/// What the other threads do: the same search, filling the shared table.
fn help<E: Evaluator>(worker: &mut Worker<'_, E>, root: &E::Position) {
    let mut value = DRAW;
    for depth in 1..MAX_PLY as i32 - 20 {
        value = aspire(worker, root, value, depth);
        if worker.stopped {
            break;
        }
    }
}

/// The moves worth searching at the root, the most promising first.
fn candidates<E: Evaluator>(root: &E::Position, shared: &Shared<'_, E>) -> Vec<MoveOf<E>> {
    let known = root.known();
    let mut moves = Vec::new();
    root.for_each_candidate(&known, |mv| moves.push(mv));
    assert!(!moves.is_empty(), "an unfinished game has a move");
    ranked(moves, |&mv| root.order(&known, mv) + shared.handicap.jitter(E::Position::code(mv)))
}

/// As much of a line as is legal; a clash in the table may have put a strange move into it.
fn legal_prefix<P: Tactics>(root: &P, line: &[P::Move]) -> Vec<P::Move> {
    let mut position = *root;
    let mut legal = Vec::new();
    for &mv in line {
        if !position.moves().contains(&mv) {
            break;
        }
        position.play(mv);
        legal.push(mv);
    }
    debug_assert!(!legal.is_empty() && P::code(legal[0]) != NO_MOVE);
    legal
}
