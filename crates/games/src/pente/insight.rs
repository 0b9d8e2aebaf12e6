//! What an engine knows of Pente: rows that can still become five, captures, and that play is near the stones.

use quincunx_game::{
    Game, Insight, Side,
    bits::Bits,
    insight::{TACTICAL, Tuning},
};

use super::{FULL_ROW, LINES, Move, Pente, SIZE};

/// What five cells in a line without an enemy stone are worth, by the number of own stones on them.
const OPEN_FIVES: [i32; 5] = [0, 2, 12, 60, 240];

/// What the captures so far are worth, by pairs: each brings the fifth nearer.
const CAPTURES: [i32; 5] = [0, 120, 300, 600, 1200];

impl Insight for Pente {
    type State = ();

    const TUNING: Tuning = Tuning { scale: 600.0, ..Tuning::CAUTIOUS };
    const MOVE_CODES: usize = SIZE * SIZE;

    fn code(mv: Move) -> u16 {
        mv.cell() as u16
    }

    fn decode(code: u16) -> Move {
        Move::of_cell(code as usize)
    }

    fn state(&self) {}

    fn evaluate(&self, (): &()) -> i32 {
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| {
            let pairs = self.captured(side) as usize / 2;
            self.open_fives(side) + CAPTURES[pairs.min(CAPTURES.len() - 1)]
        });
        (own - enemy).clamp(-20_000, 20_000)
    }

    /// The places no further than two from a stone; all of them where there are none of these.
    fn for_each_candidate(&self, (): &(), mut visit: impl FnMut(Move)) {
        let widened: [u32; SIZE] = std::array::from_fn(|row| {
            let stones = self.stones.occupied_row(row);
            stones | stones << 1 | stones >> 1 | stones << 2 | stones >> 2
        });
        let mut found = false;
        for row in 0..SIZE {
            let near = widened[row.saturating_sub(2)..SIZE.min(row + 3)].iter().fold(0, |near, other| near | other);
            for column in Bits(u64::from(near & self.open_row(row))) {
                found = true;
                visit(Move::at(row, column as usize));
            }
        }
        if !found {
            self.for_each_move(visit);
        }
    }

    /// Five first, then what stops five, then captures and what saves from them, then the company of stones.
    fn order(&self, (): &(), mv: Move) -> i32 {
        let around = self.stones.around(mv);
        let [own, enemy] = [self.to_move, !self.to_move];
        if around.makes_five(own) {
            return 4 * TACTICAL;
        }
        if around.makes_five(enemy) {
            return 3 * TACTICAL;
        }
        let [taken, saved] = [own, enemy].map(|side| around.captures(side).count_ones() as i32);
        if taken + saved > 0 {
            return TACTICAL + 2 * taken + saved;
        }
        let [own, enemy] = [own, enemy].map(|side| {
            let [twos, threes, _] = around.runs(side).map(|places| places.count_ones() as i32);
            2 * twos + 10 * threes
        });
        100 * own + 90 * enemy + around.count() as i32
    }
}

impl Pente {
    /// The worth of all lines of five cells that `side` can still fill.
    fn open_fives(&self, side: Side) -> i32 {
        let mut worth = 0;
        for (down, right) in LINES {
            let last = if down == 0 { SIZE } else { SIZE - 4 };
            for row in 0..last {
                // Bit by bit, whether an enemy stands on any of the five cells that begin there, and how many own stones do.
                let (mut blocked, mut ones, mut twos, mut fours) = (0, 0, 0, 0);
                for step in 0..5 {
                    let at = |side| shifted(self.stones.row(side, row + down as usize * step), right * step as i32);
                    blocked |= at(!side);
                    let own = at(side);
                    let carry = ones & own;
                    ones ^= own;
                    fours |= twos & carry;
                    twos ^= carry;
                }
                let begins = match right {
                    0 => FULL_ROW,
                    1 => FULL_ROW >> 4,
                    _ => FULL_ROW & !0xf,
                };
                let open = begins & !blocked;
                let count = |places: u32| (open & places).count_ones() as i32;
                worth += OPEN_FIVES[1] * count(ones & !twos & !fours)
                    + OPEN_FIVES[2] * count(twos & !ones)
                    + OPEN_FIVES[3] * count(twos & ones)
                    + OPEN_FIVES[4] * count(fours & !ones);
            }
        }
        worth
    }
}

/// The row with the cell `by` further right brought to each place.
fn shifted(row: u32, by: i32) -> u32 {
    if by < 0 { row << -by } else { row >> by }
}

#[cfg(test)]
mod tests {
    use quincunx_game::game::mix;

    use super::*;
    use crate::pente::Stones;

    #[test]
    fn open_fives_are_those_found_by_walking() {
        let mut state = 1;
        for round in 0..100 {
            let mut stones = Stones::NONE;
            for cell in 0..SIZE * SIZE {
                state = mix(state, 77);
                if state % 200 <= round {
                    stones.toggle(Side::BOTH[(state >> 32) as usize % 2], Move::of_cell(cell));
                }
            }
            let position = Pente::set_up(stones, Side::First, [0, 0], false);
            for side in Side::BOTH {
                let mut expected = 0;
                for place in (0..SIZE * SIZE).map(Move::of_cell) {
                    for (down, right) in LINES {
                        let cells: Option<Vec<Move>> =
                            (0..5).map(|step| place.moved(down * step, right * step)).collect();
                        let Some(cells) = cells else { continue };
                        let own = cells.iter().filter(|&&cell| stones.has(side, cell)).count();
                        if own < 5 && !cells.iter().any(|&cell| stones.has(!side, cell)) {
                            expected += OPEN_FIVES[own];
                        }
                    }
                }
                assert_eq!(position.open_fives(side), expected);
            }
        }
    }

    #[test]
    fn candidates_are_legal_and_there_in_the_opening_too() {
        let mut position = Pente::start("tournament").unwrap();
        for name in ["10K", "11L", "10N"] {
            let mv = position.parse_move(name).unwrap();
            let mut candidates = Vec::new();
            position.for_each_candidate(&(), |mv| candidates.push(mv));
            assert!(candidates.contains(&mv), "{name}");
            assert!(candidates.iter().all(|&candidate| position.may_place(candidate)));
            position.play(mv);
        }
    }
}
