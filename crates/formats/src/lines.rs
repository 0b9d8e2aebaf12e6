//! A game or an opening a line: moves, a position, or a position and moves behind a semicolon.

use quincunx_game::{
    AnyGame, Record, Rules, TextError,
    format::{Format, Source, Visit, Writer, on_line},
    record::play_line,
    text::quoted,
};
use quincunx_games::{NO_MOVES, all, set_up};

/// Moves separated by spaces.
pub(crate) static LINES: Lines = Lines { joined: false };

/// Moves with nothing between them: `F5D6C3`.
pub(crate) static TRANSCRIPT: Lines = Lines { joined: true };

/// The format.
pub(crate) struct Lines {
    joined: bool,
}

impl Format for Lines {
    fn name(&self) -> &'static str {
        if self.joined { "transcript" } else { "lines" }
    }

    fn summary(&self) -> &'static str {
        if self.joined {
            "a game a line, nothing between its moves: F5D6C3"
        } else {
            "a game a line: moves, a position, or a position; moves. Openings are written so"
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        if self.joined { &["transcript"] } else { &["lines"] }
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let Some((_, line)) = source.text().ok().and_then(|text| lines_of(text).next()) else { return false };
        let one_word = !line.contains(|letter: char| letter.is_whitespace() || letter == ',' || letter == ';');
        // The last resort: a list in which each line would be refused still names its first wrong line best.
        one_word == self.joined && (source.expected.is_some() || rules_of(line).is_some())
    }

    fn omits_passes(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let text = source.text()?;
        let rules = source.expected.or_else(|| lines_of(text).next().and_then(|(_, line)| rules_of(line)));
        let rules = rules.ok_or_else(|| TextError::new("no game has such moves; name it with --game"))?;
        for (number, line) in lines_of(text) {
            visit(on_line(number, read_line(line, &rules)))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(LineWriter { joined: self.joined }))
    }
}

/// The lines that say something, with their numbers.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The rules of the first game that understands a line.
fn rules_of(line: &str) -> Option<Rules> {
    let begins = |rules: &Rules| match read_line(line, rules) {
        Ok(_) => true,
        // A line whose first move is right is one of this game, whatever is wrong further on.
        Err(error) => begins_well(&error),
    };
    all().into_iter().map(Rules::of).find(begins)
}

/// Whether an error in a line of moves is about a later one than the first.
fn begins_well(error: &TextError) -> bool {
    error.code() == "move.numbered" && !error.to_string().starts_with("move 1:")
}

/// The game of a line, which is moves, a position, or both with a semicolon between them.
fn read_line(line: &str, rules: &Rules) -> Result<Record, TextError> {
    let mut record = Record::new(*rules);
    let (position, moves) = match line.split_once(';') {
        Some((position, moves)) => (Some(position.trim()), moves),
        None => (None, line),
    };
    let played = |position: Option<&str>, moves: &str| {
        let mut game = set_up(*rules, position, NO_MOVES)?;
        play_line(&mut *game, moves).map(|()| game.played().join(" "))
    };
    match played(position, moves) {
        Ok(moves) => {
            record.start = position.map(String::from);
            record.moves = moves;
        }
        Err(error) if position.is_some() || begins_well(&error) => return Err(error),
        // What does not begin with a legal move may be a position.
        Err(error) => {
            played(Some(line), "").map_err(|_| {
                TextError::new(format!("{} is neither a list of moves ({error}) nor a position", quoted(line)))
            })?;
            record.start = Some(line.to_string());
        }
    }
    Ok(record)
}

struct LineWriter {
    joined: bool,
}

impl Writer for LineWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let mut line = match &record.start {
            Some(start) if record.moves.is_empty() && !self.joined => start.clone(),
            Some(start) => format!("{start}; "),
            None => String::new(),
        };
        if self.joined {
            if record.start.is_some() {
                return Err(TextError::new("a transcript begins at the start of the game"));
            }
            let joined: String = record.each_move().filter(|mv| *mv != "pass").map(str::to_uppercase).collect();
            // Whether the moves can be told apart again depends on the game.
            let mut again = set_up(record.rules, None, NO_MOVES)?;
            let read = play_line(&mut *again, &joined).is_ok();
            if !read || again.position_text() != game.position_text() {
                return Err(TextError::new("its moves cannot be told apart without spaces; use the format lines"));
            }
            line.push_str(&joined);
        } else {
            line.push_str(&record.moves);
        }
        if line.is_empty() {
            return Err(TextError::new("the game has no moves: its line would be empty"));
        }
        line.push('\n');
        out.extend(line.bytes());
        Ok(())
    }
}
