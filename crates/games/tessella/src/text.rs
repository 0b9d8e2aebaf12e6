//! The text of positions and of moves.

use quincunx_game::{
    Position, Side, Stones, TextError,
    bits::Bits,
    board_text::{self, Letters, read_cell, read_rows, split_at_sign, write_rows},
    refusal,
    text::quoted,
};

use super::{
    Move, Tessella,
    board::{Board, DIRECTIONS},
};

const LETTERS: Letters = Letters { sides: ['o', 'x'], empty: '.' };

/// What stands in the corners of the array, where there is no cell.
const NO_CELL: char = '~';

pub(super) fn cell_name<const D: usize>(cell: usize) -> String {
    let (row, column) = Board::<D>::place(cell);
    place_name::<D>(row, column)
}

fn place_name<const D: usize>(row: usize, column: usize) -> String {
    board_text::cell_name(column, Board::<D>::ARRAY - 1 - row)
}

fn side_name<const D: usize>(side: Side) -> &'static str {
    Tessella::<D>::about().side(side)
}

pub(super) fn write<const D: usize>(position: &Tessella<D>) -> String {
    write_stones::<D>(|cell| position.stone(cell), position.to_move())
}

pub(super) fn write_stones<const D: usize>(stone: impl Fn(usize) -> Option<Side>, to_move: Side) -> String {
    let character = |row, column| match Board::<D>::cell_at(row, column) {
        None => NO_CELL,
        Some(cell) => LETTERS.stone(stone(cell)),
    };
    let board = write_rows(Board::<D>::ARRAY, |_| Board::<D>::ARRAY, character);
    format!("{board} {}", LETTERS.side(to_move))
}

pub(super) fn parse<const D: usize>(text: &str) -> Result<Tessella<D>, TextError> {
    let (pieces, to_move) = LETTERS.read(text, parse_board::<D>)?;
    check_counts::<D>(pieces.map(u64::count_ones), to_move)?;
    Ok(Tessella { stones: Stones::new(pieces, to_move) })
}

/// The pieces of both sides.
fn parse_board<const D: usize>(board: &str) -> Result<[u64; 2], TextError> {
    let mut pieces = [0; 2];
    for (row, column, found) in read_rows(board, Board::<D>::ARRAY, |_| Board::<D>::ARRAY)? {
        let name = || place_name::<D>(row, column);
        if let Some(cell) = Board::<D>::cell_at(row, column) {
            if let Some(side) = LETTERS.read_stone(found, name)? {
                pieces[side.index()] |= 1 << cell;
            }
        } else if found != NO_CELL {
            let (cell, found) = (name(), quoted(&found.to_string()));
            return Err(refusal!(
                "tessella.outside",
                "{cell} is {found}, but there is no cell: expected ~",
                cell,
                found,
            ));
        }
    }
    Ok(pieces)
}

/// Refuses numbers of pieces that cannot come about in a game.
fn check_counts<const D: usize>(counts: [u32; 2], to_move: Side) -> Result<(), TextError> {
    let (most, win) = (Tessella::<D>::PIECES, Tessella::<D>::CAPTURES_TO_WIN);
    let least = most - win;
    for side in Side::BOTH {
        let (count, name) = (counts[side.index()], side_name::<D>(side));
        if count > most {
            return Err(refusal!(
                "tessella.too_many",
                "{side} has {count} pieces, but a game starts with {most}",
                side = name,
                count,
                most,
            ));
        }
        if count < least {
            return Err(refusal!(
                "tessella.too_few",
                "{side} has {count} pieces, but a game ends when {least} are left",
                side = name,
                count,
                least,
            ));
        }
    }
    if counts == [least; 2] {
        return Err(refusal!(
            "tessella.both_lost",
            "both sides have lost {count} pieces, but a game ends with the first",
            count = win,
        ));
    }
    if counts[(!to_move).index()] == least {
        return Err(refusal!(
            "tessella.wrong_side",
            "{side} has made the last capture, so {other} stands as the side to move, not {side}",
            side = side_name::<D>(to_move),
            other = side_name::<D>(!to_move),
        ));
    }
    Ok(())
}

pub(super) fn write_move<const D: usize>(position: &Tessella<D>, mv: Move) -> String {
    let sign = if position.stone(mv.to as usize).is_some() { 'x' } else { '-' };
    format!("{}{sign}{}", cell_name::<D>(mv.from as usize), cell_name::<D>(mv.to as usize))
}

pub(super) fn parse_move<const D: usize>(position: &Tessella<D>, text: &str) -> Result<Move, TextError> {
    let text = text.trim();
    let (from, sign, to) = split_at_sign(text, &['-', 'x'])
        .ok_or_else(|| refusal!("tessella.no_move", "{text} is not a move like e1-e2 or d2xd7", text = quoted(text)))?;
    let (from, to) = (parse_cell::<D>(from)?, parse_cell::<D>(to)?);
    let mv = Move::new(from as u32, to as u32);
    let is_capture = sign == 'x';
    let mut legal = false;
    position.for_each_move(|known| legal |= known == mv);
    if legal && is_capture == position.stone(to).is_some() {
        return Ok(mv);
    }
    Err(if position.outcome().is_some() { TextError::game_over() } else { why_illegal(position, from, to, is_capture) })
}

fn parse_cell<const D: usize>(name: &str) -> Result<usize, TextError> {
    let place = || {
        let (column, number) = read_cell(name)?;
        Board::<D>::cell_at((Board::<D>::ARRAY - 1).checked_sub(number)?, column)
    };
    place().ok_or_else(|| refusal!("tessella.no_cell", "{text} is not a cell of the board", text = quoted(name)))
}

/// What the rules have against a step or a capture.
fn why_illegal<const D: usize>(position: &Tessella<D>, from: usize, to: usize, is_capture: bool) -> TextError {
    let name = cell_name::<D>;
    let side = side_name::<D>(position.to_move());
    let other = side_name::<D>(!position.to_move());
    let (start, end) = (name(from), name(to));
    match (position.stone(from), position.stone(to)) {
        (None, _) => return TextError::empty(start),
        (Some(owner), _) if owner != position.to_move() => {
            return refusal!(
                "tessella.not_yours",
                "the piece on {cell} is {other}'s, but {side} is to move",
                cell = start,
                other,
                side,
            );
        }
        (_, None) if is_capture => {
            return refusal!("tessella.no_capture", "{cell} is empty: there is nothing to capture", cell = end);
        }
        (_, None) => {
            return refusal!("tessella.no_edge", "{from} and {to} share no edge", from = start, to = end);
        }
        (_, Some(owner)) if owner == position.to_move() => {
            return refusal!("tessella.occupied", "{cell} is occupied by a piece of {side}", cell = end, side);
        }
        _ if !is_capture => {
            let better = format!("{start}x{end}");
            return refusal!(
                "tessella.capture_sign",
                "{cell} is occupied; a capture is written {better}",
                cell = end,
                better,
            );
        }
        _ => {}
    }
    let line_between = |direction: usize| {
        let back = Board::<D>::BEHIND[direction];
        (back[to] & (1 << from) != 0).then_some((direction, back[to] & !back[from] & !(1 << from)))
    };
    let Some((direction, between)) = (0..DIRECTIONS).find_map(line_between) else {
        return TextError::no_line(start, end);
    };
    if let Some(blocker) = Bits(between & position.stones.occupied()).next() {
        let cell = name(blocker as usize);
        return refusal!("tessella.between", "{cell} stands between {from} and {to}", cell, from = start, to = end);
    }
    let mut behind = Board::<D>::neighbour(from, direction ^ 4);
    while let Some(cell) = behind {
        if position.stone(cell).is_some() {
            return refusal!(
                "tessella.enemy_behind",
                "the piece next behind {cell} is {other}'s, on {by}: it cannot back a capture",
                cell = start,
                other,
                by = name(cell),
            );
        }
        behind = Board::<D>::neighbour(cell, direction ^ 4);
    }
    refusal!(
        "tessella.nothing_behind",
        "no piece of {side} stands behind {from} to back a capture on {to}",
        side,
        from = start,
        to = end,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "~~~~x~~~~/~~~x.x~~~/~~x...x~~/~x.....x~/........./~o.....o~/~~o...o~~/~~~o.o~~~/~~~~o~~~~ o";

    fn refusal(text: &str) -> String {
        Tessella::<5>::parse("d5", text).expect_err(text).to_string()
    }

    #[test]
    fn refused_positions_name_the_place() {
        let edited = |from: &str, to: &str| refusal(&START.replacen(from, to, 1));
        assert_eq!(refusal(""), "the board has 1 rows, expected 9");
        assert_eq!(edited("/~~x...x~~", "/~~x...x~"), "row 3 from the top has 8 characters, expected 9");
        assert_eq!(edited("~~~~x", "~~~xx"), "d9 is \"x\", but there is no cell: expected ~");
        assert_eq!(edited("x.x", "x?x"), "cell e8 is \"?\", expected o, x or .");
        assert_eq!(edited(" o", ""), "after the board stands the side to move, o or x");
        assert_eq!(edited(" o", " w"), "after the board stands the side to move, o or x");
        assert_eq!(edited(" o", " o 12"), "\"12\" after the side to move: nothing belongs there");
    }

    #[test]
    fn refused_positions_tell_impossible_counts() {
        let board = |rows: &str| {
            refusal(&format!("~~~~.~~~~/~~~...~~~/~~.....~~/~.......~/{rows}/~~.....~~/~~~...~~~/~~~~.~~~~ o"))
        };
        assert_eq!(board("oooooooo./~xxx....~"), "Light has 8 pieces, but a game starts with 7");
        assert_eq!(board("oooo...../~xx.....~"), "Dark has 2 pieces, but a game ends when 3 are left");
        assert_eq!(board("ooo....../~xxx....~"), "both sides have lost 4 pieces, but a game ends with the first");
        assert_eq!(
            board("oooo...../~xxx....~"),
            "Light has made the last capture, so Dark stands as the side to move, not Light"
        );
    }

    #[test]
    fn refused_moves_tell_the_rule_against_them() {
        // Light on e1, e4, d5 and a5; Dark on e9, e2, c7, f7 and d8.
        let text = "~~~~x~~~~/~~~x..~~~/~~x..x.~~/~.......~/o..o...../~...o...~/~~.....~~/~~~.x.~~~/~~~~o~~~~ o";
        let position = Tessella::<5>::parse("d5", text).unwrap();
        let refusal = |mv: &str| position.parse_move(mv).expect_err(mv).to_string();
        assert_eq!(refusal("e4"), "\"e4\" is not a move like e1-e2 or d2xd7");
        assert_eq!(refusal("e4-z9"), "\"z9\" is not a cell of the board");
        assert_eq!(refusal("a1-e4"), "\"a1\" is not a cell of the board");
        assert_eq!(refusal("e04-e5"), "\"e04\" is not a cell of the board");
        assert_eq!(refusal("e5-e6"), "e5 is empty");
        assert_eq!(refusal("e9-e8"), "the piece on e9 is Dark's, but Light is to move");
        assert_eq!(refusal("e4-d5"), "d5 is occupied by a piece of Light");
        assert_eq!(refusal("e4-e2"), "e2 is occupied; a capture is written e4xe2");
        assert_eq!(refusal("e4-e6"), "e4 and e6 share no edge");
        assert_eq!(refusal("d5-e6"), "d5 and e6 share no edge");
        assert_eq!(refusal("e4xe5"), "e5 is empty: there is nothing to capture");
        assert_eq!(refusal("e4xc7"), "e4 and c7 are not on one line");
        assert_eq!(refusal("e1xe9"), "e4 stands between e1 and e9");
        assert_eq!(refusal("d5xd8"), "no piece of Light stands behind d5 to back a capture on d8");
        assert_eq!(refusal("e4xe9"), "the piece next behind e4 is Dark's, on e2: it cannot back a capture");

        let won = "~~~~.~~~~/~~~x..~~~/~~x....~~/~.......~/o..o...../~...o...~/~~.....~~/~~~.x.~~~/~~~~o~~~~ x";
        let position = Tessella::<5>::parse("d5", won).unwrap();
        assert_eq!(position.parse_move("e2-d3").unwrap_err().to_string(), "the game is over: no move can follow");
    }
}
