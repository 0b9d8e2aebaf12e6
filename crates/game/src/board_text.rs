//! The text of boards: letters of stones and sides, rows joined by `/`, names of cells.

use crate::{Side, TextError, refusal, text::quoted};

/// The letters that stand for the stones of the two sides and for an empty cell; sides are read in either case.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    /// The letters of the first and of the second side.
    pub sides: [char; 2],
    /// What stands for an empty cell.
    pub empty: char,
}

impl Letters {
    /// The letter of a side.
    pub fn side(&self, side: Side) -> char {
        self.sides[side.index()]
    }

    /// What stands for a cell with this stone, or with none.
    pub fn stone(&self, stone: Option<Side>) -> char {
        stone.map_or(self.empty, |side| self.side(side))
    }

    /// The side of a letter.
    pub fn read_side(&self, letter: char) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.side(side).eq_ignore_ascii_case(&letter))
    }

    /// The stone that a character on the cell of this name stands for.
    pub fn read_stone(&self, found: char, cell: impl FnOnce() -> String) -> Result<Option<Side>, TextError> {
        match self.read_side(found) {
            None if found != self.empty => Err(refusal!(
                "position.cell",
                "cell {cell} is {found}, expected {first}, {second} or {empty}",
                cell = cell(),
                found = quoted(&found.to_string()),
                first = self.sides[0],
                second = self.sides[1],
                empty = self.empty,
            )),
            stone => Ok(stone),
        }
    }

    /// The side to move, from the word behind the board.
    pub fn read_to_move(&self, word: Option<&str>) -> Result<Side, TextError> {
        let mut letters = word.unwrap_or("").chars();
        letters.next().filter(|_| letters.next().is_none()).and_then(|letter| self.read_side(letter)).ok_or_else(|| {
            let [first, second] = self.sides;
            refusal!("position.side", "after the board stands the side to move, {first} or {second}", first, second)
        })
    }

    /// Reads a position that is a board, which `read_board` reads, and the side to move.
    pub fn read<B>(
        &self,
        text: &str,
        read_board: impl FnOnce(&str) -> Result<B, TextError>,
    ) -> Result<(B, Side), TextError> {
        let mut words = text.split_whitespace();
        let board = read_board(words.next().unwrap_or(""))?;
        let to_move = self.read_to_move(words.next())?;
        match words.next() {
            None => Ok((board, to_move)),
            Some(rest) => {
                let rest = quoted(rest);
                Err(refusal!("position.too_long", "{rest} after the side to move: nothing belongs there", rest))
            }
        }
    }
}

/// A board of this many rows, joined by `/`, given the length of each row and the character at each row and column.
pub fn write_rows(rows: usize, length: impl Fn(usize) -> usize, character: impl Fn(usize, usize) -> char) -> String {
    let row = |row: usize| (0..length(row)).map(|column| character(row, column)).collect::<String>();
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// Reads what [`write_rows`] wrote: the characters with their rows and columns.
pub fn read_rows(
    board: &str,
    rows: usize,
    length: impl Fn(usize) -> usize,
) -> Result<Vec<(usize, usize, char)>, TextError> {
    let count = board.split('/').count();
    if count != rows {
        return Err(refusal!(
            "position.rows",
            "the board has {count} rows, expected {expected}",
            count,
            expected = rows
        ));
    }
    let mut characters = Vec::new();
    for (row, text) in board.split('/').enumerate() {
        let (count, expected) = (text.chars().count(), length(row));
        if count != expected {
            return Err(refusal!(
                "position.row",
                "row {number} from the top has {count} characters, expected {expected}",
                number = row + 1,
                count,
                expected,
            ));
        }
        characters.extend(text.chars().enumerate().map(|(column, character)| (row, column, character)));
    }
    Ok(characters)
}

/// The letter of a column or row: `a` for 0.
pub fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

/// The name of a cell: a letter for its first coordinate and a number for its second, `a1` for 0 and 0.
pub fn cell_name(first: usize, second: usize) -> String {
    format!("{}{}", letter(first), second + 1)
}

/// The coordinates of a cell by its [`cell_name`], the letter in either case.
pub fn read_cell(name: &str) -> Option<(usize, usize)> {
    let first = name.bytes().next()?.to_ascii_lowercase().checked_sub(b'a').filter(|&index| index < 26)?;
    let digits = &name[1..];
    let number: u16 = digits.parse().ok().filter(|_| digits.starts_with(|digit: char| matches!(digit, '1'..='9')))?;
    Some((usize::from(first), usize::from(number) - 1))
}

/// The two parts of a move such as `b1-c2`, and the first of the `signs` that stands between them.
pub fn split_at_sign<'a>(text: &'a str, signs: &[char]) -> Option<(&'a str, char, &'a str)> {
    let (at, sign) = text.char_indices().find(|(_, character)| signs.contains(character))?;
    Some((&text[..at], sign, &text[at + sign.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells_are_read_back_and_nothing_else_is() {
        for (first, second) in [(0, 0), (7, 18), (25, 99)] {
            assert_eq!(read_cell(&cell_name(first, second)), Some((first, second)));
        }
        assert_eq!(read_cell("H19"), Some((7, 18)));
        for wrong in ["", "a", "1", "1a", "a0", "a01", "a+1", "a-1", "a1 ", "é1", "{1", "a99999"] {
            assert_eq!(read_cell(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn rows_are_read_back_with_their_places() {
        let text = write_rows(2, |row| row + 1, letter_of_place);
        assert_eq!(text, "a/bc");
        assert_eq!(read_rows(&text, 2, |row| row + 1).unwrap(), [(0, 0, 'a'), (1, 0, 'b'), (1, 1, 'c')]);
        let refusal = |text| read_rows(text, 2, |row| row + 1).unwrap_err().to_string();
        assert_eq!(refusal("a"), "the board has 1 rows, expected 2");
        assert_eq!(refusal("a/b"), "row 2 from the top has 1 characters, expected 2");
    }

    fn letter_of_place(row: usize, column: usize) -> char {
        letter(row + column)
    }

    #[test]
    fn a_position_is_a_board_a_side_and_nothing_more() {
        let letters = Letters { sides: ['x', 'o'], empty: '.' };
        let read = |text: &str| letters.read(text, |board| Ok(board.len())).map_err(|error| error.to_string());
        assert_eq!(read("... O"), Ok((3, Side::Second)));
        assert_eq!(read("...").unwrap_err(), "after the board stands the side to move, x or o");
        assert_eq!(read("... ox").unwrap_err(), "after the board stands the side to move, x or o");
        assert_eq!(read("... o 1").unwrap_err(), "\"1\" after the side to move: nothing belongs there");
        let refusal = letters.read_stone('?', || "a1".into()).unwrap_err();
        assert_eq!(refusal.to_string(), "cell a1 is \"?\", expected x, o or .");
    }

    #[test]
    fn a_sign_stands_between_the_cells_of_a_move() {
        assert_eq!(split_at_sign("b1-c2", &['-', 'x']), Some(("b1", '-', "c2")));
        assert_eq!(split_at_sign("d2xd7", &['-', 'x']), Some(("d2", 'x', "d7")));
        assert_eq!(split_at_sign("d2", &['-', 'x']), None);
    }
}
