//! The board in the plane: a truncated square tiling, upright squares between octagons that stand on an edge.

use quincunx_game::{
    Geometry,
    geometry::{Cell, Label, Tone, regular_polygon},
};

use super::{
    board::Board,
    text::{cell_name, column_name, row_name},
};

/// From one row or column of the array to the next.
const PITCH: f32 = 0.8;
/// The edge that octagons and squares share: pitch = (octagon's width + square's width) / 2.
const EDGE: f32 = PITCH * (2.0 - std::f32::consts::SQRT_2);

pub(super) fn geometry<const D: usize>() -> Geometry {
    const FRAME: f32 = 1.25;
    let array = Board::<D>::ARRAY;
    let middle = |index: usize| FRAME + PITCH * index as f32;
    let cells = (0..Board::<D>::CELLS)
        .map(|cell| {
            let (row, column) = Board::<D>::place(cell);
            let centre = (middle(column), middle(row));
            let (corners, tone) = if Board::<D>::is_octagon(cell) { (8, Tone::Plain) } else { (4, Tone::Alternate) };
            let half_corner = 0.5 / corners as f32;
            let radius = EDGE / 2.0 / (half_corner * std::f32::consts::TAU).sin();
            Cell {
                name: cell_name::<D>(cell),
                outline: regular_polygon(centre, radius, corners, half_corner),
                centre,
                grid: (row as u16, 3 * column as u16 + 5),
                tone,
            }
        })
        .collect();
    let mut labels = Vec::new();
    for index in 0..array {
        let grid = (array as u16, 3 * index as u16 + 5);
        labels.push(Label { text: column_name(index), at: (middle(index), middle(array) + 0.2), grid });
        labels.push(Label { text: row_name::<D>(index), at: (FRAME / 3.0, middle(index)), grid: (index as u16, 1) });
    }
    let side = 2.0 * FRAME + PITCH * (array - 1) as f32;
    Geometry { size: (side, side), cells, lines: Vec::new(), dots: Vec::new(), labels, stone_radius: 0.32 }
}
