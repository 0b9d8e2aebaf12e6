//! Alpha-beta: one thread that searches a game's tree.
//!
//! Principal variation search with a transposition table, mate distance pruning, reverse futility and futility pruning,
//! null moves, ProbCut, late move reductions, threat extensions and a quiescence search of forcing moves. What a game
//! does not want of this its [`Tuning`] switches off.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quincunx_game::{Outcome, Position, hash::mix};

use crate::{
    Evaluator, Tactics, Tuning,
    abdada::Abdada,
    budget::Budget,
    engine::MOST_SELECTIVE,
    evaluator::MoveOf,
    handicap::Handicap,
    history::History,
    path::Path,
    picker::{MovePicker, Ranked, Stage},
    tactics::TACTICAL,
    transposition::{Bound, Entry, NO_MOVE, TranspositionTable},
    value::{DECIDED, DRAW, INFINITY, Value, WIN, from_stored, of_verdict, to_stored},
};

/// No line is longer.
pub(crate) const MAX_PLY: usize = 120;
/// Nodes between two looks at the clock.
const POLL: u64 = 128;
/// Quiescence goes no further: if both sides can capture again and again, the tree would never end.
const QUIET_PLIES: u32 = 6;
/// Threads keep out of each other's way if at least so many plies are to be searched.
const ABDADA_DEPTH: i32 = 2;
/// A null move is tried from this depth on.
const NULL_MOVE_DEPTH: i32 = 3;

/// By how many standard deviations a shallow search must at least be clear of the window, by selectivity: 99.9, 99, 95
/// and 87 of 100 such cuts are right, were errors normal. The most selective searches go by [`Tuning::probcut`] alone.
const PROBCUT_MARGINS: [f32; MOST_SELECTIVE as usize] = [3.3, 2.6, 2.0, 1.5, 0.0];

/// What the threads of one search share.
pub(crate) struct Shared<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) budget: Budget<'a>,
    pub(crate) nodes: AtomicU64,
    pub(crate) done: AtomicBool,
    /// What the threads are at; `None` for a single one.
    pub(crate) abdada: Option<Abdada>,
    pub(crate) handicap: Handicap,
    /// How readily ProbCut is trusted, as in [`Engine`](crate::Engine).
    pub(crate) selectivity: u8,
}

/// One thread of a search.
pub(crate) struct Worker<'a, E: Evaluator> {
    shared: &'a Shared<'a, E>,
    tuning: Tuning,
    state: E::State,
    path: Path,
    /// Plies from the root to the ply limit of the game.
    plies_left: usize,
    history: History,
    /// The moves of all nodes of the current line.
    moves: Vec<Ranked<MoveOf<E>>>,
    /// Those of them that wait for other threads.
    deferred: Vec<Ranked<MoveOf<E>>>,
    /// The principal variation from each ply on, as codes.
    lines: Vec<Vec<u16>>,
    reductions: Vec<[i8; 64]>,
    /// Root moves that are not looked at, for the second best line and so on.
    pub(crate) excluded: Vec<u16>,
    /// By how many standard deviations ProbCut must be clear of the window; `None` for no ProbCut.
    probcut_margin: Option<f32>,
    /// Nearer to the root than this, answers to threats cost no depth.
    extensible: usize,
    nodes: u64,
    /// The plies of the longest line looked at.
    pub(crate) deepest: usize,
    /// The nodes already told to the others.
    reported: u64,
    next_poll: u64,
    pub(crate) stopped: bool,
}

/// A node of the tree beside its position: its place, its window and its depth.
#[derive(Clone, Copy)]
struct Node {
    alpha: Value,
    beta: Value,
    depth: i32,
    ply: usize,
    hash: u64,
    /// The code of the move that led here.
    previous: u16,
    /// Whether that move was a null move.
    after_null: bool,
}

impl Node {
    /// Whether it lies on a principal variation: its window has some width.
    #[inline]
    fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Whether the window lies among won or lost values, which no margin applies to.
    #[inline]
    fn is_decided(&self) -> bool {
        self.alpha.abs() > DECIDED || self.beta.abs() > DECIDED
    }
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(shared: &'a Shared<'a, E>, root: &E::Position, path: Path, plies_left: usize) -> Self {
        let tuning = *shared.evaluator.tuning();
        Self {
            shared,
            tuning,
            state: shared.evaluator.state(root),
            path,
            plies_left,
            history: History::new(E::Position::MOVE_CODES, MAX_PLY + 1),
            moves: Vec::with_capacity(4096),
            deferred: Vec::new(),
            lines: (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            reductions: reductions(&tuning),
            excluded: Vec::new(),
            probcut_margin: None,
            extensible: 0,
            nodes: 0,
            deepest: 0,
            reported: 0,
            next_poll: 0,
            stopped: false,
        }
    }

    /// The numbers of this search.
    pub(crate) fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The nodes this thread visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The principal variation of the last root search.
    pub(crate) fn line(&self) -> &[u16] {
        &self.lines[0]
    }

    /// Searches the root with a window; the best move is the first of [`line`](Self::line) if one was found.
    pub(crate) fn search_root(&mut self, root: &E::Position, alpha: Value, beta: Value, depth: i32) -> Value {
        self.extensible = 2 * depth as usize;
        // Beyond the end of the game more depth buys certainty instead.
        let beyond = root.longest().map_or(0, |end| depth.saturating_sub_unsigned(end).max(0));
        let selectivity = usize::from(self.shared.selectivity).saturating_sub(beyond as usize);
        let usual = self.tuning.probcut as f32 / 100.0;
        self.probcut_margin =
            selectivity.checked_sub(1).filter(|_| usual > 0.0).map(|level| PROBCUT_MARGINS[level].max(usual));
        let node = Node { alpha, beta, depth, ply: 0, hash: root.hash(), previous: NO_MOVE, after_null: false };
        self.search(root, node)
    }

    /// Counts a node; whether the search has to end.
    #[inline]
    fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let fresh = self.nodes - self.reported;
        let all = self.shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
        self.reported = self.nodes;
        if all > self.shared.budget.nodes || self.shared.done.load(Ordering::Relaxed) || self.shared.budget.is_over() {
            self.stopped = true;
        }
        self.next_poll = self.nodes + POLL.min(self.shared.budget.nodes.saturating_sub(all) + 1);
    }

    /// The value of a position within its window, to the node's depth and beyond if it is not quiet.
    fn search(&mut self, position: &E::Position, mut node: Node) -> Value {
        let Node { ply, hash, .. } = node;
        if node.depth <= 0 && ply > 0 {
            return self.quiesce(position, (node.alpha, node.beta), ply, hash, QUIET_PLIES);
        }
        if !node.is_pv()
            && ply > 0
            && self.shared.handicap.is_none()
            && let Some(value) =
                self.shared.evaluator.shallow(position, &self.state, node.alpha, node.depth, &mut self.nodes)
        {
            // The counter is looked at, as at every node.
            self.nodes -= 1;
            return if self.visit() { DRAW } else { value };
        }
        if self.visit() {
            return DRAW;
        }
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if ply > 0 {
            if let Some(value) = self.ended(position, ply) {
                return value;
            }
            // Mate distance pruning: no line from here can beat a shorter win found elsewhere.
            node.alpha = node.alpha.max(ply as Value - WIN);
            node.beta = node.beta.min(WIN - ply as Value - 1);
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, hash);
        }
        let by_margins = !node.is_pv() && ply > 0 && self.tuning.has_margins();
        // Before the table is read: it is on its way from memory meanwhile.
        let estimate = by_margins.then(|| self.evaluate(position, hash));
        let known = self.shared.table.get(hash);
        if let Some(value) = known.and_then(|entry| table_cut(entry, &node)) {
            return value;
        }
        if ply > 0
            && let Some(value) = self.verdict(position, node.depth, ply)
        {
            self.store(&node, NO_MOVE, value, Bound::Exact);
            return value;
        }
        let threatened = position.is_threatened(E::known(&self.state));
        if threatened && ply > 0 && ply < self.extensible {
            node.depth += 1;
        }
        let mut futile = false;
        if !node.is_decided() && !node.is_pv() && ply > 0 {
            if let Some(estimate) = estimate.filter(|_| !threatened) {
                if self.is_beyond_beta(estimate, &node) {
                    return estimate;
                }
                futile = self.is_futile(estimate, &node);
                if let Some(value) = self.try_null_move(position, estimate, &node) {
                    return value;
                }
            }
            if let Some(value) = self.probcut(position, estimate, &node) {
                return value;
            }
        }
        let hash_move = known.map_or(NO_MOVE, |entry| entry.code);
        let found = self.search_moves(position, node, hash_move, futile);
        found.unwrap_or_else(|| if node.previous == NO_MOVE { DRAW } else { self.evaluate(position, hash) })
    }

    /// Reverse futility pruning: whether a position is so good that a shallow search will not bring it below beta.
    #[inline]
    fn is_beyond_beta(&self, estimate: Value, node: &Node) -> bool {
        let margin = self.tuning.reverse_futility;
        margin > 0 && node.depth <= self.tuning.reverse_futility_depth && estimate - margin * node.depth >= node.beta
    }

    /// Futility pruning: whether a position is so bad that no quiet move will bring it above alpha.
    #[inline]
    fn is_futile(&self, estimate: Value, node: &Node) -> bool {
        let margin = self.tuning.futility;
        margin > 0 && node.depth <= self.tuning.futility_depth && estimate + margin * node.depth <= node.alpha
    }

    /// Late move pruning: after how many moves the quiet ones that are left are given up.
    #[inline]
    fn most_quiet(&self, node: &Node) -> usize {
        let late = self.tuning.late_moves as usize;
        if late == 0 || node.depth > self.tuning.late_moves_depth || node.is_pv() || node.ply == 0 || node.is_decided()
        {
            return usize::MAX;
        }
        late * (1 + node.depth.max(0) as usize)
    }

    /// Null-move pruning: the bound of a position that is too good already, even if its side passes.
    fn try_null_move(&mut self, position: &E::Position, estimate: Value, node: &Node) -> Option<Value> {
        if self.tuning.null_move == 0 || node.after_null || node.depth < NULL_MOVE_DEPTH || estimate < node.beta {
            return None;
        }
        let mut child = *position;
        child.hand_over();
        let next = Node {
            alpha: -node.beta,
            beta: 1 - node.beta,
            depth: (node.depth - self.tuning.null_move - node.depth / 4).max(0),
            ply: node.ply + 1,
            hash: child.hash(),
            previous: NO_MOVE,
            after_null: true,
        };
        self.path.push(next.hash);
        let value = -self.search(&child, next);
        self.path.pop();
        if self.stopped {
            return Some(DRAW);
        }
        // A win found after a pass is not proven.
        (value >= node.beta).then_some(if value > DECIDED { node.beta } else { value })
    }

    /// ProbCut: the bound that a shallow search makes so probable that the deep one is spared.
    #[inline]
    fn probcut(&mut self, position: &E::Position, estimate: Option<Value>, node: &Node) -> Option<Value> {
        let margin = self.probcut_margin?;
        let prediction = self.shared.evaluator.prediction(position, node.depth)?;
        let clear = (margin * prediction.error as f32) as Value;
        let estimate = estimate.unwrap_or_else(|| self.evaluate(position, node.hash));
        // Only the side on which the position lies anyway is worth a try.
        let above = estimate + prediction.bias > node.alpha;
        let bound = node.alpha - prediction.bias + if above { 1 + clear } else { -clear };
        if bound.abs() > E::LARGEST {
            return None;
        }
        let alpha = if above { bound - 1 } else { bound };
        let value = self.search(position, Node { alpha, beta: alpha + 1, depth: prediction.depth, ..*node });
        if self.stopped {
            return Some(DRAW);
        }
        (above == (value > alpha)).then_some(if above { node.alpha + 1 } else { node.alpha })
    }

    /// Searches the moves of a node in order, after the first no quiet ones if it is `futile`; `None` if there is none
    /// to search.
    fn search_moves(&mut self, position: &E::Position, node: Node, hash_move: u16, futile: bool) -> Option<Value> {
        let mut alpha = node.alpha;
        let (mut best, mut best_code, mut tried) = (-INFINITY, NO_MOVE, 0);
        let most_quiet = self.most_quiet(&node);
        let excluded = hash_move == NO_MOVE || node.ply == 0 && self.excluded.contains(&hash_move);
        let (hash_move, stage) = if excluded { (NO_MOVE, Stage::List) } else { (hash_move, Stage::HashMove) };
        let mut picker = MovePicker::new(stage, &self.moves, &self.deferred);
        while let Some(ranked) = self.next_move(&mut picker, position, &node, hash_move) {
            // The best of those left is quiet, so all of them are.
            if futile && tried > 0 && !ranked.is_tactical() && best > -DECIDED {
                break;
            }
            if tried > most_quiet && !ranked.is_tactical() && best > -DECIDED {
                break;
            }
            let code = E::Position::code(ranked.mv);
            if tried > 0 && self.shared.handicap.overlooks(node.hash, code) {
                continue;
            }
            // A move that another thread is searching waits until all else is done: its value may be in the table by
            // then.
            let shared = self.shared.abdada.as_ref().filter(|_| node.depth >= ABDADA_DEPTH && tried > 0 && !futile);
            let mark = shared.map(|abdada| (abdada, mix(node.hash, u64::from(code))));
            if let Some((abdada, key)) = mark {
                if picker.stage != Stage::Deferred && abdada.has(key) {
                    self.deferred.push(ranked);
                    continue;
                }
                abdada.enter(key);
            }
            let value = self.search_move(position, ranked, tried, &Node { alpha, ..node });
            if let Some((abdada, key)) = mark {
                abdada.leave(key);
            }
            tried += 1;
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha || best_code == NO_MOVE {
                    best_code = code;
                    if node.is_pv() || node.ply == 0 {
                        self.extend_line(node.ply, code);
                    }
                }
                alpha = alpha.max(value);
                if value >= node.beta {
                    if !ranked.is_tactical() {
                        self.learn(&picker, position, &node, code);
                    }
                    break;
                }
            }
        }
        picker.finish(&mut self.moves, &mut self.deferred);
        if self.stopped {
            return Some(best.max(-WIN));
        }
        if best == -INFINITY {
            return None;
        }
        let bound = match best {
            best if best >= node.beta => Bound::Lower,
            best if best > node.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if self.excluded.is_empty() || node.ply > 0 {
            self.store(&node, if bound == Bound::Upper { NO_MOVE } else { best_code }, best, bound);
        }
        Some(best)
    }

    /// The next move to search: the hash move, then the listed ones, then those deferred.
    #[inline]
    fn next_move(
        &mut self,
        picker: &mut MovePicker,
        position: &E::Position,
        node: &Node,
        hash_move: u16,
    ) -> Option<Ranked<MoveOf<E>>> {
        if picker.stage == Stage::HashMove {
            picker.stage = Stage::List;
            let mv = E::Position::decode(hash_move);
            return Some(Ranked { order: self.shared.evaluator.order(position, &self.state, mv), mv });
        }
        if picker.stage == Stage::List {
            picker.stage = Stage::Listed;
            self.list_moves(position, node, hash_move);
        }
        if picker.stage == Stage::Listed {
            let next = picker.next_listed(&mut self.moves);
            if next.is_some() {
                return next;
            }
            picker.stage = Stage::Deferred;
        }
        picker.next_deferred(&self.deferred)
    }

    /// The value of one move: late ones are first tried less deep, all but the first with a window of no width.
    fn search_move(&mut self, position: &E::Position, ranked: Ranked<MoveOf<E>>, tried: usize, node: &Node) -> Value {
        let mv = ranked.mv;
        let mut child = *position;
        child.play(mv);
        let hash = child.hash();
        if node.depth > 1 {
            self.shared.table.prefetch(hash);
        }
        self.shared.evaluator.advance(&mut self.state, position, mv, &child);
        self.path.push(hash);
        // A forced pass costs no depth: it decides nothing.
        let depth = if E::Position::is_pass(mv) { node.depth } else { node.depth - 1 };
        let (alpha, beta) = (node.alpha, node.beta);
        let previous = E::Position::code(mv);
        let next = Node { alpha: -beta, beta: -alpha, depth, ply: node.ply + 1, hash, previous, after_null: false };
        let value = if tried == 0 {
            -self.search(&child, next)
        } else {
            let reduction = self.reduction(&ranked, tried, depth, node.is_pv());
            let null_window = Node { alpha: -alpha - 1, ..next };
            let mut value = -self.search(&child, Node { depth: depth - reduction, ..null_window });
            if value > alpha && reduction > 0 && !self.stopped {
                value = -self.search(&child, null_window);
            }
            if value > alpha && value < beta && !self.stopped {
                value = -self.search(&child, next);
            }
            value
        };
        self.path.pop();
        self.shared.evaluator.retreat(&mut self.state, position, mv, &child);
        value
    }

    /// Late move reduction: by how many plies a move is searched less deep at first.
    #[inline]
    fn reduction(&self, ranked: &Ranked<MoveOf<E>>, tried: usize, depth: i32, is_pv: bool) -> i32 {
        if depth < 2 || tried < 2 || ranked.is_tactical() {
            return 0;
        }
        let reduction = i32::from(self.reductions[depth.min(63) as usize][tried.min(63)]);
        (reduction - i32::from(is_pv)).clamp(0, depth - 1)
    }

    /// Quiescence: goes on with forcing moves alone until the position is quiet, or for as many plies as are `left`.
    fn quiesce(
        &mut self,
        position: &E::Position,
        (mut alpha, beta): (Value, Value),
        ply: usize,
        hash: u64,
        left: u32,
    ) -> Value {
        if self.visit() {
            return DRAW;
        }
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if let Some(value) = self.ended(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, hash);
        }
        if let Some(value) = self.verdict(position, 0, ply) {
            return value;
        }
        // Under a threat standing pat is no choice: every answer is looked at, and none is worth less than losing to
        // it.
        let threatened = left > 0 && position.is_threatened(E::known(&self.state));
        let mut best = if threatened { ply as Value + 2 - WIN } else { self.evaluate(position, hash) };
        if best >= beta || left == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let first = self.moves.len();
        let (moves, known) = (&mut self.moves, E::known(&self.state));
        let (evaluator, state) = (self.shared.evaluator, &self.state);
        let push = |mv| moves.push(Ranked { order: evaluator.order(position, state, mv), mv });
        if threatened {
            position.for_each_candidate(known, push);
        } else {
            position.for_each_forcing(known, push);
        }
        self.moves[first..].sort_unstable_by_key(|ranked| (-ranked.order, ranked.mv));
        let mut index = first;
        while index < self.moves.len() {
            let mv = self.moves[index].mv;
            index += 1;
            let mut child = *position;
            child.play(mv);
            let hash = child.hash();
            self.shared.evaluator.advance(&mut self.state, position, mv, &child);
            self.path.push(hash);
            let value = -self.quiesce(&child, (-beta, -alpha), ply + 1, hash, left - 1);
            self.path.pop();
            self.shared.evaluator.retreat(&mut self.state, position, mv, &child);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(first);
        best
    }

    /// The value of a position at which the game ends.
    #[inline]
    fn ended(&self, position: &E::Position, ply: usize) -> Option<Value> {
        if let Some(Outcome { winner, .. }) = position.outcome() {
            if E::Position::SCORED {
                return Some(position.score());
            }
            return Some(winner.map_or(DRAW, |winner| {
                if winner == position.to_move() { WIN - ply as Value } else { ply as Value - WIN }
            }));
        }
        (self.path.repeats() || ply >= self.plies_left).then_some(DRAW)
    }

    /// What is known without searching, as far as the game lasts.
    #[inline]
    fn verdict(&self, position: &E::Position, depth: i32, ply: usize) -> Option<Value> {
        if !self.shared.handicap.sees_tactics() {
            return None;
        }
        let verdict = position.verdict(E::known(&self.state), depth)?;
        (ply + verdict.plies() as usize <= self.plies_left).then(|| of_verdict(verdict, ply))
    }

    #[expect(clippy::inline_always, reason = "most nodes are leaves, and do little else: 7 % of a search of Shobu")]
    #[inline(always)]
    fn evaluate(&self, position: &E::Position, hash: u64) -> Value {
        let value = self.shared.evaluator.evaluate(position, &self.state).clamp(-20_000, 20_000);
        self.shared.handicap.noisy(value, hash, self.tuning.scale)
    }

    /// Lists the moves of a node: tactical ones, killers, the countermove, then by history.
    fn list_moves(&mut self, position: &E::Position, node: &Node, hash_move: u16) {
        let (ply, side) = (node.ply, position.to_move().index());
        let killers = self.history.killers(ply);
        let countermove = self.history.countermove(side, node.previous);
        let (moves, history, excluded) = (&mut self.moves, &self.history, &self.excluded);
        let (evaluator, state) = (self.shared.evaluator, &self.state);
        let known = E::known(state);
        // A level that looks at few moves should not look at the same few in every game.
        let jitter = |code| if ply == 0 { self.shared.handicap.jitter(code) } else { 0 };
        position.for_each_candidate(known, |mv| {
            let code = E::Position::code(mv);
            if code == hash_move || ply == 0 && excluded.contains(&code) {
                return;
            }
            let mut order = evaluator.order(position, state, mv);
            if order < TACTICAL {
                order = match code {
                    code if code == killers[0] => TACTICAL - 1,
                    code if code == killers[1] => TACTICAL - 2,
                    code if code == countermove => TACTICAL - 3,
                    code => order + history.score(side, code) + jitter(code),
                };
            }
            moves.push(Ranked { order, mv });
        });
    }

    /// History learns that a quiet move cut off, and that those tried before it did not.
    fn learn(&mut self, picker: &MovePicker, position: &E::Position, node: &Node, code: u16) {
        let side = position.to_move().index();
        self.history.reward(side, code, node.previous, node.ply, node.depth);
        let deferred = picker.deferred(&self.deferred);
        for ranked in picker.tried(&self.moves).iter().filter(|ranked| !ranked.is_tactical()) {
            // Nothing was learnt of moves that wait.
            let tried = E::Position::code(ranked.mv);
            if tried != code && !deferred.iter().any(|waiting| waiting.mv == ranked.mv) {
                self.history.punish(side, tried, node.depth);
            }
        }
    }

    fn extend_line(&mut self, ply: usize, code: u16) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(code);
        if let Some(next) = tail.first() {
            head[ply].extend_from_slice(next);
        }
    }

    fn store(&self, node: &Node, code: u16, value: Value, bound: Bound) {
        let value = to_stored(value, node.ply).clamp(-INFINITY, INFINITY) as i16;
        self.shared.table.put(node.hash, Entry { code, value, depth: node.depth.clamp(-1, 127) as i8, bound });
    }
}

/// The value that an entry of the table settles a node with, if it does.
#[inline]
fn table_cut(entry: Entry, node: &Node) -> Option<Value> {
    if node.is_pv() || node.ply == 0 || i32::from(entry.depth) < node.depth {
        return None;
    }
    let value = from_stored(i32::from(entry.value), node.ply);
    let usable = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= node.beta,
        Bound::Upper => value <= node.alpha,
    };
    usable.then_some(value)
}

/// By how much late moves are reduced, by depth and number.
fn reductions(tuning: &Tuning) -> Vec<[i8; 64]> {
    (0..64)
        .map(|depth| {
            std::array::from_fn(|number| {
                if tuning.reduction <= 0 || depth == 0 || number == 0 {
                    return 0;
                }
                let divisor = tuning.reduction as f32 / 100.0;
                ((depth as f32).ln() * (number as f32).ln() / divisor) as i8
            })
        })
        .collect()
}
