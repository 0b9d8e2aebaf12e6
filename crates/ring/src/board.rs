//! The board as it is drawn: six cells in a ring, in a terminal in a row.

use std::f32::consts::TAU;

use quincunx_game::{
    Geometry, Side,
    geometry::{Cell, Label, Point, Tone, regular_polygon},
};

use super::CELLS;

/// Where the middle of the ring is; the board is twice as wide and high.
const MIDDLE: f32 = 2.0;

/// A point at a distance from the middle in the direction of a cell, the first cell at the top.
fn towards(cell: usize, distance: f32) -> Point {
    let angle = cell as f32 / CELLS as f32 * TAU;
    (MIDDLE + distance * angle.sin(), MIDDLE - distance * angle.cos())
}

pub(crate) fn geometry() -> Geometry {
    let cell = |index: usize| {
        let centre = towards(index, 1.35);
        let tone = match index {
            0 => Tone::Goal(Side::First),
            3 => Tone::Alternate,
            _ => Tone::Plain,
        };
        let (name, grid) = (index.to_string(), (0, 3 * index as u16 + 1));
        Cell { name, outline: regular_polygon(centre, 0.6, 12, 0.0), centre, grid, tone }
    };
    let label =
        |index: usize| Label { text: index.to_string(), at: towards(index, 0.5), grid: (1, 3 * index as u16 + 1) };
    Geometry {
        size: (2.0 * MIDDLE, 2.0 * MIDDLE),
        cells: (0..CELLS).map(cell).collect(),
        lines: vec![[towards(0, 0.3), towards(3, 0.3)]],
        dots: vec![towards(1, 1.35)],
        labels: (0..CELLS).map(label).collect(),
        stone_radius: 0.4,
    }
}
