//! An opening book: positions with what they are worth, mirror images folded into one, as bytes that come with the program.

mod study;

use quincunx_game::Position;

pub use study::{Study, choose, study};

/// What a file of a book begins with.
const MAGIC: &[u8; 8] = b"QXBOOK1\n";

/// The bytes of an entry: the fingerprint of its position, then its worth and whether its moves are known.
const ENTRY: usize = 10;

/// A position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is worth for the side to move, in hundredths of the game's unit.
    pub worth: i16,
    /// Whether its best moves were looked for: only then the positions behind it that are in the book are its best.
    pub studied: bool,
}

/// A book that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no opening book: {0}")]
pub struct DamagedBook(&'static str);

/// Positions with what they are worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// By fingerprint, ascending.
    entries: Vec<(u64, Entry)>,
}

impl Book {
    /// A book of these positions, given by [`fingerprint`]; of several entries of one position the first counts.
    pub fn new(mut entries: Vec<(u64, Entry)>) -> Self {
        entries.sort_by_key(|&(position, _)| position);
        entries.dedup_by_key(|&mut (position, _)| position);
        Self { entries }
    }

    /// What the book knows of a position.
    pub fn find<P: Position>(&self, position: &P) -> Option<Entry> {
        let wanted = fingerprint(position);
        let found = self.entries.binary_search_by_key(&wanted, |&(position, _)| position).ok()?;
        Some(self.entries[found].1)
    }

    /// The moves the book knows in a position with what they are worth to the side to move, the best first; empty where it has not
    /// studied the position.
    pub fn moves<P: Position>(&self, position: &P) -> Vec<(P::Move, i32)> {
        let mut known = Vec::new();
        if self.find(position).is_some_and(|entry| entry.studied) {
            position.for_each_move(|mv| {
                let mut next = *position;
                next.play(mv);
                known.extend(self.find(&next).map(|entry| (mv, -i32::from(entry.worth))));
            });
        }
        known.sort_by_key(|&(_, worth)| -worth);
        known
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The book as bytes, which [`read`](Self::read) reads back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for (position, entry) in &self.entries {
            bytes.extend(position.to_le_bytes());
            bytes.extend((entry.worth & !1 | i16::from(entry.studied)).to_le_bytes());
        }
        bytes
    }

    /// The book that bytes hold; the error says what is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Self, DamagedBook> {
        let bytes = bytes.strip_prefix(MAGIC).ok_or(DamagedBook("it begins with other bytes"))?;
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(DamagedBook("its last entry is not whole"));
        }
        let entry = |bytes: &[u8]| {
            let (position, worth) = bytes.split_at(8);
            let position = u64::from_le_bytes(position.try_into().expect("eight bytes"));
            let worth = i16::from_le_bytes(worth.try_into().expect("two bytes"));
            (position, Entry { worth: worth & !1, studied: worth & 1 == 1 })
        };
        let entries: Vec<_> = bytes.chunks_exact(ENTRY).map(entry).collect();
        if entries.iter().zip(entries.iter().skip(1)).any(|(one, next)| one.0 >= next.0) {
            return Err(DamagedBook("its positions are not in order"));
        }
        Ok(Self { entries })
    }
}

/// The same number for all mirror images of a position.
pub fn fingerprint<P: Position>(position: &P) -> u64 {
    (0..P::SYMMETRIES).map(|symmetry| position.transformed(symmetry).hash()).min().expect("the identity is one of them")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(worth: i16, studied: bool) -> Entry {
        Entry { worth, studied }
    }

    #[test]
    fn bytes_are_read_back_and_damage_is_told() {
        let book = Book::new(vec![(7, entry(-130, true)), (3, entry(240, false)), (7, entry(0, false))]);
        let bytes = book.to_bytes();
        assert_eq!(book.entries, [(3, entry(240, false)), (7, entry(-130, true))]);
        assert_eq!(Book::read(&bytes).unwrap(), book);
        let message = |bytes: &[u8]| Book::read(bytes).unwrap_err().to_string();
        assert!(message(&bytes[1..]).contains("begins with"));
        assert!(message(&bytes[..bytes.len() - 1]).contains("not whole"));
        let swapped = [&bytes[..8], &bytes[18..], &bytes[8..18]].concat();
        assert!(message(&swapped).contains("not in order"));
    }
}
