//! The text of positions and of turns.

use quincunx_game::{
    Position, Side, Stones, TextError,
    board_text::{self, Letters, read_cell},
    refusal,
    text::quoted,
};

use super::{BOARDS, LOWER, Move, Shobu, destination, movers::DARK, on_board, vectors::Vector};

/// The places in a word of the boards a, b, c and d.
const BY_LETTER: [usize; 4] = [0, 2, 1, 3];

const LETTERS: Letters = Letters { sides: ['b', 'w'], empty: '.' };

/// A cell's board, column and row, such as `ab1`.
pub(super) fn cell_name(cell: usize) -> String {
    format!("{}{}", BOARDS[cell / 16], board_text::cell_name(cell % 4, 3 - cell / 4 % 4))
}

pub(super) fn write(position: &Shobu) -> String {
    write_stones(|cell| position.stone(cell), position.to_move())
}

pub(super) fn write_stones(stone: impl Fn(usize) -> Option<Side>, to_move: Side) -> String {
    let board =
        |place: usize| -> String { (16 * place..16 * place + 16).map(|cell| LETTERS.stone(stone(cell))).collect() };
    format!("{} {}", BY_LETTER.map(board).join("/"), LETTERS.side(to_move))
}

fn colour(side: Side) -> &'static str {
    Shobu::about().side(side)
}

pub(super) fn parse(text: &str) -> Result<Shobu, TextError> {
    let (stones, to_move) = LETTERS.read(text, parse_boards)?;
    // A side without stones on a board has lost: it must be its turn, and no other board can have been emptied since.
    let emptied = |side: Side| BY_LETTER.into_iter().filter(move |&place| on_board(stones[side.index()], place) == 0);
    if let Some(place) = emptied(!to_move).next() {
        return Err(refusal!(
            "shobu.lost",
            "{side} has no stone on board {board} and has lost: the turn cannot have come to {other}",
            side = colour(!to_move),
            board = BOARDS[place],
            other = colour(to_move),
        ));
    }
    if let (Some(one), Some(other)) = (emptied(to_move).next(), emptied(to_move).nth(1)) {
        return Err(refusal!(
            "shobu.lost_twice",
            "{side} has no stone on boards {one} and {other}: the game ended with the first of them",
            side = colour(to_move),
            one = BOARDS[one],
            other = BOARDS[other],
        ));
    }
    Ok(Shobu { stones: Stones::new(stones, to_move) })
}

/// Reads the stones of both sides.
fn parse_boards(boards: &str) -> Result<[u64; 2], TextError> {
    let count = boards.split('/').count();
    if count != 4 {
        return Err(refusal!("shobu.boards", "the position has {count} boards, expected 4 joined by /", count));
    }
    let mut stones = [0; 2];
    for (board, place) in boards.split('/').zip(BY_LETTER) {
        parse_board(board, place, &mut stones)?;
    }
    Ok(stones)
}

/// Reads the 16 cells of the board at a place of a word into the stones of both sides.
fn parse_board(board: &str, place: usize, stones: &mut [u64; 2]) -> Result<(), TextError> {
    let name = BOARDS[place];
    let count = board.chars().count();
    if count != 16 {
        return Err(refusal!("shobu.cells", "board {board} has {count} cells, expected 16", board = name, count));
    }
    for (cell, found) in (16 * place..).zip(board.chars()) {
        if let Some(side) = LETTERS.read_stone(found, || cell_name(cell))? {
            stones[side.index()] |= 1 << cell;
        }
    }
    for side in Side::BOTH {
        let count = on_board(stones[side.index()], place).count_ones();
        if count > 4 {
            return Err(refusal!(
                "shobu.stones",
                "board {board} has {count} {colour} stones, at most 4 stand there",
                board = name,
                count,
                colour = colour(side).to_lowercase(),
            ));
        }
    }
    Ok(())
}

pub(super) fn write_move(mv: Move) -> String {
    format!("{}:{}:{}", cell_name(mv.passive()), cell_name(mv.aggressive()), mv.vector().name())
}

pub(super) fn parse_move(position: &Shobu, text: &str) -> Result<Move, TextError> {
    let text = text.trim();
    let mut parts = text.split(':');
    let (Some(passive), Some(aggressive), Some(vector), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(refusal!(
            "shobu.no_turn",
            "{text} is not a turn: passive origin, aggressive origin and vector, such as ab1:db1:NE2",
            text = quoted(text),
        ));
    };
    let (passive, aggressive) = (parse_cell(passive)?, parse_cell(aggressive)?);
    let vector = Vector::named(vector).ok_or_else(|| {
        refusal!(
            "shobu.no_vector",
            "{text} is not a vector: N, NE, E, SE, S, SW, W or NW, and 1 or 2 cells",
            text = quoted(vector),
        )
    })?;
    if let Some(end) = position.outcome() {
        return Err(TextError::game_over_by(end.reason));
    }
    check_passive(position, passive, vector)?;
    if (passive < 32) == (aggressive < 32) {
        let shade = if 1 << aggressive & DARK == 0 { "light" } else { "dark" };
        return Err(refusal!(
            "shobu.same_shade",
            "boards {one} and {other} are both {shade}: the aggressive move is made on a board of the other colour",
            one = BOARDS[passive / 16],
            other = BOARDS[aggressive / 16],
            shade,
        ));
    }
    check_aggressive(position, aggressive, vector)?;
    Ok(Move::new(passive as u32, aggressive as u32, vector.0))
}

/// A cell by its name, in any case.
fn parse_cell(name: &str) -> Result<usize, TextError> {
    let cell = || {
        let board = "abcd".find(name.get(..1)?.to_ascii_lowercase().as_str())?;
        let (column, row) = read_cell(&name[1..]).filter(|&(column, row)| column < 4 && row < 4)?;
        Some(16 * BY_LETTER[board] + 4 * (3 - row) + column)
    };
    cell().ok_or_else(|| {
        refusal!(
            "shobu.no_cell",
            "{text} is not a cell: board a to d, column a to d and row 1 to 4, such as ab1",
            text = quoted(name),
        )
    })
}

pub(super) fn check_passive(position: &Shobu, cell: usize, vector: Vector) -> Result<(), TextError> {
    let side = position.to_move();
    let (home, one, other) = if side == Side::First { (LOWER, 'a', 'b') } else { (!LOWER, 'c', 'd') };
    if 1 << cell & home == 0 {
        return Err(refusal!(
            "shobu.not_home",
            "{cell} is not on a homeboard: {side} moves passively on {one} and {other}",
            cell = cell_name(cell),
            side = colour(side),
            one,
            other,
        ));
    }
    for to in stone_path(position, cell, vector)? {
        if position.stone(to).is_some() {
            let cell = cell_name(to);
            return Err(refusal!("shobu.occupied", "{cell} is occupied: a passive move needs empty cells", cell));
        }
    }
    Ok(())
}

pub(super) fn check_aggressive(position: &Shobu, cell: usize, vector: Vector) -> Result<(), TextError> {
    let side = position.to_move();
    let mut pushed = None;
    for to in stone_path(position, cell, vector)? {
        match (position.stone(to), pushed) {
            (None, _) => {}
            (Some(stone), _) if stone == side => {
                return Err(refusal!(
                    "shobu.own_stone",
                    "{cell} holds a stone of {side}, which cannot be pushed",
                    cell = cell_name(to),
                    side = colour(side),
                ));
            }
            (Some(_), None) => pushed = Some(to),
            (Some(_), Some(first)) => return Err(two_stones(first, to)),
        }
    }
    let beyond = vector.walk(cell % 16, vector.distance() + 1).map(|to| cell / 16 * 16 + to);
    match (pushed, beyond) {
        (Some(first), Some(beyond)) if position.stone(beyond).is_some() => Err(two_stones(first, beyond)),
        _ => Ok(()),
    }
}

fn two_stones(first: usize, second: usize) -> TextError {
    refusal!(
        "shobu.two_stones",
        "{first} and {second} are both occupied: only one stone can be pushed, into an empty cell or off the board",
        first = cell_name(first),
        second = cell_name(second),
    )
}

/// The cells that a stone of the side to move on `cell` passes and enters.
fn stone_path(position: &Shobu, cell: usize, vector: Vector) -> Result<Vec<usize>, TextError> {
    let name = cell_name(cell);
    if position.stone(cell) != Some(position.to_move()) {
        let side = colour(position.to_move());
        return Err(refusal!("shobu.no_stone", "{cell} holds no stone of {side}", cell = name, side));
    }
    if destination(cell, vector).is_none() {
        let vector = vector.name();
        return Err(refusal!("shobu.off_board", "{vector} from {cell} leads off the board", vector, cell = name));
    }
    Ok((1..=vector.distance())
        .filter_map(|times| vector.walk(cell % 16, times))
        .map(|to| cell / 16 * 16 + to)
        .collect())
}
