//! Games or positions as comma-separated values, the names of the columns in the first line.

use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use quincunx_game::{
    AnyGame, Record, TextError,
    format::{Format, Source, Visit, Writer, at_line, on_line},
};

use crate::table::{Rows, Value, read_row};

/// A row for each game.
pub(crate) static GAMES: Csv = Csv { rows: Rows::Games };

/// A row for each position.
pub(crate) static POSITIONS: Csv = Csv { rows: Rows::Positions };

/// The format.
pub(crate) struct Csv {
    rows: Rows,
}

impl Format for Csv {
    fn name(&self) -> &'static str {
        match self.rows {
            Rows::Games => "csv",
            Rows::Positions => "csv-positions",
        }
    }

    fn summary(&self) -> &'static str {
        match self.rows {
            Rows::Games => "a table of games, comma-separated",
            Rows::Positions => "a table of all positions of games, comma-separated",
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        if self.rows == Rows::Games { &["csv"] } else { &[] }
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let first = source.bytes.split(|&byte| byte == b'\n').next().unwrap_or(b"");
        let first = String::from_utf8_lossy(&first[..first.len().min(1000)]).to_lowercase();
        let columns: Vec<&str> = first.split(',').map(|name| name.trim().trim_matches('"')).collect();
        columns.contains(&if self.rows == Rows::Games { "moves" } else { "position" }) && columns.len() > 1
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let mut reader = ReaderBuilder::new().flexible(false).from_reader(source.text()?.as_bytes());
        let wrong = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            at_line(line as usize, &TextError::new("this row has another number of columns than the first line"))
        };
        let headers = reader.headers().map_err(wrong)?;
        let columns: Vec<String> = headers.iter().map(|name| name.trim().to_lowercase()).collect();
        let mut row = StringRecord::new();
        while reader.read_record(&mut row).map_err(wrong)? {
            let line = row.position().map_or(0, csv::Position::line) as usize;
            let value = |name: &str| {
                let column = columns.iter().position(|column| column == name)?;
                row.get(column).map(str::trim).filter(|value| !value.is_empty()).map(String::from)
            };
            visit(on_line(line, read_row(&value, source.expected)))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(CsvWriter { rows: self.rows, number: 0 }))
    }
}

struct CsvWriter {
    rows: Rows,
    number: u64,
}

impl CsvWriter {
    fn write_header(&self, out: &mut Vec<u8>) {
        let names: Vec<&str> = self.rows.columns().iter().map(|(name, _)| *name).collect();
        out.extend(names.join(",").bytes());
        out.push(b'\n');
    }
}

impl Writer for CsvWriter {
    fn add(&mut self, record: &Record, _game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        if self.number == 0 {
            self.write_header(out);
        }
        let mut writer = WriterBuilder::new().from_writer(&mut *out);
        let mut failed = None;
        self.rows.of(record, self.number, &mut |row| {
            let fields = row.into_iter().map(|value| match value {
                Value::Missing => String::new(),
                Value::Text(text) => text,
                Value::Number(number) => number.to_string(),
            });
            failed = writer.write_record(fields).err().or(failed.take());
        })?;
        self.number += 1;
        let flushed = writer.flush();
        drop(writer);
        match (failed, flushed) {
            (None, Ok(())) => Ok(()),
            (Some(error), _) => Err(TextError::new(error.to_string())),
            (None, Err(error)) => Err(TextError::new(error.to_string())),
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, TextError> {
        if self.number == 0 {
            self.write_header(out);
        }
        Ok(Vec::new())
    }
}
