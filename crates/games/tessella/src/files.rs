//! The files of the Tessella document: `state_<n-1>.txt` with shapes and roles, `decision_<n>.txt` with two places by row
//! and column.

use std::collections::HashSet;

use quincunx_game::{
    AnyGame, Side, TextError,
    exchange::{Exchange, Given, Handover, only_line},
    text::quoted,
};

pub(crate) struct Files;

impl Exchange for Files {
    fn handover(&self, game: &dyn AnyGame, _seconds: f64) -> Handover {
        let step = step_of(game);
        Handover {
            input: format!("state_{}.txt", step - 1),
            text: state_text(game),
            output: format!("decision_{step}.txt"),
            arguments: vec![step.to_string()],
        }
    }

    fn parse_answer(&self, game: &dyn AnyGame, text: &str) -> Result<String, TextError> {
        parse_decision(game, only_line(text)?)
    }

    fn answer(&self, game: &dyn AnyGame, mv: &str) -> String {
        let size = rows(&game.position_text()).len();
        let names = game.geometry().cells;
        let choice = game.choices().into_iter().find(|choice| choice.text == mv);
        let path = choice.and_then(|choice| choice.paths.into_iter().next());
        let places = path.into_iter().flatten().filter_map(|cell| place(&names.get(cell)?.name, size));
        let numbers: Vec<String> = places.map(|(row, column)| format!("{row} {column}")).collect();
        format!("{}\n", numbers.join(" "))
    }

    fn input(&self, name: &str) -> Option<u64> {
        name.strip_prefix("state_")?.strip_suffix(".txt")?.parse().ok()
    }

    fn read(&self, name: &str, text: &str) -> Result<Given, TextError> {
        let step = self.input(name).ok_or_else(|| TextError::new(format!("{} is no state_<n>.txt", quoted(name))))?;
        let side = if step.is_multiple_of(2) { Side::First } else { Side::Second };
        let position = parse_state(text, side)?;
        // The number of rows tells the size of the board.
        let ruleset = format!("d{}", rows(&position).len().div_ceil(2));
        let output = format!("decision_{}.txt", step.saturating_add(1));
        Ok(Given { ruleset: Some(ruleset), position, seconds: None, output })
    }

    fn has_clock(&self) -> bool {
        false
    }
}

/// The step a game stands at: odd if the first side is to move.
fn step_of(game: &dyn AnyGame) -> usize {
    let step = game.ply() + 1;
    if (step % 2 == 1) == (game.to_move() == Side::First) { step } else { step + 1 }
}

fn rows(position: &str) -> Vec<&str> {
    position.split(' ').next().unwrap_or_default().split('/').collect()
}

/// The row and column, from the top left, of a cell by its name.
fn place(name: &str, size: usize) -> Option<(usize, usize)> {
    let column = name.bytes().next()?.checked_sub(b'a')?;
    let row = name.get(1..)?.parse::<usize>().ok()?;
    Some((size.checked_sub(row)?, column as usize))
}

fn state_text(game: &dyn AnyGame) -> String {
    let position = game.position_text();
    let rows = rows(&position);
    let cells = game.geometry().cells;
    let mut octagons = HashSet::new();
    for cell in cells.iter().filter(|cell| cell.outline.len() == 8) {
        octagons.extend(place(&cell.name, rows.len()));
    }
    let mut text = String::new();
    for (r, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .chars()
            .enumerate()
            .map(|(c, found)| {
                let shape = match found {
                    '~' => '-',
                    _ if octagons.contains(&(r, c)) => 'O',
                    _ => 'S',
                };
                let role = match found {
                    'o' => '1',
                    'x' => '2',
                    _ => '0',
                };
                format!("{shape}{role}")
            })
            .collect();
        text.push_str(&cells.join(" "));
        text.push('\n');
    }
    text
}

/// Reads a state for the side whose step it is: the position text, whose number of rows tells the ruleset.
fn parse_state(text: &str, to_move: Side) -> Result<String, TextError> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let cells: Result<String, TextError> = line
            .split_whitespace()
            .map(|cell| match cell.as_bytes() {
                [b'-', b'0'] => Ok('~'),
                [b'O' | b'S', b'0'] => Ok('.'),
                [b'O' | b'S', b'1'] => Ok('o'),
                [b'O' | b'S', b'2'] => Ok('x'),
                _ => Err(TextError::new(format!(
                    "line {} holds {}, expected a cell such as O1",
                    index + 1,
                    quoted(cell)
                ))),
            })
            .collect();
        rows.push(cells?);
    }
    Ok(format!("{} {}", rows.join("/"), if to_move == Side::First { 'o' } else { 'x' }))
}

fn parse_decision(game: &dyn AnyGame, line: &str) -> Result<String, TextError> {
    let malformed = || TextError::new(format!("{} is no pair of places: row column row column", quoted(line)));
    let numbers: Option<Vec<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    let Some(&[from_row, from_column, to_row, to_column]) = numbers.as_deref() else { return Err(malformed()) };
    let size = rows(&game.position_text()).len();
    let geometry = game.geometry();
    let cell = |row: usize, column: usize| {
        geometry.cells.iter().position(|cell| place(&cell.name, size) == Some((row, column)))
    };
    let (Some(from), Some(to)) = (cell(from_row, from_column), cell(to_row, to_column)) else {
        return Err(TextError::new(format!("{} leads off the board", quoted(line))));
    };
    let found = game.choices().into_iter().find(|choice| choice.paths.contains(&vec![from, to]));
    // A move that is not among the legal ones is handed on as text, for the rules to say why.
    Ok(found.map_or_else(|| format!("{}-{}", geometry.cells[from].name, geometry.cells[to].name), |choice| choice.text))
}

#[cfg(test)]
mod tests {
    use quincunx_game::Rules;

    use super::*;
    use crate::ENTRY;

    fn game(ruleset: &str) -> Box<dyn AnyGame> {
        ENTRY.open(Rules::parse(ENTRY.about, ruleset).unwrap(), None).unwrap()
    }

    #[test]
    fn steps_go_there_and_back_for_every_move_of_every_size() {
        for ruleset in ["d4", "d5", "d6"] {
            let mut game = game(ruleset);
            for ply in 0..30 {
                let choices = game.choices();
                if choices.is_empty() {
                    break;
                }
                let handed = Files.handover(&*game, 1.0);
                assert_eq!(handed.input, format!("state_{ply}.txt"));
                assert_eq!(handed.output, format!("decision_{}.txt", ply + 1));
                let given = Files.read(&handed.input, &handed.text).unwrap();
                assert_eq!(given.position, game.position_text());
                assert_eq!((given.ruleset.as_deref(), given.output), (Some(ruleset), handed.output));
                for choice in &choices {
                    let answer = Files.answer(&*game, &choice.text);
                    assert_eq!(Files.parse_answer(&*game, &answer).unwrap(), choice.text);
                }
                game.play(&choices[ply * 7 % choices.len()].text).unwrap();
            }
        }
        let start = game("d5");
        let text = Files.handover(&*start, 1.0).text;
        assert_eq!(text.lines().next(), Some("-0 -0 -0 -0 O2 -0 -0 -0 -0"));
        assert_eq!(text.lines().nth(4), Some("O0 S0 O0 S0 O0 S0 O0 S0 O0"));
        assert_eq!(Files.answer(&*start, "e1-e2"), "8 4 7 4\n");
    }
}
