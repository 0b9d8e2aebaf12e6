//! What a two-player board game is, knowing no game by name: the [`Game`] trait, outcomes, rules, records, geometry,
//! node counts, random playouts, pictures, and the one type-erased interface ([`Table`]) for everything that holds a
//! game by its name.

pub mod bits;
pub mod book;
pub mod game;
pub mod geometry;
pub mod insight;
pub mod memory;
pub mod outcome;
pub mod perft;
pub mod playout;
pub mod record;
pub mod rules;
pub mod side;
pub mod svg;
pub mod table;
pub mod terminal;
pub mod text;
pub mod underway;

pub use game::{Game, Tally};
pub use geometry::Geometry;
pub use insight::Insight;
pub use outcome::Outcome;
pub use playout::{Playout, Playouts};
pub use record::Record;
pub use rules::{About, FirstMove, Palette, Rules, RulesetAbout};
pub use side::Side;
pub use table::{Choice, Table};
pub use text::TextError;
