//! Square boards: their eight symmetries, and how they are drawn.

use crate::{
    Geometry,
    geometry::{Cell, Label, Tone, unit_square},
};

/// The symmetries of a square, the identity (number 0) included.
pub const SYMMETRIES: usize = 8;

/// A row and a column below `size` through a symmetry: bit 0 of its number mirrors the board upside down, bit 1 left to
/// right, bit 2 along the diagonal.
pub fn image((row, column): (usize, usize), size: usize, symmetry: usize) -> (usize, usize) {
    let mirrored = |line: usize, bit: usize| if symmetry & bit != 0 { size - 1 - line } else { line };
    let (row, column) = (mirrored(row, 1), mirrored(column, 2));
    if symmetry & 4 != 0 { (column, row) } else { (row, column) }
}

/// How a square board is drawn. Its cells are numbered row by row from the top left.
pub struct SquareBoard {
    /// Cells each way.
    pub size: usize,
    /// From the edge of the picture to the middle of the outermost cells.
    pub margin: f32,
    /// From the edge of the picture to the middle of the coordinates.
    pub label: f32,
    /// Columns of a terminal from one cell to the next: 2 or more.
    pub stride: u16,
    /// How the cells are coloured.
    pub tone: Tone,
    /// How large a stone is.
    pub stone_radius: f32,
    /// The letter of a column.
    pub letter: fn(usize) -> char,
    /// The number of a row from the top.
    pub number: fn(usize) -> usize,
    /// The name of a cell by its row and column.
    pub name: fn(usize, usize) -> String,
    /// Whether a terminal shows coordinates on all four sides, as pictures do, and not only above and on the left.
    pub labels_all_around: bool,
}

impl SquareBoard {
    /// The coordinate of a line of cells.
    pub fn middle(&self, line: usize) -> f32 {
        self.margin + line as f32
    }

    /// The board without lines and dots.
    pub fn geometry(&self) -> Geometry {
        let side = 2.0 * self.margin + (self.size - 1) as f32;
        let grid = |row: usize, column: usize| (row as u16 + 1, self.stride * column as u16 + 4);
        let cell = |cell: usize| {
            let (row, column) = (cell / self.size, cell % self.size);
            let centre = (self.middle(column), self.middle(row));
            Cell {
                name: (self.name)(row, column),
                outline: unit_square(centre),
                centre,
                grid: grid(row, column),
                tone: self.tone,
            }
        };
        let mut labels = Vec::new();
        for line in 0..self.size {
            let (letter, number) = ((self.letter)(line).to_string(), (self.number)(line).to_string());
            let at = self.middle(line);
            let ((row, _), (_, column)) = (grid(line, 0), grid(0, line));
            let (last_row, last_column) = grid(self.size, self.size);
            let right_aligned = (row, 2 - number.len() as u16);
            // The same text in the same place of a terminal is seen once.
            let opposite = |there, here| if self.labels_all_around { there } else { here };
            let (below, right) =
                (opposite((last_row, column), (0, column)), opposite((row, last_column), right_aligned));
            labels.push(Label { text: letter.clone(), at: (at, self.label), grid: (0, column) });
            labels.push(Label { text: letter, at: (at, side - self.label), grid: below });
            labels.push(Label { text: number.clone(), at: (self.label, at), grid: right_aligned });
            labels.push(Label { text: number, at: (side - self.label, at), grid: right });
        }
        Geometry {
            size: (side, side),
            cells: (0..self.size * self.size).map(cell).collect(),
            lines: Vec::new(),
            dots: Vec::new(),
            labels,
            stone_radius: self.stone_radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn symmetries_are_eight_different_maps_that_keep_distances() {
        let places: Vec<_> = (0..9).map(|cell| (cell / 3, cell % 3)).collect();
        let images = |symmetry| -> Vec<_> { places.iter().map(|&place| image(place, 3, symmetry)).collect() };
        assert_eq!(images(0), places);
        let all: HashSet<_> = (0..SYMMETRIES).map(images).collect();
        assert_eq!(all.len(), SYMMETRIES);
        let apart = |(a, b): (usize, usize), (c, d): (usize, usize)| a.abs_diff(c).pow(2) + b.abs_diff(d).pow(2);
        for images in all {
            for one in 0..9 {
                assert!((0..9).all(|other| apart(images[one], images[other]) == apart(places[one], places[other])));
            }
        }
    }
}
