//! The record of a game: one line of JSON for programs, a page of text for people, both readable again.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher},
};

use quincunx_game::{AnyGame, Ending, Record, Side, TextError, text::quoted};
use quincunx_games::{rules, set_up};
use serde::{Deserialize, Serialize};

/// A move in a record.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TurnRecord {
    /// Its text.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the agent thought of it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The plies searched.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The positions visited.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nodes: u64,
    /// Microseconds of wall-clock time.
    #[serde(default)]
    pub us: u64,
    /// Microseconds of CPU time, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// What the author of the program should know of the answer's form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the contest, from 0.
    pub number: u64,
    /// The pair it belongs to.
    pub pair: u64,
    /// The game.
    pub game: String,
    /// The ruleset with its settings.
    pub ruleset: String,
    /// The agents, by side.
    pub agents: [String; 2],
    /// The agents by their numbers in the contest, by side: two of them may have the same spec. Records of older versions
    /// do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<[usize; 2]>,
    /// The position it began with.
    pub start: String,
    /// The moves of the opening, played before the agents took over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The moves of the agents.
    pub moves: Vec<TurnRecord>,
    /// The last position.
    pub position: String,
    /// The winner; `None` is a draw. Written as `first`, `second` or `draw`.
    #[serde(with = "winner")]
    pub winner: Option<Side>,
    /// Why it ended: the reason of the rules or the name of a fault.
    pub cause: String,
    /// The fault that ended it, if it did not end by the rules: the side that made it and what it was, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Seconds used, by side, in the currency of the limit.
    pub used: [f64; 2],
    /// The CPU seconds that each side had, if they vary from game to game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The first and last lines that the program which made the fault wrote to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The version of Quincunx that refereed it and played its own agents; records of older versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The worker that played it, if that was another machine's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// By how much its clocks were stretched because that machine is slower (or, below 1, faster) than the contest's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// What else is known of a game that came from elsewhere: event, date, ratings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// The cause of a game that has not ended.
pub const UNFINISHED: &str = "unfinished";

impl GameRecord {
    /// The record of a game that came from elsewhere, with this number.
    pub fn of(record: &Record, game: &dyn AnyGame, number: u64) -> Self {
        let turn = |(index, mv): (usize, &str)| TurnRecord {
            mv: mv.to_string(),
            score: record.notes.get(index).filter(|note| !note.is_empty()).cloned(),
            ..TurnRecord::default()
        };
        let (winner, cause) = match record.ending {
            Ending::Open => (None, UNFINISHED),
            Ending::Draw => (None, record.cause.as_str()),
            Ending::Won(side) => (Some(side), record.cause.as_str()),
        };
        Self {
            number,
            pair: number / 2,
            game: record.rules.about.name.to_string(),
            ruleset: record.rules.to_string(),
            agents: record.players.clone(),
            start: game.start_text(),
            moves: record.each_move().enumerate().map(turn).collect(),
            position: game.position_text(),
            winner,
            cause: cause.to_string(),
            tags: record.tags.iter().cloned().collect(),
            ..Self::default()
        }
    }

    /// The game as any format may hold it, not yet checked by the rules.
    pub fn to_record(&self) -> Result<Record, TextError> {
        let mut record = Record::new(rules(&self.game, Some(&self.ruleset))?);
        record.players.clone_from(&self.agents);
        record.start = Some(self.start.clone()).filter(|start| !start.is_empty());
        record.moves = self.move_texts().collect::<Vec<_>>().join(" ");
        if self.cause != UNFINISHED {
            record.ending = Ending::of(self.winner);
            record.cause.clone_from(&self.cause);
        }
        record.tags = self.tags.clone().into_iter().collect();
        let notes = self.opening.iter().map(|_| None).chain(self.moves.iter().map(TurnRecord::comment));
        record.notes = notes.map(Option::unwrap_or_default).collect();
        if record.notes.iter().all(String::is_empty) {
            record.notes.clear();
        }
        Ok(record)
    }

    /// What the game is worth to a side, in half points: 2, 1 or 0.
    pub fn half_points(&self, side: Side) -> u8 {
        self.winner.map_or(1, |winner| 2 * u8::from(winner == side))
    }

    /// The winner as records name it: `first`, `second` or `draw`.
    pub fn winner_name(&self) -> &'static str {
        winner::name(self.winner)
    }

    /// The record without what differs when a game is played again: times, and the machine.
    #[must_use]
    pub fn without_times(&self) -> Self {
        let mut record = Self { used: [0.0; 2], version: None, worker: None, scale: None, ..self.clone() };
        for turn in &mut record.moves {
            (turn.us, turn.cpu_us) = (0, None);
        }
        record
    }

    /// A number that games share if they are the same, move by move, between the same agents.
    pub fn moves_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.agents, &self.start, &self.opening).hash(&mut hasher);
        self.moves.iter().for_each(|turn| turn.mv.hash(&mut hasher));
        hasher.finish()
    }

    /// All moves, those of the opening first.
    pub fn move_texts(&self) -> impl Iterator<Item = &str> {
        self.opening.iter().chain(self.moves.iter().map(|turn| &turn.mv)).map(String::as_str)
    }

    /// The number of all moves, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The game set up again and played to its end, checked by the rules like anything that is read.
    pub fn replay(&self) -> Result<Box<dyn AnyGame>, TextError> {
        set_up(rules(&self.game, Some(&self.ruleset))?, Some(&self.start), self.move_texts())
    }

    /// The record as text: headers in brackets, then the moves, two a line, with what the agents said of them in
    /// braces.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let result = if self.cause == UNFINISHED { Ending::Open.text() } else { words(self.winner)[1] };
        let number = self.number.to_string();
        let headers = [
            ("Number", number.as_str()),
            ("Game", &self.game),
            ("Ruleset", &self.ruleset),
            ("First", &self.agents[0]),
            ("Second", &self.agents[1]),
            ("Start", &self.start),
            ("Result", result),
            ("Cause", &self.cause),
            ("Fault", self.fault.as_deref().unwrap_or("")),
            ("Version", self.version.as_deref().unwrap_or("")),
        ];
        for (name, value) in headers {
            if !value.is_empty() {
                let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                _ = writeln!(text, "[{name} \"{}\"]", value.replace('"', "'"));
            }
        }
        text.push('\n');
        let opening = self.opening.iter().map(|mv| (mv, Some("opening".to_string())));
        let moves = self.moves.iter().map(|turn| (&turn.mv, turn.comment()));
        for (ply, (mv, comment)) in opening.chain(moves).enumerate() {
            if ply % 2 == 0 {
                _ = write!(text, "{}{:3}.", if ply == 0 { "" } else { "\n" }, ply / 2 + 1);
            }
            _ = write!(text, " {mv}");
            if let Some(comment) = comment {
                _ = write!(text, " {{{comment}}}");
            }
        }
        _ = writeln!(text, "\n{result}\n");
        text
    }

    /// Reads the games of a text: each begins with its headers.
    pub fn parse_texts(text: &str) -> Result<Vec<Self>, TextError> {
        let mut games: Vec<Self> = Vec::new();
        let mut in_headers = false;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let wrong = |what: &str| TextError::new(format!("line {}: {what}", index + 1));
            if let Some(header) = line.strip_prefix('[') {
                let (name, value) = header
                    .strip_suffix("\"]")
                    .and_then(|inner| inner.split_once(" \""))
                    .ok_or_else(|| wrong("a header is [Name \"value\"]"))?;
                if !in_headers {
                    games.push(Self::default());
                    in_headers = true;
                }
                let game = games.last_mut().expect("pushed above");
                match name {
                    "Number" => game.number = value.parse().map_err(|_| wrong("the number is not one"))?,
                    "Game" => game.game = value.into(),
                    "Ruleset" => game.ruleset = value.into(),
                    "First" => game.agents[0] = value.into(),
                    "Second" => game.agents[1] = value.into(),
                    "Start" => game.start = value.into(),
                    "Result" => game.winner = result_of(value, 1).map_err(|()| wrong("the result is not one"))?,
                    "Cause" => game.cause = value.into(),
                    "Fault" => game.fault = Some(value.into()),
                    "Version" => game.version = Some(value.into()),
                    _ => return Err(wrong(&format!("there is no header {}", quoted(name)))),
                }
                continue;
            }
            if line.is_empty() {
                continue;
            }
            in_headers = false;
            let game = games.last_mut().ok_or_else(|| wrong("moves before any header"))?;
            let bare = without_comments(line).ok_or_else(|| wrong("a { without its }"))?;
            let moves = bare.split_whitespace().filter(|word| !is_move_number(word) && result_of(word, 1).is_err());
            game.moves.extend(moves.map(|mv| TurnRecord { mv: mv.to_string(), ..TurnRecord::default() }));
        }
        Ok(games)
    }
}

impl TurnRecord {
    fn comment(&self) -> Option<String> {
        let mut parts = Vec::new();
        parts.extend(self.score.clone());
        if self.depth > 0 {
            parts.push(format!("depth {}", self.depth));
        }
        if self.nodes > 0 {
            parts.push(format!("{} nodes", self.nodes));
        }
        if let Some(cpu) = self.cpu_us {
            parts.push(format!("{:.3} s CPU", cpu as f64 / 1e6));
        } else if self.us >= 1000 {
            parts.push(format!("{:.3} s", self.us as f64 / 1e6));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

fn is_move_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A result as JSON names the winner, and as texts write it.
fn words(winner: Option<Side>) -> [&'static str; 2] {
    match winner {
        Some(Side::First) => ["first", "1-0"],
        Some(Side::Second) => ["second", "0-1"],
        None => ["draw", "1/2-1/2"],
    }
}

/// The winner of the result whose word in this place is the text; an error if there is none.
fn result_of(text: &str, place: usize) -> Result<Option<Side>, ()> {
    [Some(Side::First), Some(Side::Second), None].into_iter().find(|&winner| words(winner)[place] == text).ok_or(())
}

/// How JSON names the winner.
pub mod winner {
    use std::borrow::Cow;

    use quincunx_game::Side;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// The winner as records name it.
    pub fn name(winner: Option<Side>) -> &'static str {
        super::words(winner)[0]
    }

    /// Writes the name.
    // serde wants a reference here.
    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(winner: &Option<Side>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(name(*winner))
    }

    /// Reads a name.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Side>, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        super::result_of(&text, 0).map_err(|()| D::Error::unknown_variant(&text, &["first", "second", "draw"]))
    }
}

fn without_comments(line: &str) -> Option<String> {
    let mut bare = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('{') {
        bare.push_str(before);
        rest = behind.split_once('}')?.1;
    }
    bare.push_str(rest);
    Some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_is_written_and_read_in_json_and_text() {
        for (winner, name, result, points) in [
            (Some(Side::First), "first", "1-0", 2),
            (Some(Side::Second), "second", "0-1", 0),
            (None, "draw", "1/2-1/2", 1),
        ] {
            let record = GameRecord { winner, game: "othello".into(), ..GameRecord::default() };
            assert_eq!(record.half_points(Side::First), points);
            assert_eq!(record.half_points(Side::First) + record.half_points(Side::Second), 2);
            let line = serde_json::to_string(&record).unwrap();
            assert!(line.contains(&format!("\"winner\":\"{name}\"")), "{line}");
            assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
            let text = record.to_text();
            assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
            assert_eq!(GameRecord::parse_texts(&text).unwrap(), [record]);
            let wrong = line.replace(name, "nobody");
            let error = serde_json::from_str::<GameRecord>(&wrong).unwrap_err().to_string();
            assert!(error.contains("expected one of `first`, `second`, `draw`"), "{error}");
        }
        let without = serde_json::to_string(&GameRecord::default()).unwrap().replace("\"winner\":\"draw\",", "");
        assert!(serde_json::from_str::<GameRecord>(&without).is_err());
    }
}
