//! The Go Text Protocol, version 2, with the moves of our games, as the Othello world speaks it.

#[cfg(target_os = "linux")]
pub(crate) mod client;
mod engine;

use quincunx_game::{About, AnyGame, Side};

pub use engine::serve;

/// The colour of a side in this protocol: that of its stones if they are black and white, otherwise black begins.
fn colour(about: &About, side: Side) -> &'static str {
    let first = if about.sides[0] == "White" { Side::Second } else { Side::First };
    if side == first { "b" } else { "w" }
}

/// The side of the square board; what is next to it on a board of another form.
fn size(game: &dyn AnyGame) -> usize {
    game.geometry().cells.len().isqrt()
}
