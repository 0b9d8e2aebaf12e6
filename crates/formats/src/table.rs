//! Games and positions as rows of a table: the columns that CSV and Parquet share.

use quincunx_game::{AnyGame, Ending, Record, Rules, Side, TextError, text::quoted};
use quincunx_games::{NO_MOVES, rules, set_up};

/// A value in a table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// Nothing is known.
    Missing,
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
}

/// What a table has a row for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rows {
    /// Each game.
    Games,
    /// Each position of each game.
    Positions,
}

impl Rows {
    /// The columns, and whether each holds numbers.
    pub(crate) fn columns(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Games => &[
                ("number", true),
                ("game", false),
                ("ruleset", false),
                ("first", false),
                ("second", false),
                ("result", false),
                ("cause", false),
                ("event", false),
                ("date", false),
                ("first_elo", true),
                ("second_elo", true),
                ("plies", true),
                ("start", false),
                ("moves", false),
            ],
            Self::Positions => &[
                ("number", true),
                ("game", false),
                ("ruleset", false),
                ("ply", true),
                ("position", false),
                ("to_move", false),
                ("move", false),
                ("score", true),
                ("result", true),
            ],
        }
    }

    /// The rows of a game, which has this number.
    pub(crate) fn of(self, record: &Record, number: u64, visit: &mut dyn FnMut(Vec<Value>)) -> Result<(), TextError> {
        match self {
            Self::Games => visit(game_row(record, number)),
            Self::Positions => position_rows(record, number, visit)?,
        }
        Ok(())
    }
}

fn text(value: &str) -> Value {
    if value.is_empty() { Value::Missing } else { Value::Text(value.to_string()) }
}

fn number(value: Option<i64>) -> Value {
    value.map_or(Value::Missing, Value::Number)
}

fn game_row(record: &Record, index: u64) -> Vec<Value> {
    vec![
        Value::Number(index as i64),
        text(record.rules.about.name),
        text(&record.rules.to_string()),
        text(&record.players[0]),
        text(&record.players[1]),
        text(record.ending.text()),
        text(&record.cause),
        text(record.tag("Event")),
        text(record.tag("Date")),
        number(record.tag("FirstElo").parse().ok()),
        number(record.tag("SecondElo").parse().ok()),
        Value::Number(record.each_move().count() as i64),
        text(record.start.as_deref().unwrap_or("")),
        text(&record.moves),
    ]
}

/// A row for each position from the start to the last: the move that was played there, the result for the side to move.
fn position_rows(record: &Record, index: u64, visit: &mut dyn FnMut(Vec<Value>)) -> Result<(), TextError> {
    let mut game = set_up(record.rules, record.start.as_deref(), NO_MOVES)?;
    let (name, ruleset) = (record.rules.about.name, record.rules.to_string());
    let mut row = |game: &dyn AnyGame, mv: &str, score: Option<i32>| {
        let side = game.to_move();
        let sign = if side == Side::First { 1 } else { -1 };
        visit(vec![
            Value::Number(index as i64),
            text(name),
            text(&ruleset),
            Value::Number(game.ply() as i64),
            Value::Text(game.position_text()),
            text(["first", "second"][side.index()]),
            text(mv),
            number(score.map(i64::from)),
            number(record.ending.sign().map(|result| i64::from(sign * result))),
        ]);
    };
    for (index, mv) in record.each_move().enumerate() {
        row(&*game, mv, record.searched.get(index).copied().flatten());
        game.play(mv)?;
    }
    let best = record.scores.first();
    row(&*game, best.map_or("", |(mv, _)| mv), best.map(|&(_, score)| score));
    Ok(())
}

/// The record that a row holds, given the value of each column by its name.
pub(crate) fn read_row(value: &dyn Fn(&str) -> Option<String>, expected: Option<Rules>) -> Result<Record, TextError> {
    let of = |name: &str| value(name).unwrap_or_default();
    let rules = match (value("game"), expected) {
        (Some(game), _) => rules(&game, value("ruleset").as_deref())?,
        (None, Some(rules)) => rules,
        (None, None) => return Err(TextError::new("no column names the game")),
    };
    let mut record = Record::new(rules);
    if let Some(position) = value("position") {
        record.start = Some(position);
        let score = value("score").and_then(|score| score.parse().ok());
        record.scores.extend(value("move").zip(score));
        return Ok(record);
    }
    record.start = value("start");
    record.moves = quincunx_game::text::moves_in(&of("moves")).collect::<Vec<_>>().join(" ");
    record.players = [of("first"), of("second")];
    record.cause = of("cause");
    if let Some(result) = value("result") {
        record.ending =
            Ending::read(&result).ok_or_else(|| TextError::new(format!("{} is not a result", quoted(&result))))?;
    }
    for (tag, column) in [("Event", "event"), ("Date", "date"), ("FirstElo", "first_elo"), ("SecondElo", "second_elo")]
    {
        record.push_tag(tag, &of(column));
    }
    Ok(record)
}
