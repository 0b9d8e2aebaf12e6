//! Games of self-play read back: every move is checked and the result is that of the rules.

use std::marker::PhantomData;

use quincunx_game::{Game, Position, Rules, Side, TextError};

use super::{Chunk, Label, MOST_PLIES, ended};
use crate::Tactics;

/// A game of self-play.
#[derive(Clone, Debug)]
pub struct Played<P: Position> {
    /// Its number.
    pub number: u64,
    /// The whole game.
    pub game: Game<P>,
    /// The random plies that it began with.
    pub opening: usize,
    /// The labels of the positions from there to the last before the end.
    pub labels: Vec<Label>,
    /// The winner, if there is one.
    pub winner: Option<Side>,
}

impl<P: Position> Played<P> {
    /// The positions with a label, each with the move that was played: the best one unless the label says otherwise.
    pub fn positions(&self) -> impl Iterator<Item = (&P, P::Move, Label)> {
        let (positions, moves) = (&self.game.positions()[self.opening..], &self.game.moves()[self.opening..]);
        positions.iter().zip(moves).zip(&self.labels).map(|((position, &mv), &label)| (position, mv, label))
    }

    /// What can be told of it without its type.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub(crate) fn summary(&self) -> GameSummary {
        let hashes = self.positions().map(|(position, ..)| position.hash()).collect();
        let before = self.game.positions();
        let moves = self.game.moves().iter().zip(before).map(|(&mv, position)| position.move_text(mv));
        let moves = moves.collect::<Vec<_>>().join(" ");
        let plies = self.game.moves().len();
        GameSummary { plies, moves, winner: self.winner, labels: self.labels.clone(), hashes }
    }
}

/// A game of self-play, whatever the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its plies, the random ones included.
    pub plies: usize,
    /// Its moves, separated by spaces.
    pub moves: String,
    /// The winner, if there is one.
    pub winner: Option<Side>,
    /// The labels of its last positions; those before the random plies have none.
    pub labels: Vec<Label>,
    /// The hashes of the same positions.
    pub hashes: Vec<u64>,
}

/// The games of a chunk, in the order of their numbers. After an error there are no more.
pub fn games<P: Tactics>(rules: Rules, chunk: &Chunk) -> impl Iterator<Item = Result<Played<P>, TextError>> {
    let (number, last) = (chunk.first, chunk.next());
    Games { rules, number, last, positions: chunk.positions, rest: &chunk.payload, of: PhantomData }
}

struct Games<'a, P> {
    rules: Rules,
    number: u64,
    /// The number after the last.
    last: u64,
    /// The positions still to come.
    positions: u32,
    rest: &'a [u8],
    of: PhantomData<fn() -> P>,
}

impl<P: Tactics> Iterator for Games<'_, P> {
    type Item = Result<Played<P>, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number;
        if number == self.last {
            let (rest, positions) = (std::mem::take(&mut self.rest), std::mem::take(&mut self.positions));
            let told = if !rest.is_empty() {
                "goes on"
            } else if positions > 0 {
                "misses positions"
            } else {
                return None;
            };
            return Some(Err(TextError::new(format!("game {number} is not there, but the chunk {told}"))));
        }
        self.number += 1;
        let game = read(self.rules, number, &mut self.rest).and_then(|game: Played<P>| {
            let left = self.positions.checked_sub(game.labels.len() as u32);
            self.positions = left.ok_or("has more positions than its chunk")?;
            Ok(game)
        });
        if game.is_err() {
            (self.number, self.rest, self.positions) = (self.last, &[], 0);
        }
        Some(game.map_err(|what| TextError::new(format!("game {number} {what}"))))
    }
}

/// Takes one game from the bytes.
fn read<P: Tactics>(rules: Rules, number: u64, bytes: &mut &[u8]) -> Result<Played<P>, &'static str> {
    let mut take = |count: usize| {
        let (taken, rest) = bytes.split_at_checked(count).ok_or("is not whole")?;
        *bytes = rest;
        Ok::<_, &str>(taken)
    };
    let number_at = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let head = take(5)?;
    let (opening, count) = (usize::from(number_at(head, 0)), usize::from(number_at(head, 2)));
    let stated = match head[4] {
        0 => None,
        1 => Some(Side::First),
        2 => Some(Side::Second),
        _ => return Err("has no such result"),
    };
    if opening + count > MOST_PLIES {
        return Err("is too long");
    }
    let mut game = Game::new(rules).ok_or("is of another ruleset")?;
    for code in take(2 * opening)?.chunks_exact(2) {
        play(&mut game, number_at(code, 0))?;
    }
    let mut labels = Vec::with_capacity(count);
    for ply in take(5 * count)?.chunks_exact(5) {
        labels.push(Label::decode(number_at(ply, 2).cast_signed(), ply[4]).ok_or("has a score that no search gives")?);
        play(&mut game, number_at(ply, 0))?;
    }
    match ended(&game).map(|end| end.winner) {
        None => Err("has no end"),
        Some(winner) if winner != stated => Err("ended otherwise than it says"),
        Some(winner) => Ok(Played { number, game, opening, labels, winner }),
    }
}

/// Plays the legal move of this code.
fn play<P: Tactics>(game: &mut Game<P>, code: u16) -> Result<(), &'static str> {
    if ended(game).is_some() {
        return Err("goes on behind its end");
    }
    let mut found = None;
    game.position().for_each_move(|mv| {
        if P::code(mv) == code {
            found = Some(mv);
        }
    });
    game.play(found.ok_or("has a move that is not legal")?);
    Ok(())
}
