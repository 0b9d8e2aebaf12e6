//! The five games, one folder each, and the registry that finds them by name.
//!
//! ```
//! let mut game = quincunx_games::open("othello", None, None).unwrap();
//! game.play("d3").unwrap();
//! assert_eq!(game.choices().len(), 3);
//! assert_eq!(game.perft(3), 244 / 4);
//! ```

pub mod aboyne;
pub mod othello;
pub mod pente;
mod registry;
pub mod shobu;
pub mod solve;
pub mod tessella;

pub use registry::{Visitor, about, all, open, visit};
