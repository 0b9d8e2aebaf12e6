//! The lines of the board, kept up from stone to stone: what a stone on each empty intersection would do.

use std::sync::Arc;

use quincunx_game::{Side, bits::Bits};

use super::{
    Move, Pente, SIZE,
    cells::Cells,
    patterns::{Class, Key, Patterns, STONES, TAKEN, empty_line, flag},
    stones_of_pairs,
};

/// How far a line is seen.
const SIGHT: usize = 4;

/// The way from a cell to the next one along each of the [`LINES`](super::stones::LINES).
const STEPS: [usize; 4] = [1, SIZE, SIZE + 1, SIZE - 1];

/// What is known of every intersection and of all together.
#[derive(Clone)]
pub struct Lines {
    patterns: Arc<Patterns>,
    cells: [Cell; SIZE * SIZE],
    /// The cells with each of the first flags along any line; the first side's sets, then the second's.
    sets: [Cells; 2 * flag::SETS],
}

/// What is known of an intersection along its four lines.
#[derive(Clone, Copy, PartialEq, Default)]
struct Cell {
    /// What it sees.
    keys: [Key; 4],
    /// What a stone on it would do; nothing if it holds one.
    classes: [Class; 4],
}

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        (&self.cells, self.sets) == (&other.cells, other.sets)
    }
}

impl Lines {
    pub(super) fn new(position: &Pente, patterns: Arc<Patterns>) -> Self {
        let mut lines = Self { patterns, cells: [Cell::default(); SIZE * SIZE], sets: [Cells::NONE; 2 * flag::SETS] };
        for (cell, keys) in EMPTY_KEYS.iter().enumerate() {
            for (line, &key) in keys.iter().enumerate() {
                lines.change(cell, line, key);
            }
        }
        for (side, place) in position.stones.iter() {
            lines.place(side, place.cell());
        }
        lines
    }

    /// Updates it with a move.
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
        self.cells[cell].classes.map(|class| self.patterns.of(class).flags >> shift & 0xffff)
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
        self.cells[cell].classes.map(|class| i32::from(self.patterns.of(class).urgency[side.index()])).iter().sum()
    }

    /// What a cell sees along its four lines.
    #[inline]
    pub(super) fn keys(&self, cell: usize) -> [Key; 4] {
        self.cells[cell].keys
    }

    /// A stone is placed.
    #[inline]
    pub(super) fn place(&mut self, side: Side, cell: usize) {
        for line in 0..4 {
            self.change(cell, line, TAKEN);
        }
        self.tell(cell, side.index() as Key + 1);
    }

    /// A stone is taken away.
    #[inline]
    pub(super) fn remove(&mut self, side: Side, cell: usize) {
        self.tell(cell, (side.index() as Key + 1).wrapping_neg());
        for line in 0..4 {
            self.change(cell, line, TAKEN.wrapping_neg());
        }
    }

    /// Tells the cells around that a stone was placed, or taken away if the number is negative.
    #[inline]
    fn tell(&mut self, cell: usize, stone: Key) {
        for_each_seeing(cell, |other, line, weight| self.change(other, line, stone.wrapping_mul(weight)));
    }

    /// Adds to what a cell sees along a line. Without branches but one that is seldom taken: whether something changes
    /// at all cannot be predicted.
    #[expect(
        clippy::inline_always,
        reason = "inside the unrolled loops its arguments are constants: half as fast again"
    )]
    #[inline(always)]
    fn change(&mut self, cell: usize, line: usize, added: Key) {
        let here = &mut self.cells[cell];
        here.keys[line] = here.keys[line].wrapping_add(added);
        let class = self.patterns.class(here.keys[line]);
        let [before, after] = [self.patterns.of(here.classes[line]), self.patterns.of(class)];
        here.classes[line] = class;
        let changed = (before.flags ^ after.flags) & flag::ALL_SETS;
        if changed != 0 {
            self.change_sets(cell, line, changed);
        }
    }

    /// Takes a cell into the sets of these flags or out of them, unless it is there for another line too.
    fn change_sets(&mut self, cell: usize, line: usize, changed: u32) {
        let classes = self.cells[cell].classes.iter().enumerate().filter(|&(other, _)| other != line);
        let others = classes.fold(0, |flags, (_, &class)| flags | self.patterns.of(class).flags);
        let changed = changed & !others;
        for bit in Bits(u64::from(changed & 0xffff | changed >> (flag::SIDE_SHIFT - flag::SETS as u32))) {
            self.sets[bit as usize].toggle(cell);
        }
    }
}

/// Calls `visit` with every cell that sees this one, the line along which it does, and what a stone of the first side
/// here adds to its key.
#[expect(clippy::inline_always, reason = "inside the unrolled loops the arguments are constants: half as fast again")]
#[inline(always)]
pub(super) fn for_each_seeing(cell: usize, mut visit: impl FnMut(usize, usize, Key)) {
    for (line, ([back, on], step)) in REACH[cell].into_iter().zip(STEPS).enumerate() {
        // Seen from a cell further back this one lies further on, and the other way round. Loops of a fixed length are
        // unrolled.
        for distance in 1..=SIGHT {
            if distance <= back as usize {
                visit(cell - distance * step, line, STONES[SIGHT - 1 + distance]);
            }
            if distance <= on as usize {
                visit(cell + distance * step, line, STONES[SIGHT - distance]);
            }
        }
    }
}

/// The keys of all cells of an empty board.
pub(super) static EMPTY_KEYS: [[Key; 4]; SIZE * SIZE] = {
    let mut keys = [[0; 4]; SIZE * SIZE];
    let mut cell = 0;
    while cell < SIZE * SIZE {
        let mut line = 0;
        while line < 4 {
            let [back, on] = REACH[cell][line];
            keys[cell][line] = empty_line(back as usize, on as usize);
            line += 1;
        }
        cell += 1;
    }
    keys
};

/// How many cells of the board, four at most, lie back and on from a cell along each line.
static REACH: [[[u8; 2]; 4]; SIZE * SIZE] = {
    const fn least(a: usize, b: usize) -> usize {
        if a < b { a } else { b }
    }
    let mut reach = [[[0; 2]; 4]; SIZE * SIZE];
    let mut cell = 0;
    while cell < SIZE * SIZE {
        let (row, column) = (cell / SIZE, cell % SIZE);
        let (up, down) = (least(row, SIGHT), least(SIZE - 1 - row, SIGHT));
        let (left, right) = (least(column, SIGHT), least(SIZE - 1 - column, SIGHT));
        let ends =
            [[left, right], [up, down], [least(up, left), least(down, right)], [least(up, right), least(down, left)]];
        let mut line = 0;
        while line < 4 {
            reach[cell][line] = [ends[line][0] as u8, ends[line][1] as u8];
            line += 1;
        }
        cell += 1;
    }
    reach
};

#[cfg(test)]
mod tests {
    use quincunx_game::Position;
    use quincunx_search::Tactics;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn lines_kept_up_equal_lines_from_scratch_there_and_back() {
        for seed in 0..20 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = Pente::start("free").unwrap();
            let mut lines = position.known();
            let mut game = Vec::new();
            while let Some(mv) = position.outcome().is_none().then(|| position.random_move(&mut rng)).flatten() {
                let before = position;
                position.play(mv);
                lines.advance(&before, mv, &position);
                assert!(lines == position.known(), "{}", position.text());
                game.push((before, mv, position));
            }
            for (before, mv, after) in game.into_iter().rev() {
                lines.retreat(&before, mv, &after);
                assert!(lines == before.known(), "{}", before.text());
            }
        }
    }

    #[test]
    fn flags_agree_with_the_rules() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..20 {
            let mut position = Pente::start("free").unwrap();
            while position.outcome().is_none() {
                let lines = position.known();
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
