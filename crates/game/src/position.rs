//! The `Position` trait: every question that can be asked of a position.

use std::{fmt::Debug, hash::Hash};

use rand::Rng;

use crate::{About, Geometry, Outcome, Side, TextError};

/// A position of a game: stones, side to move and what the rules need beyond them, as a small value.
///
/// History (repetition, ply limit, the moves played) is not part of it: see [`Game`](crate::Game).
/// One type may play several rulesets, and several types may share the rulesets of one game.
pub trait Position: Copy + Eq + Debug + Send + Sync + 'static {
    /// A move: small, ordered only so that lists of moves can be compared.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// What [`undo`](Self::undo) needs to take a move back; often a whole position.
    type Undo: Copy + Debug;

    /// The number of symmetries of the board that keep the rules, the identity (number 0) included.
    const SYMMETRIES: usize = 1;

    /// The names of the [`tallies`](Self::tallies) that a text holds beside stones and side to move.
    const COUNTS: &'static [&'static str] = &[];

    /// What is known of the game.
    fn about() -> &'static About;

    /// The start position under the ruleset of this name, or `None` if this type does not play it.
    fn start(ruleset: &str) -> Option<Self>;

    /// The position a text describes, under a ruleset that this type plays. Never panics, whatever the text.
    fn parse(ruleset: &str, text: &str) -> Result<Self, TextError>;

    /// The text of the position, which [`parse`](Self::parse) reads back to an equal one.
    fn text(&self) -> String;

    /// The text of any stones, given by cell, with this side to move, on the board of this position's ruleset; `counts`
    /// are those of [`COUNTS`](Self::COUNTS), none of them missing. They need not be able to come about:
    /// [`parse`](Self::parse) then says so.
    fn text_of(&self, stones: &[Option<Side>], to_move: Side, counts: &[[u32; 2]]) -> String;

    /// Whose turn it is (or would be, if the game were not over).
    fn to_move(&self) -> Side;

    /// How the game ended by the rules of the position alone, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Calls `visit` with every legal move, each once, in a fixed order; with none if the game is over.
    /// A forced pass is a move like any other.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// The number of legal moves: 0 exactly if the game is over.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// The legal moves as a list.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// A legal move, each with the same probability, or `None` if the game is over.
    fn random_move(&self, rng: &mut impl Rng) -> Option<Self::Move> {
        let count = self.count_moves();
        if count == 0 {
            return None;
        }
        let chosen = random_below(rng, count);
        let (mut index, mut found) = (0, None);
        self.for_each_move(|mv| {
            if index == chosen {
                found = Some(mv);
            }
            index += 1;
        });
        found
    }

    /// Plays a legal move. A move that is not legal here gives some position, but neither panics nor breaks memory
    /// safety.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the move that gave `undo`, restoring every bit.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Hands the turn to the other side without a move: to set up who begins, and for null moves in a search. No
    /// rule uses it.
    fn hand_over(&mut self);

    /// Whether the move is a forced pass.
    fn is_pass(_mv: Self::Move) -> bool {
        false
    }

    /// A 64-bit hash of stones and side to move, cheap at every node: updated by `play`, or computed in a few
    /// instructions.
    fn hash(&self) -> u64;

    /// The text of a legal move, in the notation of the rules page.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The legal move a text names; the error says what the text lacks or why the move is not legal. Never panics.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError>;

    /// The position seen through a symmetry, numbered below [`SYMMETRIES`](Self::SYMMETRIES).
    #[must_use]
    fn transformed(&self, _symmetry: usize) -> Self {
        *self
    }

    /// The move seen through the same symmetry.
    fn transformed_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// The same position with the colours (and the side to move) exchanged, the board turned if the rules need it.
    #[must_use]
    fn colours_swapped(&self) -> Self;

    /// The board of this position's ruleset.
    fn geometry(&self) -> Geometry;

    /// How many cells that board has.
    fn cells(&self) -> usize {
        self.geometry().cells.len()
    }

    /// The stone on a cell of the geometry.
    fn stone(&self, cell: usize) -> Option<Side>;

    /// The cells a person clicks to make this move, in order; empty for a pass.
    fn path(&self, mv: Self::Move) -> Vec<usize>;

    /// All ways to click this move, [`path`](Self::path) first: more than one if, say, a stone may be dragged to a cell
    /// or the cell be clicked alone. None for a pass. No two moves of a position share a way.
    fn paths(&self, mv: Self::Move) -> Vec<Vec<usize>> {
        if Self::is_pass(mv) { Vec::new() } else { vec![self.path(mv)] }
    }

    /// The cells to mark on the board after this move was played here.
    fn marks(&self, mv: Self::Move) -> Vec<usize> {
        self.path(mv)
    }

    /// What is counted during the game, such as discs or captures, for showing.
    fn tallies(&self) -> Vec<Tally> {
        Vec::new()
    }

    /// The cells that show why the game was won, such as five in a row; empty if there are none.
    fn winning_cells(&self) -> Vec<usize> {
        Vec::new()
    }
}

/// Something counted for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What is counted.
    pub name: &'static str,
    /// The counts, by side.
    pub values: [u32; 2],
}

/// A number below `bound`, uniform to within 2^-32 of the bound.
#[inline]
pub fn random_below(rng: &mut impl Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}
