//! The engine: iterative deepening over one or more threads, within limits.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    Insight,
    abdada::Underway,
    insight::{Effort, Memory, Verdict},
};
use quincunx_game::{Game, Outcome, Position};

use crate::{
    Limits, Score, Stop,
    budget::Budget,
    handicap::Handicap,
    path::Path,
    transpositions::{NO_MOVE, Transpositions},
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
    /// The positions visited by all threads.
    pub nodes: u64,
    /// The wall-clock time spent.
    pub elapsed: Duration,
    /// The best lines, the best first; never empty.
    pub lines: Vec<Line<M>>,
}

/// A search with its memory.
pub struct Engine {
    table: Transpositions,
    /// What the game's own solver remembers.
    solver: Mutex<Memory>,
    threads: usize,
    /// What makes it play weaker than it can.
    pub handicap: Handicap,
    /// How readily it cuts on what a shallow search makes probable: 0 never, 1 when all but sure, up to [`MOST_SELECTIVE`].
    pub selectivity: u8,
}

/// The selectivity that cuts most readily.
pub const MOST_SELECTIVE: u8 = 5;

impl Engine {
    /// An engine with a transposition table of this many megabytes and this many threads.
    pub fn new(megabytes: usize, threads: usize) -> Self {
        Self {
            table: Transpositions::new(megabytes),
            solver: Mutex::default(),
            threads: threads.clamp(1, 256),
            handicap: Handicap::default(),
            selectivity: MOST_SELECTIVE,
        }
    }

    /// The threads it searches with.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Makes what a first search of this game would otherwise have to wait for.
    pub fn prepare<P: Insight>(&self) {
        P::prepare();
        if self.handicap.is_none() {
            P::prepare_solver(&mut self.solver.lock().unwrap_or_else(PoisonError::into_inner), self.threads);
        }
    }

    /// Forgets everything it learnt.
    pub fn clear(&self) {
        self.table.clear();
        *self.solver.lock().unwrap_or_else(PoisonError::into_inner) = Memory::default();
    }

    /// Searches the position of an unfinished game for its `count` best lines, telling `tell` after every iteration.
    /// Whatever the limits, the answer has at least one legal move.
    pub fn search<P: Insight>(
        &self,
        game: &Game<P>,
        limits: &Limits,
        stop: &Stop,
        count: usize,
        tell: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        self.table.age();
        let root = game.position();
        let mut shared = Shared {
            table: &self.table,
            budget: Budget::new(limits, stop, self.threads, moves_ahead(game)),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
            underway: (self.threads > 1).then(Underway::default),
            handicap: self.handicap,
            selectivity: self.selectivity.min(MOST_SELECTIVE),
        };
        let rules = game.rules();
        let plies = if rules.plies == 0 { u32::MAX } else { rules.plies };
        let plies_left = (plies as usize).saturating_sub(game.moves().len());
        if limits.depth.is_none() && self.handicap.is_none() {
            let mut memory = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
            let report = solved(root, count.max(1), plies_left, &shared, self.threads, &mut memory);
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
pub fn moves_ahead<P: Insight>(game: &Game<P>) -> u32 {
    game.position().moves_ahead(game.moves().len() as u32 / 2).max(1)
}

/// The answer of the game's own solver, if it has one within a part of the limits.
fn solved<P: Insight>(
    root: &P,
    count: usize,
    plies_left: usize,
    shared: &Shared<'_>,
    threads: usize,
    memory: &mut Memory,
) -> Option<Report<P::Move>> {
    // Only where results are counted is every other move worth an exact number too.
    if count > 1 && !P::COUNTED {
        return None;
    }
    // A solver does not know of a ply limit. At most every other ply is a pass.
    if root.longest().is_some_and(|plies| 2 * plies as usize > plies_left) {
        return None;
    }
    let mut nodes = 0;
    let allowed = shared.budget.nodes / 2;
    let mut solve = |position: &P| {
        let stopped = || shared.budget.is_unsettled();
        let seconds = shared.budget.seconds_to_settle();
        let mut effort = Effort { nodes: allowed - nodes, seconds, threads, stopped: &stopped, memory };
        let solution = position.solve(&mut effort);
        nodes = allowed - effort.nodes;
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
        let mut others = candidates(root, &shared.handicap);
        others.retain(|mv| *mv != lines[0].1[0]);
        let mut found = Vec::new();
        for mv in others {
            let mut child = *root;
            child.play(mv);
            let (verdict, mut line) = if child.outcome().is_some() {
                (Verdict::Exact(child.result()), Vec::new())
            } else {
                let solution = solve(&child)?;
                (solution.verdict, solution.line)
            };
            line.insert(0, mv);
            found.push((verdict.reversed(), line));
        }
        found.sort_by_key(|(verdict, _)| -of_verdict(*verdict, 0));
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
    Some(Report { depth, nodes, elapsed: shared.budget.elapsed(), lines })
}

/// Searches deeper and deeper until the budget is used up.
fn deepen<P: Insight>(
    worker: &mut Worker<'_, P>,
    shared: &Shared<'_>,
    root: &P,
    count: usize,
    alone: bool,
    tell: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let candidates = candidates(root, &shared.handicap);
    let count = count.min(candidates.len());
    let mut report = Report { depth: 0, nodes: 0, elapsed: Duration::ZERO, lines: Vec::new() };
    let mut values = vec![DRAW; count];
    let deepest = shared.budget.depth.min(MAX_PLY as u32 - 20);
    for depth in 1..=deepest {
        worker.excluded.clear();
        let mut lines: Vec<(Value, Line<P::Move>)> = Vec::new();
        for value in &mut values {
            let found = aspire(worker, root, *value, depth as i32);
            let line: Vec<_> = worker.line().iter().map(|&code| P::decode(code)).collect();
            if worker.stopped && (line.is_empty() || !lines.is_empty()) {
                break;
            }
            if line.is_empty() {
                break;
            }
            worker.excluded.push(P::code(line[0]));
            if worker.stopped {
                // An unfinished iteration counts where it has looked at the last best move and found it or a better one.
                lines.push((found, Line { score: to_score(found), moves: legal_prefix(root, &line) }));
                break;
            }
            *value = found;
            lines.push((found, Line { score: to_score(found), moves: legal_prefix(root, &line) }));
        }
        report.elapsed = shared.budget.elapsed();
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
        lines.sort_by_key(|(value, _)| -*value);
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
    // Whatever happens, there is an answer, and none that loses at a glance to who sees such things.
    if report.depth == 0 && report.lines.first().is_none_or(|line| matches!(line.score, Score::Loss(_))) {
        let seen = if shared.handicap.sees_tactics() { candidates.len() } else { 1 };
        report.lines = vec![at_a_glance(root, &candidates[..seen])];
    }
    report
}

/// The best of the `candidates` by what is known without searching.
fn at_a_glance<P: Insight>(root: &P, candidates: &[P::Move]) -> Line<P::Move> {
    let state = root.state();
    let value = |mv: P::Move| {
        let mut child = *root;
        child.play(mv);
        if let Some(Outcome { winner, .. }) = child.outcome() {
            return winner.map_or(DRAW, |winner| if winner == root.to_move() { WIN - 1 } else { 1 - WIN });
        }
        let mut state = state.clone();
        P::advance(&mut state, root, mv, &child);
        child.verdict(&state, 0).map_or(DRAW, |verdict| -of_verdict(verdict, 1))
    };
    let values = candidates.iter().map(|&mv| (value(mv), mv));
    // Of equal ones the first, which is the most promising.
    let (value, mv) =
        values.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("there is a candidate");
    Line { score: to_score(value), moves: vec![mv] }
}

/// Searches a window around the value expected, wider where it falls outside.
fn aspire<P: Insight>(worker: &mut Worker<'_, P>, root: &P, expected: Value, depth: i32) -> Value {
    let mut width = P::TUNING.aspiration;
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
fn help<P: Insight>(worker: &mut Worker<'_, P>, root: &P) {
    let mut value = DRAW;
    for depth in 1..MAX_PLY as i32 - 20 {
        value = aspire(worker, root, value, depth);
        if worker.stopped {
            break;
        }
    }
}

/// The moves worth searching at the root, the most promising first.
fn candidates<P: Insight>(root: &P, handicap: &Handicap) -> Vec<P::Move> {
    let state = root.state();
    let mut moves = Vec::new();
    root.for_each_candidate(&state, |mv| moves.push(mv));
    moves.sort_by_key(|&mv| -(root.order(&state, mv) + handicap.whim(P::code(mv))));
    assert!(!moves.is_empty(), "an unfinished game has a move");
    moves
}

/// As much of a line as is legal; a clash in the table may have put a strange move into it.
fn legal_prefix<P: Insight>(root: &P, line: &[P::Move]) -> Vec<P::Move> {
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
