//! The engine's levels, from one that a child can beat to everything within a second.

use std::time::Duration;

use quincunx_search::{Handicap, Limits, MOST_SELECTIVE, Tuning, agent::EngineSettings};

use crate::Resources;

/// The strongest level.
pub const HIGHEST_LEVEL: u64 = 10;

/// The time it thinks on a move.
pub(crate) const HIGHEST_TIME: Duration = Duration::from_secs(1);

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

    /// A level by its number, for a search with these numbers; `seed` says what it overlooks and misjudges. All but the
    /// highest count positions, not time: they play alike on every machine, however busy.
    pub(crate) fn new(tuning: &Tuning, number: u64, seed: u64) -> Self {
        // Positions, moves overlooked and misjudgement in percent; measured in docs/STRENGTH.md.
        const WEAKER: [(f64, u32, u32); 9] = [
            (30.0, 55, 150),
            (75.0, 40, 95),
            (190.0, 28, 62),
            (480.0, 16, 35),
            (1_200.0, 7, 18),
            (3_000.0, 3, 8),
            (10_000.0, 0, 0),
            (45_000.0, 0, 0),
            (300_000.0, 0, 0),
        ];
        let Some(&(nodes, overlook, noise)) = WEAKER.get((number as usize).wrapping_sub(1)) else {
            let limits = Limits { movetime: Some(HIGHEST_TIME), ..Limits::default() };
            return Self { limits, ..Self::FULL };
        };
        // The higher the level, the more of the game's pace.
        let nodes = nodes * tuning.pace.powf(number as f64 / WEAKER.len() as f64);
        let limits = Limits { nodes: Some(nodes as u64), ..Limits::default() };
        Self { limits, handicap: Handicap { overlook, noise, seed } }
    }

    /// How an engine of this strength plays, without a book; its table is no larger than what it can fill.
    pub(crate) fn settings(&self, resources: Resources) -> EngineSettings {
        /// Entries of a megabyte of table.
        const ENTRIES: u64 = 1 << 16;
        let fillable = self.limits.nodes.map_or(usize::MAX, |nodes| 4 * (1 + nodes / ENTRIES) as usize);
        EngineSettings {
            megabytes: resources.megabytes.min(fillable),
            threads: resources.threads,
            limits: self.limits,
            handicap: self.handicap,
            selectivity: MOST_SELECTIVE,
            book: None,
        }
    }
}
