//! OBF and the positions of Edax: a board a line, the side to move, then moves with their scores.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Record, TextError,
    format::{Format, Source, Visit, Writer, on_line},
    text::quoted,
};

use super::rules_of_size;

/// The format.
pub(super) struct Obf;

impl Format for Obf {
    fn name(&self) -> &'static str {
        "obf"
    }

    fn summary(&self) -> &'static str {
        "positions of Othello with the scores of moves, as endgame suites and Edax write them"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["obf", "edax"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let begin = String::from_utf8_lossy(&source.bytes[..source.bytes.len().min(4000)]);
        begin.lines().map(bare).find(|line| !line.is_empty()).is_some_and(|line| {
            let board = line.split([' ', '\t', ';']).next().unwrap_or("");
            // Behind a semicolon stand moves with scores; moves alone are another format.
            let scores = line.split_once(';').map_or("", |(_, scores)| scores);
            let scored = scores.contains(':') || scores.chars().all(|letter| letter == ';' || letter.is_whitespace());
            matches!(board.len(), 64 | 36 | 16) && board.bytes().all(|byte| b"XxOo*-.".contains(&byte)) && scored
        })
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        for (index, line) in source.text()?.lines().enumerate() {
            let line = bare(line);
            if !line.is_empty() {
                visit(on_line(index + 1, read_position(line)))?;
            }
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(ObfWriter))
    }
}

/// A line without its comment, which a percent sign begins.
fn bare(line: &str) -> &str {
    line.split('%').next().unwrap_or("").trim()
}

fn read_position(line: &str) -> Result<Record, TextError> {
    let mut parts = line.split(';').map(str::trim);
    let position = parts.next().unwrap_or("");
    let squares = position.chars().take_while(|letter| !letter.is_whitespace()).count();
    let size = squares.isqrt();
    if size * size != squares {
        return Err(TextError::new(format!("a board of {squares} squares is not played here")));
    }
    let mut record = Record::new(rules_of_size(size)?);
    record.start = Some(position.to_string());
    for part in parts.filter(|part| !part.is_empty()) {
        let scored = part.split_once(':').and_then(|(mv, score)| Some((mv.trim(), score.trim().parse().ok()?)));
        let (mv, score) = scored
            .ok_or_else(|| TextError::new(format!("{} is not a move and its score, such as A2:+38", quoted(part))))?;
        record.scores.push((mv.to_ascii_lowercase(), score));
    }
    Ok(record)
}

struct ObfWriter;

impl Writer for ObfWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        if record.rules.about.name != "othello" {
            return Err(TextError::new("an OBF file holds positions of Othello"));
        }
        let mut line = format!("{};", game.position_text());
        for (mv, score) in &record.scores {
            _ = write!(line, " {}:{score:+};", mv.to_uppercase());
        }
        line.push('\n');
        out.extend(line.bytes());
        Ok(())
    }
}
