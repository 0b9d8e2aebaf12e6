//! The board as it is drawn: nineteen lines each way and nine star points on wood.

use quincunx_game::{
    Geometry,
    geometry::{Cell, Label, Tone, unit_square},
};

use super::{Move, SIZE, text};

/// The distance from the edge of the wood to the outermost lines.
const MARGIN: f32 = 1.3;

/// Columns of a terminal from one line to the next.
const STRIDE: u16 = 2;

/// The lines, from 0, on which the star points lie.
const STARS: [usize; 3] = [3, 9, 15];

pub(super) fn geometry() -> Geometry {
    let line = |index: usize| MARGIN + index as f32;
    let (near, far) = (line(0), line(SIZE - 1));
    let side = near + far;

    let cells = (0..SIZE * SIZE)
        .map(|cell| {
            let place = Move::of_cell(cell);
            let centre = (line(place.column()), line(place.row()));
            Cell {
                name: text::name(place),
                outline: unit_square(centre),
                centre,
                grid: (place.row() as u16 + 1, STRIDE * place.column() as u16 + 4),
                tone: Tone::Bare,
            }
        })
        .collect();

    let mut lines = Vec::with_capacity(2 * SIZE);
    let mut labels = Vec::with_capacity(4 * SIZE);
    for index in 0..SIZE {
        let at = line(index);
        lines.push([(near, at), (far, at)]);
        lines.push([(at, near), (at, far)]);

        let (letter, column) = (text::column_letter(index).to_string(), STRIDE * index as u16 + 4);
        let (number, row) = ((SIZE - index).to_string(), index as u16 + 1);
        let after = STRIDE * SIZE as u16 + 4;
        let (before_line, after_line) = (MARGIN / 3.0, side - MARGIN / 3.0);
        labels.push(Label { text: letter.clone(), at: (at, before_line), grid: (0, column) });
        labels.push(Label { text: letter, at: (at, after_line), grid: (SIZE as u16 + 1, column) });
        labels.push(Label { text: format!("{number:>2}"), at: (before_line, at), grid: (row, 0) });
        labels.push(Label { text: number, at: (after_line, at), grid: (row, after) });
    }

    let dots = STARS.iter().flat_map(|&row| STARS.map(|column| (line(column), line(row)))).collect();
    Geometry { size: (side, side), cells, lines, dots, labels, stone_radius: 0.46 }
}
