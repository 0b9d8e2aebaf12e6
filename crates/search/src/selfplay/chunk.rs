//! Chunks: runs of games in a file, each with a line that says what it holds and a checksum.

use std::io::{self, BufRead, Read};

use quincunx_game::TextError;

use super::{Encoded, Heading};
use crate::file::checksum;

/// Games with consecutive numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The number of the first game.
    pub first: u64,
    /// The games.
    pub games: u32,
    /// The positions with a label in all of them.
    pub positions: u32,
    /// The program that played them.
    pub version: String,
    pub(crate) payload: Vec<u8>,
}

/// A chunk with this many positions or games is full.
const FULL: u32 = 4096;
/// No chunk of ours is longer.
const LONGEST: u64 = 1 << 26;
/// The longest line before a chunk, its newline included.
const LONGEST_LINE: u64 = 400;

impl Chunk {
    /// A chunk without games, whose first will have this number.
    pub fn new(first: u64, version: &str) -> Self {
        Self { first, games: 0, positions: 0, version: version.into(), payload: Vec::new() }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &Encoded) {
        self.games += 1;
        self.positions += game.positions;
        self.payload.extend(&game.bytes);
    }

    /// Whether the next game belongs to the next chunk.
    pub fn is_full(&self) -> bool {
        self.positions >= FULL || self.games >= FULL
    }

    /// The number of the game after its last.
    pub fn next(&self) -> u64 {
        self.first + u64::from(self.games)
    }

    /// It as it stands in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { first, games, positions, version, payload } = self;
        let mut bytes = format!("chunk {first} {games} {positions} {} {version}\n", payload.len()).into_bytes();
        bytes.extend(payload);
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

/// Why no more chunks can be read.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file ends within a chunk, as it does if a run was killed while it wrote.
    #[error("the file ends within chunk {chunk}")]
    Unfinished {
        /// The number of the chunk.
        chunk: u64,
    },
    /// Something else stands there than was written.
    #[error("chunk {chunk} is damaged: {what}")]
    Damaged {
        /// The number of the chunk.
        chunk: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The source failed.
    #[error("chunk {chunk} cannot be read: {error}")]
    Unreadable {
        /// The number of the chunk.
        chunk: u64,
        /// What happened.
        error: io::Error,
    },
}

/// Reads a file of self-play chunk by chunk, keeping no more than one in memory. After a fault there are no more.
pub struct Reader<R> {
    source: R,
    heading: Heading,
    chunks: u64,
    /// The number of the next game.
    next: u64,
    /// The bytes up to the end of the last whole chunk.
    whole: u64,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the heading; the error says why this is not a file of self-play.
    pub fn new(mut source: R) -> Result<Self, TextError> {
        let mut line = Vec::new();
        let read = (&mut source).take(Heading::LONGEST).read_until(b'\n', &mut line);
        read.map_err(|error| TextError::new(format!("the file cannot be read: {error}")))?;
        let text = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
        let heading = Heading::parse(text.unwrap_or(""))?;
        Ok(Self { source, heading, chunks: 0, next: 0, whole: line.len() as u64, ended: false })
    }

    /// What the games depend on.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// The bytes from the beginning to the end of the last chunk that was read.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The next chunk, and its length in the file; `None` at the end.
    fn read(&mut self) -> Result<Option<(Chunk, u64)>, Fault> {
        let chunk = self.chunks;
        let damaged = |what| Fault::Damaged { chunk, what };
        let unreadable = |error| Fault::Unreadable { chunk, error };
        let mut bytes = Vec::new();
        (&mut self.source).take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let Some(line) = bytes.strip_suffix(b"\n") else {
            let whole_line = bytes.len() as u64 == LONGEST_LINE;
            return Err(if whole_line { damaged("no line begins it") } else { Fault::Unfinished { chunk } });
        };
        let words: Option<Vec<_>> = std::str::from_utf8(line).ok().map(|line| line.splitn(6, ' ').collect());
        let Some(&["chunk", first, games, positions, length, version]) = words.as_deref() else {
            return Err(damaged("no line begins it"));
        };
        let (Ok(first), Ok(games), Ok(positions), Ok(length)) =
            (first.parse::<u64>(), games.parse(), positions.parse(), length.parse::<u64>())
        else {
            return Err(damaged("its line has no numbers"));
        };
        if first != self.next || first.checked_add(u64::from(games)).is_none() {
            return Err(damaged("it does not begin with the next game"));
        }
        if length > LONGEST || version.chars().any(char::is_control) {
            return Err(damaged("it is longer than any chunk"));
        }
        let (version, begin) = (version.to_string(), bytes.len());
        let read = (&mut self.source).take(length + 8).read_to_end(&mut bytes).map_err(unreadable)?;
        if (read as u64) < length + 8 {
            return Err(Fault::Unfinished { chunk });
        }
        let (content, sum) = bytes.split_at(bytes.len() - 8);
        if sum != checksum(content).to_le_bytes() {
            return Err(damaged("its checksum is wrong"));
        }
        let payload = content[begin..].to_vec();
        Ok(Some((Chunk { first, games, positions, version, payload }, bytes.len() as u64)))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Chunk, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read();
        match read {
            Ok(Some((chunk, length))) => {
                self.chunks += 1;
                self.next = chunk.next();
                self.whole += length;
                Some(Ok(chunk))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(fault) => {
                self.ended = true;
                Some(Err(fault))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::Settings;

    fn file() -> (Vec<u8>, Vec<Chunk>) {
        let settings = Settings { nodes: 600, random_plies: (4, 12), random_moves: 0, seed: 7 };
        let heading = Heading { game: "ring".into(), rules: "long".into(), settings, evaluator: 1 };
        let (mut bytes, mut chunks, mut first) = (format!("{heading}\n").into_bytes(), Vec::new(), 0);
        for games in [3, 1] {
            let mut chunk = Chunk::new(first, "0.1 (of a test)");
            for game in 0..games {
                chunk.add(&Encoded { positions: 10 + game, bytes: vec![b'\n'; 20] });
            }
            first = chunk.next();
            bytes.extend(chunk.to_bytes());
            chunks.push(chunk);
        }
        (bytes, chunks)
    }

    #[test]
    fn chunks_are_read_back_in_order() {
        let (bytes, chunks) = file();
        let mut reader = Reader::new(&bytes[..]).unwrap();
        let read: Result<Vec<_>, _> = reader.by_ref().collect();
        assert_eq!(read.unwrap(), chunks);
        assert_eq!(reader.whole(), bytes.len() as u64);
    }

    #[test]
    fn what_a_kill_left_is_told_from_damage() {
        let (bytes, chunks) = file();
        let (last, begin) = (chunks[1].to_bytes().len(), bytes.len() - chunks[1].to_bytes().len());
        for end in begin + 1..begin + last {
            let mut reader = Reader::new(&bytes[..end]).unwrap();
            assert!(reader.next().unwrap().is_ok());
            assert!(matches!(reader.next(), Some(Err(Fault::Unfinished { chunk: 1 }))), "{end}");
            assert!(reader.next().is_none());
            assert_eq!(reader.whole(), begin as u64);
        }
        // No single damaged byte goes unnoticed; none makes the reader panic or take much memory.
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            let Ok(reader) = Reader::new(&damaged[..]) else { continue };
            let different = *reader.heading() != *Reader::new(&bytes[..]).unwrap().heading();
            assert!(
                different || reader.map(|chunk| chunk.map_err(|fault| fault.to_string())).any(|chunk| chunk.is_err())
            );
        }
        let heading = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for line in ["chunk 0 1 1 99999999999999999999 v\n", "chunk 0 1 1 67108865 v\n", "chunk 1 1 1 0 v\n", "chunk\n"]
        {
            let hostile = [&bytes[..heading], line.as_bytes(), &[0; 500]].concat();
            assert!(matches!(Reader::new(&hostile[..]).unwrap().next(), Some(Err(Fault::Damaged { .. }))), "{line}");
        }
    }
}
