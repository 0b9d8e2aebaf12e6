//! The board as it is drawn: nineteen lines each way and nine star points on wood.

use quincunx_game::{Geometry, SquareBoard, geometry::Tone};

use super::{Move, SIZE, text};

/// The distance from the edge of the wood to the outermost lines.
const MARGIN: f32 = 1.3;

/// The lines, from 0, on which the star points lie.
const STARS: [usize; 3] = [3, 9, 15];

pub(super) fn geometry() -> Geometry {
    let board = SquareBoard {
        size: SIZE,
        margin: MARGIN,
        label: MARGIN / 3.0,
        stride: 2,
        tone: Tone::Bare,
        stone_radius: 0.46,
        letter: text::column_letter,
        number: |row| SIZE - row,
        name: |row, column| text::name(Move::at(row, column)),
        labels_all_around: true,
    };
    let line = |index| board.middle(index);
    let (near, far) = (line(0), line(SIZE - 1));
    Geometry {
        lines: (0..SIZE).map(line).flat_map(|at| [[(near, at), (far, at)], [(at, near), (at, far)]]).collect(),
        dots: STARS.iter().flat_map(|&row| STARS.map(|column| (line(column), line(row)))).collect(),
        ..board.geometry()
    }
}
