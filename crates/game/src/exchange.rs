//! The files by which a referee and a program hand over positions and moves.

use crate::{AnyGame, TextError, text::quoted};

/// A larger file is none of these.
pub const LARGEST_FILE: u64 = 4096;

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

impl Handover {
    /// The usual files: `input.txt` with this text, and `output.txt`.
    pub fn usual(text: String) -> Self {
        Self { input: "input.txt".into(), text, output: "output.txt".into(), arguments: Vec::new() }
    }
}

/// What a program learns from the file it is given.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// The ruleset, if it is not the default one.
    pub ruleset: Option<String>,
    /// The text of the position.
    pub position: String,
    /// The seconds left, if the game has a clock.
    pub seconds: Option<f64>,
    /// The name of the file it is to write.
    pub output: String,
}

/// How a game is handed over. By default `input.txt` holds colour, seconds left and position, a line each, and
/// `output.txt` a move as the game writes it.
pub trait Exchange: Sync {
    /// What is handed over where the game stands, with this many seconds left.
    fn handover(&self, game: &dyn AnyGame, seconds: f64) -> Handover {
        Handover::usual(format!("{}\n{}\n{}\n", colour(game), told_seconds(seconds), game.position_text()))
    }

    /// The move in an answer; the error says what is wrong with its form. Whether the move is legal is for the rules to
    /// say.
    fn parse_answer(&self, _game: &dyn AnyGame, text: &str) -> Result<String, TextError> {
        match only_line(text)? {
            "" => Err(TextError::new("an empty answer")),
            line => Ok(line.to_string()),
        }
    }

    /// The answer that says this legal move.
    fn answer(&self, _game: &dyn AnyGame, mv: &str) -> String {
        format!("{mv}\n")
    }

    /// Whether a file of this name is what a program is given, and how new it is: the newest one counts.
    fn input(&self, name: &str) -> Option<u64> {
        (name == "input.txt").then_some(0)
    }

    /// What the file of this name and text says; the error names the line that is wrong.
    fn read(&self, _name: &str, text: &str) -> Result<Given, TextError> {
        let mut lines = Lines::new(text);
        lines.next("colour")?;
        let seconds = lines.seconds()?;
        let position = lines.next("position")?.to_string();
        Ok(Given { ruleset: None, position, seconds: Some(seconds), output: "output.txt".into() })
    }

    /// Whether programs are told how much time is left.
    fn has_clock(&self) -> bool {
        true
    }
}

/// The default files.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Exchange for Plain {}

/// The name of the side to move, in capitals.
pub fn colour(game: &dyn AnyGame) -> String {
    game.rules().about.sides[game.to_move().index()].to_uppercase()
}

/// Seconds as programs are told them, in hundredths and never as zero: there is some time left, or nobody would be
/// asked.
pub fn told_seconds(seconds: f64) -> String {
    format!("{:.2}", (seconds * 100.0).floor().max(1.0) / 100.0)
}

/// The one line of an answer.
pub fn only_line(text: &str) -> Result<&str, TextError> {
    let mut lines = text.trim_end().lines();
    let line = lines.next().unwrap_or("");
    if lines.next().is_some() {
        return Err(TextError::new("more than one line"));
    }
    Ok(line)
}

/// The lines of an `input.txt`, one after the other.
pub struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(text: &'a str) -> Self {
        Self { lines: text.lines(), number: 0 }
    }

    /// The next line, which is what its name says.
    pub fn next(&mut self, what: &str) -> Result<&'a str, TextError> {
        self.number += 1;
        let line = self.lines.next().map(str::trim_end);
        line.ok_or_else(|| TextError::new(format!("input.txt ends before its {what}")))
    }

    /// The next line as seconds above zero.
    pub fn seconds(&mut self) -> Result<f64, TextError> {
        let time = self.next("time")?;
        let seconds = time.trim().parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && seconds.is_finite());
        seconds.ok_or_else(|| {
            let (number, time) = (self.number, quoted(time));
            TextError::new(format!("line {number} of input.txt is {time}, expected seconds above 0"))
        })
    }
}
