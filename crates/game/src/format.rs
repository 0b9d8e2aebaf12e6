//! Formats of files of games: what each promises, and what a game tells of those that many games share.

use crate::{AnyGame, Record, Rules, Side, TextError};

/// A file to read games from.
pub struct Source<'a> {
    /// Its contents.
    pub bytes: &'a [u8],
    /// The game that the reader should expect, if the file does not say; its rules.
    pub expected: Option<Rules>,
    /// Finds the file with this extension that belongs to it, such as the names of players.
    pub beside: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

impl<'a> Source<'a> {
    /// A file alone, of a game that it names itself.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, expected: None, beside: &|_| None }
    }

    /// The contents as text; the error names the line that is not.
    pub fn text(&self) -> Result<&'a str, TextError> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes);
        std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            at_line(line, &TextError::new("this is not UTF-8 text"))
        })
    }
}

/// An error about a line of a file, counted from 1.
pub fn at_line(line: usize, error: &TextError) -> TextError {
    TextError::new(format!("line {line}: {error}"))
}

/// The game that begins on a line of a file, or what is wrong with that line.
pub fn on_line(line: usize, game: Result<Record, TextError>) -> Result<Record, TextError> {
    match game {
        Ok(record) => Ok(Record { line: Some(line), ..record }),
        Err(error) => Err(at_line(line, &error)),
    }
}

/// What takes the games of a file one by one. A game that is wrong is an error that names its place; the answer says
/// whether to go on.
pub type Visit<'a> = dyn FnMut(Result<Record, TextError>) -> Result<(), TextError> + 'a;

/// A format of files of games or positions.
///
/// A reader takes what is written as it stands; whether the moves are legal is for the rules to say, later and in one
/// place. Whatever the bytes, it neither panics nor takes more memory than some multiple of them.
pub trait Format: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// The extensions of its files, without the dot, the usual one first.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a file looks like this format.
    fn recognises(&self, source: &Source<'_>) -> bool;

    /// Whether games leave out forced passes.
    fn omits_passes(&self) -> bool {
        false
    }

    /// Reads all games. An error is one after which nothing can be read: it names the place.
    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError>;

    /// Begins a file; `None` if the format is only read.
    fn writer(&self) -> Option<Box<dyn Writer>> {
        None
    }
}

/// A file that is being written, record by record.
pub trait Writer {
    /// Adds a game, which stands at its end in `game`. The error says why the format cannot hold it.
    fn add(&mut self, record: &Record, game: &dyn AnyGame, out: &mut Vec<u8>) -> Result<(), TextError>;

    /// Ends the file. The answer is files that belong to it, each with its extension.
    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, TextError> {
        Ok(Vec::new())
    }
}

/// What a game tells of files of games.
pub struct Formats {
    /// The formats that only this game has.
    pub own: &'static [&'static dyn Format],
    /// How it is written in SGF, if it is.
    pub sgf: Option<&'static Sgf>,
    /// How AbstractPlay writes it, if it is played there.
    pub abstract_play: Option<&'static AbstractPlay>,
}

impl Formats {
    /// Only the formats that every game has.
    pub const NONE: Self = Self { own: &[], sgf: None, abstract_play: None };
}

/// A game in the Smart Game Format.
pub struct Sgf {
    /// The values of the property GM that stand for it, the one to write first.
    pub games: &'static [&'static str],
    /// The properties of moves of the first and of the second side; `None` if whoever moves first is the first side.
    pub colours: Option<[&'static str; 2]>,
    /// The ruleset of a board of this size.
    pub ruleset: fn(size: usize) -> Option<&'static str>,
    /// The size of the board of a ruleset.
    pub size: fn(ruleset: &str) -> usize,
    /// The move that a value names; `None` if it names none.
    pub read: fn(value: &str, size: usize) -> Option<String>,
    /// The value of a move.
    pub write: fn(mv: &str, size: usize) -> Option<String>,
    /// The text of the position with these stones, by side; `None` if there is none.
    pub set_up: fn(stones: &[Vec<String>; 2], to_move: Side, size: usize) -> Option<String>,
}

/// A game as AbstractPlay reports it.
pub struct AbstractPlay {
    /// Its name there.
    pub name: &'static str,
    /// The ruleset of its variants; the error says which one is not played here.
    pub ruleset: fn(variants: &[String]) -> Result<&'static str, TextError>,
    /// The variants of a ruleset; `None` if it is not played there.
    pub variants: fn(ruleset: &str) -> Option<&'static [&'static str]>,
    /// The move as this program writes it.
    pub read: fn(mv: &str, rules: &Rules) -> Option<String>,
    /// The move as AbstractPlay writes it.
    pub write: fn(mv: &str, rules: &Rules) -> Option<String>,
}
