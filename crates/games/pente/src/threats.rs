//! Wins by continuous threats: every move of the attacker threatens to win at once, by a five or by the fifth capture.
//!
//! What is found is certain. The defender's answers are all those that can help: the places where the attacker would
//! win, and every capture; whatever else is played loses at once. That nothing is found proves nothing.

use std::collections::HashMap;

use quincunx_game::{Position, Side};
use quincunx_search::{
    Tactics, Verdict,
    solver::{Bounds, Goal, Solution, Solver},
};

use super::{Move, Pente, Phase, STONES_TO_WIN, cells::Cells, lines::Lines, patterns::flag};

/// The longest win by threats that is looked for.
const LONGEST: u32 = 31;
/// The positions looked at if no lower bound is set: failed searches are remembered, in about 100 MB then.
const MOST_NODES: u64 = 3_000_000;

/// The positions looked at for a win by threats before a move.
const MOST_NODES_A_MOVE: u64 = 40_000;

/// Finds wins of the side to move by continuous threats; of other positions it knows nothing.
pub(crate) struct ThreatSolver;

impl Solver<Pente> for ThreatSolver {
    fn solve(&mut self, position: &Pente, _goal: Goal, bounds: &Bounds<'_>) -> Option<Solution<Move>> {
        position.win_by_threats(&mut bounds.nodes.min(MOST_NODES), bounds.stopped)
    }

    fn attempt(&mut self, position: &Pente, bounds: &Bounds<'_>, nodes: &mut u64) -> Option<Solution<Move>> {
        let allowed = bounds.nodes.min(MOST_NODES_A_MOVE);
        let mut left = allowed;
        let found = position.win_by_threats(&mut left, bounds.stopped);
        *nodes += allowed - left;
        found
    }
}

impl Pente {
    /// The shortest win of the side to move by threats, looking at no more than `nodes` positions; takes off what it
    /// looked at.
    pub(super) fn win_by_threats(
        &self,
        nodes: &mut u64,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<Solution<Move>> {
        if self.phase != Phase::Open {
            return None;
        }
        let mut lines = self.known();
        let stopped = || stopped();
        let allowed = *nodes;
        let mut hunt = Hunt::thorough(allowed, &stopped);
        let plies = hunt.shortest(self, &mut lines, LONGEST);
        *nodes = hunt.nodes_left;
        let (plies, looked_at) = (plies?, 1 + allowed - hunt.nodes_left);
        // What was found once is found again with the same means.
        let line = Hunt::thorough(allowed.max(1), &|| false).line(self, &mut lines, plies);
        (!line.is_empty()).then_some(Solution { verdict: Verdict::Win(plies), depth: plies, line, nodes: looked_at })
    }
}

impl Lines {
    /// The cells where a stone of `side` wins at once.
    #[inline]
    pub(super) fn wins(&self, position: &Pente, side: Side) -> Cells {
        let mut wins = self.cells(side, flag::FIVE);
        let captures = self.cells(side, flag::CAPTURE);
        let missing = u32::from(STONES_TO_WIN.saturating_sub(position.captured(side)) / 2);
        if missing <= 1 {
            wins = wins | captures;
        } else if !captures.is_empty() {
            for cell in captures.iter().filter(|&cell| self.pairs(side, cell) >= missing) {
                if !wins.has(cell) {
                    wins.toggle(cell);
                }
            }
        }
        wins
    }

    /// Whether `side` has a move that might begin a series of threats.
    #[inline]
    pub(super) fn may_threaten(&self, position: &Pente, side: Side) -> bool {
        !threatening(position, self, side, false).is_empty()
    }
}

/// The cells where a stone of `side` may threaten to win at once. Captures do so if the next one would be the last;
/// `all` asks for the others too, which may open a way to five.
#[inline]
fn threatening(position: &Pente, lines: &Lines, side: Side, all: bool) -> Cells {
    let cells = |flag| lines.cells(side, flag);
    let mut moves = cells(flag::OPEN_FOUR) | cells(flag::FOUR);
    let captured = position.captured(side);
    if all || captured + 4 >= STONES_TO_WIN {
        moves = moves | cells(flag::CAPTURE);
    }
    if captured + 2 >= STONES_TO_WIN {
        moves = moves | cells(flag::FLANK);
    }
    moves
}

/// A search for a win by threats.
pub(super) struct Hunt<'a> {
    /// The positions it may still look at.
    pub(super) nodes_left: u64,
    /// Whether a longer win may have been missed.
    cut: bool,
    /// How deep positions were searched without finding a win, by their hashes.
    failed: Option<HashMap<u64, u32>>,
    stopped: &'a dyn Fn() -> bool,
}

/// Positions between two questions whether to stop.
const POLL: u64 = 64;

impl<'a> Hunt<'a> {
    /// A search that looks at no more positions than this, without any memory.
    pub(super) fn quick(nodes: u64) -> Self {
        Self { nodes_left: nodes, cut: false, failed: None, stopped: &|| false }
    }

    /// The same with a memory, given up when `stopped` says so.
    pub(super) fn thorough(nodes: u64, stopped: &'a dyn Fn() -> bool) -> Self {
        Self { nodes_left: nodes, cut: false, failed: Some(HashMap::new()), stopped }
    }

    /// The shortest win of the side to move in no more plies than this: the number of plies.
    pub(super) fn shortest(&mut self, position: &Pente, lines: &mut Lines, most: u32) -> Option<u32> {
        for plies in (1..=most).step_by(2) {
            self.cut = false;
            let found = self.attack(position, lines, plies);
            if found.is_some() {
                return found;
            }
            if !self.cut || self.nodes_left == 0 {
                return None;
            }
        }
        None
    }

    /// The moves of a win in `plies`, the defender resisting for as long as possible.
    pub(super) fn line(&mut self, position: &Pente, lines: &mut Lines, plies: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let (mut position, mut left) = (*position, plies);
        loop {
            let before = position;
            let winning = lines.wins(&position, position.to_move).moves().next();
            let winning = winning.or_else(|| {
                self.moves(&position, lines).find(|&mv| {
                    self.after(&position, lines, mv, |hunt, child, lines| hunt.defend(child, lines, left - 1)).is_some()
                })
            });
            let Some(mv) = winning else { return line };
            position.play(mv);
            lines.advance(&before, mv, &position);
            line.push(mv);
            if position.outcome().is_some() || left < 3 {
                return line;
            }
            let before = position;
            let answers = replies(&before, lines);
            let resists = |&mv: &Move| {
                self.after(&before, lines, mv, |hunt, child, lines| hunt.attack(child, lines, left - 2)).unwrap_or(0)
            };
            let Some(mv) = answers.moves().max_by_key(resists) else { return line };
            position.play(mv);
            lines.advance(&before, mv, &position);
            line.push(mv);
            left -= 2;
        }
    }

    /// The plies in which the side to move wins, if it does within `plies`.
    pub(super) fn attack(&mut self, position: &Pente, lines: &mut Lines, plies: u32) -> Option<u32> {
        if position.outcome().is_some() {
            return None;
        }
        if !lines.wins(position, position.to_move).is_empty() {
            return Some(1);
        }
        if plies < 3 {
            self.cut = true;
            return None;
        }
        if self.nodes_left == 0 {
            return None;
        }
        self.nodes_left -= 1;
        if self.nodes_left.is_multiple_of(POLL) && (self.stopped)() {
            self.nodes_left = 0;
            return None;
        }
        let hash = position.hash();
        if let Some(&failed) = self.failed.as_ref().and_then(|failed| failed.get(&hash))
            && failed >= plies
        {
            self.cut = true;
            return None;
        }
        for mv in self.moves(position, lines) {
            let found = self.after(position, lines, mv, |hunt, child, lines| hunt.defend(child, lines, plies - 1));
            if let Some(rest) = found {
                return Some(rest + 1);
            }
        }
        if let Some(failed) = &mut self.failed
            && self.nodes_left > 0
        {
            failed.insert(hash, plies);
        }
        None
    }

    /// The plies in which the side to move loses to the threat it stands under, if it does within `plies`.
    fn defend(&mut self, position: &Pente, lines: &mut Lines, plies: u32) -> Option<u32> {
        let side = position.to_move;
        if position.outcome().is_some() || !lines.wins(position, side).is_empty() {
            return None;
        }
        let threats = lines.wins(position, !side);
        if threats.is_empty() {
            return None;
        }
        if threats.has_several() && lines.cells(side, flag::CAPTURE).is_empty() {
            return Some(2);
        }
        let mut longest = 0;
        for reply in replies(position, lines).moves() {
            let rest = self.after(position, lines, reply, |hunt, child, lines| hunt.attack(child, lines, plies - 1))?;
            longest = longest.max(rest + 1);
        }
        Some(longest)
    }

    /// The threats of the side to move, of those that answer a threat of the enemy if there is one; open fours first.
    fn moves(&self, position: &Pente, lines: &Lines) -> impl Iterator<Item = Move> + use<> {
        let side = position.to_move;
        let mut moves = threatening(position, lines, side, self.failed.is_some());
        let danger = lines.wins(position, !side);
        if !danger.is_empty() {
            moves = moves & (danger | lines.cells(side, flag::CAPTURE));
        }
        let open = lines.cells(side, flag::OPEN_FOUR) & moves;
        open.moves().chain(moves.without(open).moves())
    }

    /// Asks a question about the position after a move.
    fn after<T>(
        &mut self,
        position: &Pente,
        lines: &mut Lines,
        mv: Move,
        question: impl FnOnce(&mut Self, &Pente, &mut Lines) -> T,
    ) -> T {
        let mut child = *position;
        child.play(mv);
        lines.advance(position, mv, &child);
        let answer = question(self, &child, lines);
        lines.retreat(position, mv, &child);
        answer
    }
}

/// The moves that may stop the enemy from winning at once.
#[inline]
pub(super) fn replies(position: &Pente, lines: &Lines) -> Cells {
    let side = position.to_move;
    lines.wins(position, !side) | lines.cells(side, flag::CAPTURE)
}
