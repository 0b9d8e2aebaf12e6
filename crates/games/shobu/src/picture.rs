//! The four boards in the plane: dark on the left, light on the right, a rope between the halves of the two players.

use quincunx_game::{
    Geometry,
    board_text::letter,
    geometry::{Cell, Label, Point, Tone, unit_square},
};

use super::{BOARDS, text::cell_name};

/// Around all boards.
const FRAME: f32 = 0.7;
/// Between the dark and the light boards.
const COLUMN_GAP: f32 = 0.6;
/// Between the upper and the lower boards, where the rope lies and the boards' names stand.
const ROW_GAP: f32 = 1.7;
/// Half as thick as the rope.
const ROPE: f32 = 0.09;

const WIDTH: f32 = 2.0 * FRAME + 8.0 + COLUMN_GAP;
const HEIGHT: f32 = 2.0 * FRAME + 8.0 + ROW_GAP;

/// The columns from the left or rows from the top of all boards, 0 to 7, as coordinates of their middle.
fn middle(index: usize, gap: f32) -> f32 {
    FRAME + 0.5 + index as f32 + if index < 4 { 0.0 } else { gap }
}

/// The same in a terminal: three columns a cell.
fn terminal_column(column: usize) -> u16 {
    4 + 3 * column as u16 + if column < 4 { 0 } else { 3 }
}

/// The same in a terminal: two rows of names between the boards.
fn terminal_row(row: usize) -> u16 {
    1 + row as u16 + if row < 4 { 0 } else { 2 }
}

pub(super) fn geometry() -> Geometry {
    Geometry {
        size: (WIDTH, HEIGHT),
        cells: cells(),
        lines: rope(),
        dots: Vec::new(),
        labels: labels(),
        stone_radius: 0.4,
    }
}

/// The column and row of a board's top-left cell among those of all boards. In a word the dark boards come first,
/// and of each colour the lower one.
fn corner(board: usize) -> (usize, usize) {
    (board / 2 * 4, (1 - board % 2) * 4)
}

fn cells() -> Vec<Cell> {
    (0..64)
        .map(|cell| {
            let (left, top) = corner(cell / 16);
            let (column, row) = (left + cell % 4, top + cell / 4 % 4);
            let centre = (middle(column, COLUMN_GAP), middle(row, ROW_GAP));
            Cell {
                name: cell_name(cell),
                outline: unit_square(centre),
                centre,
                grid: (terminal_row(row), terminal_column(column)),
                tone: if left == 0 { Tone::Alternate } else { Tone::Plain },
            }
        })
        .collect()
}

/// Columns above and below, rows on both sides, and each board's name in the gap towards the rope.
fn labels() -> Vec<Label> {
    let mut labels = Vec::new();
    for index in 0..8 {
        let (x, y) = (middle(index, COLUMN_GAP), middle(index, ROW_GAP));
        let column = letter(index % 4).to_string();
        for (y, line) in [(FRAME / 2.0, 0), (HEIGHT - FRAME / 2.0, terminal_row(7) + 1)] {
            labels.push(Label { text: column.clone(), at: (x, y), grid: (line, terminal_column(index)) });
        }
        let row = (4 - index % 4).to_string();
        for (x, place) in [(FRAME / 2.0, 1), (WIDTH - FRAME / 2.0, terminal_column(7) + 3)] {
            labels.push(Label { text: row.clone(), at: (x, y), grid: (terminal_row(index), place) });
        }
    }
    for (board, name) in BOARDS.iter().enumerate() {
        let (left, top) = corner(board);
        let x = f32::midpoint(middle(left, COLUMN_GAP), middle(left + 3, COLUMN_GAP));
        let (y, line) = if top == 0 {
            (middle(3, ROW_GAP) + 0.85, terminal_row(3) + 1)
        } else {
            (middle(4, ROW_GAP) - 0.85, terminal_row(4) - 1)
        };
        labels.push(Label { text: format!("board {name}"), at: (x, y), grid: (line, terminal_column(left) + 2) });
    }
    labels
}

/// Two strands from side to side, and the turns between them.
fn rope() -> Vec<[Point; 2]> {
    let (left, right, y) = (FRAME / 2.0, WIDTH - FRAME / 2.0, HEIGHT / 2.0);
    let mut rope = vec![[(left, y - ROPE), (right, y - ROPE)], [(left, y + ROPE), (right, y + ROPE)]];
    let turns = ((right - left) / (2.0 * ROPE)).round();
    let turn = (right - left) / turns;
    rope.extend((0..turns as usize).map(|index| {
        let x = left + index as f32 * turn;
        [(x, y + ROPE), (x + turn, y - ROPE)]
    }));
    rope
}
