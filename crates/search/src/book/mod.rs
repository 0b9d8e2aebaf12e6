//! An opening book: positions with what they are worth, mirror images folded into one.

mod study;

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use quincunx_game::{Position, Rules, TextError};

use crate::{file::Label, ranked::ranked};

pub use study::{Study, choose, study};

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

    /// The moves the book knows in a position with what they are worth to the side to move, the best first; empty if it
    /// has not studied the position.
    pub fn moves<P: Position>(&self, position: &P) -> Vec<(P::Move, i32)> {
        let mut known = Vec::new();
        if self.find(position).is_some_and(|entry| entry.studied) {
            position.for_each_move(|mv| {
                let mut next = *position;
                next.play(mv);
                known.extend(self.find(&next).map(|entry| (mv, -i32::from(entry.worth))));
            });
        }
        ranked(known, |&(_, worth)| worth)
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The book as a file for these rules, which [`read`](Self::read) reads back.
    pub fn to_bytes(&self, rules: &Rules) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (position, entry) in &self.entries {
            bytes.extend(position.to_le_bytes());
            bytes.extend((entry.worth & !1 | i16::from(entry.studied)).to_le_bytes());
        }
        label(rules).seal(&bytes)
    }

    /// The book that a file for these rules holds; the error says what is wrong with it.
    pub fn read(rules: &Rules, bytes: &[u8]) -> Result<Self, TextError> {
        let bytes = label(rules).open(bytes)?;
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        let entry = |&[a, b, c, d, e, f, g, h, low, high]: &[u8; ENTRY]| {
            let worth = i16::from_le_bytes([low, high]);
            let position = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            (position, Entry { worth: worth & !1, studied: worth & 1 == 1 })
        };
        let entries: Vec<_> = entries.iter().map(entry).collect();
        if !rest.is_empty() || !entries.is_sorted_by(|(one, _), (next, _)| one < next) {
            return Err(TextError::new("this file of book is damaged: its positions are not in order"));
        }
        Ok(Self { entries })
    }
}

/// Books of default rules that a page handed in, by the game.
static HANDED_IN: RwLock<BTreeMap<&str, Arc<Book>>> = RwLock::new(BTreeMap::new());

/// Keeps a file as the book of these rules' game, for an engine that carries none.
pub fn hand_in(rules: &Rules, file: &[u8]) -> Result<(), TextError> {
    let book = Arc::new(Book::read(rules, file)?);
    HANDED_IN.write().unwrap_or_else(PoisonError::into_inner).insert(rules.about.name, book);
    Ok(())
}

/// The book of a game that was handed in.
pub fn handed_in(game: &str) -> Option<Arc<Book>> {
    HANDED_IN.read().unwrap_or_else(PoisonError::into_inner).get(game).cloned()
}

fn label(rules: &Rules) -> Label<'static> {
    Label { kind: "book", game: rules.about.name, shape: rules.ruleset.name }
}

/// The same number for all mirror images of a position.
pub fn fingerprint<P: Position>(position: &P) -> u64 {
    (0..P::SYMMETRIES).map(|symmetry| position.transformed(symmetry).hash()).min().expect("the identity is one of them")
}
