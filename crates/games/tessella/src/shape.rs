//! The board in the plane: a truncated square tiling, upright squares between octagons that stand on an edge.

use std::f32::consts::{SQRT_2, TAU};

use quincunx_game::{
    Geometry,
    board_text::letter,
    geometry::{Cell, Label, Tone, regular_polygon},
};

use super::{board::Board, text::cell_name};

/// From one row or column of the array to the next.
const PITCH: f32 = 0.8;
/// The edge that octagons and squares share: pitch = (octagon's width + square's width) / 2.
const EDGE: f32 = PITCH * (2.0 - SQRT_2);

/// From the middle of an outermost cell to the rim of the picture.
const FRAME: f32 = 1.25;
/// From the middle of a coordinate to the rim of the picture.
const LABEL: f32 = 0.38;

pub(super) fn geometry<const D: usize>() -> Geometry {
    let array = Board::<D>::ARRAY;
    let middle = |index: usize| FRAME + PITCH * index as f32;
    let side = 2.0 * FRAME + PITCH * (array - 1) as f32;
    let grid_column = |column: usize| 3 * column as u16 + 5;
    let cells = (0..Board::<D>::CELLS)
        .map(|cell| {
            let (row, column) = Board::<D>::place(cell);
            let centre = (middle(column), middle(row));
            let (corners, tone) = if Board::<D>::is_octagon(cell) { (8, Tone::Plain) } else { (4, Tone::Alternate) };
            let half_edge_angle = 0.5 / corners as f32;
            let radius = EDGE / 2.0 / (half_edge_angle * TAU).sin();
            Cell {
                name: cell_name::<D>(cell),
                outline: regular_polygon(centre, radius, corners, half_edge_angle),
                centre,
                grid: (row as u16, grid_column(column)),
                tone,
            }
        })
        .collect();
    let mut labels = Vec::new();
    for index in 0..array {
        let (column, row) = (letter(index).to_string(), (array - index).to_string());
        labels.push(Label {
            text: column,
            at: (middle(index), side - LABEL),
            grid: (array as u16, grid_column(index)),
        });
        let right_aligned = (index as u16, 3 - row.len() as u16);
        labels.push(Label { text: row, at: (LABEL, middle(index)), grid: right_aligned });
    }
    Geometry { size: (side, side), cells, lines: Vec::new(), dots: Vec::new(), labels, stone_radius: 0.32 }
}

#[cfg(test)]
mod tests {
    use quincunx_game::geometry::Point;

    use super::*;
    use crate::board::DIRECTIONS;

    /// The corners of one outline that are corners of the other too.
    fn shared_corners(a: &Cell, b: &Cell) -> usize {
        let near = |p: &Point, q: &Point| (p.0 - q.0).hypot(p.1 - q.1) < 1e-4;
        a.outline.iter().filter(|p| b.outline.iter().any(|q| near(p, q))).count()
    }

    #[test]
    fn cells_share_an_edge_exactly_where_a_step_leads() {
        let cells = geometry::<5>().cells;
        for (from, cell) in cells.iter().enumerate() {
            let steps: Vec<_> = (0..DIRECTIONS)
                .filter(|direction| direction % 4 >= 2 || Board::<5>::is_octagon(from))
                .filter_map(|direction| Board::<5>::neighbour(from, direction))
                .collect();
            for (to, other) in cells.iter().enumerate().filter(|&(to, _)| to != from) {
                assert_eq!(shared_corners(cell, other) == 2, steps.contains(&to), "{} {}", cell.name, other.name);
            }
        }
    }

    #[test]
    fn cells_lie_inside_the_picture_without_touching_the_coordinates() {
        let board = geometry::<6>();
        for (x, y) in board.cells.iter().flat_map(|cell| &cell.outline) {
            assert!(*x > LABEL + 0.25 && *x < board.size.0 && *y > 0.0 && *y < board.size.1 - LABEL - 0.25);
        }
    }
}
