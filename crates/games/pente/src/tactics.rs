//! The tactics of Pente: what a stone on each empty intersection would do, and which places are near the stones.

use quincunx_game::{Position, bits::Bits};
use quincunx_search::{Tactics, Verdict, tactics::TACTICAL};

use super::{
    FULL_ROW, Move, Pente, Phase, SIZE,
    cells::Cells,
    lines::Lines,
    patterns::{Patterns, flag},
    threats::{Hunt, replies},
};

/// The longest win by threats looked for inside the tree, and the positions looked at for each ply the search has left.
const HUNT_PLIES: u32 = 15;
const HUNT_NODES_A_PLY: u64 = 10;

impl Tactics for Pente {
    type Known = Lines;

    const USUAL_MOVES: u32 = 14;
    const MOVE_CODES: usize = SIZE * SIZE;

    fn code(mv: Move) -> u16 {
        mv.cell() as u16
    }

    fn decode(code: u16) -> Move {
        Move::of_cell(code as usize)
    }

    fn known(&self) -> Lines {
        Lines::new(self, Patterns::embedded())
    }

    /// If the enemy threatens to win, or to make an open four, only the places that may stop it; otherwise the places
    /// near stones and those that do something.
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

    /// By rank, within a rank by what can be done along the lines.
    #[inline]
    fn order(&self, lines: &Lines, mv: Move) -> i32 {
        self.rank(lines, mv) * TACTICAL + lines.urgency(self.to_move, mv.cell())
    }

    fn themes(&self, line: &[Move]) -> Vec<&'static str> {
        self.themes_of(line)
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
}

impl Pente {
    /// What a move is for: five first, then what stops five, then fours, captures and what saves from them; 0 if it does
    /// none of this.
    #[inline]
    pub(super) fn rank(&self, lines: &Lines, mv: Move) -> i32 {
        let cell = mv.cell();
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| {
            let [a, b, c, d] = lines.flags(side, cell);
            a | b | c | d
        });
        if own & flag::FIVE != 0 {
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
            0
        }
    }

    /// Calls `visit` with the legal places no further than three from a stone, the nearest that the second stone may
    /// go; all legal places if there are none.
    fn for_each_in_the_opening(&self, visit: impl FnMut(Move)) {
        let near = |mv: &Move| {
            let distance = |stone: Move| stone.row().abs_diff(mv.row()).max(stone.column().abs_diff(mv.column()));
            self.stones.iter().any(|(_, stone)| distance(stone) <= 3)
        };
        let moves = self.moves();
        let anything = !moves.iter().any(near);
        moves.into_iter().filter(|mv| anything || near(mv)).for_each(visit);
    }

    /// Calls `visit` with the legal places of a set and those near stones: next to one, or one further along a line;
    /// all legal places if there are none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_legal_and_there_in_the_opening_too() {
        let mut position = Pente::start("tournament").unwrap();
        for name in ["10K", "11L", "10N"] {
            let mv = position.parse_move(name).unwrap();
            let mut candidates = Vec::new();
            position.for_each_candidate(&position.known(), |mv| candidates.push(mv));
            assert!(candidates.contains(&mv), "{name}");
            assert!(candidates.iter().all(|&candidate| position.may_place(candidate)));
            position.play(mv);
        }
    }
}
