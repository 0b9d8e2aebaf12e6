//! The sixteen vectors of a turn, and what each does on a 4x4 board.
//!
//! A board is 16 bits, row by row from its top-left cell; four of them lie side by side in a word.

/// The eight directions: four that raise the number of a cell and their opposites in the same order.
/// With the name, the rows down and the columns to the right of a step.
const DIRECTIONS: [(&str, i32, i32); 8] =
    [("E", 0, 1), ("SW", 1, -1), ("S", 1, 0), ("SE", 1, 1), ("W", 0, -1), ("NE", -1, 1), ("N", -1, 0), ("NW", -1, -1)];

/// The bits of a step in each of the first four directions.
pub(super) const STEPS: [u32; 4] = [1, 3, 4, 5];

/// The first eight vectors raise the number of a cell: four directions by one cell, then by two. The others fall
/// likewise.
pub(super) const VECTORS: usize = 16;

/// A direction and a distance, numbered below [`VECTORS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Vector(pub(super) usize);

impl Vector {
    /// The vector of a name such as `NE2`, in any case.
    pub(super) fn named(name: &str) -> Option<Self> {
        (0..VECTORS).map(Self).find(|vector| vector.name().eq_ignore_ascii_case(name))
    }

    pub(super) fn name(self) -> String {
        format!("{}{}", DIRECTIONS[self.direction()].0, self.distance())
    }

    const fn direction(self) -> usize {
        self.0 / 8 * 4 + self.0 % 4
    }

    pub(super) const fn distance(self) -> usize {
        self.0 / 4 % 2 + 1
    }

    /// The cell of the same board that lies `times` steps of this direction from `cell`, all numbered below 16.
    pub(super) const fn walk(self, cell: usize, times: usize) -> Option<usize> {
        let (_, down, right) = DIRECTIONS[self.direction()];
        let row = (cell / 4) as i32 + down * times as i32;
        let column = (cell % 4) as i32 + right * times as i32;
        if row < 0 || row >= 4 || column < 0 || column >= 4 { None } else { Some((4 * row + column) as usize) }
    }

    /// The vector whose steps lead from `cell` to `to`.
    pub(super) fn between(cell: usize, to: usize) -> Option<Self> {
        (0..VECTORS).map(Self).find(|vector| vector.walk(cell, vector.distance()) == Some(to))
    }
}

/// For 1, 2 and 3 steps: the cells of all boards from which that many steps of each direction stay on the board.
pub(super) const INSIDE: [[u64; 8]; 3] = {
    let mut inside = [[0; 8]; 3];
    let mut entry = 0;
    while entry < 3 * 8 * 16 {
        let (times, direction, cell) = (entry / 128, entry / 16 % 8, entry % 16);
        let vector = Vector(direction / 4 * 8 + direction % 4);
        if vector.walk(cell, times + 1).is_some() {
            inside[times][direction] |= 0x0001_0001_0001_0001 << cell;
        }
        entry += 1;
    }
    inside
};

/// What a vector does to a stone on a board, as sets of cells of that board.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    /// Where the stone comes from and where it goes to.
    pub(super) mover: u16,
    /// The cells it passes or enters, from which it pushes.
    pub(super) path: u16,
    /// Where a pushed stone goes to; empty if that is off the board.
    pub(super) beyond: u16,
}

/// By vector and cell; nothing if the vector leads off the board.
pub(super) static SHIFTS: [[Shift; 16]; VECTORS] = {
    let mut shifts = [[Shift { mover: 0, path: 0, beyond: 0 }; 16]; VECTORS];
    let mut entry = 0;
    while entry < VECTORS * 16 {
        let (vector, cell) = (Vector(entry / 16), entry % 16);
        let shift = &mut shifts[entry / 16][cell];
        if let Some(to) = vector.walk(cell, vector.distance()) {
            shift.mover = 1 << cell | 1 << to;
            shift.path = 1 << to;
            if let (2, Some(first)) = (vector.distance(), vector.walk(cell, 1)) {
                shift.path |= 1 << first;
            }
            if let Some(beyond) = vector.walk(cell, vector.distance() + 1) {
                shift.beyond = 1 << beyond;
            }
        }
        entry += 1;
    }
    shifts
};
