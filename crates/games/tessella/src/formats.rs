//! How AbstractPlay writes games of Tessella: octagons by column and row of a square board that stands on its side here,
//! and squares by the two octagons to their top left and bottom right (`a5|b4`).

use quincunx_game::{
    TextError,
    board_text::{cell_name, read_cell},
    format::{AbstractPlay, Formats},
    text::quoted,
};

/// All of them.
pub(super) const FORMATS: Formats = Formats {
    abstract_play: Some(&AbstractPlay {
        name: "Tessella",
        ruleset: |variants| {
            if variants.is_empty() {
                return Ok("d5");
            }
            Err(TextError::new(format!("the variants {} are not played here", quoted(&variants.join(", ")))))
        },
        variants: |ruleset| (ruleset == "d5").then_some(&[]),
        read: |mv, _| through(mv, read_place),
        write: |mv, _| through(mv, write_place),
    }),
    ..Formats::NONE
};

/// Octagons along an edge of the board.
const SIDE: usize = 5;

/// A move with both of its cells written in another way.
fn through(mv: &str, place: fn(&str) -> Option<String>) -> Option<String> {
    let (from, sign, to) = mv.find(['-', 'x']).map(|at| (&mv[..at], &mv[at..=at], &mv[at + 1..]))?;
    Some(format!("{}{sign}{}", place(from)?, place(to)?))
}

/// Their bottom right corner is the lowest octagon here, their bottom left one the leftmost.
fn read_place(text: &str) -> Option<String> {
    let octagon = |text: &str| read_cell(text).filter(|&(column, row)| column < SIDE && row < SIDE);
    match text.split_once('|') {
        None => octagon(text).map(|(column, row)| cell_name(column + row, SIDE - 1 - column + row)),
        Some((left, right)) => {
            let ((column, row), lower) = (octagon(left)?, octagon(right)?);
            let next = row > 0 && lower == (column + 1, row - 1);
            next.then(|| cell_name(column + row, SIDE - 2 - column + row))
        }
    }
}

fn write_place(text: &str) -> Option<String> {
    let (x, y) = read_cell(text)?;
    let cell = (0..SIDE).flat_map(|column| (0..SIDE).map(move |row| (column, row)));
    let mut names = cell.flat_map(|(column, row)| {
        let octagon = cell_name(column, row);
        let square = (row > 0 && column + 1 < SIDE).then(|| format!("{octagon}|{}", cell_name(column + 1, row - 1)));
        std::iter::once(octagon).chain(square)
    });
    names.find(|name| read_place(name).as_deref() == Some(&cell_name(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_armies_stand_where_abstract_play_sets_them_up() {
        // Light's and Dark's pieces there, and the same cells in the start position here.
        let theirs = ["e1", "d1", "c1", "b1", "e2", "e3", "e4"].map(|place| read_place(place).unwrap());
        assert_eq!(theirs, ["e1", "d2", "c3", "b4", "f2", "g3", "h4"]);
        let theirs = ["a5", "a4", "a3", "a2", "b5", "c5", "d5"].map(|place| read_place(place).unwrap());
        assert_eq!(theirs, ["e9", "d8", "c7", "b6", "f8", "g7", "h6"]);
        assert_eq!(read_place("a5|b4").unwrap(), "e8");
        assert_eq!(read_place("a5|c4"), None);
        assert_eq!(through("e1-d2|e1", read_place).unwrap(), "e1-e2");
        assert_eq!(through("e1-e2", write_place).unwrap(), "e1-d2|e1");
    }
}
