//! The engine's levels, from one that a child can beat to everything within a second.

use std::time::Duration;

use quincunx_search::{Handicap, Limits};

/// The strongest level.
pub const HIGHEST_LEVEL: u64 = 10;

/// How a level thinks: how long, and what it overlooks.
pub(crate) fn level(number: u64, seed: u64) -> (Limits, Handicap) {
    // Nodes, moves overlooked of 1024, and noise of the evaluation in hundredths.
    const WEAK: [(u64, u32, u32); 9] = [
        (40, 500, 900),
        (80, 380, 600),
        (160, 280, 400),
        (400, 180, 250),
        (1_200, 90, 120),
        (5_000, 0, 50),
        (20_000, 0, 0),
        (80_000, 0, 0),
        (320_000, 0, 0),
    ];
    match WEAK.get((number as usize).wrapping_sub(1)) {
        Some(&(nodes, overlook, noise)) => {
            let limits = Limits { nodes: Some(nodes), movetime: Some(Duration::from_secs(1)), ..Limits::default() };
            (limits, Handicap { overlook, noise, seed })
        }
        None => (Limits { movetime: Some(Duration::from_secs(1)), ..Limits::default() }, Handicap::default()),
    }
}
