//! The hexagon of side 5: its cells, their bits, neighbours and mirror images, and how it is drawn.
//!
//! A cell has a number, 0 to 60 row by row from the top left, for people; and a bit, for the rules. Bits are numbered
//! so that a step in one direction adds the same number modulo 61 on every cell: a hexagon of side 5 tiles the plane
//! with 61 cells, and its rows, taken in the order e a f b g c h d i, follow each other without a gap.

use quincunx_game::{
    Geometry, Side,
    bits::mapped,
    board_text::{self, letter},
    geometry::{Cell, Label, Tone, regular_polygon},
};

/// The number of cells, and of bits in use.
pub(super) const CELLS: usize = 61;

/// All cells.
pub(super) const BOARD: u64 = (1 << CELLS) - 1;

/// The cell that each side wins by reaching and the other may not enter, by its number: the ends of the middle row.
pub(super) const GOAL_CELLS: [usize; 2] = [34, 26];

/// The same cells as sets of one bit.
pub(super) const GOALS: [u64; 2] = [1 << bit_of_cell(GOAL_CELLS[0]), 1 << bit_of_cell(GOAL_CELLS[1])];

/// The number of rows, and of cells in the middle one.
pub(super) const ROWS: usize = 9;
const MIDDLE: usize = ROWS / 2;

/// The directions as steps right (along slanting columns) and down: east, south-east, south-west, and their opposites.
const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// What a step in each direction adds to the bit of a cell, modulo 61.
pub(super) const STEPS: [u32; 6] = {
    let mut steps = [0; 6];
    let mut direction = 0;
    while direction < 6 {
        let (right, down) = DIRECTIONS[direction];
        steps[direction] = bit_at(right, down, 0);
        direction += 1;
    }
    steps
};

/// The bit that stands for no cell: no set of cells has it.
pub(super) const OUTSIDE: u8 = 63;

/// For each direction, the bit of the next cell from each bit, or [`OUTSIDE`].
pub(super) static NEXT: [[u8; 64]; 6] = NEXT_BITS;

const NEXT_BITS: [[u8; 64]; 6] = {
    let mut next = [[OUTSIDE; 64]; 6];
    let mut cell = 0;
    while cell < CELLS {
        let bit = bit_of_cell(cell);
        let (column, row) = slanting(cell);
        let mut direction = 0;
        while direction < 6 {
            let (right, down) = DIRECTIONS[direction];
            if on_board(column + right, row + down) {
                next[direction][bit as usize] = ((bit + STEPS[direction]) % CELLS as u32) as u8;
            }
            direction += 1;
        }
        cell += 1;
    }
    next
};

/// The cells that have a neighbour in each direction.
pub(super) const INSIDE: [u64; 6] = {
    let mut inside = [0; 6];
    let mut direction = 0;
    while direction < 6 {
        let mut bit = 0;
        while bit < CELLS {
            inside[direction] |= ((NEXT_BITS[direction][bit] != OUTSIDE) as u64) << bit;
            bit += 1;
        }
        direction += 1;
    }
    inside
};

/// The neighbours of the cell of each bit.
pub(super) static NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut direction = 0;
    while direction < 6 {
        let mut bit = 0;
        while bit < CELLS {
            neighbours[bit] |= (1 << NEXT_BITS[direction][bit]) & BOARD;
            bit += 1;
        }
        direction += 1;
    }
    neighbours
};

/// For each side, the steps from the cell of each bit to its goal on an empty board.
pub(super) static DISTANCES: [[u8; 64]; 2] = {
    let mut distances = [[0; 64]; 2];
    let mut cell = 0;
    while cell < CELLS {
        let mut side = 0;
        while side < 2 {
            let ((column, row), (goal_column, goal_row)) = (slanting(cell), slanting(GOAL_CELLS[side]));
            let (right, down) = (goal_column - column, goal_row - row);
            distances[side][bit_of_cell(cell) as usize] = ((right.abs() + down.abs() + (right + down).abs()) / 2) as u8;
            side += 1;
        }
        cell += 1;
    }
    distances
};

/// For each side and number of steps, the cells no further than that from its goal.
pub(super) static WITHIN: [[u64; ROWS]; 2] = {
    let mut within = [[0; ROWS]; 2];
    let mut at = 0;
    while at < 2 * ROWS * CELLS {
        let (side, steps, bit) = (at / (ROWS * CELLS), at / CELLS % ROWS, at % CELLS);
        if DISTANCES[side][bit] as usize <= steps {
            within[side][steps] |= 1 << bit;
        }
        at += 1;
    }
    within
};

const CELL_OF_BIT: [u8; CELLS] = {
    let mut cells = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        cells[bit_of_cell(cell) as usize] = cell as u8;
        cell += 1;
    }
    cells
};

/// The number of the cell of a bit.
pub const fn cell_of_bit(bit: u32) -> usize {
    CELL_OF_BIT[bit as usize % CELLS] as usize
}

/// The bit of a cell.
pub(super) const fn bit_of_cell(cell: usize) -> u32 {
    let (column, row) = slanting(cell);
    // The row that comes first begins at bit 0.
    bit_at(column, row, -14 * MIDDLE as i32)
}

const fn bit_at(column: i32, row: i32, offset: i32) -> u32 {
    (column + 14 * row + offset).rem_euclid(CELLS as i32) as u32
}

/// The number of cells in a row.
pub(super) const fn row_length(row: usize) -> usize {
    ROWS - row.abs_diff(MIDDLE)
}

/// The row of a cell and its place in it, both from 0.
pub(super) const fn row_and_place(cell: usize) -> (usize, usize) {
    let (mut row, mut place) = (0, cell);
    while place >= row_length(row) {
        place -= row_length(row);
        row += 1;
    }
    (row, place)
}

/// The number of the cell at a place of a row.
pub(super) const fn cell_at(row: usize, place: usize) -> usize {
    let (mut cell, mut above) = (place, 0);
    while above < row {
        cell += row_length(above);
        above += 1;
    }
    cell
}

/// The column and row of a cell, columns slanting so that a step south-east stays in one.
pub(super) const fn slanting(cell: usize) -> (i32, i32) {
    let (row, place) = row_and_place(cell);
    ((place + MIDDLE.saturating_sub(row)) as i32, row as i32)
}

const fn on_board(column: i32, row: i32) -> bool {
    let (last, middle) = (ROWS as i32 - 1, MIDDLE as i32);
    column >= 0 && row >= 0 && column <= last && row <= last && column + row >= middle && column + row <= last + middle
}

/// The name of a cell: the letter of its row and its place from the left.
pub(super) fn cell_name(cell: usize) -> String {
    let (row, place) = row_and_place(cell);
    board_text::cell_name(row, place)
}

/// A mirror image of the board.
#[derive(Clone, Copy)]
pub(super) enum Mirror {
    /// Rows a and i change places; the goals stay.
    UpsideDown,
    /// The ends of each row change places, and so the goals.
    LeftToRight,
}

impl Mirror {
    /// The bit that takes the place of `bit`.
    pub(super) const fn bit(self, bit: u32) -> u32 {
        let (row, place) = row_and_place(cell_of_bit(bit));
        bit_of_cell(match self {
            Self::UpsideDown => cell_at(ROWS - 1 - row, place),
            Self::LeftToRight => cell_at(row, row_length(row) - 1 - place),
        })
    }

    /// The image of a set of cells.
    pub(super) fn set(self, set: u64) -> u64 {
        mapped(set & BOARD, |bit| self.bit(bit))
    }
}

/// The bit that takes the place of each bit if the ends of each row change places.
pub(super) static LEFT_TO_RIGHT: [u8; 64] = {
    let (mut images, mut bit) = ([0; 64], 0);
    while bit < CELLS {
        images[bit] = Mirror::LeftToRight.bit(bit as u32) as u8;
        bit += 1;
    }
    images
};

/// The board as it is drawn: hexagons standing on a corner, letters before the rows, numbers where the slanting columns
/// begin.
pub(super) fn geometry() -> Geometry {
    const FRAME: f32 = 0.85;
    /// The distance of two rows of hexagons one unit wide, and from the middle of one to its corners.
    const ROW_HEIGHT: f32 = 0.866_025_4;
    const CORNER: f32 = 0.577_350_3;

    let centre = |row: usize, place: f32| {
        let indent = row.abs_diff(MIDDLE) as f32 / 2.0;
        (FRAME + 0.5 + indent + place, FRAME + CORNER + row as f32 * ROW_HEIGHT)
    };
    let grid = |row: usize, place: usize| (row as u16 + 1, (2 * row.abs_diff(MIDDLE) + 4 * place + 4) as u16);
    let cells = (0..CELLS)
        .map(|cell| {
            let (row, place) = row_and_place(cell);
            let centre = centre(row, place as f32);
            let goal_of = Side::BOTH.into_iter().find(|side| GOAL_CELLS[side.index()] == cell);
            Cell {
                name: cell_name(cell),
                outline: regular_polygon(centre, CORNER, 6, 0.25),
                centre,
                grid: grid(row, place),
                tone: goal_of.map_or(Tone::Plain, Tone::Goal),
            }
        })
        .collect();
    let mut labels = Vec::new();
    for row in 0..ROWS {
        let (line, column) = grid(row, 0);
        labels.push(Label { text: letter(row).to_string(), at: centre(row, -0.85), grid: (line, column - 3) });
    }
    // The third cells of all rows lie on a chevron, not on a line: it is numbered where it begins and where it ends.
    for place in 0..ROWS - 1 {
        let from_edge = place.saturating_sub(MIDDLE);
        for (row, beyond, line) in [(from_edge, -0.8, from_edge), (ROWS - 1 - from_edge, 0.8, ROWS - from_edge + 1)] {
            let (x, y) = centre(row, place as f32 + 0.45);
            let column = grid(row, place).1 + 2;
            labels.push(Label { text: (place + 1).to_string(), at: (x, y + beyond), grid: (line as u16, column) });
        }
    }
    let (line, column) = grid(MIDDLE, ROWS - 1);
    labels.push(Label { text: ROWS.to_string(), at: centre(MIDDLE, ROWS as f32 - 0.15), grid: (line, column + 3) });
    let size = (ROWS as f32 + 2.0 * FRAME, (ROWS - 1) as f32 * ROW_HEIGHT + 2.0 * (CORNER + FRAME));
    Geometry { size, cells, lines: Vec::new(), dots: Vec::new(), labels, stone_radius: 0.4 }
}

#[cfg(test)]
mod tests {
    use quincunx_game::bits::Bits;

    use super::*;

    #[test]
    fn every_cell_has_its_own_bit_number_and_name() {
        let bits: u64 = (0..CELLS).map(|cell| 1 << bit_of_cell(cell)).fold(0, |all, bit| all | bit);
        assert_eq!(bits, BOARD);
        for cell in 0..CELLS {
            assert_eq!(cell_of_bit(bit_of_cell(cell)), cell);
            let (row, place) = row_and_place(cell);
            assert_eq!(cell_at(row, place), cell);
        }
        assert_eq!([0, 5, 26, 34, 60].map(cell_name), ["a1", "b1", "e1", "e9", "i5"]);
    }

    #[test]
    fn neighbours_are_the_cells_whose_hexagons_touch() {
        let cells = geometry().cells;
        for cell in 0..CELLS {
            for other in 0..CELLS {
                let ((x, y), (u, v)) = (cells[cell].centre, cells[other].centre);
                let touching = cell != other && (x - u).hypot(y - v) < 1.1;
                let listed = NEIGHBOURS[bit_of_cell(cell) as usize] & (1 << bit_of_cell(other)) != 0;
                assert_eq!(touching, listed, "{} and {}", cell_name(cell), cell_name(other));
            }
        }
    }

    #[test]
    fn a_direction_leads_the_same_way_from_every_cell() {
        let cells = geometry().cells;
        for (next, inside) in NEXT.iter().zip(INSIDE) {
            let mut ways = Vec::new();
            for bit in Bits(inside) {
                let [from, to] = [bit, u32::from(next[bit as usize])].map(|bit| cells[cell_of_bit(bit)].centre);
                ways.push(((to.0 - from.0) * 100.0, (to.1 - from.1) * 100.0));
            }
            assert_eq!(ways.len(), 52);
            assert!(ways.iter().all(|way| (way.0 - ways[0].0).hypot(way.1 - ways[0].1) < 1.0));
        }
    }

    #[test]
    fn a_step_changes_the_distance_to_a_goal_by_at_most_one_and_some_step_shortens_it() {
        for (distances, goal) in DISTANCES.iter().zip(GOALS) {
            for bit in 0..CELLS {
                let beside: Vec<_> = Bits(NEIGHBOURS[bit]).map(|next| distances[next as usize]).collect();
                assert!(beside.iter().all(|next| next.abs_diff(distances[bit]) <= 1));
                let at_goal = goal & (1 << bit) != 0;
                assert_eq!(at_goal, distances[bit] == 0);
                assert!(at_goal || beside.contains(&(distances[bit] - 1)));
            }
        }
    }

    #[test]
    fn everything_drawn_lies_within_the_picture() {
        let board = geometry();
        let corners =
            board.cells.iter().flat_map(|cell| &cell.outline).chain(board.labels.iter().map(|label| &label.at));
        for &(x, y) in corners {
            assert!(x > 0.0 && y > 0.0 && x < board.size.0 && y < board.size.1, "({x}, {y})");
        }
    }
}
