//! The files by which programs and referee hand over positions and moves: the Pente assignment's, Tessella's step files, and a plain form
//! for the other games.

use quincunx_game::{AnyGame, Rules, Side, TextError, text::quoted};

/// A larger file is none of these.
pub const LARGEST_FILE: u64 = 4096;

/// How a game is handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// `input.txt` with colour, time, captures and board; `output.txt` with a place such as `9N`.
    Pente,
    /// `state_<n-1>.txt` with shapes and roles; `decision_<n>.txt` with two places by row and column.
    Steps,
    /// `input.txt` with colour, time and position text; `output.txt` with a move as the game writes it.
    Plain,
}

/// What a program is given, and where its answer is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handover {
    /// The name of the file it reads.
    pub input: String,
    /// The text in it.
    pub text: String,
    /// The name of the file it writes.
    pub output: String,
    /// The arguments it is started with.
    pub arguments: Vec<String>,
}

impl Exchange {
    /// The form of the games under these rules.
    pub fn of(rules: &Rules) -> Self {
        match rules.about.name {
            "pente" => Self::Pente,
            "tessella" => Self::Steps,
            _ => Self::Plain,
        }
    }

    /// What is handed over where the game stands, with this many seconds left.
    pub fn handover(self, game: &dyn AnyGame, seconds: f64) -> Handover {
        let files =
            |text| Handover { input: "input.txt".into(), text, output: "output.txt".into(), arguments: Vec::new() };
        let side = game.rules().about.sides[game.to_move().index()].to_uppercase();
        // A time is never told as zero: there is some left, or nobody would be asked.
        let seconds = format!("{:.2}", (seconds * 100.0).floor().max(1.0) / 100.0);
        let position = game.position_text();
        match self {
            Self::Pente => {
                let mut words = position.split(' ');
                let board = words.next().unwrap_or_default().replace('/', "\n");
                let captured = words.nth(1).unwrap_or_default();
                files(format!("{side}\n{seconds}\n{captured}\n{board}\n"))
            }
            Self::Steps => {
                let step = step_of(game);
                Handover {
                    input: format!("state_{}.txt", step - 1),
                    text: state_text(game),
                    output: format!("decision_{step}.txt"),
                    arguments: vec![step.to_string()],
                }
            }
            Self::Plain => files(format!("{side}\n{seconds}\n{position}\n")),
        }
    }

    /// The move in an answer; the error says what is wrong with its form. Whether the move is legal is for the rules to say.
    pub fn parse_answer(self, game: &dyn AnyGame, text: &str) -> Result<String, TextError> {
        let mut lines = text.trim_end().lines();
        let line = lines.next().unwrap_or("");
        if lines.next().is_some() {
            return Err(TextError::new("more than one line"));
        }
        match self {
            Self::Pente => {
                let digits = line.trim_end_matches(|c: char| c.is_ascii_uppercase());
                let form = (1..=2).contains(&digits.len())
                    && digits.bytes().all(|byte| byte.is_ascii_digit())
                    && line.len() == digits.len() + 1;
                if form {
                    Ok(line.to_string())
                } else {
                    Err(TextError::new(format!("{} is no place such as 9N", quoted(line))))
                }
            }
            Self::Steps => parse_decision(game, line),
            Self::Plain if line.is_empty() => Err(TextError::new("an empty answer")),
            Self::Plain => Ok(line.to_string()),
        }
    }

    /// The answer that says this legal move.
    pub fn answer(self, game: &dyn AnyGame, mv: &str) -> String {
        match self {
            Self::Steps => {
                let size = rows(&game.position_text()).len();
                let names = game.geometry().cells;
                let path = game.choices().into_iter().find(|choice| choice.text == mv).map(|choice| choice.path);
                let places = path.into_iter().flatten().filter_map(|cell| place(&names.get(cell)?.name, size));
                let numbers: Vec<String> = places.map(|(row, column)| format!("{row} {column}")).collect();
                format!("{}\n", numbers.join(" "))
            }
            Self::Pente | Self::Plain => format!("{mv}\n"),
        }
    }
}

/// Reads a Pente `input.txt`: the position text, and the seconds left.
pub fn parse_pente_input(text: &str) -> Result<(String, f64), TextError> {
    let mut lines = text.lines().map(str::trim_end);
    let mut next = |what: &str| lines.next().ok_or_else(|| TextError::new(format!("input.txt ends before its {what}")));
    let side = match next("colour")? {
        "WHITE" => 'w',
        "BLACK" => 'b',
        other => {
            return Err(TextError::new(format!("line 1 of input.txt is {}, expected WHITE or BLACK", quoted(other))));
        }
    };
    let time = next("time")?;
    let seconds = time.trim().parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && seconds.is_finite());
    let seconds = seconds
        .ok_or_else(|| TextError::new(format!("line 2 of input.txt is {}, expected seconds above 0", quoted(time))))?;
    let captured = next("captures")?.replace(' ', "");
    let board: Result<Vec<&str>, TextError> = (0..19).map(|_| next("board")).collect();
    Ok((format!("{} {side} {captured}", board?.join("/")), seconds))
}

/// The step a game stands at: odd where the first side is to move.
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
    let mut octagons = std::collections::HashSet::new();
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
pub fn parse_state(text: &str, to_move: Side) -> Result<String, TextError> {
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
    let found = game.choices().into_iter().find(|choice| choice.path == [from, to]);
    // A move that is not among the legal ones is handed on as text, for the rules to say why.
    Ok(found.map_or_else(|| format!("{}-{}", geometry.cells[from].name, geometry.cells[to].name), |choice| choice.text))
}

#[cfg(test)]
mod tests {
    use quincunx_games::open;

    use super::*;

    #[test]
    fn the_sample_of_the_assignment_is_written_and_read_exactly() {
        let mut board = vec![vec!['.'; 19]; 19];
        for (place, stone) in [("10K", 'w'), ("10N", 'w'), ("12K", 'w'), ("11L", 'b'), ("10M", 'b')] {
            let (row, column) = place.split_at(2);
            let column = "ABCDEFGHJKLMNOPQRST".find(column).unwrap();
            board[19 - row.parse::<usize>().unwrap()][column] = stone;
        }
        let rows: Vec<String> = board.into_iter().map(|row| row.into_iter().collect()).collect();
        let expected = format!("BLACK\n100.00\n0,0\n{}\n", rows.join("\n"));
        let position = format!("{} b 0,0", rows.join("/"));
        let game = open("pente", None, Some(&position)).unwrap();
        assert_eq!(Exchange::Pente.handover(&*game, 100.0).text, expected);
        assert_eq!(parse_pente_input(&expected.replace("100.00", "100.0")).unwrap(), (position, 100.0));
        assert_eq!(Exchange::Pente.parse_answer(&*game, "9N\n").unwrap(), "9N");
        assert_eq!(Exchange::Pente.answer(&*game, "9N"), "9N\n");
    }

    #[test]
    fn a_time_is_told_above_zero_and_never_rounded_up() {
        let game = open("pente", None, None).unwrap();
        let told = |seconds| Exchange::Pente.handover(&*game, seconds).text.lines().nth(1).unwrap().to_string();
        assert_eq!([told(0.0001), told(0.019), told(5.2), told(99.999)], ["0.01", "0.01", "5.20", "99.99"]);
    }

    #[test]
    fn only_the_form_of_the_assignment_is_an_answer() {
        let game = open("pente", None, None).unwrap();
        for wrong in ["", "K10", "10k", "10 K", "010K", "K", "10", "10KK", "10K\n11K", "move 10K", "\u{661}0K"] {
            assert!(Exchange::Pente.parse_answer(&*game, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn steps_go_there_and_back_for_every_move_of_every_size() {
        for ruleset in ["d4", "d5", "d6"] {
            let mut game = open("tessella", Some(ruleset), None).unwrap();
            for ply in 0..30 {
                let choices = game.choices();
                if choices.is_empty() {
                    break;
                }
                let handed = Exchange::Steps.handover(&*game, 1.0);
                assert_eq!(handed.input, format!("state_{ply}.txt"));
                assert_eq!(handed.output, format!("decision_{}.txt", ply + 1));
                assert_eq!(parse_state(&handed.text, game.to_move()).unwrap(), game.position_text());
                for choice in &choices {
                    let answer = Exchange::Steps.answer(&*game, &choice.text);
                    assert_eq!(Exchange::Steps.parse_answer(&*game, &answer).unwrap(), choice.text);
                }
                game.play(&choices[ply * 7 % choices.len()].text).unwrap();
            }
        }
        let start = open("tessella", None, None).unwrap();
        let text = Exchange::Steps.handover(&*start, 1.0).text;
        assert_eq!(text.lines().next(), Some("-0 -0 -0 -0 O2 -0 -0 -0 -0"));
        assert_eq!(text.lines().nth(4), Some("O0 S0 O0 S0 O0 S0 O0 S0 O0"));
        assert_eq!(Exchange::Steps.answer(&*start, "e1-e2"), "8 4 7 4\n");
    }
}
