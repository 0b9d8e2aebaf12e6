//! Games or positions as Parquet tables, which data frames of every language read.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        reader::{FileReader, SerializedFileReader},
        writer::SerializedFileWriter,
    },
    record::Field,
    schema::parser::parse_message_type,
};
use quincunx_game::{
    AnyGame, Record, TextError,
    format::{Format, Source, Visit, Writer},
};

use crate::table::{Rows, Value, read_row};

/// A row for each game.
pub(crate) static GAMES: Table = Table { rows: Rows::Games };

/// A row for each position.
pub(crate) static POSITIONS: Table = Table { rows: Rows::Positions };

/// Rows that are kept in memory before they are written.
const GROUP: usize = 65_536;

/// The format.
pub(crate) struct Table {
    rows: Rows,
}

impl Format for Table {
    fn name(&self) -> &'static str {
        match self.rows {
            Rows::Games => "parquet",
            Rows::Positions => "parquet-positions",
        }
    }

    fn summary(&self) -> &'static str {
        match self.rows {
            Rows::Games => "a table of games in a Parquet file",
            Rows::Positions => "a table of all positions of games in a Parquet file",
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        if self.rows == Rows::Games { &["parquet"] } else { &[] }
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        source.bytes.starts_with(b"PAR1")
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let wrong = |error: &ParquetError| {
            let told: String = error.to_string().chars().filter(|letter| !letter.is_control()).take(120).collect();
            TextError::new(format!("this Parquet file cannot be read: {told}"))
        };
        let reader = SerializedFileReader::new(Bytes::copy_from_slice(source.bytes)).map_err(|e| wrong(&e))?;
        for row in reader.get_row_iter(None).map_err(|error| wrong(&error))? {
            let row = row.map_err(|error| wrong(&error))?;
            let value = |name: &str| {
                let (_, field) = row.get_column_iter().find(|(column, _)| column.as_str() == name)?;
                match field {
                    Field::Null => None,
                    Field::Str(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                }
            };
            visit(read_row(&value, source.expected))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        TableWriter::new(self.rows).ok().map(|writer| Box::new(writer) as Box<dyn Writer>)
    }
}

/// What the writer of the library has written and nobody has taken yet.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct TableWriter {
    rows: Rows,
    file: Option<SerializedFileWriter<Sink>>,
    sink: Sink,
    waiting: Vec<Vec<Value>>,
    number: u64,
}

impl TableWriter {
    fn new(rows: Rows) -> Result<Self, ParquetError> {
        let columns = rows.columns().iter().map(|(name, numbers)| {
            let kind = if *numbers { "INT64" } else { "BYTE_ARRAY" };
            format!("OPTIONAL {kind} {name}{};", if *numbers { "" } else { " (STRING)" })
        });
        let schema = Arc::new(parse_message_type(&format!("message rows {{ {} }}", columns.collect::<String>()))?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let sink = Sink::default();
        let file = SerializedFileWriter::new(sink.clone(), schema, Arc::new(properties))?;
        Ok(Self { rows, file: Some(file), sink, waiting: Vec::new(), number: 0 })
    }

    /// Writes the waiting rows as a group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = mem::take(&mut self.waiting);
        let Some(file) = self.file.as_mut().filter(|_| !rows.is_empty()) else { return Ok(()) };
        let mut group = file.next_row_group()?;
        for (column, &(_, numbers)) in self.rows.columns().iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            let values = || rows.iter().map(|row| &row[column]);
            let levels: Vec<i16> = values().map(|value| i16::from(*value != Value::Missing)).collect();
            if numbers {
                let of = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
                let present: Vec<i64> = values().filter_map(of).collect();
                writer.typed::<Int64Type>().write_batch(&present, Some(&levels), None)?;
            } else {
                let of = |value: &Value| {
                    if let Value::Text(text) = value { Some(ByteArray::from(text.as_str())) } else { None }
                };
                let present: Vec<ByteArray> = values().filter_map(of).collect();
                writer.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
            }
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl Writer for TableWriter {
    fn add(&mut self, record: &Record, _game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError> {
        self.rows.of(record, self.number, &mut |row| self.waiting.push(row))?;
        self.number += 1;
        if self.waiting.len() >= GROUP {
            self.write_group().map_err(|error| TextError::new(error.to_string()))?;
            out.extend(self.sink.take());
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, TextError> {
        let ended = self.write_group().and_then(|()| self.file.take().map_or(Ok(()), |file| file.close().map(|_| ())));
        ended.map_err(|error| TextError::new(error.to_string()))?;
        out.extend(self.sink.take());
        Ok(Vec::new())
    }
}
