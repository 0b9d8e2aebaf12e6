//! `perft`: node counts.

use quincunx_machine::CpuTimer;
use std::io::{self, Write};

use crate::cli::Setup;

pub(crate) fn run(setup: &Setup, depth: u32, divide: bool, made: bool) -> anyhow::Result<()> {
    let game = setup.open()?;
    let mut out = io::stdout().lock();
    for depth in depth.min(1)..=depth {
        let timer = CpuTimer::start();
        let leaves = if made { game.perft_made(depth) } else { game.perft(depth) };
        writeln!(out, "{depth} {leaves} {:.6}", timer.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    if divide && depth > 0 {
        for (mv, leaves) in game.divide(depth) {
            writeln!(out, "{mv} {leaves}")?;
        }
    }
    Ok(())
}
