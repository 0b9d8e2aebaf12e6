//! The text of positions and moves, and what is wrong with texts that name neither.

use quincunx_game::{
    Position, Side, TextError,
    board_text::{Letters, read_rows, write_rows},
    refusal,
    text::quoted,
};

use super::{MOST_CAPTURED, Move, Pente, Phase, SIZE, STONES_TO_WIN, has_five, stones::Stones};

/// The columns from left to right: I is left out, since it looks like 1.
const COLUMNS: &[u8; SIZE] = b"ABCDEFGHJKLMNOPQRST";

pub(super) fn column_letter(column: usize) -> char {
    char::from(COLUMNS[column])
}

pub(super) fn name(place: Move) -> String {
    format!("{}{}", SIZE - place.row(), column_letter(place.column()))
}

const LETTERS: Letters = Letters { sides: ['w', 'b'], empty: '.' };

pub(super) fn write(position: &Pente) -> String {
    write_stones(|cell| position.stone(cell), position.to_move, position.captured.map(u32::from))
}

pub(super) fn write_stones(stone: impl Fn(usize) -> Option<Side>, to_move: Side, [white, black]: [u32; 2]) -> String {
    let place = |row, column| LETTERS.stone(stone(Move::at(row, column).cell()));
    let board = write_rows(SIZE, |_| SIZE, place);
    format!("{board} {} {white},{black}", LETTERS.side(to_move))
}

pub(super) fn parse(restricted: bool, text: &str) -> Result<Pente, TextError> {
    let mut words = text.split_whitespace();
    let mut stones = Stones::NONE;
    for (row, column, found) in read_rows(words.next().unwrap_or(""), SIZE, |_| SIZE)? {
        let place = Move::at(row, column);
        if let Some(side) = LETTERS.read_stone(found, || name(place))? {
            stones.toggle(side, place);
        }
    }
    let to_move = LETTERS.read_to_move(words.next())?;
    let captured = parse_captured(words.next().unwrap_or(""))?;
    if let Some(more) = words.next() {
        let rest = quoted(more);
        return Err(refusal!("pente.too_long", "{rest} after the captured stones: nothing belongs there", rest));
    }
    refuse_the_impossible(&stones, captured)?;
    Ok(Pente::set_up(stones, to_move, captured, restricted))
}

/// Reads the stones captured by White and by Black.
fn parse_captured(text: &str) -> Result<[u8; 2], TextError> {
    let number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?;
    let Some((white, black)) = text.split_once(',').filter(|(white, black)| !white.is_empty() && !black.is_empty())
    else {
        return Err(refusal!(
            "pente.captured_missing",
            "at the end stand the stones captured by White and by Black, such as 2,0"
        ));
    };
    let mut captured = [0; 2];
    for (side, digits) in Side::BOTH.into_iter().zip([white, black]) {
        let title = Pente::about().side(side);
        let count: u32 = number(digits).ok_or_else(|| {
            let found = quoted(digits);
            refusal!("pente.captured", "{found} is no number of stones captured by {side}", found, side = title)
        })?;
        if !count.is_multiple_of(2) {
            return Err(refusal!(
                "pente.captured_odd",
                "{side} cannot have captured {count} stones: they are taken in pairs",
                side = title,
                count,
            ));
        }
        if count > u32::from(MOST_CAPTURED) {
            return Err(refusal!(
                "pente.captured_many",
                "{side} cannot have captured {count} stones: {win} win, and no last move makes it more than {most}",
                side = title,
                count,
                win = STONES_TO_WIN,
                most = MOST_CAPTURED,
            ));
        }
        captured[side.index()] = count as u8;
    }
    Ok(captured)
}

/// Refuses what cannot come about in a game. The numbers of stones are not compared, so that positions can be set up
/// for study.
fn refuse_the_impossible(stones: &Stones, captured: [u8; 2]) -> Result<(), TextError> {
    for side in Side::BOTH {
        let taken = captured[side.index()];
        let placed = stones.count(side) + u32::from(captured[(!side).index()]);
        if taken > 0 && placed < 2 {
            let title = Pente::about().side(side);
            return Err(refusal!(
                "pente.captured_by_none",
                "{side} captured {taken} stones but placed {placed}: a capture needs a stone at either end",
                side = title,
                taken,
                placed,
            ));
        }
    }
    let won = Side::BOTH.map(|side| captured[side.index()] >= STONES_TO_WIN || has_five(stones, side));
    if won == [true, true] {
        return Err(refusal!("pente.both_won", "both sides have won: each has five in a row or five captures"));
    }
    Ok(())
}

/// The intersection a text names, row first (`10K`) or column first (`K10`).
pub(super) fn parse_place(text: &str) -> Result<Move, TextError> {
    let unknown = || refusal!("pente.no_place", "{text} is not an intersection from 1A to 19T", text = quoted(text));
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let (letter, digits) = match (text.strip_prefix(is_letter), text.strip_suffix(is_letter)) {
        (Some(digits), _) => (text.as_bytes()[0], digits),
        (_, Some(digits)) => (text.as_bytes()[text.len() - 1], digits),
        _ => return Err(unknown()),
    };
    let row = match *digits.as_bytes() {
        [ones @ b'1'..=b'9'] => usize::from(ones - b'0'),
        [b'1', ones @ b'0'..=b'9'] => 10 + usize::from(ones - b'0'),
        _ => return Err(unknown()),
    };
    let letter = letter.to_ascii_uppercase();
    let Some(column) = COLUMNS.iter().position(|&column| column == letter) else {
        let (text, column) = (quoted(text), char::from(letter));
        return Err(refusal!(
            "pente.no_column",
            "{text}: there is no column {column}: the columns are A-H and J-T",
            text,
            column
        ));
    };
    Ok(Move::at(SIZE - row, column))
}

pub(super) fn parse_move(position: &Pente, text: &str) -> Result<Move, TextError> {
    let place = parse_place(text.trim())?;
    if position.may_place(place) {
        return Ok(place);
    }
    let title = Pente::about().side(position.to_move);
    let (cell, centre) = (name(place), name(Move::CENTRE));
    Err(if position.outcome().is_some() {
        TextError::game_over()
    } else if position.stone(place.cell()).is_some() {
        TextError::occupied(cell)
    } else if position.phase == Phase::First(position.to_move) {
        refusal!("pente.first_stone", "{side}'s first stone goes on the centre, {centre}", side = title, centre)
    } else {
        refusal!(
            "pente.second_stone",
            "{cell} is too near: {side}'s second stone goes at least 3 intersections away from the centre, {centre}",
            cell,
            side = title,
            centre,
        )
    })
}
