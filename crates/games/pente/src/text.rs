//! The text of positions and moves, and what is wrong with texts that are none.

use quincunx_game::{Position, Side, TextError, refusal, text::quoted};

use super::{MOST_CAPTURED, Move, Pente, Phase, SIZE, STONES_TO_WIN, has_five, stones::Stones};

/// The columns from left to right: I is left out, since it looks like 1.
const COLUMNS: &[u8; SIZE] = b"ABCDEFGHJKLMNOPQRST";

pub(super) fn column_letter(column: usize) -> char {
    char::from(COLUMNS[column])
}

pub(super) fn name(place: Move) -> String {
    format!("{}{}", SIZE - place.row(), column_letter(place.column()))
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

fn side_of_letter(letter: char) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| self::letter(side) == letter.to_ascii_lowercase())
}

pub(super) fn write(position: &Pente) -> String {
    let mut text = String::with_capacity(SIZE * (SIZE + 1) + 8);
    for cell in 0..SIZE * SIZE {
        if cell > 0 && cell % SIZE == 0 {
            text.push('/');
        }
        text.push(position.stone(cell).map_or('.', letter));
    }
    let [white, black] = position.captured;
    text + &format!(" {} {white},{black}", letter(position.to_move))
}

pub(super) fn parse(restricted: bool, text: &str) -> Result<Pente, TextError> {
    let mut words = text.split_whitespace();
    let stones = parse_board(words.next().unwrap_or(""))?;
    let to_move = words
        .next()
        .filter(|word| word.len() == 1)
        .and_then(|word| word.chars().next().and_then(side_of_letter))
        .ok_or_else(|| TextError::side_missing(['w', 'b']))?;
    let captured = parse_captured(words.next().unwrap_or(""))?;
    if let Some(more) = words.next() {
        let rest = quoted(more);
        return Err(refusal!("pente.too_long", "{rest} after the captured stones: nothing belongs there", rest));
    }
    refuse_the_impossible(&stones, captured)?;
    Ok(Pente::set_up(stones, to_move, captured, restricted))
}

fn parse_board(board: &str) -> Result<Stones, TextError> {
    let rows = board.split('/').count();
    if rows != SIZE {
        return Err(TextError::rows(rows, SIZE));
    }
    let mut stones = Stones::NONE;
    for (row, cells) in board.split('/').enumerate() {
        let count = cells.chars().count();
        if count != SIZE {
            let (number, line) = (SIZE - row, row + 1);
            return Err(refusal!(
                "pente.row",
                "row {number} (line {line} from the top) has {count} cells, expected {expected}",
                number,
                line,
                count,
                expected = SIZE,
            ));
        }
        for (column, found) in cells.chars().enumerate() {
            let place = Move::at(row, column);
            if let Some(side) = side_of_letter(found) {
                stones.toggle(side, place);
            } else if found != '.' {
                let (cell, found) = (name(place), quoted(&found.to_string()));
                return Err(refusal!("pente.cell", "{cell} is {found}, expected w, b or .", cell, found));
            }
        }
    }
    Ok(stones)
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
        let title = Pente::about().sides[side.index()];
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

/// Who placed how many stones is left open, so that positions can be set up for study; what no game can show is refused.
fn refuse_the_impossible(stones: &Stones, captured: [u8; 2]) -> Result<(), TextError> {
    for side in Side::BOTH {
        let taken = captured[side.index()];
        let placed = stones.count(side) + u32::from(captured[(!side).index()]);
        if taken > 0 && placed < 2 {
            let title = Pente::about().sides[side.index()];
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
fn parse_place(text: &str) -> Result<Move, TextError> {
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
        let text = quoted(text);
        return Err(refusal!("pente.no_column", "{text} has no column of the board: A to T without I", text));
    };
    Ok(Move::at(SIZE - row, column))
}

pub(super) fn parse_move(position: &Pente, text: &str) -> Result<Move, TextError> {
    let place = parse_place(text.trim())?;
    if position.may_place(place) {
        return Ok(place);
    }
    let title = Pente::about().sides[position.to_move.index()];
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
