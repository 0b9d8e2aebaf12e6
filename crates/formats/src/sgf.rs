//! The Smart Game Format, FF\[4\], for the games that tell how they are written in it. Of a tree of variations the main
//! line is read.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Ending, Record, Rules, Side, TextError,
    format::{Format, Sgf, Source, Visit, Writer, at_line, on_line},
    text::quoted,
};
use quincunx_games::entry;
use quincunx_games::{NO_MOVES, entries, set_up};

/// The tags of a record and the properties that hold them.
const TAGS: [(&str, &str); 7] = [
    ("Event", "EV"),
    ("Site", "PC"),
    ("Date", "DT"),
    ("Round", "RO"),
    ("TimeControl", "TM"),
    ("Annotator", "AN"),
    ("Source", "SO"),
];

/// No tree of variations is deeper.
const DEEPEST: usize = 10_000;

/// The format.
pub(crate) struct SmartGames;

impl Format for SmartGames {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn summary(&self) -> &'static str {
        "the Smart Game Format, FF[4], for Othello and Pente"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sgf"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let text = source.bytes.trim_ascii_start();
        text.strip_prefix(b"(").is_some_and(|behind| behind.trim_ascii_start().starts_with(b";"))
    }

    fn omits_passes(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let mut scanner = Scanner { rest: source.text()?, line: 1 };
        while let Some(found) = scanner.next_game()? {
            visit(on_line(found.line, found.record(source.expected)))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(SgfWriter))
    }
}

/// A property: its name and its values.
type Property = (String, Vec<String>);

/// The main line of a game: the nodes with their properties.
struct Found {
    line: usize,
    nodes: Vec<Vec<Property>>,
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl Scanner<'_> {
    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }

    fn skip_spaces(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    fn wrong<T>(&self, what: &str) -> Result<T, TextError> {
        Err(at_line(self.line, &TextError::new(what)))
    }

    /// The next game; `None` at the end of the file. What stands between games is not looked at.
    fn next_game(&mut self) -> Result<Option<Found>, TextError> {
        let Some(begin) = self.rest.find('(') else { return Ok(None) };
        self.skip(begin);
        let mut found = Found { line: self.line, nodes: Vec::new() };
        // For each tree around this place: whether it is on the main line, and whether a variation of it was read.
        let mut trees: Vec<(bool, bool)> = Vec::new();
        loop {
            self.skip_spaces();
            let main = trees.last().is_none_or(|&(main, _)| main);
            match self.rest.chars().next() {
                None => return self.wrong("the game has no end: a ) is missing"),
                Some('(') => {
                    let first = trees.last_mut().is_none_or(|tree| !std::mem::replace(&mut tree.1, true));
                    trees.push((main && first, false));
                    if trees.len() > DEEPEST {
                        return self.wrong("the tree of variations is too deep");
                    }
                    self.skip(1);
                }
                Some(')') => {
                    self.skip(1);
                    trees.pop();
                    if trees.is_empty() {
                        return Ok(Some(found));
                    }
                }
                Some(';') => {
                    self.skip(1);
                    if main && !trees.last().is_some_and(|tree| tree.1) {
                        found.nodes.push(Vec::new());
                    }
                }
                Some(letter) if letter.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    if main && let Some(node) = found.nodes.last_mut() {
                        node.push(property);
                    }
                }
                Some(other) => return self.wrong(&format!("{} is no part of a game", quoted(&other.to_string()))),
            }
        }
    }

    fn property(&mut self) -> Result<Property, TextError> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        // Old files write names at length: the capitals count.
        let name: String = self.rest[..end].chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
        self.skip(end);
        let mut values = Vec::new();
        loop {
            self.skip_spaces();
            if !self.rest.starts_with('[') {
                break;
            }
            let (mut value, mut escaped, mut end) = (String::new(), false, None);
            for (at, letter) in self.rest.char_indices().skip(1) {
                match letter {
                    _ if std::mem::take(&mut escaped) => value.extend((letter != '\n').then_some(letter)),
                    '\\' => escaped = true,
                    ']' => {
                        end = Some(at);
                        break;
                    }
                    _ => value.push(letter),
                }
            }
            let Some(end) = end else { return self.wrong(&format!("the property {} has no end", quoted(&name))) };
            self.skip(end + 1);
            values.push(value);
        }
        if values.is_empty() {
            return self.wrong(&format!("the property {} has no value", quoted(&name)));
        }
        Ok((name, values))
    }
}

impl Found {
    fn root(&self, name: &str) -> Option<&str> {
        let root = self.nodes.first()?;
        root.iter().find(|(known, _)| known == name).and_then(|(_, values)| values.first()).map(String::as_str)
    }

    /// Rules and dialect: by GM, else by what is expected.
    fn rules(&self, expected: Option<Rules>) -> Result<(Rules, &'static Sgf), TextError> {
        let written = self.root("GM").unwrap_or("").trim();
        let sized = |rules: Rules, sgf: &'static Sgf| {
            let Some(size) = self.root("SZ") else { return Ok((rules, sgf)) };
            let ruleset = size.trim().parse().ok().and_then(sgf.ruleset);
            let ruleset = ruleset.ok_or_else(|| {
                TextError::new(format!("{} is not played on a board of size {}", rules.about.title, quoted(size)))
            })?;
            // A ruleset that was asked for stays, if its board has this size.
            let kept = (sgf.ruleset)((sgf.size)(rules.ruleset.name)) == Some(ruleset);
            Ok((if kept { rules } else { Rules::parse(rules.about, ruleset)? }, sgf))
        };
        let known = entries().into_iter().find_map(|entry| {
            let sgf = entry.formats.sgf?;
            let named = sgf.games.iter().any(|game| game.eq_ignore_ascii_case(written));
            named.then_some((Rules::of(entry.about), sgf))
        });
        if let Some((rules, sgf)) = known {
            let same = expected.filter(|expected| expected.about.name == rules.about.name);
            return sized(same.unwrap_or(rules), sgf);
        }
        // Pente has no number of its own, so that files call it Gomoku or Go: what was asked for decides.
        let asked = expected.and_then(|rules| Some((rules, entry(rules.about.name).ok()?.formats.sgf?)));
        match asked {
            Some((rules, sgf)) if ["", "1", "4"].contains(&written) => sized(rules, sgf),
            _ => Err(TextError::new(format!("GM[{written}] is no game that is played here; --game may name one"))),
        }
    }

    fn record(&self, expected: Option<Rules>) -> Result<Record, TextError> {
        let (rules, sgf) = self.rules(expected)?;
        let size = (sgf.size)(rules.ruleset.name);
        let mut record = Record::new(rules);
        let colours = sgf.colours.unwrap_or_else(|| {
            let first =
                self.nodes.iter().flatten().map(|(name, _)| name.as_str()).find(|name| ["B", "W"].contains(name));
            // Whoever moves first is the first side, unless the game begins in the middle.
            let placed = self.root("AB").or(self.root("AW")).is_some();
            if first == Some("B") && !placed { ["B", "W"] } else { ["W", "B"] }
        });
        let mut stones: [Vec<String>; 2] = Default::default();
        let mut to_move = Side::First;
        let mut notes = Vec::new();
        for (name, values) in self.nodes.iter().flatten() {
            let value = values.first().map_or("", String::as_str);
            let side = |prefix: &str| colours.iter().position(|colour| name.strip_prefix(prefix) == Some(colour));
            if let Some(side) = side("A").filter(|_| name.len() == 2) {
                let placed = values.iter().map(|value| {
                    let place = (sgf.read)(value, size);
                    place.ok_or_else(|| TextError::new(format!("{} is not a place on the board", quoted(value))))
                });
                stones[side].extend(placed.collect::<Result<Vec<_>, _>>()?);
            } else if let Some(side) = side("P").filter(|_| name.len() == 2) {
                record.players[side] = value.trim().to_string();
            } else if let Some(side) = side("").filter(|_| name.len() == 1) {
                let mv = (sgf.read)(value, size);
                let mv = mv.filter(|mv| !mv.contains(char::is_whitespace));
                record.push_move(&mv.ok_or_else(|| TextError::new(format!("{} is not a move", quoted(value))))?);
                if notes.is_empty() {
                    to_move = Side::BOTH[side];
                }
                notes.push(String::new());
            } else if name == "C"
                && let Some(note) = notes.last_mut()
            {
                *note = value.split_whitespace().collect::<Vec<_>>().join(" ");
            } else if name == "RE" {
                (record.ending, record.cause) = read_result(value, colours);
            } else if name == "PL" {
                let second = value.trim().eq_ignore_ascii_case(colours[1]) || value.trim() == "2";
                to_move = if second { Side::Second } else { Side::First };
            } else if let Some((tag, _)) = TAGS.iter().find(|(_, property)| property == name) {
                record.push_tag(tag, value.trim());
            }
        }
        if notes.iter().any(|note| !note.is_empty()) {
            record.notes = notes;
        }
        if stones.iter().any(|placed| !placed.is_empty()) {
            let start = (sgf.set_up)(&stones, to_move, size);
            record.start = Some(start.ok_or_else(|| TextError::new("its stones are not on the board"))?);
        }
        Ok(record)
    }
}

/// `B+4`, `W+R`, `Draw`, `0`, `?`.
fn read_result(value: &str, colours: [&str; 2]) -> (Ending, String) {
    let value = value.trim();
    let (winner, by) = value.split_once('+').unwrap_or((value, ""));
    let ending = match colours.iter().position(|colour| colour.eq_ignore_ascii_case(winner)) {
        Some(side) => Ending::Won(Side::BOTH[side]),
        None if winner == "0" || winner.eq_ignore_ascii_case("draw") => Ending::Draw,
        None => Ending::Open,
    };
    let cause = match by.to_ascii_lowercase().as_str() {
        "r" | "resign" => "resigned",
        "t" | "time" => "time",
        "f" | "forfeit" => "forfeit",
        _ => "",
    };
    (ending, cause.into())
}

struct SgfWriter;

impl Writer for SgfWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let rules = &record.rules;
        let sgf = entry(rules.about.name)?.formats.sgf;
        let sgf = sgf.ok_or_else(|| TextError::new(format!("{} is not written in SGF", rules.about.title)))?;
        let size = (sgf.size)(rules.ruleset.name);
        let escaped = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:");
        // Whoever begins is the first side to a reader, if the colours do not say it.
        let colours = sgf.colours.unwrap_or(["W", "B"]);
        let mut text = format!("(;FF[4]CA[UTF-8]AP[Quincunx]GM[{}]SZ[{size}]", sgf.games[0]);
        for (side, player) in record.players.iter().enumerate().filter(|(_, player)| !player.is_empty()) {
            _ = write!(text, "P{}[{}]", colours[side], escaped(player));
        }
        for (tag, property) in TAGS {
            if !record.tag(tag).is_empty() {
                _ = write!(text, "{property}[{}]", escaped(record.tag(tag)));
            }
        }
        let result = match record.ending {
            Ending::Open => "?".into(),
            Ending::Draw => "0".into(),
            Ending::Won(side) => {
                let by = match record.cause.as_str() {
                    "resigned" => "R",
                    "time" => "T",
                    "forfeit" => "F",
                    _ => "",
                };
                format!("{}+{by}", colours[side.index()])
            }
        };
        _ = write!(text, "RE[{result}]");
        let mut side = if game.ply().is_multiple_of(2) { game.to_move() } else { !game.to_move() };
        if let Some(start) = &record.start {
            write_stones(&mut text, &*set_up(*rules, Some(start), NO_MOVES)?, sgf, colours);
            _ = write!(text, "PL[{}]", colours[side.index()]);
        }
        for (index, mv) in record.each_move().enumerate() {
            let value =
                (sgf.write)(mv, size).ok_or_else(|| TextError::new(format!("SGF has no move {}", quoted(mv))))?;
            _ = write!(text, ";{}[{value}]", colours[side.index()]);
            if let Some(note) = record.notes.get(index).filter(|note| !note.is_empty()) {
                _ = write!(text, "C[{}]", escaped(note));
            }
            side = !side;
        }
        text.push_str(")\n");
        out.extend(text.bytes());
        Ok(())
    }
}

fn write_stones(text: &mut String, start: &dyn AnyGame, sgf: &Sgf, colours: [&str; 2]) {
    let size = (sgf.size)(start.rules().ruleset.name);
    let (cells, stones) = (start.geometry().cells, start.stones());
    for side in Side::BOTH {
        let placed = cells.iter().zip(&stones).filter(|(_, stone)| **stone == Some(side));
        let values: Vec<_> = placed.filter_map(|(cell, _)| (sgf.write)(&cell.name, size)).collect();
        if !values.is_empty() {
            _ = write!(text, "A{}[{}]", colours[side.index()], values.join("]["));
        }
    }
}
