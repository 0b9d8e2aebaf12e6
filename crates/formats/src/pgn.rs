//! Games as text with headers in brackets, as PGN has them: our own `games.txt`, the output of match runners for UGI
//! engines, and the game texts of pente.org.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Ending, Record, Rules, TextError,
    format::{Format, Source, Visit, Writer, at_line, on_line},
    text::quoted,
};
use quincunx_games::{all, rules};

use crate::GameRecord;

/// This program's own form, as the `games.txt` of a contest.
pub(crate) static TEXT: Headed = Headed { ours: true };

/// The form that tools for PGN read.
pub(crate) static PGN: Headed = Headed { ours: false };

/// The format.
pub(crate) struct Headed {
    ours: bool,
}

impl Format for Headed {
    fn name(&self) -> &'static str {
        if self.ours { "text" } else { "pgn" }
    }

    fn summary(&self) -> &'static str {
        if self.ours {
            "games of this program as text: the games.txt of a contest"
        } else {
            "headers in brackets and numbered moves, as match runners and pente.org write them"
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        if self.ours { &["txt"] } else { &["pgn"] }
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let text = source.bytes.trim_ascii_start();
        let header = text.split(|&byte| byte == b'\n').next().unwrap_or(b"").trim_ascii_end();
        let headed = header.starts_with(b"[") && header.ends_with(b"\"]");
        headed && self.ours == text.starts_with(b"[Number ")
    }

    fn omits_passes(&self) -> bool {
        !self.ours
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let text = source.text()?;
        let mut found: Option<Found<'_>> = None;
        for (index, line) in text.lines().enumerate() {
            let header = line.trim_start().starts_with('[');
            let open = found.as_ref().is_some_and(Found::in_comment);
            if header && !open {
                let (name, value) = read_header(line.trim()).map_err(|error| at_line(index + 1, &error))?;
                if let Some(done) = found.take_if(|found| !found.moves.trim().is_empty()) {
                    visit(done.read(source.expected))?;
                }
                found.get_or_insert_with(|| Found::at(index + 1)).headers.push((name, value));
            } else if let Some(found) = &mut found {
                found.moves.push_str(line);
                found.moves.push('\n');
            } else if !line.trim().is_empty() {
                return Err(at_line(index + 1, &TextError::new("moves before any header")));
            }
        }
        found.map_or(Ok(()), |done| visit(done.read(source.expected)))
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(HeadedWriter { ours: self.ours, number: 0 }))
    }
}

/// `[Name "value"]`.
fn read_header(line: &str) -> Result<(&str, String), TextError> {
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
    let (name, value) = inner
        .and_then(|inner| inner.split_once(" \""))
        .ok_or_else(|| TextError::new(format!("{} is not a header: [Name \"value\"]", quoted(line))))?;
    Ok((name.trim(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// A game as it stands in the file.
struct Found<'a> {
    line: usize,
    headers: Vec<(&'a str, String)>,
    moves: String,
}

impl Found<'_> {
    fn at(line: usize) -> Self {
        Self { line, headers: Vec::new(), moves: String::new() }
    }

    /// Whether a comment has begun that has not ended.
    fn in_comment(&self) -> bool {
        self.moves.rfind('{') > self.moves.rfind('}')
    }

    fn read(&self, expected: Option<Rules>) -> Result<Record, TextError> {
        on_line(self.line, self.record(expected))
    }

    fn header(&self, names: &[&str]) -> Option<&str> {
        let found = self.headers.iter().find(|(name, _)| names.contains(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn record(&self, expected: Option<Rules>) -> Result<Record, TextError> {
        let rules = self.rules(expected)?;
        let mut record = Record::new(rules);
        record.start = self.header(&["Start", "FEN", "Position"]).map(String::from);
        for (name, value) in &self.headers {
            match *name {
                "Result" => {
                    record.ending = Ending::read(value)
                        .ok_or_else(|| TextError::new(format!("the result {} is not one", quoted(value))))?;
                }
                "Cause" | "Termination" => record.cause.clone_from(value),
                name => match player_of(name, &rules) {
                    Some((side, false)) => record.players[side].clone_from(value),
                    Some((side, true)) => record.push_tag(ELO[side], value),
                    None if NOT_TAGS.contains(&name) || ["?", "-"].contains(&value.as_str()) => {}
                    None => record.push_tag(name, value),
                },
            }
        }
        read_moves(&self.moves, &mut record)?;
        Ok(record)
    }

    fn rules(&self, expected: Option<Rules>) -> Result<Rules, TextError> {
        let Some(name) = self.header(&["Game", "Variant"]) else {
            return expected.ok_or_else(|| TextError::new("no header names the game: [Game \"othello\"]"));
        };
        let known = all()
            .into_iter()
            .find(|about| about.name.eq_ignore_ascii_case(name) || about.title.eq_ignore_ascii_case(name));
        rules(known.map_or(name, |about| about.name), self.header(&["Ruleset"]))
    }
}

/// The tags of the ratings, by side.
const ELO: [&str; 2] = ["FirstElo", "SecondElo"];

/// Headers that say what a record says elsewhere.
const NOT_TAGS: [&str; 10] =
    ["Game", "Variant", "Ruleset", "Start", "FEN", "SetUp", "Position", "Number", "Player 1 Type", "Player 2 Type"];

/// Whose name (or rating, if true) a header holds.
fn player_of(header: &str, rules: &Rules) -> Option<(usize, bool)> {
    let side_named = |name: &str, or: usize| rules.about.sides.iter().position(|side| *side == name).unwrap_or(or);
    Some(match header {
        "First" | "Player1" | "Player 1 Name" => (0, false),
        "Second" | "Player2" | "Player 2 Name" => (1, false),
        // Where colours are the names of the sides they are meant; White begins elsewhere.
        "White" => (side_named("White", 0), false),
        "Black" => (side_named("Black", 1), false),
        "FirstElo" | "Player 1 Rating" => (0, true),
        "SecondElo" | "Player 2 Rating" => (1, true),
        "WhiteElo" => (side_named("White", 0), true),
        "BlackElo" => (side_named("Black", 1), true),
        _ => return None,
    })
}

/// Reads numbered moves with comments in braces; variations in parentheses are left out.
fn read_moves(text: &str, record: &mut Record) -> Result<(), TextError> {
    let (mut rest, mut variations, mut count) = (text, 0_usize, 0_usize);
    let mut notes: Vec<(usize, &str)> = Vec::new();
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        match first {
            '{' => {
                let end = rest.find('}').ok_or_else(|| TextError::new("a { without its }"))?;
                if variations == 0 && count > 0 {
                    notes.push((count - 1, rest[1..end].trim()));
                }
                rest = &rest[end + 1..];
            }
            '(' => (variations, rest) = (variations + 1, &rest[1..]),
            ')' => {
                variations = variations.checked_sub(1).ok_or_else(|| TextError::new("a ) without its ("))?;
                rest = &rest[1..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{}()".contains(c)).unwrap_or(rest.len());
                let word = without_number(&rest[..end.max(1)]);
                rest = &rest[end.max(first.len_utf8())..];
                if variations > 0 || word.is_empty() || word.starts_with('$') || Ending::read(word).is_some() {
                    continue;
                }
                record.push_move(word);
                count += 1;
            }
        }
    }
    if !notes.is_empty() {
        record.notes = vec![String::new(); count];
        for (index, note) in notes {
            record.notes[index] = note.to_string();
        }
    }
    Ok(())
}

/// A word without the number of the move before it: `12.`, `12...`, `12.d3`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &word[digits..];
    if digits > 0 && behind.starts_with('.') { behind.trim_start_matches('.') } else { word }
}

struct HeadedWriter {
    ours: bool,
    number: u64,
}

impl Writer for HeadedWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let number = self.number;
        self.number += 1;
        let text = if self.ours { GameRecord::of(record, game, number).to_text() } else { as_pgn(record, number) };
        out.extend(text.bytes());
        Ok(())
    }
}

fn as_pgn(record: &Record, number: u64) -> String {
    let tag = |name| Some(record.tag(name)).filter(|tag| !tag.is_empty());
    let names = record.players.each_ref().map(|name| if name.is_empty() { "?" } else { name });
    let round = (number + 1).to_string();
    let ruleset = record.rules.to_string();
    let mut headers: Vec<(&str, &str)> = vec![
        ("Event", tag("Event").unwrap_or("?")),
        ("Site", tag("Site").unwrap_or("?")),
        ("Date", tag("Date").unwrap_or("????.??.??")),
        ("Round", tag("Round").unwrap_or(&round)),
        ("First", names[0]),
        ("Second", names[1]),
        ("Result", record.ending.text()),
        ("Game", record.rules.about.title),
        ("Ruleset", &ruleset),
    ];
    headers.extend(record.start.as_deref().map(|start| ("FEN", start)));
    headers.extend(Some(("Termination", record.cause.as_str())).filter(|(_, cause)| !cause.is_empty()));
    let told = ["Event", "Site", "Date", "Round"];
    headers.extend(
        record
            .tags
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(|(name, _)| !told.contains(name)),
    );
    let mut text = String::new();
    for (name, value) in headers {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let name: String = name.chars().filter(|c| c.is_alphanumeric() || "_- ".contains(*c)).collect();
        _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('\n');
    let mut width = 0;
    let mut add = |word: &str| {
        // Lines break before they grow long.
        const WIDTH: usize = 80;
        let separator = match width {
            0 => "",
            _ if width + 1 + word.len() > WIDTH => "\n",
            _ => " ",
        };
        width = if separator == " " { width + 1 + word.len() } else { word.len() };
        _ = write!(text, "{separator}{word}");
    };
    for (ply, mv) in record.each_move().enumerate() {
        if ply % 2 == 0 {
            add(&format!("{}.", ply / 2 + 1));
        }
        add(mv);
        if let Some(note) = record.notes.get(ply).filter(|note| !note.is_empty()) {
            add(&format!("{{{}}}", note.replace(['{', '}'], "'")));
        }
    }
    add(record.ending.text());
    text.push_str("\n\n");
    text
}
