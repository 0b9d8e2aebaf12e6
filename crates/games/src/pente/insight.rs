//! What an engine knows of Pente: what a stone on each empty intersection would do, and that play is near the stones.

use quincunx_game::{Position, Side, bits::Bits};
use quincunx_search::{
    Insight,
    insight::{Effort, Solution, TACTICAL, Tuning, Verdict},
};

use super::{
    FULL_ROW, Move, Pente, Phase, SIZE, STONES_TO_WIN,
    cells::Cells,
    lines::Lines,
    patterns::{Patterns, flag},
    threats::{Hunt, replies},
};

/// What can be done along a line, as terms of the evaluation: name, flag.
const SHAPES: [(&str, u32); 10] = [
    ("five", flag::FIVE),
    ("open four", flag::OPEN_FOUR),
    ("four", flag::FOUR),
    ("open three", flag::OPEN_THREE),
    ("three", flag::THREE),
    ("open two", flag::OPEN_TWO),
    ("two", flag::TWO),
    ("capture", flag::CAPTURE),
    ("flank", flag::FLANK),
    ("liable", flag::LIABLE),
];

/// What each shape is worth along each line of each empty intersection, in the order of [`SHAPES`]; these and [`CAPTURED`] by
/// `quincunx tune pente --games 6000 --nodes 1500 --random-plies 4 --seed 7` (71,070 positions) where it says anything: fives and own open
/// fours are nearly always settled before a position is evaluated.
pub(super) struct Weights([i32; SHAPES.len()]);

impl Weights {
    /// For the side to move.
    pub(super) const MOVER: Self = Self([3000, 1500, 306, 144, 48, 11, 5, 687, 197, 6]);
    /// For the other side.
    pub(super) const OTHER: Self = Self([1200, 573, 334, 138, 50, 9, -8, 776, 27, 23]);

    /// What the flags of one side are worth.
    pub(super) fn worth(&self, flags: u32) -> i32 {
        SHAPES.iter().zip(self.0).filter(|((_, flag), _)| flags & flag != 0).map(|(_, weight)| weight).sum()
    }
}

/// What the captures so far are worth, by pairs: each brings the fifth nearer.
const CAPTURED: [i32; 5] = [0, 24, 299, 455, 1420];

/// How urgent shapes make a place where nothing must be played at once, in the order of [`SHAPES`].
pub(super) struct Urgency([i32; SHAPES.len()]);

impl Urgency {
    /// Those of the side to move.
    pub(super) const OWN: Self = Self([0, 0, 800, 3000, 700, 500, 100, 0, 1500, -1200]);
    /// Those of the other side.
    pub(super) const OTHER: Self = Self([0, 0, 800, 2200, 400, 350, 80, 0, 500, 0]);

    /// How urgent the flags of one side are.
    pub(super) fn of(&self, flags: u32) -> i32 {
        SHAPES.iter().zip(self.0).filter(|((_, flag), _)| flags & flag != 0).map(|(_, weight)| weight).sum()
    }
}

/// The positions looked at for a win by threats at the root.
const HUNT_NODES: u64 = 40_000;
/// The longest one looked for inside the tree, and the positions looked at for each ply the search has left.
const HUNT_PLIES: u32 = 15;
const HUNT_NODES_A_PLY: u64 = 10;

impl Insight for Pente {
    type State = Lines;

    const TUNING: Tuning =
        Tuning { scale: 600.0, aspiration: 160, hopeless: 300, reduction: 2.0, moves: 14, ..Tuning::CAUTIOUS };
    const MOVE_CODES: usize = SIZE * SIZE;

    fn code(mv: Move) -> u16 {
        mv.cell() as u16
    }

    fn decode(code: u16) -> Move {
        Move::of_cell(code as usize)
    }

    fn prepare() {
        Patterns::get();
    }

    fn state(&self) -> Lines {
        Lines::new(self)
    }

    #[inline]
    fn advance(lines: &mut Lines, before: &Self, mv: Move, after: &Self) {
        lines.advance(before, mv, after);
    }

    #[inline]
    fn retreat(lines: &mut Lines, before: &Self, mv: Move, after: &Self) {
        lines.retreat(before, mv, after);
    }

    #[inline]
    fn evaluate(&self, lines: &Lines) -> i32 {
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| CAPTURED[self.pairs_captured(side)]);
        (lines.worth(self.to_move) + own - enemy).clamp(-20_000, 20_000)
    }

    /// Where the enemy would win, only what may stop that; where he would make an open four, only what may stop that;
    /// otherwise the places near stones and those that do something.
    #[inline]
    fn for_each_candidate(&self, lines: &Lines, visit: impl FnMut(Move)) {
        if self.phase != Phase::Open {
            return self.for_each_in_the_opening(visit);
        }
        let (own, enemy) = (self.to_move, !self.to_move);
        let wins = lines.wins(self, own);
        if !wins.is_empty() {
            return wins.moves().for_each(visit);
        }
        if !lines.wins(self, enemy).is_empty() {
            return replies(self, lines).moves().for_each(visit);
        }
        let fours = |side| lines.cells(side, flag::OPEN_FOUR) | lines.cells(side, flag::FOUR);
        let captures = lines.cells(own, flag::CAPTURE) | lines.cells(own, flag::FLANK);
        let active = fours(own) | fours(enemy) | captures;
        if !lines.cells(enemy, flag::OPEN_FOUR).is_empty() {
            return active.moves().for_each(visit);
        }
        let threes = lines.cells(own, flag::OPEN_THREE) | lines.cells(enemy, flag::OPEN_THREE);
        self.for_each_near(active | threes | lines.cells(enemy, flag::CAPTURE), visit);
    }

    /// Captures.
    #[inline]
    fn for_each_forcing(&self, lines: &Lines, visit: impl FnMut(Move)) {
        if self.phase == Phase::Open {
            lines.cells(self.to_move, flag::CAPTURE).moves().for_each(visit);
        }
    }

    #[inline]
    fn is_threatened(&self, lines: &Lines) -> bool {
        self.phase == Phase::Open && !lines.wins(self, !self.to_move).is_empty()
    }

    /// Five first, then what stops five, then fours, captures and what saves from them, then threes and the like.
    #[inline]
    fn order(&self, lines: &Lines, mv: Move) -> i32 {
        let cell = mv.cell();
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| {
            let [a, b, c, d] = lines.flags(side, cell);
            a | b | c | d
        });
        let quiet = lines.urgency(self.to_move, cell);
        let rank = if own & flag::FIVE != 0 {
            8
        } else if enemy & flag::FIVE != 0 {
            7
        } else if own & flag::OPEN_FOUR != 0 {
            6
        } else if own & flag::CAPTURE != 0 {
            5
        } else if enemy & flag::OPEN_FOUR != 0 {
            4
        } else if enemy & flag::CAPTURE != 0 {
            3
        } else if own & flag::FOUR != 0 {
            2
        } else {
            return quiet;
        };
        rank * TACTICAL + quiet
    }

    #[inline]
    fn verdict(&self, lines: &Lines, depth: i32) -> Option<Verdict> {
        if self.phase != Phase::Open {
            return None;
        }
        let (own, enemy) = (self.to_move, !self.to_move);
        if !lines.wins(self, own).is_empty() {
            return Some(Verdict::Win(1));
        }
        let danger = lines.wins(self, enemy);
        if danger.has_several() && lines.cells(own, flag::CAPTURE).is_empty() {
            return Some(Verdict::Loss(2));
        }
        if danger.is_empty() && self.makes_safe_open_four(lines) {
            return Some(Verdict::Win(3));
        }
        if depth < 2 || !lines.may_threaten(self, own) {
            return None;
        }
        let mut hunt = Hunt::quick(HUNT_NODES_A_PLY * depth as u64);
        hunt.attack(self, &mut lines.clone(), HUNT_PLIES).map(Verdict::Win)
    }

    /// A win by threats, if there is one.
    fn solve(&self, effort: &mut Effort<'_>) -> Option<Solution<Move>> {
        let mut nodes = effort.nodes.min(HUNT_NODES);
        effort.nodes -= nodes;
        let found = self.win_by_threats(&mut nodes, effort.stopped);
        effort.nodes += nodes;
        found
    }

    fn features(&self, lines: &Lines) -> Vec<(&'static str, i32)> {
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| lines.counts(side));
        let [pairs, enemy_pairs] = [self.to_move, !self.to_move].map(|side| self.pairs_captured(side));
        let captured = |number| i32::from(pairs >= number) - i32::from(enemy_pairs >= number);
        let mut features = Vec::new();
        for (index, (name, _)) in SHAPES.into_iter().enumerate() {
            features.push((name, own[index]));
            features.push(("  of the other", -enemy[index]));
        }
        features.extend([("pairs 1", captured(1)), ("pairs 2", captured(2))]);
        features.extend([("pairs 3", captured(3)), ("pairs 4", captured(4))]);
        features
    }
}

impl Pente {
    #[inline]
    fn pairs_captured(&self, side: Side) -> usize {
        (self.captured(side).min(STONES_TO_WIN - 2) / 2) as usize
    }

    /// Calls `visit` with the legal places no further than three from a stone, where the second stone must go at the nearest;
    /// all of them where there are none of these.
    fn for_each_in_the_opening(&self, visit: impl FnMut(Move)) {
        let near = |mv: &Move| {
            let distance = |stone: Move| stone.row().abs_diff(mv.row()).max(stone.column().abs_diff(mv.column()));
            self.stones.iter().any(|(_, stone)| distance(stone) <= 3)
        };
        let moves = self.moves();
        let anything = !moves.iter().any(near);
        moves.into_iter().filter(|mv| anything || near(mv)).for_each(visit);
    }

    /// Calls `visit` with the legal places of a set and those near stones: next to one, or one further along a line; all of
    /// them where there are none of these.
    fn for_each_near(&self, also: Cells, mut visit: impl FnMut(Move)) {
        let row = |row: Option<usize>| row.filter(|&row| row < SIZE).map_or(0, |row| self.stones.occupied_row(row));
        let mut found = false;
        for at in 0..SIZE {
            let [far, above, own, below, beyond] =
                [at.checked_sub(2), at.checked_sub(1), Some(at), Some(at + 1), Some(at + 2)].map(row);
            let (beside, further) = (above | own | below, far | own | beyond);
            let near = beside | beside << 1 | beside >> 1 | further | further << 2 | further >> 2;
            for column in Bits(u64::from((near & FULL_ROW | also.row(at)) & self.open_row(at))) {
                found = true;
                visit(Move::at(at, column as usize));
            }
        }
        if !found {
            self.for_each_move(visit);
        }
    }

    /// Whether the side to move makes an open four that no capture can break: two fives that one stone cannot stop.
    fn makes_safe_open_four(&self, lines: &Lines) -> bool {
        let fours = lines.cells(self.to_move, flag::OPEN_FOUR);
        !fours.is_empty()
            && lines.cells(!self.to_move, flag::CAPTURE).is_empty()
            && fours.iter().any(|cell| {
                lines.flags(self.to_move, cell).iter().all(|flags| flags & (flag::LIABLE | flag::CAPTURE) == 0)
            })
    }
}

impl Lines {
    /// How often `side` can make each of the shapes.
    fn counts(&self, side: Side) -> [i32; SHAPES.len()] {
        let mut counts = [0; SHAPES.len()];
        for cell in 0..SIZE * SIZE {
            for flags in self.flags(side, cell) {
                for (count, (_, flag)) in counts.iter_mut().zip(SHAPES) {
                    *count += i32::from(flags & flag != 0);
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_legal_and_there_in_the_opening_too() {
        let mut position = Pente::start("tournament").unwrap();
        for name in ["10K", "11L", "10N"] {
            let mv = position.parse_move(name).unwrap();
            let mut candidates = Vec::new();
            position.for_each_candidate(&position.state(), |mv| candidates.push(mv));
            assert!(candidates.contains(&mv), "{name}");
            assert!(candidates.iter().all(|&candidate| position.may_place(candidate)));
            position.play(mv);
        }
    }
}
