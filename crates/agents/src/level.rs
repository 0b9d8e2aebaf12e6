//! The engine's levels, from one that a child can beat to everything within a second.

use std::time::Duration;

use quincunx_search::{Engine, Handicap, Limits};

/// The strongest level.
pub const HIGHEST_LEVEL: u64 = 10;

/// How far an engine thinks ahead, and what it misses: what a level is.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) limits: Limits,
    pub(crate) handicap: Handicap,
}

impl Level {
    /// Everything the engine has.
    pub(crate) const FULL: Self = Self {
        limits: Limits { depth: None, nodes: None, movetime: None, clock: None, cpu: None },
        handicap: Handicap { overlook: 0, noise: 0, seed: 0 },
    };

    /// A level by its number; `seed` says what it overlooks and misjudges.
    pub(crate) fn new(number: u64, seed: u64) -> Self {
        // Positions, moves overlooked and misjudgement in percent; measured in docs/STRENGTH.md.
        const WEAKER: [(u64, u32, u32); 9] = [
            (30, 55, 150),
            (75, 40, 95),
            (190, 28, 62),
            (480, 18, 40),
            (1_200, 10, 25),
            (3_000, 4, 14),
            (10_000, 0, 0),
            (45_000, 0, 0),
            (300_000, 0, 0),
        ];
        let second = Limits { movetime: Some(Duration::from_secs(1)), ..Limits::default() };
        match WEAKER.get((number as usize).wrapping_sub(1)) {
            Some(&(nodes, overlook, noise)) => {
                Self { limits: Limits { nodes: Some(nodes), ..second }, handicap: Handicap { overlook, noise, seed } }
            }
            None => Self { limits: second, ..Self::FULL },
        }
    }

    /// An engine of this strength; its table is no larger than what it can fill.
    pub(crate) fn engine(&self, megabytes: usize, threads: usize) -> Engine {
        /// Entries of a megabyte of table.
        const ENTRIES: u64 = 1 << 16;
        let fillable = self.limits.nodes.map_or(usize::MAX, |nodes| 4 * (1 + nodes / ENTRIES) as usize);
        let mut engine = Engine::new(megabytes.min(fillable), threads);
        engine.handicap = self.handicap;
        engine
    }
}
