//! The type-erased interface: a game in progress for everything that knows it only by name.
//!
//! What counts and samples trees is not there in WebAssembly: a page would carry it for nothing.
#![cfg_attr(target_family = "wasm", allow(unused_imports))]

use std::any::Any;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    FirstMove, Game, Geometry, Outcome, Playouts, Position, Rules, Side, Tally, TextError,
    perft::{divide, perft, perft_made, perft_unfinished},
};

/// A legal move as a front end needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Its text.
    pub text: String,
    /// The ways to click it, each the cells in order, the usual way first; none for a pass.
    pub paths: Vec<Vec<usize>>,
    /// The cells to mark once it was played.
    pub marks: Vec<usize>,
    /// Whether it is a forced pass.
    pub pass: bool,
}

/// What came out of a number of random games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayoutTally {
    /// The games played.
    pub playouts: u64,
    /// The turns in all of them.
    pub turns: u64,
    /// Wins of the first and of the second side.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
}

/// A game in progress of whatever kind: a [`Game`] behind an interface of texts and cell numbers.
pub trait AnyGame: Any + Send + Sync {
    /// The settings of the game, and through them what the game is.
    fn rules(&self) -> &Rules;
    /// Whose turn it is.
    fn to_move(&self) -> Side;
    /// The number of turns played.
    fn ply(&self) -> usize;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The text of the position on the board.
    fn position_text(&self) -> String;
    /// The text of the position the game began with.
    fn start_text(&self) -> String;
    /// What a position text holds beside stones and side to move: names of [`tallies`](Self::tallies).
    fn counts(&self) -> &'static [&'static str];
    /// The text of any stones on this board: see [`Position::text_of`].
    fn text_of(&self, stones: &[Option<Side>], to_move: Side, counts: &[[u32; 2]]) -> String;
    /// A 64-bit hash of the position on the board.
    fn hash(&self) -> u64;
    /// The legal moves, sorted by the bytes of their texts; none if the game is over.
    fn choices(&self) -> Vec<Choice>;
    /// Whether the side to move has nothing to choose and must pass.
    fn must_pass(&self) -> bool;
    /// The texts of the moves played.
    fn played(&self) -> Vec<String>;
    /// The cells to mark for the last move.
    fn last_marks(&self) -> Vec<usize>;
    /// Plays the move a text names.
    fn play(&mut self, text: &str) -> Result<(), TextError>;
    /// The text of a uniformly random legal move; `None` if the game is over.
    fn random_move(&self, rng: &mut Xoshiro256PlusPlus) -> Option<String>;
    /// Plays a uniformly random legal move and returns its text; `None` if the game is over.
    fn play_random(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<String>;
    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Draws which side begins, if the rules leave that to lot and no move was played.
    fn draw_first_move(&mut self, rng: &mut Xoshiro256PlusPlus);
    /// The board.
    fn geometry(&self) -> Geometry;
    /// The stones, by cell.
    fn stones(&self) -> Vec<Option<Side>>;
    /// What is counted.
    fn tallies(&self) -> Vec<Tally>;
    /// The cells that show why the game was won.
    fn winning_cells(&self) -> Vec<usize>;
    /// The leaves of the tree cut at `depth`, the last ply counted.
    #[cfg(not(target_family = "wasm"))]
    fn perft(&self, depth: u32) -> u64;
    /// The same with every turn made and unmade.
    #[cfg(not(target_family = "wasm"))]
    fn perft_made(&self, depth: u32) -> u64;
    /// The same without the lines that ended sooner, as programs for chess count.
    #[cfg(not(target_family = "wasm"))]
    fn perft_unfinished(&self, depth: u32) -> u64;
    /// The leaves behind each move, sorted by the bytes of its text, with or without the lines that ended sooner.
    #[cfg(not(target_family = "wasm"))]
    fn divide(&self, depth: u32, unfinished: bool) -> Vec<(String, u64)>;
    /// Adds `count` random games from here to `tally`.
    #[cfg(not(target_family = "wasm"))]
    fn playouts(&self, count: u32, rng: &mut Xoshiro256PlusPlus, tally: &mut PlayoutTally);
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    /// The game behind the interface, for code that knows its type.
    fn as_any(&self) -> &dyn Any;
}

/// The choices in the order of their texts; apart, so that it is compiled once and not for every game.
fn by_text(mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_unstable_by(|a, b| a.text.cmp(&b.text));
    choices
}

impl<P: Position> AnyGame for Game<P> {
    fn rules(&self) -> &Rules {
        self.rules()
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn ply(&self) -> usize {
        self.moves().len()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn position_text(&self) -> String {
        self.position().text()
    }

    fn start_text(&self) -> String {
        self.start().text()
    }

    fn counts(&self) -> &'static [&'static str] {
        P::COUNTS
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, counts: &[[u32; 2]]) -> String {
        self.position().text_of(stones, to_move, counts)
    }

    fn hash(&self) -> u64 {
        self.position().hash()
    }

    fn choices(&self) -> Vec<Choice> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let position = self.position();
        let mut choices = Vec::new();
        position.for_each_move(|mv| {
            choices.push(Choice {
                text: position.move_text(mv),
                paths: position.paths(mv),
                marks: position.marks(mv),
                pass: P::is_pass(mv),
            });
        });
        by_text(choices)
    }

    fn must_pass(&self) -> bool {
        let mut pass = false;
        if self.outcome().is_none() {
            self.position().for_each_move(|mv| pass |= P::is_pass(mv));
        }
        pass
    }

    fn played(&self) -> Vec<String> {
        self.positions().iter().zip(self.moves()).map(|(position, &mv)| position.move_text(mv)).collect()
    }

    fn last_marks(&self) -> Vec<usize> {
        let Some(&mv) = self.moves().last() else { return Vec::new() };
        self.positions()[self.moves().len() - 1].marks(mv)
    }

    fn play(&mut self, text: &str) -> Result<(), TextError> {
        self.play_text(text).map(|_| ())
    }

    fn random_move(&self, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
        if self.outcome().is_some() {
            return None;
        }
        let position = self.position();
        position.random_move(rng).map(|mv| position.move_text(mv))
    }

    fn play_random(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
        if self.outcome().is_some() {
            return None;
        }
        let mv = self.position().random_move(rng)?;
        let text = self.position().move_text(mv);
        self.play(mv);
        Some(text)
    }

    fn undo(&mut self) -> bool {
        self.undo().is_some()
    }

    fn draw_first_move(&mut self, rng: &mut Xoshiro256PlusPlus) {
        if self.rules().first == FirstMove::Random && self.moves().is_empty() && rng.random() {
            let mut start = *self.start();
            start.hand_over();
            *self = Self::from_position(*self.rules(), start);
        }
    }

    fn geometry(&self) -> Geometry {
        self.position().geometry()
    }

    fn stones(&self) -> Vec<Option<Side>> {
        let position = self.position();
        (0..position.cells()).map(|cell| position.stone(cell)).collect()
    }

    fn tallies(&self) -> Vec<Tally> {
        self.position().tallies()
    }

    fn winning_cells(&self) -> Vec<usize> {
        self.position().winning_cells()
    }

    #[cfg(not(target_family = "wasm"))]
    fn perft(&self, depth: u32) -> u64 {
        perft(self.position(), depth)
    }

    #[cfg(not(target_family = "wasm"))]
    fn perft_made(&self, depth: u32) -> u64 {
        perft_made(self.position(), depth)
    }

    #[cfg(not(target_family = "wasm"))]
    fn perft_unfinished(&self, depth: u32) -> u64 {
        perft_unfinished(self.position(), depth)
    }

    #[cfg(not(target_family = "wasm"))]
    fn divide(&self, depth: u32, unfinished: bool) -> Vec<(String, u64)> {
        let position = self.position();
        let counts = divide(position, depth, if unfinished { perft_unfinished } else { perft });
        let mut counts: Vec<_> = counts.into_iter().map(|(mv, leaves)| (position.move_text(mv), leaves)).collect();
        counts.sort();
        counts
    }

    #[cfg(not(target_family = "wasm"))]
    fn playouts(&self, count: u32, rng: &mut Xoshiro256PlusPlus, tally: &mut PlayoutTally) {
        let mut playouts = Playouts::new(self.rules());
        let by_lot = self.rules().first == FirstMove::Random && self.moves().is_empty();
        for _ in 0..count {
            let mut start = *self.position();
            if by_lot && rng.random() {
                start.hand_over();
            }
            let playout = playouts.run(start, rng);
            tally.playouts += 1;
            tally.turns += u64::from(playout.plies);
            match playout.outcome.winner {
                Some(side) => tally.wins[side.index()] += 1,
                None => tally.draws += 1,
            }
        }
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
