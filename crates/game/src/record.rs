//! The record of a game as files of games hold it: players, moves, result.

use crate::{AnyGame, Rules, Side, TextError};

/// How a recorded game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// It did not, or nobody wrote down how.
    #[default]
    Open,
    /// A draw.
    Draw,
    /// A side won.
    Won(Side),
}

impl Ending {
    /// The ending in which `winner` won; `None` is a draw.
    pub fn of(winner: Option<Side>) -> Self {
        winner.map_or(Self::Draw, Self::Won)
    }

    /// It as most formats write it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn text(self) -> &'static str {
        match self {
            Self::Open => "*",
            Self::Draw => "1/2-1/2",
            Self::Won(Side::First) => "1-0",
            Self::Won(Side::Second) => "0-1",
        }
    }

    /// Reads what [`text`](Self::text) writes.
    pub fn read(text: &str) -> Option<Self> {
        [Self::Open, Self::Draw, Self::Won(Side::First), Self::Won(Side::Second)]
            .into_iter()
            .find(|ending| ending.text() == text)
    }

    /// The sign of a result for the first side: 1, 0 or -1; `None` if there is no result.
    pub fn sign(self) -> Option<i32> {
        match self {
            Self::Open => None,
            Self::Draw => Some(0),
            Self::Won(side) => Some(if side == Side::First { 1 } else { -1 }),
        }
    }
}

/// A game or, without moves, a position, as a file holds it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The line of the file on which it begins, counted from 1, if it was read from a file of lines.
    pub line: Option<usize>,
    /// The rules it was played under.
    pub rules: Rules,
    /// The position it began with; the start of the rules if `None`.
    pub start: Option<String>,
    /// The moves, separated by single spaces. One text takes a fraction of the memory of a list.
    pub moves: String,
    /// The players, by side; empty if unknown.
    pub players: [String; 2],
    /// How it ended.
    pub ending: Ending,
    /// Why it ended, in a few words; empty if unknown.
    pub cause: String,
    /// What else is known, by the names that PGN gives it: `Event`, `Site`, `Date`, `Round`, `FirstElo`, …
    pub tags: Vec<(String, String)>,
    /// What was said of each move, as many as there are moves, or none.
    pub notes: Vec<String>,
    /// What a search said of the position before each move, for the side to move, as many as there are moves, or none.
    pub searched: Vec<Option<i32>>,
    /// Moves of the last position with their scores for the side to move, best first.
    pub scores: Vec<(String, i32)>,
}

impl Record {
    /// A record of nothing yet, under these rules.
    pub fn new(rules: Rules) -> Self {
        Self {
            line: None,
            rules,
            start: None,
            moves: String::new(),
            players: [String::new(), String::new()],
            ending: Ending::Open,
            cause: String::new(),
            tags: Vec::new(),
            notes: Vec::new(),
            searched: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// The moves one by one.
    pub fn each_move(&self) -> impl Iterator<Item = &str> + Clone {
        self.moves.split(' ').filter(|mv| !mv.is_empty())
    }

    /// Adds a move at the end.
    pub fn push_move(&mut self, mv: &str) {
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        self.moves.push_str(mv);
    }

    /// The value of a tag; empty if there is none.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Adds a tag, unless its value is empty.
    pub fn push_tag(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.tags.push((name.into(), value.into()));
        }
    }
}

/// Plays a line of moves, separated by spaces, commas or nothing: `f5 d6`, `f5,d6`, `F5D6C3`. Moves without anything
/// between them are a transcript, which leaves out forced passes. If a move is wrong the game stays as it was, and the
/// error tells its number.
pub fn play_line(game: &mut dyn AnyGame, line: &str) -> Result<(), TextError> {
    let before = game.ply();
    let mut number = 0;
    let played = crate::text::moves_in(line).try_for_each(|word| {
        number += 1;
        let error = match game.play(word) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        let moves = play_transcript(game, word, &error).map_err(|(more, error)| error.of_move(number + more))?;
        number += moves - 1;
        Ok(())
    });
    if played.is_err() {
        take_back_to(game, before);
    }
    played
}

/// No move of any game has a longer text.
const LONGEST_MOVE: usize = 16;

/// Plays the moves of a word in which nothing separates them, and tells how many there were. `error` is what was wrong
/// with the word as one move. An error comes with the number of moves before it.
fn play_transcript(game: &mut dyn AnyGame, word: &str, error: &TextError) -> Result<usize, (usize, TextError)> {
    let begin = game.ply();
    let (mut rest, mut count) = (word, 0);
    while !rest.is_empty() {
        let Some(length) = play_longest(game, rest) else {
            // The first move that is wrong is explained, but only if the word began like a transcript.
            let explained = if count == 0 { error.clone() } else { explain(game, rest, error) };
            take_back_to(game, begin);
            return Err((count, explained));
        };
        count += 1;
        rest = &rest[length..];
    }
    Ok(count)
}

/// Plays the longest beginning of a text that is a legal move, after a forced pass if need be, and tells its length.
fn play_longest(game: &mut dyn AnyGame, text: &str) -> Option<usize> {
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).take(LONGEST_MOVE);
    let ends: Vec<usize> = ends.collect();
    if let Some(&end) = ends.iter().rev().find(|&&end| game.play(&text[..end]).is_ok()) {
        return Some(end);
    }
    let pass = forced_pass(game)?;
    game.play(&pass).ok()?;
    let end = ends.iter().rev().find(|&&end| game.play(&text[..end]).is_ok()).copied();
    if end.is_none() {
        game.undo();
    }
    end
}

/// Why no beginning of a text is a legal move: what is wrong with the one that looks most like a move, or otherwise with
/// the whole word.
fn explain(game: &mut dyn AnyGame, text: &str, error: &TextError) -> TextError {
    let begin: String = text.chars().take(2).collect();
    game.play(&begin).err().unwrap_or_else(|| error.clone())
}

/// The text of the pass, if the side to move has to.
pub fn forced_pass(game: &dyn AnyGame) -> Option<String> {
    if !game.must_pass() {
        return None;
    }
    game.choices().into_iter().find(|choice| choice.pass).map(|choice| choice.text)
}

fn take_back_to(game: &mut dyn AnyGame, ply: usize) {
    while game.ply() > ply {
        game.undo();
    }
}
