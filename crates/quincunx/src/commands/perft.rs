//! `perft`: node counts.

use quincunx_machine::CpuTimer;
use std::io::{self, Write};

use crate::cli::Setup;

/// How the leaves are counted and listed.
pub(crate) struct Options {
    pub(crate) divide: bool,
    pub(crate) made: bool,
    pub(crate) unfinished: bool,
}

pub(crate) fn run(setup: &Setup, depth: u32, options: &Options) -> anyhow::Result<()> {
    let game = setup.open()?;
    let mut out = io::stdout().lock();
    for depth in depth.min(1)..=depth {
        let timer = CpuTimer::start();
        let leaves = match options {
            Options { made: true, .. } => game.perft_made(depth),
            Options { unfinished: true, .. } => game.perft_unfinished(depth),
            _ => game.perft(depth),
        };
        writeln!(out, "{depth} {leaves} {:.6}", timer.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    if options.divide && depth > 0 {
        for (mv, leaves) in game.divide(depth, options.unfinished) {
            writeln!(out, "{mv} {leaves}")?;
        }
    }
    Ok(())
}
