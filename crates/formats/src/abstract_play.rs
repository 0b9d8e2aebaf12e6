//! Game reports of AbstractPlay: JSON with a header and the moves of each round.

use quincunx_game::{
    AnyGame, Ending, Record, Rules, Side, TextError,
    format::{AbstractPlay, Format, Source, Visit, Writer, at_line},
    text::quoted,
};
use quincunx_games::{entries, entry};
use serde_json::{Value, json};

/// The format.
pub(crate) struct AbstractPlayReports;

impl Format for AbstractPlayReports {
    fn name(&self) -> &'static str {
        "abstractplay"
    }

    fn summary(&self) -> &'static str {
        "game reports of AbstractPlay, for the games it has: Othello (Reversi there), Pente, Tessella"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let text = source.bytes.trim_ascii_start();
        let begin = String::from_utf8_lossy(&text[..text.len().min(400)]);
        begin.starts_with(['{', '[']) && begin.contains("\"header\"")
    }

    fn omits_passes(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        // One report, a list of them, or one a line.
        let values = serde_json::Deserializer::from_str(source.text()?).into_iter::<Value>();
        for value in values {
            let value = value.map_err(|error| {
                at_line(error.line(), &TextError::new(format!("this is not JSON, column {}", error.column())))
            })?;
            match value {
                Value::Array(reports) => reports.iter().try_for_each(|report| visit(read_report(report)))?,
                report => visit(read_report(&report))?,
            }
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(ReportWriter { begun: false }))
    }
}

fn read_report(report: &Value) -> Result<Record, TextError> {
    let wrong = |what: &str| TextError::new(format!("the report has no {what}"));
    let header = &report["header"];
    let name = header["game"]["name"].as_str().ok_or_else(|| wrong("name of its game"))?;
    let (about, dialect) = entries()
        .into_iter()
        .find_map(|entry| Some((entry.about, entry.formats.abstract_play.filter(|known| known.name == name)?)))
        .ok_or_else(|| TextError::new(format!("the game {} is not played here", quoted(name))))?;
    let variants: Vec<String> = header["game"]["variants"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(String::from)
        .collect();
    let rules = Rules::parse(about, (dialect.ruleset)(&variants)?)?;
    let mut record = Record::new(rules);
    let players =
        header["players"].as_array().filter(|players| players.len() == 2).ok_or_else(|| wrong("two players"))?;
    for (side, player) in players.iter().enumerate() {
        record.players[side] = player["name"].as_str().unwrap_or("").to_string();
    }
    let results = [0, 1].map(|side| players[side]["result"].as_f64());
    if let [Some(first), Some(second)] = results {
        record.ending = match first.total_cmp(&second) {
            std::cmp::Ordering::Greater => Ending::Won(Side::First),
            std::cmp::Ordering::Less => Ending::Won(Side::Second),
            std::cmp::Ordering::Equal => Ending::Draw,
        };
    }
    record.push_tag("Event", header["event"].as_str().unwrap_or(""));
    record.push_tag("Round", header["round"].as_str().unwrap_or(""));
    record.push_tag("Site", header["site"]["name"].as_str().unwrap_or(""));
    record.push_tag("GameId", header["site"]["gameid"].as_str().unwrap_or(""));
    record.push_tag("Date", header["date-start"].as_str().unwrap_or(""));
    record.push_tag("DateEnd", header["date-end"].as_str().unwrap_or(""));
    let rounds = report["moves"].as_array().ok_or_else(|| wrong("moves"))?;
    let moves = rounds.iter().flat_map(|round| match round {
        Value::Array(moves) => moves.iter().collect(),
        single => vec![single],
    });
    for mv in moves.filter(|mv| !mv.is_null()) {
        let text = mv.as_str().or_else(|| mv["move"].as_str()).unwrap_or("");
        let read = (dialect.read)(text, &rules).filter(|mv| !mv.contains(char::is_whitespace));
        record.push_move(&read.ok_or_else(|| TextError::new(format!("{} is not a move", quoted(text))))?);
    }
    Ok(record)
}

struct ReportWriter {
    begun: bool,
}

impl Writer for ReportWriter {
    fn add(&mut self, record: &Record, _game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let report = report(record)?;
        out.extend(if self.begun { ",\n" } else { "[\n" }.bytes());
        self.begun = true;
        serde_json::to_writer(&mut *out, &report).map_err(|error| TextError::new(error.to_string()))
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, TextError> {
        out.extend(if self.begun { "\n]\n" } else { "[]\n" }.bytes());
        Ok(Vec::new())
    }
}

fn report(record: &Record) -> Result<Value, TextError> {
    let rules = &record.rules;
    let elsewhere =
        || TextError::new(format!("AbstractPlay does not have {} ({})", rules.about.title, rules.ruleset.name));
    let dialect: &AbstractPlay = entry(rules.about.name)?.formats.abstract_play.ok_or_else(elsewhere)?;
    let variants = (dialect.variants)(rules.ruleset.name).ok_or_else(elsewhere)?;
    if record.start.is_some() {
        return Err(TextError::new("a report holds games from the start"));
    }
    let Some(sign) = record.ending.sign() else { return Err(TextError::new("a report holds finished games")) };
    let mut moves = Vec::new();
    for mv in record.each_move() {
        moves.push((dialect.write)(mv, rules).ok_or_else(elsewhere)?);
    }
    let player = |side: usize, result: f64| json!({ "name": record.players[side], "result": result });
    let points = f64::from(sign + 1) / 2.0;
    let or = |tag: &str, default: &str| {
        let value = record.tag(tag);
        if value.is_empty() { default.to_string() } else { value.to_string() }
    };
    // The schema asks for dates; a game that has none gets the beginning of time.
    let date = or("Date", "1970-01-01T00:00:00.000Z");
    Ok(json!({
        "header": {
            "game": { "name": dialect.name, "variants": variants },
            "event": or("Event", ""), "round": or("Round", ""),
            "site": { "name": or("Site", "Quincunx"), "gameid": or("GameId", "") },
            "date-start": date, "date-end": or("DateEnd", &date), "date-generated": date,
            "players": [player(0, points), player(1, 1.0 - points)],
        },
        "moves": moves.chunks(2).collect::<Vec<_>>(),
    }))
}
