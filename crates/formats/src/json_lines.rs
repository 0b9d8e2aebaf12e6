//! This program's own records: one game a line of JSON, as the `games.jsonl` of a contest.

use quincunx_game::{
    AnyGame, Record, TextError,
    format::{Format, Source, Visit, Writer, on_line},
};

use crate::GameRecord;

/// The format.
pub(crate) struct JsonLines;

impl Format for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "games of this program, one JSON object a line: the games.jsonl of a contest"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        source.bytes.trim_ascii_start().starts_with(b"{")
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        for (index, line) in source.text()?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let record = serde_json::from_str::<GameRecord>(line)
                .map_err(|error| TextError::new(format!("this is no game: {error}")))
                .and_then(|record| record.to_record());
            visit(on_line(index + 1, record))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(JsonWriter { number: 0 }))
    }
}

struct JsonWriter {
    number: u64,
}

impl Writer for JsonWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        let record = GameRecord::of(record, game, self.number);
        self.number += 1;
        serde_json::to_writer(&mut *out, &record).map_err(|error| TextError::new(error.to_string()))?;
        out.push(b'\n');
        Ok(())
    }
}
