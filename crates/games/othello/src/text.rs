//! The text of positions (the form of the public endgame suites) and of moves.

use quincunx_game::{
    Position, Side, Stones, TextError,
    board_text::{self, Letters, read_cell},
    refusal,
    text::quoted,
};

use super::{Move, Othello, flips};

const LETTERS: Letters = Letters { sides: ['X', 'O'], empty: '-' };

pub(super) fn cell_name<const N: usize>(cell: usize) -> String {
    board_text::cell_name(cell % N, cell / N)
}

pub(super) fn write<const N: usize>(position: &Othello<N>) -> String {
    write_stones::<N>(|cell| position.stone(cell), position.to_move())
}

pub(super) fn write_stones<const N: usize>(stone: impl Fn(usize) -> Option<Side>, to_move: Side) -> String {
    let board: String = (0..N * N).map(|cell| LETTERS.stone(stone(cell))).collect();
    format!("{board} {}", LETTERS.side(to_move))
}

/// Reads what [`write`] wrote; a star stands for X too, and a dot for an empty square.
pub(super) fn parse<const N: usize>(text: &str) -> Result<Othello<N>, TextError> {
    let text = text.replace('*', "X").replace('.', "-");
    let (discs, to_move) = LETTERS.read(&text, parse_board::<N>)?;
    Ok(Othello { stones: Stones::new(discs, to_move) })
}

fn parse_board<const N: usize>(board: &str) -> Result<[u64; 2], TextError> {
    let count = board.chars().count();
    if count != N * N {
        return Err(refusal!(
            "othello.squares",
            "the board has {count} squares, expected {expected}",
            count,
            expected = N * N
        ));
    }
    let mut discs = [0; 2];
    for (cell, found) in board.chars().enumerate() {
        if let Some(side) = LETTERS.read_stone(found, || cell_name::<N>(cell))? {
            discs[side.index()] |= 1 << Othello::<N>::bit_of_cell(cell);
        }
    }
    Ok(discs)
}

pub(super) fn write_move<const N: usize>(mv: Move) -> String {
    if mv == Move::PASS { "pass".into() } else { cell_name::<N>(Othello::<N>::cell_of_bit(mv.0 as usize)) }
}

pub(super) fn parse_move<const N: usize>(position: &Othello<N>, text: &str) -> Result<Move, TextError> {
    let text = text.trim();
    let places = position.placements();
    let color = Othello::<N>::about().side(position.to_move());
    if ["pass", "pa", "ps", "--"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return match (places, position.outcome()) {
            (0, None) => Ok(Move::PASS),
            (0, Some(_)) => Err(TextError::game_over()),
            _ => Err(TextError::may_not_pass(color)),
        };
    }
    let square = read_cell(text).filter(|&(column, row)| column < N && row < N).map(|(column, row)| row * N + column);
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
    debug_assert_eq!(flips(position.stones.own, position.stones.enemy, bit as u32), 0);
    if position.outcome().is_some() {
        return Err(TextError::game_over());
    }
    let nothing = refusal!("othello.flips_nothing", "{cell} flips nothing for {side}", cell = name, side = color);
    Err(if places == 0 { nothing.or_pass() } else { nothing })
}
