//! The text of positions (the form of the public endgame suites) and of moves.

use quincunx_game::{Position, Side, TextError, refusal, text::quoted};

use super::{Move, Othello, flips};

pub(super) fn cell_name<const N: usize>(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % N) as u8), cell / N + 1)
}

pub(super) fn write<const N: usize>(position: &Othello<N>) -> String {
    let mut text: String = (0..N * N).map(|cell| position.stone(cell).map_or('-', letter)).collect();
    text.push(' ');
    text.push(letter(position.to_move));
    text
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn side_of_letter(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' => Some(Side::First),
        'O' | 'o' => Some(Side::Second),
        _ => None,
    }
}

pub(super) fn parse<const N: usize>(text: &str) -> Result<Othello<N>, TextError> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or("");
    let count = board.chars().count();
    if count != N * N {
        return Err(refusal!(
            "othello.squares",
            "the board has {count} squares, expected {expected}",
            count,
            expected = N * N
        ));
    }
    let mut discs = [0u64; 2];
    for (cell, found) in board.chars().enumerate() {
        if let Some(side) = side_of_letter(found) {
            discs[side.index()] |= 1 << Othello::<N>::bit_of_cell(cell);
        } else if !matches!(found, '-' | '.') {
            return Err(refusal!(
                "othello.square",
                "square {cell} is {found}, expected X, O or -",
                cell = cell_name::<N>(cell),
                found = quoted(&found.to_string()),
            ));
        }
    }
    let to_move = words
        .next()
        .and_then(|word| (word.len() == 1).then(|| word.chars().next().and_then(side_of_letter)).flatten())
        .ok_or_else(|| TextError::side_missing(['X', 'O']))?;
    if let Some(more) = words.next() {
        return Err(TextError::too_long(more));
    }
    Ok(Othello { own: discs[to_move.index()], enemy: discs[(!to_move).index()], to_move })
}

pub(super) fn write_move<const N: usize>(mv: Move) -> String {
    if mv == Move::PASS { "pass".into() } else { cell_name::<N>(Othello::<N>::cell_of_bit(mv.0 as usize)) }
}

pub(super) fn parse_move<const N: usize>(position: &Othello<N>, text: &str) -> Result<Move, TextError> {
    let text = text.trim();
    let places = position.placements();
    let color = Othello::<N>::about().sides[position.to_move.index()];
    if ["pass", "pa", "ps", "--"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return match (places, position.outcome()) {
            (0, None) => Ok(Move::PASS),
            (0, Some(_)) => Err(TextError::game_over()),
            _ => Err(TextError::may_not_pass(color)),
        };
    }
    let square = match text.as_bytes() {
        &[column, row] => {
            let (column, row) = (column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1'));
            ((column as usize) < N && (row as usize) < N).then(|| row as usize * N + column as usize)
        }
        _ => None,
    };
    let last = cell_name::<N>(N * N - 1);
    let cell = square.ok_or_else(|| {
        let text = quoted(text);
        refusal!("othello.no_square", "{text} is not a square from a1 to {last}, nor pass", text, last)
    })?;
    let bit = Othello::<N>::bit_of_cell(cell);
    if places & (1 << bit) != 0 {
        return Ok(Move(bit as u8));
    }
    let name = cell_name::<N>(cell);
    if position.stone(cell).is_some() {
        return Err(TextError::occupied(name));
    }
    debug_assert_eq!(flips(position.own, position.enemy, bit as u32), 0);
    if position.outcome().is_some() {
        return Err(TextError::game_over());
    }
    let nothing = refusal!("othello.flips_nothing", "{cell} flips nothing for {side}", cell = name, side = color);
    Err(if places == 0 { nothing.or_pass() } else { nothing })
}
