//! What somebody pasted: a record, a position, or a list of moves in one of the forms people write.

use quincunx_game::{AnyGame, Rules, Side, TextError, geometry::Cell, refusal};
use quincunx_games::{entries, entry, open, rules};
use quincunx_search::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::line::Line;

/// Most bytes of a text.
const LONGEST: usize = 60_000;

/// A text to read as a game: a record of ours (JSON), a position, SGF, GGF, or a list of moves as in `1. d3 c5`,
/// `F5D6C3` or the files of pente.org.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Pasted {
    /// The name of the game, unless the text says otherwise.
    #[schema(max_length = 2_000)]
    pub game: String,
    /// The ruleset, unless the text says otherwise; the default one if missing.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    pub ruleset: Option<String>,
    /// What was pasted.
    #[schema(max_length = 60_000)]
    pub text: String,
}

impl Pasted {
    /// The game that the text stands for; the error says what is wrong with its likeliest meaning.
    pub fn read(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let text = self.text.trim();
        if text.is_empty() || text.len() > LONGEST {
            return Err(not_a_game());
        }
        // A list of moves may begin with a comment in braces, too.
        if text.starts_with('{')
            && let Ok(record) = serde_json::from_str(text)
        {
            return self.record(&record)?.open();
        }
        if let Some(tree) = text.strip_prefix('(') {
            return self.tree(tree)?.open();
        }
        if text.len() <= crate::line::LONGEST_TEXT
            && let Ok(game) = self.line(Some(text.into()), String::new()).open()
        {
            return Ok(game);
        }
        let moves = moves_of(text);
        if moves.is_empty() {
            return Err(not_a_game());
        }
        let listed = self.line(None, moves.clone()).open();
        match (&listed, run_together(&moves)) {
            (Err(_), Some(split)) => self.line(None, split).open(),
            _ => listed,
        }
    }

    fn line(&self, position: Option<String>, moves: String) -> Line {
        Line { game: self.game.clone(), ruleset: self.ruleset.clone(), position, moves }
    }

    /// A record as this program writes it, also that of a contest, or a report of AbstractPlay.
    fn record(&self, record: &Value) -> Result<Line, TextError> {
        let text = |name: &str| record.get(name).and_then(Value::as_str).map(String::from);
        let moves = match record.get("moves") {
            Some(Value::Array(moves)) => texts_of(record["opening"].as_array().into_iter().flatten().chain(moves)),
            Some(Value::String(moves)) => moves.split_whitespace().map(String::from).collect(),
            None => Vec::new(),
            Some(_) => return Err(not_a_game()),
        };
        if let Some(name) = record["header"]["game"]["name"].as_str() {
            return report(name, &record["header"]["game"]["variants"], &moves);
        }
        let game = text("game").unwrap_or_else(|| self.game.clone());
        // A contest tells the last position as well, and calls the first one the start.
        let position = text("start").or_else(|| text("position"));
        Ok(Line { game, ruleset: text("ruleset"), position, moves: moves.join(" ") })
    }

    /// The main line of SGF or GGF, from the stones that it sets up first, if it does.
    fn tree(&self, text: &str) -> Result<Line, TextError> {
        let sgf = entry(&self.game)?.formats.sgf;
        let properties = properties(text);
        let mut line = self.line(None, String::new());
        let size = properties.iter().find(|(name, _)| *name == "SZ").and_then(|(_, value)| value.trim().parse().ok());
        if let (Some(sgf), Some(size)) = (sgf, size)
            && (sgf.size)(rules(&self.game, self.ruleset.as_deref())?.ruleset.name) != size
        {
            line.ruleset = (sgf.ruleset)(size).map(String::from);
        }
        let board = open(&self.game, line.ruleset.as_deref(), None)?;
        let cells = board.geometry().cells;
        // In games that let either colour begin, the first side is written as White if stones are set up.
        let colours = sgf.and_then(|sgf| sgf.colours).unwrap_or(["W", "B"]);
        let side_of = |colour: &str| Side::BOTH.into_iter().zip(colours).find(|(_, own)| *own == colour);
        let (mut stones, mut moves, mut to_move) = (None, Vec::new(), None);
        for (name, value) in properties {
            if let Some(colour) = ["AB", "AW", "AE"].contains(&name).then(|| &name[1..]) {
                if !moves.is_empty() {
                    return Err(refusal!("import.set_up", "a tree that sets up stones after a move cannot be read"));
                }
                let stones = stones.get_or_insert_with(|| vec![None; cells.len()]);
                for cell in cells_of(&cells, value).ok_or_else(not_a_game)? {
                    stones[cell] = side_of(colour).map(|(side, _)| side);
                }
            } else if name == "PL" {
                to_move = side_of(value.trim()).map(|(side, _)| side);
            } else if matches!(name, "B" | "W") {
                to_move = to_move.or_else(|| side_of(name).map(|(side, _)| side));
                // GGF tells evaluation and time behind slashes.
                moves.push(placed(&cells, value.split('/').next().unwrap_or_default().trim()));
            }
        }
        if stones.is_none() && moves.is_empty() {
            return Err(not_a_game());
        }
        let counts = vec![[0; 2]; board.counts().len()];
        line.position = stones.map(|stones| board.text_of(&stones, to_move.unwrap_or(Side::First), &counts));
        line.moves = moves.join(" ");
        Ok(line)
    }
}

/// The texts of moves: plain, with what was thought of them, or by rounds.
fn texts_of<'a>(moves: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let in_rounds = moves.flat_map(|mv| mv.as_array().map_or(std::slice::from_ref(mv), Vec::as_slice));
    in_rounds.filter_map(|mv| mv.as_str().or_else(|| mv["move"].as_str())).map(String::from).collect()
}

/// The game of a report of AbstractPlay, which has names and notations of its own.
fn report(name: &str, variants: &Value, moves: &[String]) -> Result<Line, TextError> {
    let known = |entry: &Entry| entry.formats.abstract_play.filter(|dialect| dialect.name == name);
    let found = entries().into_iter().find_map(|entry| Some((entry.about, known(entry)?)));
    let (about, dialect) = found.ok_or_else(not_a_game)?;
    let variants = texts_of(variants.as_array().into_iter().flatten());
    let rules = Rules::parse(about, (dialect.ruleset)(&variants)?)?;
    let moves: Option<Vec<_>> = moves.iter().map(|mv| (dialect.read)(mv, &rules)).collect();
    let moves = moves.ok_or_else(not_a_game)?.join(" ");
    Ok(Line { game: about.name.into(), ruleset: Some(rules.to_string()), position: None, moves })
}

pub(crate) fn not_a_game() -> TextError {
    refusal!("import.unknown", "this is neither a record, nor a position, nor a list of moves")
}

/// The properties of the main line of a tree, names and values, in order.
fn properties(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find('[') {
        // The first closing parenthesis outside a value ends the main line.
        if rest[..begin].contains(')') {
            break;
        }
        let name = rest[..begin].trim_matches(|c: char| !c.is_ascii_uppercase());
        // A property may have several values.
        let name = if name.is_empty() { found.last().map_or("", |(name, _)| *name) } else { name };
        let value = &rest[begin + 1..];
        let mut escaped = false;
        let end = value.find(|c| {
            let ends = c == ']' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let Some(end) = end else { break };
        found.push((name, &value[..end]));
        rest = &value[end + 1..];
    }
    found
}

/// The cell that a value of a tree names: `dd` is a column and a row, counted by letters from the upper left corner.
fn cell_at(cells: &[Cell], value: &str) -> Option<usize> {
    let numbers = |get: fn(&Cell) -> u16| {
        let mut numbers: Vec<_> = cells.iter().map(get).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let letters: Vec<_> = value.bytes().map(|letter| usize::from(letter.wrapping_sub(b'a'))).collect();
    let [column, row] = letters[..] else { return None };
    let place = numbers(|cell| cell.grid.0).get(row).copied().zip(numbers(|cell| cell.grid.1).get(column).copied())?;
    cells.iter().position(|cell| cell.grid == place)
}

/// The cells that a value names, one or all between two corners, `dd:ee`; `None` if it names none.
fn cells_of(cells: &[Cell], value: &str) -> Option<Vec<usize>> {
    let named = |name: &str| {
        let name = name.trim();
        cell_at(cells, name).or_else(|| cells.iter().position(|cell| cell.name.eq_ignore_ascii_case(name)))
    };
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (from, to) = (named(from)?, named(to)?);
    let between = |get: fn(&Cell) -> u16| {
        let (a, b) = (get(&cells[from]), get(&cells[to]));
        a.min(b)..=a.max(b)
    };
    let (rows, columns) = (between(|cell| cell.grid.0), between(|cell| cell.grid.1));
    let inside = |cell: &Cell| rows.contains(&cell.grid.0) && columns.contains(&cell.grid.1);
    Some((0..cells.len()).filter(|&cell| inside(&cells[cell])).collect())
}

/// The move that a value of a tree names.
fn placed(cells: &[Cell], value: &str) -> String {
    if let Some(cell) = cell_at(cells, value) {
        return cells[cell].name.clone();
    }
    match value {
        "" | "tt" | "pa" | "PA" | "Pass" | "PASS" => "pass".into(),
        other => other.to_ascii_lowercase(),
    }
}

/// A list of moves without headings in brackets, variations in parentheses, comments in braces, numbers, glyphs such as
/// `!?` or `$5`, and results.
fn moves_of(text: &str) -> String {
    let mut plain = String::new();
    let (mut depth, mut is_comment) = (0_usize, false);
    for c in text.chars() {
        match c {
            '}' => is_comment = false,
            _ if is_comment => {}
            '{' => is_comment = true,
            '[' | '(' => depth += 1,
            ']' | ')' => {
                depth = depth.saturating_sub(1);
                plain.push(' ');
            }
            _ if depth > 0 => {}
            _ => plain.push(c),
        }
    }
    let is_number =
        |word: &str| word.strip_suffix('.').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let words = plain.split_whitespace().filter(|word| !word.starts_with('$')).map(|word| {
        let word = word.trim_end_matches(['!', '?']);
        // `1.d3` is a number and a move.
        match word.split_once('.') {
            Some((digits, mv)) if !mv.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => mv,
            _ => word,
        }
    });
    let moves = words.filter(|word| !is_number(word) && !matches!(*word, "" | "1-0" | "0-1" | "1/2-1/2" | "*"));
    moves.collect::<Vec<_>>().join(" ")
}

/// Moves such as `F5D6C3`, one by one; `None` if they are not of this form.
fn run_together(moves: &str) -> Option<String> {
    let mut split = String::new();
    let mut rest = moves;
    while !rest.is_empty() {
        rest = rest.trim_start_matches([' ', ',', '-']);
        if let Some(after) = rest.get(..4).filter(|word| word.eq_ignore_ascii_case("pass")) {
            split.push_str("pass ");
            rest = &rest[after.len()..];
            continue;
        }
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let digits = rest[letters..].bytes().take(2).take_while(u8::is_ascii_digit).count();
        if rest.is_empty() {
            break;
        }
        if letters != 1 || digits == 0 {
            return None;
        }
        split.push_str(&rest[..letters + digits].to_ascii_lowercase());
        split.push(' ');
        rest = &rest[letters + digits..];
    }
    Some(split)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(game: &str, text: &str) -> Result<Vec<String>, TextError> {
        Pasted { game: game.into(), ruleset: None, text: text.into() }.read().map(|game| game.played())
    }

    #[test]
    fn games_are_read_as_people_write_them() {
        let othello = ["f5", "d6", "c3", "d3", "c4"];
        let start = open("othello", None, None).unwrap().position_text();
        let contest = format!(
            r#"{{"game":"othello","ruleset":"8x8","start":"{start}","opening":["f5","d6"],
            "moves":[{{"move":"c3","us":5}},{{"move":"d3"}},{{"move":"c4"}}],"position":"the last one","winner":"first"}}"#
        );
        for text in [
            "f5 d6 c3 d3 c4",
            "F5D6C3D3C4",
            "f5d6 c3d3 c4",
            "1. f5 d6 2. c3 d3 3. c4",
            "1.f5 d6 2.c3 d3 3.c4 *",
            "{the start} 1. f5! d6 (1... f6? {no (1)} 2. e6) 2. c3 $5 {a bracket [} d3 !? 3. c4?? (3. c5 (3. b3))",
            "(;GM[2]FF[4]SZ[8];B[fe];W[df];B[cc](;W[dc];B[cd])(;W[bb]))",
            "(;GM[Othello]PC[GGS]PB[a\\]b]TY[8]BO[8 -------- *]B[F5//0.01]W[d6//1]B[C3/1.2/3]W[D3]B[C4];)",
            r#"{"game":"othello","moves":["f5","d6","c3","d3","c4"]}"#,
            r#"{"game":"othello","moves":"f5 d6 c3 d3 c4","result":"1-0"}"#,
            &contest,
            r#"{"header":{"game":{"name":"Reversi","variants":[]}},"moves":[["f5","d6"],["c3",{"move":"d3"}],["c4"]]}"#,
        ] {
            assert_eq!(read("othello", text).unwrap(), othello, "{text}");
        }
        let pente = "[Game \"Pente\"]\n[Site \"Pente.org\"]\n[Result \"1-0\"]\n\n1. K10 L9\n2. K13 M8 1-0";
        assert_eq!(read("pente", pente).unwrap(), ["10K", "9L", "13K", "8M"]);
        assert_eq!(read("pente", "K10L9K13").unwrap(), ["10K", "9L", "13K"]);
        assert_eq!(read("pente", "(;GM[1]SZ[19];W[jj];B[kk])").unwrap(), ["10K", "9L"]);
        assert_eq!(read("shobu", "1. ab1:db1:NE2").unwrap(), ["ab1:db1:NE2"]);
    }

    #[test]
    fn trees_may_set_up_stones_first() {
        let game = |game: &str, text: &str| {
            let game = Pasted { game: game.into(), ruleset: None, text: text.into() }.read().unwrap();
            (game.rules().ruleset.name, game.start_text(), game.played())
        };
        // The usual four stones, written one by one and as a rectangle with an exception.
        let start = open("othello", None, None).unwrap().position_text();
        let usual = "(;GM[2]SZ[8]AB[ed][de]AW[dd][ee]PL[B];B[fe];W[df])";
        assert_eq!(game("othello", usual), ("8x8", start.clone(), vec!["f5".to_string(), "d6".into()]));
        assert_eq!(game("othello", "(;AW[dd:ee]AB[ed][de])").1, start);
        assert_eq!(game("othello", "(;AW[dd:ee]AB[ed][de];W[ce])").1, start.replace(" X", " O"));
        assert_eq!(game("othello", "(;SZ[6]AW[cc][dd]AB[dc][cd])").0, "6x6");
        let (_, position, moves) = game("pente", "(;GM[1]AB[jj][kk]AW[aa]AE[kk]PL[B];B[ab])");
        assert!(position.starts_with("w......") && position.ends_with(" b 0,0") && position.matches('b').count() == 2);
        assert_eq!(moves, ["18A"]);
        let late = Pasted { game: "othello".into(), ruleset: None, text: "(;B[fe];AW[aa])".into() };
        assert_eq!(late.read().map(|_| ()).unwrap_err().code(), "import.set_up");
    }

    #[test]
    fn a_position_begins_a_game_and_nonsense_is_refused_in_one_line() {
        let start = open("othello", None, None).unwrap().position_text();
        assert_eq!(read("othello", &start).unwrap(), Vec::<String>::new());
        for text in
            ["", "<script>", "(;", "(;AB[zz])", "(;AB[])", "{", "{\"moves\":3}", "f5f5", "f5 z9", "[", "(((((", "(;B["]
        {
            let error = read("othello", text).unwrap_err().to_string();
            assert!(!error.contains('\n') && !error.is_empty(), "{text}: {error}");
        }
        assert!(read("othello", &"a".repeat(LONGEST + 1)).is_err());
    }
}
