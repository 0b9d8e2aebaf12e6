//! `perft`: node counts.

use quincunx_machine::CpuTimer;
use std::io::{self, Write};

use serde_json::{Map, json};

use crate::cli::Setup;

/// How the leaves are counted and listed.
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub(crate) struct Options {
    pub(crate) divide: bool,
    pub(crate) made: bool,
    pub(crate) unfinished: bool,
    pub(crate) json: bool,
}

pub(crate) fn run(setup: &Setup, depth: u32, options: &Options) -> anyhow::Result<()> {
    let game = setup.open()?;
    let mut out = io::stdout().lock();
    let mut depths = Vec::new();
    for depth in depth.min(1)..=depth {
        let timer = CpuTimer::start();
        let leaves = match options {
            Options { made: true, .. } => game.perft_made(depth),
            Options { unfinished: true, .. } => game.perft_unfinished(depth),
            _ => game.perft(depth),
        };
        let seconds = timer.elapsed().as_secs_f64();
        if options.json {
            depths.push(json!({ "depth": depth, "leaves": leaves, "seconds": seconds }));
            continue;
        }
        writeln!(out, "{depth} {leaves} {seconds:.6}")?;
        out.flush()?;
    }
    let divided = if options.divide && depth > 0 { game.divide(depth, options.unfinished) } else { Vec::new() };
    if options.json {
        let mut document =
            json!({ "game": game.rules().about.name, "ruleset": game.rules().to_string(), "depths": depths });
        if options.divide {
            document["moves"] =
                divided.into_iter().map(|(mv, leaves)| (mv, leaves.into())).collect::<Map<_, _>>().into();
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(());
    }
    for (mv, leaves) in divided {
        writeln!(out, "{mv} {leaves}")?;
    }
    Ok(())
}
