//! What a two-player board game is, knowing no game by name: the [`Position`] trait, outcomes, rules, records,
//! geometry, node counts, random playouts, pictures, and the one type-erased interface ([`AnyGame`]) for everything
//! that holds a game by its name.

pub mod any_game;
pub mod bits;
pub mod board_text;
pub mod exchange;
pub mod format;
pub mod from_to;
pub mod game;
pub mod geometry;
pub mod hash;
pub mod outcome;
pub mod perft;
pub mod playout;
pub mod position;
pub mod record;
pub mod rules;
pub mod side;
pub mod square_board;
pub mod stones;
pub mod svg;
pub mod terminal;
pub mod text;

pub use any_game::{AnyGame, Choice};
pub use from_to::FromTo;
pub use game::Game;
pub use geometry::Geometry;
pub use outcome::Outcome;
pub use playout::{Playout, Playouts};
pub use position::{Position, Tally};
pub use record::{Ending, Record};
pub use rules::{About, FirstMove, Palette, Rules, RulesetAbout};
pub use side::Side;
pub use square_board::SquareBoard;
pub use stones::Stones;
pub use text::TextError;
