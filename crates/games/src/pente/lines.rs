//! The lines of the board, kept up from stone to stone: what a stone on each empty intersection would do.

use quincunx_game::Side;

use super::{
    LINES, Move, Pente, SIZE,
    cells::Cells,
    patterns::{Key, Patterns, flag},
    stones_of_pairs,
};

/// How far a line is seen.
const SIGHT: usize = 4;

/// The way from a cell to the next one along each line.
const STEPS: [usize; 4] = [1, SIZE, SIZE + 1, SIZE - 1];

/// What is known of every intersection and of all together.
#[derive(Clone)]
pub struct Lines {
    patterns: &'static Patterns,
    cells: [Cell; SIZE * SIZE],
    /// The cells with each of the first flags along any line; the first side's sets, then the second's.
    sets: [Cells; 2 * flag::SETS],
    taken: Cells,
    /// The worth of all lines for the first side, by the side to move.
    worth: [i32; 2],
}

/// What is known of an intersection along its four lines.
#[derive(Clone, Copy, PartialEq, Default)]
struct Cell {
    /// What it sees.
    keys: [Key; 4],
    /// What a stone on it would do; nothing where one stands.
    flags: [u32; 4],
}

impl Cell {
    /// What a stone on it would do along any of the lines.
    #[inline]
    fn any(&self) -> u32 {
        let [a, b, c, d] = self.flags;
        a | b | c | d
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        (&self.cells, self.sets, self.taken, self.worth) == (&other.cells, other.sets, other.taken, other.worth)
    }
}

impl Lines {
    pub(super) fn new(position: &Pente) -> Self {
        let mut lines = Self {
            patterns: Patterns::get(),
            cells: [Cell::default(); SIZE * SIZE],
            sets: [Cells::NONE; 2 * flag::SETS],
            taken: Cells::NONE,
            worth: [0; 2],
        };
        for cell in 0..SIZE * SIZE {
            for line in 0..4 {
                let (back, on) = reach(cell, line);
                for step in back..SIGHT {
                    lines.cells[cell].keys[line] |= 0x101 << (SIGHT - 1 - step);
                }
                for step in on..SIGHT {
                    lines.cells[cell].keys[line] |= 0x101 << (SIGHT + step);
                }
            }
            lines.enter(cell);
        }
        for (side, place) in position.stones.iter() {
            lines.place(side, place.cell());
        }
        lines
    }

    /// Goes along with a move.
    #[inline]
    pub(super) fn advance(&mut self, before: &Pente, mv: Move, after: &Pente) {
        let side = before.to_move;
        self.place(side, mv.cell());
        if before.captured != after.captured {
            for stone in stones_of_pairs(before.stones.around(mv).captures(side), mv) {
                self.remove(!side, stone.cell());
            }
        }
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn retreat(&mut self, before: &Pente, mv: Move, after: &Pente) {
        let side = before.to_move;
        if before.captured != after.captured {
            for stone in stones_of_pairs(before.stones.around(mv).captures(side), mv) {
                self.place(!side, stone.cell());
            }
        }
        self.remove(side, mv.cell());
    }

    /// The cells where a stone of `side` would do what one flag says.
    #[inline]
    pub(super) fn cells(&self, side: Side, flag: u32) -> Cells {
        self.sets[flag::SETS * side.index() + flag.trailing_zeros() as usize]
    }

    /// What a stone of `side` on an empty cell would do along the four lines.
    #[inline]
    pub(super) fn flags(&self, side: Side, cell: usize) -> [u32; 4] {
        let shift = flag::SIDE_SHIFT * side.index() as u32;
        self.cells[cell].flags.map(|flags| flags >> shift & 0xffff)
    }

    /// The pairs a stone of `side` on an empty cell would capture.
    #[inline]
    pub(super) fn pairs(&self, side: Side, cell: usize) -> u32 {
        let flags = self.flags(side, cell);
        flags.map(|flags| (flags & (flag::CAPTURE | flag::SECOND_CAPTURE)).count_ones()).iter().sum()
    }

    /// How urgent an empty cell is for a side to move.
    #[inline]
    pub(super) fn urgency(&self, side: Side, cell: usize) -> i32 {
        self.cells[cell].keys.map(|key| i32::from(self.patterns.urgency(key)[side.index()])).iter().sum()
    }

    /// The worth of all lines for the side to move.
    #[inline]
    pub(super) fn worth(&self, to_move: Side) -> i32 {
        match to_move {
            Side::First => self.worth[0],
            Side::Second => -self.worth[1],
        }
    }

    #[inline]
    fn place(&mut self, side: Side, cell: usize) {
        self.leave(cell);
        self.toggle(side, cell);
    }

    #[inline]
    fn remove(&mut self, side: Side, cell: usize) {
        self.toggle(side, cell);
        self.taken.toggle(cell);
        self.enter(cell);
    }

    /// Counts what stones on a cell would do, from now on.
    fn enter(&mut self, cell: usize) {
        let here = &mut self.cells[cell];
        for line in 0..4 {
            let pattern = self.patterns.of(here.keys[line]);
            here.flags[line] = pattern.flags;
            self.worth[0] += i32::from(pattern.worth[0]);
            self.worth[1] += i32::from(pattern.worth[1]);
        }
        let any = here.any();
        self.toggle_sets(cell, any);
    }

    /// No longer counts what stones on a cell would do: one stands there now.
    #[inline]
    fn leave(&mut self, cell: usize) {
        let here = &mut self.cells[cell];
        for key in here.keys {
            let pattern = self.patterns.of(key);
            self.worth[0] -= i32::from(pattern.worth[0]);
            self.worth[1] -= i32::from(pattern.worth[1]);
        }
        let any = here.any();
        here.flags = [0; 4];
        self.toggle_sets(cell, any);
        self.taken.toggle(cell);
    }

    /// Tells the cells around that a stone came or went.
    #[inline]
    fn toggle(&mut self, side: Side, cell: usize) {
        let shift = 8 * side.index();
        for (line, step) in STEPS.into_iter().enumerate() {
            let (back, on) = reach(cell, line);
            // Seen from a cell further back this one lies further on, and the other way round.
            for distance in 1..=back {
                self.change(cell - distance * step, line, 1 << (SIGHT - 1 + distance + shift));
            }
            for distance in 1..=on {
                self.change(cell + distance * step, line, 1 << (SIGHT - distance + shift));
            }
        }
    }

    #[inline]
    fn change(&mut self, cell: usize, line: usize, bit: Key) {
        let here = &mut self.cells[cell];
        let old = here.keys[line];
        here.keys[line] = old ^ bit;
        let pattern = self.patterns.of(old ^ bit);
        // The worth depends on the flags alone.
        if pattern.flags == here.flags[line] || self.taken.has(cell) {
            return;
        }
        let before = self.patterns.of(old);
        self.worth[0] += i32::from(pattern.worth[0]) - i32::from(before.worth[0]);
        self.worth[1] += i32::from(pattern.worth[1]) - i32::from(before.worth[1]);
        let any = here.any();
        here.flags[line] = pattern.flags;
        let changed = any ^ here.any();
        self.toggle_sets(cell, changed);
    }

    #[inline]
    fn toggle_sets(&mut self, cell: usize, changed: u32) {
        const SETS: u32 = (1 << flag::SETS) - 1;
        let mut bits = changed & SETS | (changed >> flag::SIDE_SHIFT & SETS) << flag::SETS;
        while bits != 0 {
            self.sets[bits.trailing_zeros() as usize].toggle(cell);
            bits &= bits - 1;
        }
    }
}

/// How many cells of the board, four at most, lie back and on from a cell along a line.
#[inline]
fn reach(cell: usize, line: usize) -> (usize, usize) {
    let (row, column) = (cell / SIZE, cell % SIZE);
    let (up, down) = (row.min(SIGHT), (SIZE - 1 - row).min(SIGHT));
    let (left, right) = (column.min(SIGHT), (SIZE - 1 - column).min(SIGHT));
    match LINES[line] {
        (0, _) => (left, right),
        (_, 0) => (up, down),
        (_, 1) => (up.min(left), down.min(right)),
        _ => (up.min(right), down.min(left)),
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Game;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn lines_kept_up_equal_lines_from_scratch_there_and_back() {
        for seed in 0..20 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = Pente::start("free").unwrap();
            let mut lines = Lines::new(&position);
            let mut game = Vec::new();
            while let Some(mv) = position.outcome().is_none().then(|| position.random_move(&mut rng)).flatten() {
                let before = position;
                position.play(mv);
                lines.advance(&before, mv, &position);
                assert!(lines == Lines::new(&position), "{}", position.text());
                game.push((before, mv, position));
            }
            for (before, mv, after) in game.into_iter().rev() {
                lines.retreat(&before, mv, &after);
                assert!(lines == Lines::new(&before), "{}", before.text());
            }
        }
    }

    #[test]
    fn flags_agree_with_the_rules() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..20 {
            let mut position = Pente::start("free").unwrap();
            while position.outcome().is_none() {
                let lines = Lines::new(&position);
                for mv in position.moves() {
                    for side in Side::BOTH {
                        let around = position.stones.around(mv);
                        assert_eq!(lines.cells(side, flag::FIVE).has(mv.cell()), around.makes_five(side));
                        assert_eq!(lines.pairs(side, mv.cell()), around.captures(side).count_ones());
                        assert_eq!(
                            lines.cells(side, flag::CAPTURE).has(mv.cell()),
                            around.captures(side) != 0,
                            "{}",
                            position.text()
                        );
                    }
                }
                position.play(position.random_move(&mut rng).unwrap());
            }
        }
    }
}
