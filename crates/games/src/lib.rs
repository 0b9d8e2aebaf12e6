//! The five games, one folder each, and the registry that finds them by name.
//!
//! ```
//! let mut table = quincunx_games::open("othello", None, None).unwrap();
//! table.play("d3").unwrap();
//! assert_eq!(table.choices().len(), 3);
//! assert_eq!(table.perft(3), 244 / 4);
//! ```

pub mod aboyne;
pub mod othello;
pub mod pente;
mod registry;
pub mod shobu;
pub mod solve;
pub mod tessella;

pub use registry::{Visitor, about, all, open, visit};
