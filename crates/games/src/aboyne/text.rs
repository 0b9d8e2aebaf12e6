//! The text of positions and of moves, and what is wrong with a text.

use quincunx_game::{Position, Side, TextError, text::quoted};

use super::{
    ABOUT, Aboyne, Move, STONES,
    board::{
        CELLS, GOAL_CELLS, GOALS, NEIGHBOURS, NEXT, OUTSIDE, ROWS, bit_of_cell, cell_at, cell_name, cell_of_bit,
        row_and_place, row_length, row_letter,
    },
    moves::landing,
};

const LETTERS: [char; 2] = ['b', 'r'];

fn colour(side: Side) -> &'static str {
    ABOUT.sides[side.index()]
}

fn side_of_letter(letter: char) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| LETTERS[side.index()] == letter)
}

pub(super) fn write<const RULESET: usize>(position: &Aboyne<RULESET>) -> String {
    let mut text = String::with_capacity(CELLS + ROWS + 1);
    for cell in 0..CELLS {
        if cell > 0 && row_and_place(cell).1 == 0 {
            text.push('/');
        }
        text.push(position.stone(cell).map_or('.', |side| LETTERS[side.index()]));
    }
    text.push(' ');
    text.push(LETTERS[position.to_move.index()]);
    text
}

pub(super) fn parse<const RULESET: usize>(text: &str) -> Result<Aboyne<RULESET>, TextError> {
    let mut words = text.split_whitespace();
    let rows = words.next().unwrap_or("");
    let count = rows.split('/').count();
    if count != ROWS {
        return Err(TextError::new(format!("the board has {count} rows, expected {ROWS}")));
    }
    let mut stones = [0u64; 2];
    for (row, cells) in rows.split('/').enumerate() {
        let (count, expected) = (cells.chars().count(), row_length(row));
        if count != expected {
            return Err(TextError::new(format!("row {} has {count} cells, expected {expected}", row_letter(row))));
        }
        for (place, found) in cells.chars().enumerate() {
            let cell = cell_at(row, place);
            if let Some(side) = side_of_letter(found) {
                stones[side.index()] |= 1 << bit_of_cell(cell);
            } else if found != '.' {
                let (name, found) = (cell_name(cell), quoted(&found.to_string()));
                return Err(TextError::new(format!("cell {name} is {found}, expected b, r or .")));
            }
        }
    }
    let to_move = match words.next() {
        Some("b") => Side::First,
        Some("r") => Side::Second,
        Some(other) => return Err(TextError::new(format!("the side to move is {}, expected b or r", quoted(other)))),
        None => return Err(TextError::new("after the board stands the side to move, b or r")),
    };
    if let Some(more) = words.next() {
        return Err(TextError::new(format!("{} after the side to move: nothing belongs there", quoted(more))));
    }
    check(stones)?;
    Ok(Aboyne { own: stones[to_move.index()], enemy: stones[(!to_move).index()], to_move })
}

/// Refuses stones that no game can bring about.
fn check(stones: [u64; 2]) -> Result<(), TextError> {
    for side in Side::BOTH {
        let count = stones[side.index()].count_ones();
        if count > STONES {
            return Err(TextError::new(format!("{} has {count} stones, at most {STONES} can be", colour(side))));
        }
        if stones[side.index()] & GOALS[(!side).index()] != 0 {
            let goal = cell_name(GOAL_CELLS[(!side).index()]);
            return Err(TextError::new(format!(
                "a stone of {} stands on {goal}, the goal of {}, which it may not enter",
                colour(side),
                colour(!side)
            )));
        }
    }
    if stones == [0, 0] {
        return Err(TextError::new("no stone stands on the board"));
    }
    if Side::BOTH.into_iter().all(|side| stones[side.index()] & GOALS[side.index()] != 0) {
        return Err(TextError::new("both goals are reached, but the first one ends the game"));
    }
    Ok(())
}

/// How a legal move is written between its cells: `x` for a capture, `-` for a step, `^` for another jump.
fn sign<const RULESET: usize>(position: &Aboyne<RULESET>, mv: Move) -> char {
    let (_, to) = mv.bits();
    if position.enemy & to != 0 {
        'x'
    } else if NEIGHBOURS[mv.from as usize % 64] & to != 0 {
        '-'
    } else {
        '^'
    }
}

pub(super) fn write_move<const RULESET: usize>(position: &Aboyne<RULESET>, mv: Move) -> String {
    if mv == Move::PASS {
        return "pass".into();
    }
    let [from, to] = [mv.from, mv.to].map(|bit| cell_name(cell_of_bit(u32::from(bit))));
    format!("{from}{}{to}", sign(position, mv))
}

pub(super) fn parse_move<const RULESET: usize>(position: &Aboyne<RULESET>, text: &str) -> Result<Move, TextError> {
    let text = text.trim();
    let mover = colour(position.to_move);
    if let Some(end) = position.outcome() {
        return Err(TextError::new(format!("the game is over ({}): no move can follow", end.reason)));
    }
    let moves = position.moves();
    let must_pass = moves == [Move::PASS];
    if text.eq_ignore_ascii_case("pass") {
        return if must_pass {
            Ok(Move::PASS)
        } else {
            Err(TextError::new(format!("{mover} may not pass: there is a legal move")))
        };
    }
    let Some((from, written, to)) = split(text) else {
        return Err(TextError::new(format!("{} is not a move such as b1-c2, b1^d3, b1xd3 or pass", quoted(text))));
    };
    let (from, to) = (parse_cell(from)?, parse_cell(to)?);
    let mv = Move::new(bit_of_cell(from), bit_of_cell(to));
    if !moves.contains(&mv) {
        let hint = if must_pass { "; the only move is pass" } else { "" };
        return Err(TextError::new(format!("{}{hint}", why_not(position, from, to))));
    }
    let right = sign(position, mv);
    if written != right {
        let kind = match right {
            'x' => "a capture",
            '-' => "a step",
            _ => "a jump that captures nothing",
        };
        return Err(TextError::new(format!("{} is {kind}: write {}", quoted(text), write_move(position, mv))));
    }
    Ok(mv)
}

/// The texts of two cells and the sign between them.
fn split(text: &str) -> Option<(&str, char, &str)> {
    let (at, sign) = text.char_indices().find(|(_, character)| matches!(character, '-' | '^' | 'x' | 'X'))?;
    Some((&text[..at], sign.to_ascii_lowercase(), &text[at + 1..]))
}

/// The cell that a name such as `b1`, or a number, stands for.
fn parse_cell(text: &str) -> Result<usize, TextError> {
    let named = match text.as_bytes() {
        [row @ (b'a'..=b'i' | b'A'..=b'I'), place @ b'1'..=b'9'] => {
            let (row, place) = ((row.to_ascii_lowercase() - b'a') as usize, (place - b'1') as usize);
            if place >= row_length(row) {
                let length = row_length(row);
                return Err(TextError::new(format!("there is no cell {text}: row {} has {length}", row_letter(row))));
            }
            Some(cell_at(row, place))
        }
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => text.parse().ok(),
        _ => None,
    };
    named
        .filter(|&cell| cell < CELLS)
        .ok_or_else(|| TextError::new(format!("{} is not a cell: these are a1 to i5, or 0 to 60", quoted(text))))
}

/// Why a move between two cells is not legal, in a position where the game is not over.
fn why_not<const RULESET: usize>(position: &Aboyne<RULESET>, from: usize, to: usize) -> String {
    let (start, end) = (cell_name(from), cell_name(to));
    let (mover, enemy) = (colour(position.to_move), colour(!position.to_move));
    match position.stone(from) {
        None => return format!("{start} is empty"),
        Some(side) if side != position.to_move => return format!("the stone on {start} is not {mover}'s"),
        Some(_) => {}
    }
    let beside = NEIGHBOURS[bit_of_cell(from) as usize] & position.enemy;
    if beside != 0 {
        return format!("{start} is blocked by the stone on {}", cell_name(cell_of_bit(beside.trailing_zeros())));
    }
    if position.stone(to) == Some(position.to_move) {
        return format!("{end} is occupied by {mover}");
    }
    if to == GOAL_CELLS[(!position.to_move).index()] {
        return format!("{end} is the goal of {enemy}, which {mover} may not enter");
    }
    if Aboyne::<RULESET>::BENT_JUMPS {
        return if position.stone(to).is_none() {
            format!("{start} and {end} are not neighbours, and a jump has to capture")
        } else {
            format!("no stone of {mover} stands next to both {start} and {end}")
        };
    }
    match (0..6).find_map(|direction| gap(position.own, from, to, direction)) {
        Some(cell) => format!("no stone of {mover} to jump over on {}", cell_name(cell)),
        None => format!("{start} and {end} are not on one line"),
    }
}

/// The first cell without a stone of `own` strictly between two cells, where `to` lies in the direction.
fn gap(own: u64, from: usize, to: usize, direction: usize) -> Option<usize> {
    let gap = landing(own, bit_of_cell(from), direction);
    let mut beyond = gap;
    while beyond != u32::from(OUTSIDE) && beyond != bit_of_cell(to) {
        beyond = u32::from(NEXT[direction][beyond as usize]);
    }
    (beyond == bit_of_cell(to)).then(|| cell_of_bit(gap))
}
