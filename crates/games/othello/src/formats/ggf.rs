//! GGF, the Generic Game Format of the Generic Game Server: `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[F6];)`.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Ending, Record, Side, TextError,
    format::{Format, Source, Visit, Writer, at_line, on_line},
    text::quoted,
};

use super::rules_of_size;

/// The tags of a record and the properties that hold them.
const TAGS: [(&str, &str); 5] =
    [("Site", "PC"), ("Date", "DT"), ("FirstElo", "RB"), ("SecondElo", "RW"), ("TimeControl", "TI")];

/// The format.
pub(super) struct Ggf;

impl Format for Ggf {
    fn name(&self) -> &'static str {
        "ggf"
    }

    fn summary(&self) -> &'static str {
        "games of Othello as the Generic Game Server and NBoard keep them"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ggf"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let begin = String::from_utf8_lossy(&source.bytes[..source.bytes.len().min(2000)]);
        begin.find("(;").is_some_and(|at| {
            let before = begin[..at].trim();
            before.bytes().all(|byte| byte.is_ascii_digit()) && begin[at..].contains("BO[")
        })
    }

    fn omits_passes(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let text = source.text()?;
        let (mut from, mut line) = (0, 1);
        while let Some(at) = text[from..].find("(;") {
            let begin = from + at;
            line += newlines(&text[from..begin]);
            let behind = &text[begin + 2..];
            let length = behind.find(";)").ok_or_else(|| {
                at_line(line, &TextError::new("the game that begins here has no end: it should be ;)"))
            })?;
            visit(on_line(line, read_game(&behind[..length])))?;
            line += newlines(&behind[..length]);
            from = begin + 2 + length + 2;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(GgfWriter))
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

fn read_game(mut rest: &str) -> Result<Record, TextError> {
    // The game, and the side to move.
    let mut game: Option<(Record, Side)> = None;
    let mut players = [String::new(), String::new()];
    let mut tags = Vec::new();
    let (mut ending, mut cause) = (Ending::Open, String::new());
    while let Some((tag, behind)) = rest.split_once('[') {
        let tag = tag.trim().trim_start_matches(';').trim();
        let (value, behind) =
            behind.split_once(']').ok_or_else(|| TextError::new(format!("the tag {} has no end", quoted(tag))))?;
        rest = behind;
        match tag {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(TextError::new(format!("the game is {}, expected Othello", quoted(value))));
            }
            "PB" => players[0] = value.into(),
            "PW" => players[1] = value.into(),
            "RE" => (ending, cause) = read_result(value),
            "BO" => game = Some(read_board(value)?),
            "B" | "W" => {
                let game = game.as_mut().ok_or_else(|| TextError::new("a move stands before the board"))?;
                let (record, to_move) = game;
                let side = if tag == "B" { Side::First } else { Side::Second };
                // Two moves of one side: the other one passed, if the rules agree.
                if side != *to_move {
                    record.push_move("pass");
                    record.notes.push(String::new());
                }
                *to_move = !side;
                let mut parts = value.split('/').map(str::trim);
                let mv = parts.next().unwrap_or("").to_ascii_lowercase();
                let mv = if ["pa", "pass", ""].contains(&mv.as_str()) { "pass" } else { &mv };
                if mv.contains(char::is_whitespace) {
                    return Err(TextError::new(format!("{} is not a move", quoted(mv))));
                }
                record.push_move(mv);
                let (score, time) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
                record.notes.push(note(score, time));
            }
            _ => {
                let known = TAGS.iter().find(|(_, property)| *property == tag).map(|(name, _)| (*name).to_string());
                tags.extend(known.filter(|_| !value.is_empty()).map(|name| (name, value.to_string())));
            }
        }
    }
    let (mut record, _) = game.ok_or_else(|| TextError::new("the game has no board: BO[8 … *]"))?;
    if record.notes.iter().all(String::is_empty) {
        record.notes.clear();
    }
    Ok(Record { players, tags, ending, cause, ..record })
}

fn note(score: &str, time: &str) -> String {
    let mut note = score.to_string();
    if !time.is_empty() {
        _ = write!(note, "{}{time} s", if note.is_empty() { "" } else { ", " });
    }
    note
}

/// The result for Black, `+4.00`, and behind a colon the reason: resigned, time out, by agreement.
fn read_result(value: &str) -> (Ending, String) {
    let (score, reason) = value.split_once(':').unwrap_or((value, ""));
    let ending = match score.trim().parse::<f64>() {
        Ok(score) if score > 0.0 => Ending::Won(Side::First),
        Ok(score) if score < 0.0 => Ending::Won(Side::Second),
        Ok(_) => Ending::Draw,
        Err(_) => Ending::Open,
    };
    let cause = match reason.trim() {
        "r" => "resigned",
        "t" => "time",
        "s" => "agreed",
        _ => "",
    };
    (ending, cause.into())
}

/// Reads a board, its size, its squares row by row and the side to move, as a game that begins there.
fn read_board(text: &str) -> Result<(Record, Side), TextError> {
    let (size, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let number = size.parse().map_err(|_| TextError::new(format!("{} is not the size of a board", quoted(size))))?;
    let rest: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
    let (to_move, _) = rest.char_indices().next_back().ok_or_else(|| TextError::new("the board is empty"))?;
    let (squares, to_move) = rest.split_at(to_move);
    let mut record = Record::new(rules_of_size(number)?);
    record.start = Some(format!("{squares} {to_move}"));
    Ok((record, if to_move.eq_ignore_ascii_case("O") { Side::Second } else { Side::First }))
}

struct GgfWriter;

impl Writer for GgfWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let rules = &record.rules;
        if rules.about.name != "othello" {
            return Err(TextError::new("a GGF file holds games of Othello"));
        }
        let size = super::size_of(rules.ruleset.name);
        let start = game.start_text();
        let (board, to_move) = start.split_once(' ').unwrap_or((&start, "X"));
        let mark = |text: &str| text.replace('X', "*");
        let clean = |text: &str| text.replace(['[', ']', ';', '(', ')'], "_");
        let mut text = String::from("(;GM[Othello]");
        for (name, property) in TAGS {
            if !record.tag(name).is_empty() {
                _ = write!(text, "{property}[{}]", clean(record.tag(name)));
            }
        }
        let names = record.players.each_ref().map(|name| if name.is_empty() { "?" } else { name });
        let score = game.tallies().iter().find(|tally| tally.name == "score").map(|tally| tally.values);
        let result = match (score, record.ending.sign()) {
            (Some([black, white]), _) => format!("{:+}.000", black as i32 - white as i32),
            (None, Some(sign)) => {
                let reason = match record.cause.as_str() {
                    "resigned" => ":r",
                    "time" => ":t",
                    "agreed" => ":s",
                    _ => "",
                };
                format!("{:+}.000{reason}", 64 * sign)
            }
            (None, None) => "?".into(),
        };
        _ = write!(
            text,
            "PB[{}]PW[{}]RE[{result}]TY[{size}]BO[{size} {} {}]",
            clean(names[0]),
            clean(names[1]),
            mark(board),
            mark(to_move)
        );
        let mut side = if game.ply().is_multiple_of(2) { game.to_move() } else { !game.to_move() };
        for (index, mv) in record.each_move().enumerate() {
            let mv = if mv == "pass" { "PA".into() } else { mv.to_uppercase() };
            _ = write!(text, "{}[{mv}", if side == Side::First { "B" } else { "W" });
            // Only a number is an evaluation to those who read the format.
            let note = record.notes.get(index).map_or("", String::as_str);
            let (score, time) = note.split_once(", ").unwrap_or((note, ""));
            let score = Some(score).filter(|score| score.parse::<f64>().is_ok()).unwrap_or("");
            let time = time.strip_suffix(" s").filter(|time| time.parse::<f64>().is_ok()).unwrap_or("");
            if !score.is_empty() || !time.is_empty() {
                _ = write!(text, "/{score}{}{time}", if time.is_empty() { "" } else { "/" });
            }
            text.push(']');
            side = !side;
        }
        text.push_str(";)\n");
        out.extend(text.bytes());
        Ok(())
    }
}
