//! One thread of the search: the null-window search that does the work, from deep in the game down to the last squares.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;
use quincunx_game::bits::Bits;
use quincunx_search::abdada::Abdada;

use super::{
    super::discs::{flips, mobility},
    super::evaluation::UNIT,
    EXACT,
    estimator::Estimator,
    fastest_first::FASTEST_FIRST,
    last::{Last, NONE},
    local_table::LocalTable,
    order::{Candidate, rank, without_mirror_images},
    stability::stable,
    table::{Key, Known, NO_MOVE, Table},
};

/// From this many empty squares on the table is asked for all children before one of them is searched:
/// with fewer none is in it.
const LOOK_AHEAD: u32 = FASTEST_FIRST + 2;

/// From this many empty squares on a search that need not be certain uses multi-ProbCut.
pub(super) const PROBCUT_FROM: u32 = 13;

/// From this many empty squares on the board may still be symmetric: of moves that are images of each other one is
/// tried.
pub(super) const MIRRORED: u32 = 24;

/// Ends the search of all threads: on a node limit, or from outside.
pub(super) struct Halt<'a> {
    pub(super) flag: AtomicBool,
    pub(super) nodes: AtomicU64,
    pub(super) limit: u64,
    pub(super) asked: &'a (dyn Fn() -> bool + Sync),
}

/// At most this many nodes lie between two looks at the limits: a tenth of a millisecond.
const REPORT: u64 = 1 << 12;

/// The state of one thread.
pub(super) struct Worker<'a> {
    pub(super) last: Last,
    /// The squares of the bitboard that are not on the board.
    pub(super) outside: u64,
    /// Guides the order of moves.
    pub(super) estimator: Estimator<'a>,
    /// The corners of the board.
    pub(super) corners: u64,
    /// How sure the search must be: below [`EXACT`] it uses multi-ProbCut.
    pub(super) certainty: u8,
    pub(super) table: &'a Table,
    /// What this thread alone remembers.
    pub(super) local: &'a mut LocalTable,
    /// What the other threads are searching, if there are any.
    pub(super) abdada: Option<&'a Abdada>,
    pub(super) halt: &'a Halt<'a>,
    /// The nodes already added to the common count.
    pub(super) reported: u64,
    /// After how many more the limits are looked at.
    pub(super) quota: u64,
}

pub(super) type Candidates = ArrayVec<Candidate, 34>;

impl Worker<'_> {
    /// Whether the search ends: its values mean nothing then.
    #[inline]
    pub(super) fn halted(&mut self) -> bool {
        if self.last.nodes - self.reported >= self.quota {
            self.report();
        }
        self.halt.flag.load(Relaxed)
    }

    /// Adds the nodes of this thread to the common count, and looks at the limits.
    #[cold]
    pub(super) fn report(&mut self) {
        let new = self.last.nodes - self.reported;
        self.reported = self.last.nodes;
        let total = self.halt.nodes.fetch_add(new, Relaxed) + new;
        self.quota = REPORT.min(self.halt.limit.saturating_sub(total));
        if total >= self.halt.limit || (self.halt.asked)() {
            self.halt.flag.store(true, Relaxed);
        }
    }

    #[inline]
    pub(super) fn empty(&self, own: u64, enemy: u64) -> u64 {
        self.last.board & !(own | enemy)
    }

    #[inline]
    pub(super) fn placements(&self, own: u64, enemy: u64) -> u64 {
        mobility(own, enemy) & self.last.board
    }

    /// An upper bound of the score from the enemy's stable discs, if it is below or at `alpha`.
    #[inline]
    pub(super) fn stability_cut(&self, own: u64, enemy: u64, alpha: i32, empty: u32) -> Option<i32> {
        // With many squares empty few discs are stable: looking pays only if few are needed. The line
        // between is the usual one of endgame solvers, not tuned here.
        if alpha < 2 * empty as i32 - 2 {
            return None;
        }
        // Often the enemy has too few discs even if all of them were stable.
        let bound = |firm: u64| Some(self.last.area - 2 * firm.count_ones() as i32).filter(|&bound| bound <= alpha);
        bound(enemy)?;
        bound(stable(enemy, own, self.outside))
    }

    /// A bound of the score, above `alpha` exactly if the score is: the null-window search for any number of empty
    /// squares.
    pub(super) fn null_window(&mut self, own: u64, enemy: u64, alpha: i32) -> i32 {
        let empty = self.empty(own, enemy);
        match empty.count_ones() {
            ..4 => self.tail(own, enemy, alpha),
            4 => self.last.four(own, enemy, alpha, empty),
            5 => self.five(own, enemy, alpha, empty, self.placements(own, enemy)),
            6..=FASTEST_FIRST => self.fastest_first(own, enemy, alpha, empty, self.placements(own, enemy)),
            count => self.deep(own, enemy, alpha, count),
        }
    }

    /// Positions that begin with fewer than four empty squares, or get there without a search of more.
    fn tail(&mut self, own: u64, enemy: u64, alpha: i32) -> i32 {
        self.last.nodes += 1;
        let moves = self.placements(own, enemy);
        if moves == 0 {
            return if self.placements(enemy, own) == 0 {
                self.last.finished(own, enemy)
            } else {
                -self.tail(enemy, own, -alpha - 1)
            };
        }
        let mut best = NONE;
        for square in Bits(moves) {
            let flipped = flips(own, enemy, square);
            best = best.max(-self.tail(enemy ^ flipped, own ^ flipped | 1 << square, -alpha - 1));
            if best > alpha {
                break;
            }
        }
        best
    }

    fn deep(&mut self, own: u64, enemy: u64, alpha: i32, count: u32) -> i32 {
        self.last.nodes += 1;
        if self.halted() {
            return alpha;
        }
        let key = Key::of(own, enemy);
        self.table.prefetch(key);
        if let Some(bound) = self.stability_cut(own, enemy, alpha, count) {
            return bound;
        }
        let moves = self.placements(own, enemy);
        if moves == 0 {
            return if self.placements(enemy, own) == 0 {
                self.last.finished(own, enemy)
            } else {
                -self.deep(enemy, own, -alpha - 1, count)
            };
        }
        let known = self.table.find(key).unwrap_or(Known::NOTHING);
        if known.reaches(count as u8, self.certainty_at(count)) {
            if i32::from(known.lower) > alpha || known.lower == known.upper {
                return i32::from(known.lower);
            }
            if i32::from(known.upper) <= alpha {
                return i32::from(known.upper);
            }
        }
        let before = self.last.nodes;
        if self.certainty_at(count) < EXACT
            && let Some(bound) = self.multi_probcut(own, enemy, alpha, count)
        {
            return bound;
        }
        let mut candidates = Candidates::new();
        if !list_candidates(&mut candidates, own, enemy, moves) {
            return self.last.area;
        }
        if count >= MIRRORED {
            without_mirror_images(&mut candidates);
        }
        if count >= LOOK_AHEAD
            && let Some(score) = self.cut_by_known_child(&candidates, alpha, count)
        {
            return score;
        }
        rank(&mut candidates, self, own, enemy, known, alpha);
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        let mut queue = Queue::new(&mut candidates);
        while let Some((candidate, _)) = queue.next(self, count) {
            let score = if count - 1 <= FASTEST_FIRST {
                -self.null_window(candidate.own, candidate.enemy, -alpha - 1)
            } else {
                -self.deep(candidate.own, candidate.enemy, -alpha - 1, count - 1)
            };
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best > alpha {
                    break;
                }
            }
        }
        queue.leave(self);
        if !self.halt.flag.load(Relaxed) {
            let cost = (self.last.nodes - before).max(1).ilog2() as u8;
            self.table.store(key, (alpha, alpha + 1), best, best_move, (count as u8, self.certainty_at(count)), cost);
        }
        best
    }

    /// The certainty of results with this many empty squares: there is no ProbCut near the end.
    #[inline]
    pub(super) fn certainty_at(&self, count: u32) -> u8 {
        if count < PROBCUT_FROM { EXACT } else { self.certainty }
    }

    /// A bound of the score that a short search makes probable enough.
    fn multi_probcut(&mut self, own: u64, enemy: u64, alpha: i32, count: u32) -> Option<i32> {
        /// How far a short search is taken to be off the exact score. On nine endgames of 20 to 25 empty squares errors
        /// of 3, 4, 5, 6 and 7 discs took 448, 440, 373, 386 and 397 million nodes. Exact results do not depend on it.
        const ERROR: i32 = 5 * UNIT;
        // A third instead of the half took 120 instead of 113 million nodes on the same endgames.
        let depth = (count - 8) / 2;
        // 1.1 and 2 times the error: 73 and 95 of 100 cases, were errors normal and of that size.
        let margin = if self.certainty == 1 { 11 } else { 20 } * ERROR / 10;
        let (fail, pass) = (alpha * UNIT, (alpha + 1) * UNIT);
        let most = self.last.area * UNIT;
        let view = self.estimator.view(own, enemy);
        if self.estimator.units(&view) >= pass {
            let bound = pass + margin;
            let sure = bound < most && self.midgame(&view, (bound - 1, bound), depth) >= bound;
            sure.then_some(alpha + 1)
        } else {
            let bound = fail - margin;
            let sure = bound > -most && self.midgame(&view, (bound, bound + 1), depth) <= bound;
            sure.then_some(alpha)
        }
    }

    /// A score above `alpha` that the table already has for one of the moves.
    #[inline]
    fn cut_by_known_child(&self, candidates: &Candidates, alpha: i32, count: u32) -> Option<i32> {
        // All are fetched before the first is read: the memory answers them together.
        let keys: ArrayVec<Key, 34> = candidates.iter().map(|child| Key::of(child.own, child.enemy)).collect();
        for &key in &keys {
            self.table.prefetch(key);
        }
        keys.into_iter().find_map(|key| {
            let known = self.table.find(key)?;
            let score = -i32::from(known.upper);
            (known.reaches(count as u8 - 1, self.certainty_at(count - 1)) && score > alpha).then_some(score)
        })
    }
}

/// Puts the moves with the positions they lead to into the list; false if one of them takes the last disc of the enemy.
#[inline]
pub(super) fn list_candidates(candidates: &mut Candidates, own: u64, enemy: u64, moves: u64) -> bool {
    for square in Bits(moves) {
        let flipped = flips(own, enemy, square);
        if flipped == enemy {
            return false;
        }
        let (next_own, next_enemy) = (enemy ^ flipped, own ^ flipped | 1 << square);
        candidates.push(Candidate { own: next_own, enemy: next_enemy, square: square as u8, worth: 0 });
    }
    true
}

/// From this many empty squares on threads tell each other what they are searching.
const SHARED: u32 = 15;

/// The candidates of a node, best first; those that another thread is searching come again when all others are done.
pub(super) struct Queue<'a> {
    candidates: &'a mut Candidates,
    next: usize,
    /// How many candidates at the front were put off.
    put_off: usize,
    again: usize,
    entered: Option<Key>,
}

impl<'a> Queue<'a> {
    pub(super) fn new(candidates: &'a mut Candidates) -> Self {
        Self { candidates, next: 0, put_off: 0, again: 0, entered: None }
    }

    /// The candidate to search now, and whether it is the first.
    #[inline]
    pub(super) fn next(&mut self, worker: &Worker, count: u32) -> Option<(Candidate, bool)> {
        let Some(abdada) = worker.abdada.filter(|_| count >= SHARED) else { return self.best() };
        self.leave(worker);
        while let Some((candidate, first)) = self.best() {
            let key = Key::of(candidate.own, candidate.enemy);
            if first || !abdada.has(key.0) {
                abdada.enter(key.0);
                self.entered = Some(key);
                return Some((candidate, first));
            }
            // Candidates in front of `next` are done with: their places hold what was put off.
            self.candidates[self.put_off] = candidate;
            self.put_off += 1;
        }
        let candidate = *self.candidates[..self.put_off].get(self.again)?;
        self.again += 1;
        Some((candidate, false))
    }

    /// Tells the others that the candidate taken last is free.
    #[inline]
    pub(super) fn leave(&mut self, worker: &Worker) {
        if let (Some(abdada), Some(key)) = (worker.abdada, self.entered.take()) {
            abdada.leave(key.0);
        }
    }

    #[inline]
    fn best(&mut self) -> Option<(Candidate, bool)> {
        let rest = &mut self.candidates[self.next..];
        let best = rest.iter().enumerate().max_by_key(|(_, candidate)| candidate.worth)?.0;
        rest.swap(0, best);
        let candidate = rest[0];
        self.next += 1;
        Some((candidate, self.next == 1))
    }
}
