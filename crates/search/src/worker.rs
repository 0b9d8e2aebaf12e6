//! Alpha-beta: one thread that searches a game's tree.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quincunx_game::{Outcome, Position, Side, hash::mix};

use crate::{
    Evaluator, Tactics, Tuning,
    abdada::Abdada,
    budget::Budget,
    engine::MOST_SELECTIVE,
    evaluator::MoveOf,
    handicap::Handicap,
    history::History,
    path::Path,
    tactics::TACTICAL,
    transposition::{Bound, Entry, NO_MOVE, TranspositionTable},
    value::{DECIDED, DRAW, INFINITY, Value, WIN, from_stored, of_verdict, to_stored},
};

/// No line is longer.
pub(crate) const MAX_PLY: usize = 120;
/// Nodes between two looks at the clock.
const POLL: u64 = 128;
/// Forcing moves are followed no further: where both sides can capture again and again, the tree would never end.
const QUIET_PLIES: u32 = 6;
/// So many best moves are picked one by one before the rest is sorted: most cutoffs come before.
const PICKED: usize = 5;
/// Threads keep out of each other's way where at least so many plies are to be searched.
const SHARED_DEPTH: i32 = 2;
/// Puts the order of a move behind that of all others, whatever they are worth.
const PUT_OFF: i32 = -(1 << 29);

/// By how many standard deviations a shallow search must be clear of the window, by selectivity: 99.9, 99, 95, 87 and 73 of 100
/// such cuts are right, were errors normal.
const MARGINS: [f32; MOST_SELECTIVE as usize] = [3.3, 2.6, 2.0, 1.5, 1.1];

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
    /// How readily foretellings are believed, as in [`Engine`](crate::Engine).
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
    /// The moves of all nodes of the current line, each with its order.
    moves: Vec<(i32, MoveOf<E>)>,
    /// The best line from each ply on, as codes.
    lines: Vec<Vec<u16>>,
    reductions: Vec<[i8; 64]>,
    /// Root moves that are not looked at, for the second best line and so on.
    pub(crate) excluded: Vec<u16>,
    /// By how many standard deviations a foretelling must be clear of the window to be believed; `None` for never.
    margin: Option<f32>,
    /// Nearer to the root than this, answers to threats cost no depth.
    extensible: usize,
    nodes: u64,
    /// The nodes already told to the others.
    reported: u64,
    next_poll: u64,
    pub(crate) stopped: bool,
}

/// A node's place in the tree.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    /// The code of the move that led here.
    previous: u16,
    /// Whether that move was a null move.
    after_null: bool,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(shared: &'a Shared<'a, E>, root: &E::Position, path: Path, plies_left: usize) -> Self {
        Self {
            shared,
            tuning: *shared.evaluator.tuning(),
            state: shared.evaluator.state(root),
            path,
            plies_left,
            history: History::new(E::Position::MOVE_CODES, MAX_PLY + 1),
            moves: Vec::with_capacity(4096),
            lines: (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            reductions: reductions(shared.evaluator.tuning()),
            excluded: Vec::new(),
            margin: None,
            extensible: 0,
            nodes: 0,
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

    /// The best line of the last root search.
    pub(crate) fn line(&self) -> &[u16] {
        &self.lines[0]
    }

    /// Searches the root with a window; the best move is the first of [`line`](Self::line) if one was found.
    pub(crate) fn search_root(&mut self, root: &E::Position, alpha: Value, beta: Value, depth: i32) -> Value {
        self.extensible = 2 * depth as usize;
        // What lies beyond the end of the game is left to certainty.
        let beyond = root.longest().map_or(0, |end| depth.saturating_sub_unsigned(end).max(0));
        let selectivity = usize::from(self.shared.selectivity).saturating_sub(beyond as usize);
        self.margin = selectivity.checked_sub(1).map(|level| MARGINS[level]);
        self.search(root, alpha, beta, depth, Node { ply: 0, previous: NO_MOVE, after_null: false })
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

    /// The value of a position within the window, to `depth` plies and beyond where it is not quiet.
    fn search(
        &mut self,
        position: &E::Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        node: Node,
    ) -> Value {
        let Node { ply, previous, after_null } = node;
        if depth <= 0 && ply > 0 {
            return self.quiesce(position, alpha, beta, ply, QUIET_PLIES);
        }
        if beta - alpha == 1
            && ply > 0
            && self.shared.handicap.is_none()
            && let Some(value) = self.shared.evaluator.shallow(position, &self.state, alpha, depth, &mut self.nodes)
        {
            // The counter is looked at, as at every node.
            self.nodes -= 1;
            return if self.visit() { DRAW } else { value };
        }
        if self.visit() {
            return DRAW;
        }
        self.lines[ply].clear();
        if ply > 0 {
            if let Some(value) = self.ended(position, ply) {
                return value;
            }
            // No line from here can beat a shorter win found elsewhere.
            alpha = alpha.max(ply as Value - WIN);
            beta = beta.min(WIN - ply as Value - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }

        let open = beta - alpha > 1;
        let hash = position.hash();
        let tuning = self.tuning;
        let by_margins = !open && ply > 0 && (tuning.reverse_futility > 0 || tuning.futility > 0 || tuning.null_move);
        // Before the table is read: it is on its way from memory meanwhile.
        let estimate = if by_margins { self.evaluate(position) } else { DRAW };
        let known = self.shared.table.get(hash);
        if let Some(entry) = known
            && !open
            && ply > 0
            && i32::from(entry.depth) >= depth
        {
            let value = from_stored(i32::from(entry.value), ply);
            let usable = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if usable {
                return value;
            }
        }
        if ply > 0
            && let Some(value) = self.known(position, depth, ply)
        {
            self.store(hash, NO_MOVE, value, depth, Bound::Exact, ply);
            return value;
        }

        let threatened = position.is_threatened(E::known(&self.state));
        if threatened && ply > 0 && ply < self.extensible {
            depth += 1;
        }
        let decided = alpha.abs() > DECIDED || beta.abs() > DECIDED;
        let mut hopeless = false;
        if by_margins && !decided && !threatened {
            if tuning.reverse_futility > 0 && depth <= 6 && estimate - tuning.reverse_futility * depth >= beta {
                return estimate;
            }
            hopeless = tuning.futility > 0 && depth <= 4 && estimate + tuning.futility * depth <= alpha;
            if tuning.null_move && !after_null && depth >= 3 && estimate >= beta {
                let value = self.search_null(position, beta, depth - 3 - depth / 4, ply);
                if self.stopped {
                    return DRAW;
                }
                if value >= beta {
                    return if value > DECIDED { beta } else { value };
                }
            }
        }
        if !open
            && !decided
            && ply > 0
            && let Some(value) = self.probcut(position, alpha, depth, node)
        {
            return value;
        }
        self.search_moves(position, alpha, beta, depth, node, known.map_or(NO_MOVE, |entry| entry.code), hopeless)
            .unwrap_or_else(|| if previous == NO_MOVE { DRAW } else { self.evaluate(position) })
    }

    /// The bound that a shallow search makes so probable that the deep one is spared: of a window without width above `alpha`.
    #[inline]
    fn probcut(&mut self, position: &E::Position, alpha: Value, depth: i32, node: Node) -> Option<Value> {
        let margin = self.margin?;
        let prediction = self.shared.evaluator.prediction(position, depth)?;
        let clear = (margin * prediction.error as f32) as Value;
        // Only the side on which the position lies anyway is worth a try.
        let above = self.evaluate(position) + prediction.bias > alpha;
        let bound = alpha - prediction.bias + if above { 1 + clear } else { -clear };
        if bound.abs() > 6300 {
            return None;
        }
        let from = if above { bound - 1 } else { bound };
        let value = self.search(position, from, from + 1, prediction.depth, node);
        if self.stopped {
            return Some(DRAW);
        }
        (above == (value > from)).then_some(if above { alpha + 1 } else { alpha })
    }

    /// Searches the moves of a node in order, where it is `hopeless` no quiet ones but the first; `None` where there is none to search.
    #[expect(clippy::too_many_arguments, reason = "they name one node, its window and what is known of it")]
    fn search_moves(
        &mut self,
        position: &E::Position,
        mut alpha: Value,
        beta: Value,
        depth: i32,
        node: Node,
        known: u16,
        hopeless: bool,
    ) -> Option<Value> {
        let Node { ply, previous, .. } = node;
        let open = beta - alpha > 1;
        let (before, side, hash) = (alpha, position.to_move().index(), position.hash());
        let (mut best, mut best_code) = (-INFINITY, NO_MOVE);
        let first = self.moves.len();
        // The known best move is tried before any other is even listed.
        let known = if ply == 0 && self.excluded.contains(&known) { NO_MOVE } else { known };
        let mut listed = false;
        let (mut next, mut tried) = (first, 0);
        loop {
            let (order, mv) = if known != NO_MOVE && !listed && tried == 0 {
                let mv = E::Position::decode(known);
                (position.order(E::known(&self.state), mv), mv)
            } else {
                if !listed {
                    self.list_moves(position, side, ply, previous, known);
                    listed = true;
                }
                if next >= self.moves.len() {
                    break;
                }
                self.bring_forward(next, next - first);
                next += 1;
                self.moves[next - 1]
            };
            let put_off = order < PUT_OFF / 2;
            let order = if put_off { order - PUT_OFF } else { order };
            // The best of those left is quiet, so all of them are.
            if hopeless && tried > 0 && order < TACTICAL && best > -DECIDED {
                break;
            }
            let code = E::Position::code(mv);
            if tried > 0 && self.shared.handicap.overlooks(hash, code) {
                continue;
            }
            // What another thread is searching waits until all else is done: its answer may stand in the table by then.
            let abdada = self.shared.abdada.as_ref().filter(|_| depth >= SHARED_DEPTH && tried > 0 && !hopeless);
            let abdada = abdada.map(|abdada| (abdada, mix(hash, u64::from(code))));
            if let Some((abdada, key)) = abdada {
                if !put_off && abdada.has(key) {
                    self.moves.push((order + PUT_OFF, mv));
                    // Nothing is learnt of it in this place of the list.
                    self.moves[next - 1].0 = i32::MAX;
                    continue;
                }
                abdada.enter(key);
            }
            let value = self.search_move(position, mv, order, tried, alpha, beta, depth, node);
            if let Some((abdada, key)) = abdada {
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
                    if open || ply == 0 {
                        self.extend_line(ply, code);
                    }
                }
                alpha = alpha.max(value);
                if value >= beta {
                    if order < TACTICAL {
                        self.learn(first, next.saturating_sub(1), side, code, previous, ply, depth);
                    }
                    break;
                }
            }
        }
        self.moves.truncate(first);
        if self.stopped {
            return Some(best.max(-WIN));
        }
        if best == -INFINITY {
            return None;
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > before => Bound::Exact,
            _ => Bound::Upper,
        };
        if self.excluded.is_empty() || ply > 0 {
            self.store(hash, if bound == Bound::Upper { NO_MOVE } else { best_code }, best, depth, bound, ply);
        }
        Some(best)
    }

    /// The value of one move: late ones are first tried less deep, all but the first with a window of no width.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of it belongs to the node, and a struct would be built for every move"
    )]
    fn search_move(
        &mut self,
        position: &E::Position,
        mv: MoveOf<E>,
        order: i32,
        tried: usize,
        alpha: Value,
        beta: Value,
        depth: i32,
        node: Node,
    ) -> Value {
        let mut child = *position;
        child.play(mv);
        if depth > 1 {
            self.shared.table.prefetch(child.hash());
        }
        self.shared.evaluator.advance(&mut self.state, position, mv, &child);
        self.path.push(child.hash());
        let next = Node { ply: node.ply + 1, previous: E::Position::code(mv), after_null: false };
        // A forced pass costs no depth: it decides nothing.
        let depth = if E::Position::is_pass(mv) { depth } else { depth - 1 };
        let value = if tried == 0 {
            -self.search(&child, -beta, -alpha, depth, next)
        } else {
            let mut reduction = 0;
            if depth >= 2 && tried >= 2 && order < TACTICAL {
                reduction = i32::from(self.reductions[depth.min(63) as usize][tried.min(63)]);
                if beta - alpha > 1 {
                    reduction -= 1;
                }
                reduction = reduction.clamp(0, depth - 1);
            }
            let mut value = -self.search(&child, -alpha - 1, -alpha, depth - reduction, next);
            if value > alpha && reduction > 0 && !self.stopped {
                value = -self.search(&child, -alpha - 1, -alpha, depth, next);
            }
            if value > alpha && value < beta && !self.stopped {
                value = -self.search(&child, -beta, -alpha, depth, next);
            }
            value
        };
        self.path.pop();
        self.shared.evaluator.retreat(&mut self.state, position, mv, &child);
        value
    }

    fn search_null(&mut self, position: &E::Position, beta: Value, depth: i32, ply: usize) -> Value {
        let mut child = *position;
        child.hand_over();
        self.path.push(child.hash());
        let next = Node { ply: ply + 1, previous: NO_MOVE, after_null: true };
        let value = -self.search(&child, -beta, 1 - beta, depth.max(0), next);
        self.path.pop();
        value
    }

    /// Goes on with forcing moves alone until the position is quiet, or for as many plies as are `left`.
    fn quiesce(&mut self, position: &E::Position, mut alpha: Value, beta: Value, ply: usize, left: u32) -> Value {
        if self.visit() {
            return DRAW;
        }
        self.lines[ply].clear();
        if let Some(value) = self.ended(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }
        if let Some(value) = self.known(position, 0, ply) {
            return value;
        }
        // Under a threat nobody may stand still: every answer is looked at, and none is worth less than losing to it.
        let threatened = left > 0 && position.is_threatened(E::known(&self.state));
        let mut best = if threatened { ply as Value + 2 - WIN } else { self.evaluate(position) };
        if best >= beta || left == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let first = self.moves.len();
        let (moves, known) = (&mut self.moves, E::known(&self.state));
        let push = |mv| moves.push((position.order(known, mv), mv));
        if threatened {
            position.for_each_candidate(known, push);
        } else {
            position.for_each_forcing(known, push);
        }
        self.moves[first..].sort_unstable_by_key(|&(order, mv)| (-order, mv));
        let mut index = first;
        while index < self.moves.len() {
            let (_, mv) = self.moves[index];
            index += 1;
            let mut child = *position;
            child.play(mv);
            self.shared.evaluator.advance(&mut self.state, position, mv, &child);
            self.path.push(child.hash());
            let value = -self.quiesce(&child, -beta, -alpha, ply + 1, left - 1);
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
            return Some(winner.map_or(DRAW, |winner: Side| {
                if winner == position.to_move() { WIN - ply as Value } else { ply as Value - WIN }
            }));
        }
        (self.path.repeats() || ply >= self.plies_left).then_some(DRAW)
    }

    /// What is known without searching, as far as the game lasts.
    #[inline]
    fn known(&self, position: &E::Position, depth: i32, ply: usize) -> Option<Value> {
        if !self.shared.handicap.sees_tactics() {
            return None;
        }
        let verdict = position.verdict(E::known(&self.state), depth)?;
        (ply + verdict.plies() as usize <= self.plies_left).then(|| of_verdict(verdict, ply))
    }

    #[inline]
    fn evaluate(&self, position: &E::Position) -> Value {
        let value = self.shared.evaluator.evaluate(position, &self.state).clamp(-20_000, 20_000);
        self.shared.handicap.noisy(value, position.hash(), self.tuning.scale)
    }

    /// Lists the moves of a node with their order: tactical ones, killers, answers, then by history.
    fn list_moves(&mut self, position: &E::Position, side: usize, ply: usize, previous: u16, known: u16) {
        let killers = self.history.killers(ply);
        let countermove = self.history.countermove(side, previous);
        let (moves, history, excluded) = (&mut self.moves, &self.history, &self.excluded);
        let tactics = E::known(&self.state);
        // Who looks at few moves should not look at the same few in every game.
        let jitter = |code| if ply == 0 { self.shared.handicap.jitter(code) } else { 0 };
        position.for_each_candidate(tactics, |mv| {
            let code = E::Position::code(mv);
            if code == known || ply == 0 && excluded.contains(&code) {
                return;
            }
            let mut order = position.order(tactics, mv);
            if order < TACTICAL {
                order = match code {
                    code if code == killers[0] => TACTICAL - 1,
                    code if code == killers[1] => TACTICAL - 2,
                    code if code == countermove => TACTICAL - 3,
                    code => order + history.score(side, code) + jitter(code),
                };
            }
            moves.push((order, mv));
        });
    }

    /// Brings the best of the moves from `index` on to that place; `number` of them were brought before.
    #[inline]
    fn bring_forward(&mut self, index: usize, number: usize) {
        let rest = &mut self.moves[index..];
        if number < PICKED {
            if let Some((best, _)) = rest.iter().enumerate().max_by_key(|(_, (order, _))| *order) {
                rest.swap(0, best);
            }
        } else if number == PICKED {
            rest.sort_unstable_by_key(|&(order, mv)| (-order, mv));
        }
    }

    /// Remembers a quiet move that cut off, and that those listed before it did not.
    #[expect(clippy::too_many_arguments, reason = "they name one node and its list of moves")]
    fn learn(&mut self, first: usize, end: usize, side: usize, code: u16, previous: u16, ply: usize, depth: i32) {
        self.history.reward(side, code, previous, ply, depth);
        for index in first..end {
            let (order, mv) = self.moves[index];
            if order < TACTICAL && E::Position::code(mv) != code {
                self.history.punish(side, E::Position::code(mv), depth);
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

    fn store(&self, hash: u64, code: u16, value: Value, depth: i32, bound: Bound, ply: usize) {
        let value = to_stored(value, ply).clamp(-INFINITY, INFINITY) as i16;
        self.shared.table.put(hash, Entry { code, value, depth: depth.clamp(-1, 127) as i8, bound });
    }
}

/// By how much late moves are reduced, by depth and number.
fn reductions(tuning: &Tuning) -> Vec<[i8; 64]> {
    (0..64)
        .map(|depth| {
            std::array::from_fn(|number| {
                if tuning.reduction <= 0.0 || depth == 0 || number == 0 {
                    return 0;
                }
                ((depth as f32).ln() * (number as f32).ln() / tuning.reduction) as i8
            })
        })
        .collect()
}
