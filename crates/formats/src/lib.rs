//! Files of games: every format that other programs read and write.
//!
//! [`read`] recognises a file by its content, reads its games one by one and has each checked by the rules.
//! [`Output`] writes them in another format. The formats of one game live in that game's folder; those that every game
//! shares live here. Nothing here touches a file system, so that a page can read what a person drops on it.
//!
//! ```
//! use quincunx_formats::{Input, Output, by_name, read};
//!
//! let mut output = Output::new(by_name("ggf").unwrap()).unwrap();
//! read(&Input::new(b"F5D6C3D3C4"), &mut |found| output.add(&found?)).unwrap();
//! let written = String::from_utf8(output.finish().unwrap().contents).unwrap();
//! assert!(written.ends_with("B[F5]W[D6]B[C3]W[D3]B[C4];)\n"), "{written}");
//! ```

mod abstract_play;
mod check;
mod csv;
mod file;
mod game_record;
mod json_lines;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod pgn;
#[cfg(not(target_family = "wasm"))]
mod selfplay;
mod sgf;
mod table;

use quincunx_game::{
    Rules, TextError,
    format::{Format, Source, Writer, at_line},
    text::quoted,
};
use quincunx_games::entries;

pub use check::{Checked, check};
pub use file::{Conversion, GamesFile, convert};
pub use game_record::{GameRecord, TurnRecord, UNFINISHED, winner};

/// The formats that every game shares.
static SHARED: &[&dyn Format] = &[
    #[cfg(not(target_family = "wasm"))]
    &selfplay::SelfPlay,
    #[cfg(feature = "parquet")]
    &parquet::GAMES,
    #[cfg(feature = "parquet")]
    &parquet::POSITIONS,
    &abstract_play::AbstractPlayReports,
    &json_lines::JsonLines,
    &sgf::SmartGames,
    &pgn::TEXT,
    &pgn::PGN,
    &csv::GAMES,
    &csv::POSITIONS,
    &lines::TRANSCRIPT,
    &lines::LINES,
];

/// All formats, those of single games first: theirs are the more particular ones.
pub fn all() -> Vec<&'static dyn Format> {
    let own = entries().into_iter().flat_map(|entry| entry.formats.own.iter().copied());
    own.chain(SHARED.iter().copied()).collect()
}

/// The format of this name; the error lists all.
pub fn by_name(name: &str) -> Result<&'static dyn Format, TextError> {
    all().into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let names: Vec<_> = all().iter().map(|format| format.name()).collect();
        let (given, names) = (quoted(name), names.join(", "));
        let message = format!("there is no format {given}; the formats are {names}");
        TextError::with_code(TextError::OTHER, message, vec![("given", given.into()), ("names", names.into())])
    })
}

/// The format whose files have this extension and that can be written.
pub fn by_extension(extension: &str) -> Option<&'static dyn Format> {
    let lower = extension.to_ascii_lowercase();
    all().into_iter().find(|format| format.extensions().contains(&lower.as_str()) && format.writer().is_some())
}

/// A file to read, and what is known of it beforehand.
pub struct Input<'a> {
    /// Its contents, and the files that belong to it.
    pub source: Source<'a>,
    /// Its format; recognised by its content if `None`.
    pub format: Option<&'static dyn Format>,
}

impl<'a> Input<'a> {
    /// A file alone, of which nothing is known.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { source: Source::new(bytes), format: None }
    }

    /// The same, with games under these rules, if the file does not say otherwise.
    #[must_use]
    pub fn expecting(mut self, rules: Rules) -> Self {
        self.source.expected = Some(rules);
        self
    }

    /// Its format, by its content if it was not told.
    pub fn format(&self) -> Result<&'static dyn Format, TextError> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        if self.source.bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(TextError::new("the file is empty"));
        }
        all().into_iter().find(|format| format.recognises(&self.source)).ok_or_else(|| {
            let names: Vec<_> = all().iter().map(|format| format.name()).collect();
            TextError::new(format!("this is none of the formats {}", names.join(", ")))
        })
    }
}

/// What takes the games of a file one by one; an error ends the reading.
pub type VisitChecked<'a> = dyn FnMut(Result<Checked, TextError>) -> Result<(), TextError> + 'a;

/// Reads all games of a file, each checked by the rules. A game that is wrong comes to `visit` as an error that names its
/// place; the error of `read` itself is one after which nothing more can be read.
pub fn read(input: &Input<'_>, visit: &mut VisitChecked<'_>) -> Result<(), TextError> {
    let format = input.format()?;
    let omits_passes = format.omits_passes();
    let mut number = 0_u64;
    format.read(&input.source, &mut |record| {
        number += 1;
        let line = record.as_ref().ok().and_then(|record| record.line);
        let checked = record.and_then(|record| check(record, omits_passes));
        visit(checked.map_err(|error| match line {
            Some(line) => at_line(line, &error),
            None if error.to_string().starts_with("line ") => TextError::new(error.to_string()),
            None => TextError::new(format!("game {number}, {error}")),
        }))
    })?;
    if number == 0 {
        Err(TextError::new(format!("there is no game in this file (read as {})", format.name())))
    } else {
        Ok(())
    }
}

/// All games of a file; an error if one is wrong.
pub fn read_all(input: &Input<'_>) -> Result<Vec<Checked>, TextError> {
    let mut games = Vec::new();
    read(input, &mut |found| {
        games.push(found?);
        Ok(())
    })?;
    Ok(games)
}

/// A file that was written.
#[derive(Debug, Default)]
pub struct Written {
    /// What is left to write of its contents.
    pub contents: Vec<u8>,
    /// The files that belong to it, each with its extension.
    pub beside: Vec<(&'static str, Vec<u8>)>,
    /// How many games were written.
    pub games: u64,
}

/// A file that is being written.
pub struct Output {
    writer: Box<dyn Writer>,
    contents: Vec<u8>,
    games: u64,
}

impl Output {
    /// Begins a file of a format; the error says that it is only read.
    pub fn new(format: &dyn Format) -> Result<Self, TextError> {
        let writer = format
            .writer()
            .ok_or_else(|| TextError::new(format!("the format {} is read, but not written", format.name())))?;
        Ok(Self { writer, contents: Vec::new(), games: 0 })
    }

    /// Adds a game; the error names its number and says why the format cannot hold it.
    pub fn add(&mut self, checked: &Checked) -> Result<(), TextError> {
        let added = self.writer.add(&checked.record, &*checked.game, &mut self.contents);
        added.map_err(|error| TextError::new(format!("game {}: {error}", self.games + 1)))?;
        self.games += 1;
        Ok(())
    }

    /// Takes what is written so far, so that a long file need not stand in memory.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.contents)
    }

    /// The bytes that [`take`](Self::take) would give.
    pub fn pending(&self) -> usize {
        self.contents.len()
    }

    /// Ends the file.
    pub fn finish(mut self) -> Result<Written, TextError> {
        let beside = self.writer.finish(&mut self.contents)?;
        Ok(Written { contents: self.contents, beside, games: self.games })
    }
}
