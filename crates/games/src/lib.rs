//! The registry: every game by its name.
//!
//! ```
//! let mut game = quincunx_games::open("othello", None, None).unwrap();
//! game.play("d3").unwrap();
//! assert_eq!(game.choices().len(), 3);
//! assert_eq!(game.perft(3), 244 / 4);
//! ```

mod registry;

pub use quincunx_aboyne as aboyne;
pub use quincunx_othello as othello;
pub use quincunx_pente as pente;
pub use quincunx_shobu as shobu;
pub use quincunx_tessella as tessella;
pub use registry::{NO_MOVES, about, all, entries, entry, open, register, rules, set_up, variant};
