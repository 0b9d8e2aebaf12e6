//! What somebody pasted: a record, a position, or a list of moves in one of the forms people write.

use quincunx_game::{AnyGame, TextError, geometry::Cell, refusal};
use quincunx_games::open;
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

    /// A record as this program writes it.
    fn record(&self, record: &Value) -> Result<Line, TextError> {
        let text = |name: &str| record.get(name).and_then(Value::as_str).map(String::from);
        let moves = match record.get("moves") {
            Some(Value::Array(moves)) => moves.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            Some(Value::String(moves)) => moves.clone(),
            None => String::new(),
            Some(_) => return Err(not_a_game()),
        };
        let game = text("game").unwrap_or_else(|| self.game.clone());
        Ok(Line { game, ruleset: text("ruleset"), position: text("position"), moves })
    }

    /// The main line of SGF or GGF.
    fn tree(&self, text: &str) -> Result<Line, TextError> {
        let cells = open(&self.game, self.ruleset.as_deref(), None)?.geometry().cells;
        let mut moves = Vec::new();
        for (name, value) in properties(text) {
            if matches!(name, "AB" | "AW" | "AE") {
                return Err(refusal!("import.set_up", "a tree that sets up stones cannot be read"));
            }
            if matches!(name, "B" | "W") {
                // GGF tells evaluation and time behind slashes.
                moves.push(placed(&cells, value.split('/').next().unwrap_or_default().trim()));
            }
        }
        if moves.is_empty() { Err(not_a_game()) } else { Ok(self.line(None, moves.join(" "))) }
    }
}

fn not_a_game() -> TextError {
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

/// The move that a value of a tree names: `dd` is a column and a row, counted by letters from the upper left corner.
fn placed(cells: &[Cell], value: &str) -> String {
    let numbers = |get: fn(&Cell) -> u16| {
        let mut numbers: Vec<_> = cells.iter().map(get).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let letters: Vec<_> = value.bytes().map(|letter| usize::from(letter.wrapping_sub(b'a'))).collect();
    if let [column, row] = letters[..] {
        let place = numbers(|cell| cell.grid.0).get(row).copied().zip(numbers(|cell| cell.grid.1).get(column).copied());
        if let Some(cell) = cells.iter().find(|cell| Some(cell.grid) == place) {
            return cell.name.clone();
        }
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
    fn a_position_begins_a_game_and_nonsense_is_refused_in_one_line() {
        let start = open("othello", None, None).unwrap().position_text();
        assert_eq!(read("othello", &start).unwrap(), Vec::<String>::new());
        for text in ["", "<script>", "(;", "(;AB[dd])", "{", "{\"moves\":3}", "f5f5", "f5 z9", "[", "(((((", "(;B["] {
            let error = read("othello", text).unwrap_err().to_string();
            assert!(!error.contains('\n') && !error.is_empty(), "{text}: {error}");
        }
        assert!(read("othello", &"a".repeat(LONGEST + 1)).is_err());
    }
}
