//! Positions and moves as text: `0 3 1` is the red stone on cell 0, the blue one on cell 3, and Blue to move.

use quincunx_game::{Position, Side, TextError, refusal, text::quoted};

use super::{CELLS, Ring, Step};

pub(crate) fn parse(text: &str) -> Result<Ring, TextError> {
    let numbers: Option<Vec<usize>> = text.split(' ').map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[first, second, to_move]) if first < CELLS && second < CELLS && to_move < 2 => {
            Ok(Ring { stones: [first, second], to_move: Side::BOTH[to_move] })
        }
        _ => Err(refusal!("ring.position", "{text} is not two cells and a side", text = quoted(text))),
    }
}

pub(crate) fn write(position: &Ring) -> String {
    format!("{} {} {}", position.stones[0], position.stones[1], position.to_move.index())
}

/// The text of any stones; a side without exactly one stone gives a text that [`parse`] refuses.
pub(crate) fn write_stones(stones: &[Option<Side>], to_move: Side) -> String {
    let cells = Side::BOTH.map(|side| {
        let cells = (0..stones.len()).filter(|&cell| stones[cell] == Some(side));
        cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(",")
    });
    format!("{} {} {}", cells[0], cells[1], to_move.index())
}

pub(crate) fn parse_move(position: &Ring, text: &str) -> Result<Step, TextError> {
    if position.outcome().is_some() {
        return Err(TextError::game_over());
    }
    let step = Step::BOTH.into_iter().find(|&step| write_move(step) == text);
    step.ok_or_else(|| refusal!("ring.step", "{text} is neither + nor -", text = quoted(text)))
}

pub(crate) fn write_move(step: Step) -> &'static str {
    match step {
        Step::Up => "+",
        Step::Down => "-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_position_or_move_is_refused_in_one_line() {
        for text in ["", "0 3", "0 6 0", "0 3 2", "0 3 0 0", "x 0 3 0", "0  3 0"] {
            assert!(parse(text).unwrap_err().to_string().ends_with(" is not two cells and a side"), "{text}");
        }
        let start = parse("0 3 0").unwrap();
        assert_eq!(parse_move(&start, "?").unwrap_err().to_string(), "\"?\" is neither + nor -");
        assert_eq!(parse_move(&parse("2 2 0").unwrap(), "+").unwrap_err(), TextError::game_over());
    }
}
