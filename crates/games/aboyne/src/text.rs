//! The text of positions and of moves, and what is wrong with a text.

use quincunx_game::{
    Position, Side, Stones, TextError,
    board_text::{Letters, letter, read_cell, read_rows, split_at_sign, write_rows},
    refusal,
    text::quoted,
};

use super::{
    ABOUT, Aboyne, Move, STONES,
    board::{
        CELLS, GOAL_CELLS, GOALS, NEIGHBOURS, NEXT, OUTSIDE, ROWS, bit_of_cell, cell_at, cell_name, cell_of_bit,
        row_length,
    },
    moves::landing,
};

const LETTERS: Letters = Letters { sides: ['b', 'r'], empty: '.' };

fn colour(side: Side) -> &'static str {
    ABOUT.side(side)
}

pub(super) fn write<const RULESET: usize>(position: &Aboyne<RULESET>) -> String {
    write_stones(|cell| position.stone(cell), position.to_move())
}

pub(super) fn write_stones(stone: impl Fn(usize) -> Option<Side>, to_move: Side) -> String {
    let board = write_rows(ROWS, row_length, |row, place| LETTERS.stone(stone(cell_at(row, place))));
    format!("{board} {}", LETTERS.side(to_move))
}

pub(super) fn parse<const RULESET: usize>(text: &str) -> Result<Aboyne<RULESET>, TextError> {
    let (stones, to_move) = LETTERS.read(text, parse_board)?;
    check(stones)?;
    Ok(Aboyne { stones: Stones::new(stones, to_move) })
}

fn parse_board(board: &str) -> Result<[u64; 2], TextError> {
    let mut stones = [0; 2];
    for (row, place, found) in read_rows(board, ROWS, row_length)? {
        let cell = cell_at(row, place);
        if let Some(side) = LETTERS.read_stone(found, || cell_name(cell))? {
            stones[side.index()] |= 1 << bit_of_cell(cell);
        }
    }
    Ok(stones)
}

/// Refuses stones that cannot come about in a game.
fn check(stones: [u64; 2]) -> Result<(), TextError> {
    for side in Side::BOTH {
        let count = stones[side.index()].count_ones();
        if count > STONES {
            let side = colour(side);
            return Err(refusal!(
                "aboyne.stones",
                "{side} has {count} stones, at most {most} can be",
                side,
                count,
                most = STONES,
            ));
        }
        if stones[side.index()] & GOALS[(!side).index()] != 0 {
            return Err(refusal!(
                "aboyne.wrong_goal",
                "a stone of {side} stands on {cell}, the goal of {other}, which it may not enter",
                side = colour(side),
                cell = cell_name(GOAL_CELLS[(!side).index()]),
                other = colour(!side),
            ));
        }
    }
    if stones == [0, 0] {
        return Err(refusal!("aboyne.no_stones", "no stone stands on the board"));
    }
    if Side::BOTH.into_iter().all(|side| stones[side.index()] & GOALS[side.index()] != 0) {
        return Err(refusal!("aboyne.both_won", "both goals are reached, but the first one ends the game"));
    }
    Ok(())
}

/// How a legal move is written between its cells: `x` for a capture, `-` for a step, `^` for another jump.
fn sign<const RULESET: usize>(position: &Aboyne<RULESET>, mv: Move) -> char {
    let (_, to) = mv.sets();
    if position.stones.enemy & to != 0 {
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
    let mover = colour(position.to_move());
    if let Some(end) = position.outcome() {
        return Err(TextError::game_over_by(end.reason));
    }
    let moves = position.moves();
    let must_pass = moves == [Move::PASS];
    if text.eq_ignore_ascii_case("pass") {
        return if must_pass { Ok(Move::PASS) } else { Err(TextError::may_not_pass(mover)) };
    }
    let Some((from, written, to)) = split_at_sign(text, &['-', '^', 'x', 'X']) else {
        let text = quoted(text);
        return Err(refusal!("aboyne.no_move", "{text} is not a move such as b1-c2, b1^d3, b1xd3 or pass", text));
    };
    let (from, to) = (parse_cell(from)?, parse_cell(to)?);
    let mv = Move::new(bit_of_cell(from), bit_of_cell(to));
    if !moves.contains(&mv) {
        let error = why_not(position, from, to);
        return Err(if must_pass { error.or_pass() } else { error });
    }
    let right = sign(position, mv);
    if written.to_ascii_lowercase() != right {
        let kind = match right {
            'x' => "a capture",
            '-' => "a step",
            _ => "a jump that captures nothing",
        };
        let (text, better) = (quoted(text), write_move(position, mv));
        return Err(refusal!("aboyne.sign", "{text} is {kind}: write {better}", text, kind, better));
    }
    Ok(mv)
}

/// The cell that a name such as `b1`, or a number, stands for.
fn parse_cell(text: &str) -> Result<usize, TextError> {
    let named = match read_cell(text).filter(|&(row, _)| row < ROWS) {
        Some((row, place)) if place >= row_length(row) => {
            return Err(refusal!(
                "aboyne.short_row",
                "there is no cell {cell}: row {row} has {count}",
                cell = text,
                row = letter(row),
                count = row_length(row),
            ));
        }
        Some((row, place)) => Some(cell_at(row, place)),
        None => text.parse().ok().filter(|_| text.bytes().all(|digit| digit.is_ascii_digit())),
    };
    named.filter(|&cell| cell < CELLS).ok_or_else(|| {
        let text = quoted(text);
        refusal!("aboyne.no_cell", "{text} is not a cell: these are a1 to i5, or 0 to 60", text)
    })
}

/// Why a move between two cells is not legal, if the game is not over.
fn why_not<const RULESET: usize>(position: &Aboyne<RULESET>, from: usize, to: usize) -> TextError {
    let (start, end) = (cell_name(from), cell_name(to));
    let (side, enemy) = (colour(position.to_move()), colour(!position.to_move()));
    match position.stone(from) {
        None => return TextError::empty(start),
        Some(owner) if owner != position.to_move() => {
            return refusal!("aboyne.not_yours", "the stone on {cell} is not {side}'s", cell = start, side);
        }
        Some(_) => {}
    }
    let beside = NEIGHBOURS[bit_of_cell(from) as usize] & position.stones.enemy;
    if beside != 0 {
        let by = cell_name(cell_of_bit(beside.trailing_zeros()));
        return refusal!("aboyne.blocked", "{cell} is blocked by the stone on {by}", cell = start, by);
    }
    if position.stone(to) == Some(position.to_move()) {
        return refusal!("aboyne.occupied", "{cell} is occupied by {side}", cell = end, side);
    }
    if to == GOAL_CELLS[(!position.to_move()).index()] {
        return refusal!(
            "aboyne.enemy_goal",
            "{cell} is the goal of {enemy}, which {side} may not enter",
            cell = end,
            enemy,
            side,
        );
    }
    if Aboyne::<RULESET>::BENT_JUMPS {
        return if position.stone(to).is_none() {
            refusal!(
                "aboyne.jump_captures",
                "{from} and {to} are not neighbours, and a jump has to capture",
                from = start,
                to = end,
            )
        } else {
            refusal!(
                "aboyne.no_bridge",
                "no stone of {side} stands next to both {from} and {to}",
                side,
                from = start,
                to = end,
            )
        };
    }
    match (0..6).find_map(|direction| gap(position.stones.own, from, to, direction)) {
        Some(cell) => {
            let cell = cell_name(cell);
            refusal!("aboyne.gap", "no stone of {side} to jump over on {cell}", side, cell)
        }
        None => TextError::no_line(start, end),
    }
}

/// The first cell without a stone of `own` strictly between two cells, if `to` lies in the direction.
fn gap(own: u64, from: usize, to: usize, direction: usize) -> Option<usize> {
    let gap = landing(own, bit_of_cell(from), direction);
    let mut beyond = gap;
    while beyond != u32::from(OUTSIDE) && beyond != bit_of_cell(to) {
        beyond = u32::from(NEXT[direction][beyond as usize]);
    }
    (beyond == bit_of_cell(to)).then(|| cell_of_bit(gap))
}
