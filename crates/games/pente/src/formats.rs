//! The files that hold games of Pente.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Ending, Record, Rules, Side, TextError,
    format::{AbstractPlay, Format, Formats, Sgf, Source, Visit, Writer, on_line},
    text::quoted,
};

use super::{
    SIZE,
    text::{column_letter, parse_place},
};

/// All of them.
pub(super) const FORMATS: Formats = Formats {
    own: &[&GameList],
    sgf: Some(&Sgf {
        games: &["pente"],
        // Some sites let White begin, others Black.
        colours: None,
        ruleset: |size| (size == SIZE).then_some("tournament"),
        size: |_| SIZE,
        read: read_sgf,
        write: write_sgf,
        set_up,
    }),
    abstract_play: Some(&AbstractPlay {
        name: "Pente",
        ruleset: |variants| match variants.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["standard-19"] => Ok("tournament"),
            [] => Err(TextError::new("the small board is not played here, only the variant standard-19")),
            _ => Err(TextError::new(format!("the variants {} are not played here", quoted(&variants.join(", "))))),
        },
        variants: |ruleset| (ruleset == "tournament").then_some(&["standard-19"]),
        read: |mv, _| read_lettered(mv),
        write: |mv, _| {
            let place = parse_place(mv).ok()?;
            Some(format!("{}{}", char::from(b'a' + place.column() as u8), SIZE - place.row()))
        },
    }),
};

/// A place as `jj` (column and row from the top left, as in Go), or as the game writes it.
fn read_sgf(value: &str, _size: usize) -> Option<String> {
    if let &[column @ b'a'..=b's', row @ b'a'..=b's'] = value.trim().as_bytes() {
        return Some(format!("{}{}", SIZE - usize::from(row - b'a'), column_letter(usize::from(column - b'a'))));
    }
    parse_place(value.trim()).ok().map(|_| value.trim().to_string())
}

fn write_sgf(mv: &str, _size: usize) -> Option<String> {
    let place = parse_place(mv).ok()?;
    let letter = |number: usize| char::from(b'a' + number as u8);
    Some([letter(place.column()), letter(place.row())].into_iter().collect())
}

/// The text of a position; SGF does not tell captures.
fn set_up(stones: &[Vec<String>; 2], to_move: Side, _size: usize) -> Option<String> {
    let mut board = vec![vec!['.'; SIZE]; SIZE];
    for (letter, places) in ['w', 'b'].into_iter().zip(stones) {
        for place in places {
            let place = parse_place(place).ok()?;
            board[place.row()][place.column()] = letter;
        }
    }
    let rows: Vec<String> = board.into_iter().map(|row| row.into_iter().collect()).collect();
    Some(format!("{} {} 0,0", rows.join("/"), ['w', 'b'][to_move.index()]))
}

/// A place whose columns go from a to s, the i included.
fn read_lettered(mv: &str) -> Option<String> {
    let (&column, row) = mv.as_bytes().split_first()?;
    let row: usize = std::str::from_utf8(row).ok()?.parse().ok()?;
    (column.is_ascii_lowercase() && usize::from(column - b'a') < SIZE)
        .then(|| format!("{row}{}", column_letter(usize::from(column - b'a'))))
}

/// Collections of pente.org games, one a line: both ratings, the result, the moves.
struct GameList;

impl Format for GameList {
    fn name(&self) -> &'static str {
        "pente-list"
    }

    fn summary(&self) -> &'static str {
        "pente.org games, one a line: both ratings, the result, the moves (`2015 1674 1-0 K10 L9 …`)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pente"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let begin = String::from_utf8_lossy(&source.bytes[..source.bytes.len().min(4000)]);
        let mut lines = begin.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.next().is_some_and(|line| {
            let words: Vec<&str> = line.split_whitespace().take(4).collect();
            words.len() >= 3 && words[..2].iter().all(|word| is_rating(word)) && Ending::read(words[2]).is_some()
        })
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let asked = source.expected.filter(|rules| rules.about.name == super::ABOUT.name);
        let rules = asked.unwrap_or(Rules::of(&super::ABOUT));
        for (index, line) in source.text()?.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                visit(on_line(index + 1, read_game(line, rules)))?;
            }
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(ListWriter))
    }
}

fn is_rating(word: &str) -> bool {
    word == "?" || (word.len() <= 5 && !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read_game(line: &str, rules: Rules) -> Result<Record, TextError> {
    let mut words = line.split_whitespace();
    let mut record = Record::new(rules);
    for name in ["FirstElo", "SecondElo"] {
        let word = words.next().unwrap_or("");
        if !is_rating(word) {
            return Err(TextError::new(format!("{} is not a rating", quoted(word))));
        }
        record.push_tag(name, if word == "?" { "" } else { word });
    }
    let result = words.next().unwrap_or("");
    record.ending =
        Ending::read(result).ok_or_else(|| TextError::new(format!("{} is not a result", quoted(result))))?;
    words.for_each(|mv| record.push_move(mv));
    Ok(record)
}

struct ListWriter;

impl Writer for ListWriter {
    fn add(&mut self, record: &Record, _game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        if record.rules.about.name != "pente" || record.start.is_some() {
            return Err(TextError::new("this list holds games of Pente from the start"));
        }
        let rating = |name| Some(record.tag(name)).filter(|tag| is_rating(tag)).unwrap_or("?");
        let mut line = format!("{} {} {}", rating("FirstElo"), rating("SecondElo"), record.ending.text());
        for mv in record.each_move() {
            let place = parse_place(mv)?;
            _ = write!(line, " {}{}", column_letter(place.column()), SIZE - place.row());
        }
        line.push('\n');
        out.extend(line.bytes());
        Ok(())
    }
}
