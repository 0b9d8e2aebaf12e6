//! Self-play: games of an engine against itself as data to learn from, their format and its reader.
//!
//! A game is kept as its moves, not as its positions: five bytes a position, and whoever reads it replays it under the
//! rules, so that nothing in a file is believed. docs/LEARNING.md describes the format to the byte.

mod chunk;
mod generator;
mod heading;
mod label;
mod replay;
mod source;

pub use chunk::{Chunk, Fault, Reader};
#[cfg(feature = "promises")]
pub(crate) use generator::encode;
pub use generator::{AnyGenerator, Encoded, Generator};
pub use heading::{Heading, Settings, fingerprint};
pub use label::Label;
pub use replay::{GameSummary, Played, games};
pub use source::{heading_of, read};

use quincunx_game::{Game, Outcome, Position, outcome};

/// A longer game is recorded up to here, as a draw.
pub const MOST_PLIES: usize = 16_384;

/// How a game of self-play ended, if it has.
fn ended<P: Position>(game: &Game<P>) -> Option<Outcome> {
    let too_long = || (game.moves().len() >= MOST_PLIES).then_some(Outcome::draw(outcome::PLY_LIMIT));
    game.outcome().or_else(too_long)
}
