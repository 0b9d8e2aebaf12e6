//! `selfplay`: games of the engine against itself, kept to learn from.

use std::{
    io::{self, Write},
    thread,
};

use indicatif::{ProgressBar, ProgressStyle};
use quincunx_agents::load_weights;
use quincunx_arena::selfplay::SelfPlay;
use quincunx_games::{rules, variant};
use quincunx_search::{Stop, selfplay::Settings};

use super::{contest::plain, interrupt};
use crate::{cli, tell};

pub(crate) fn run(wanted: &cli::SelfPlay) -> anyhow::Result<()> {
    let rules = rules(&wanted.game, wanted.ruleset.as_deref())?;
    let evaluator = match &wanted.weights {
        Some(path) => load_weights(&rules, path)?,
        None => variant(&rules).evaluator(),
    };
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let &cli::SelfPlay { nodes, random_plies, random_moves, seed, .. } = wanted;
    let settings = Settings { nodes, random_plies, random_moves, seed };
    let threads = wanted.concurrency.map_or(processors, usize::from);
    let selfplay = SelfPlay { rules, evaluator, settings, positions: wanted.positions, threads };
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let bar = ProgressBar::new(wanted.positions);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut begun = false;
    let made = selfplay.run(&wanted.out, &stop, &mut |positions| {
        bar.set_position(positions);
        if !std::mem::replace(&mut begun, true) {
            // What was there before says nothing of the speed.
            bar.reset_eta();
        }
    });
    bar.finish_and_clear();
    let made = made.map_err(plain)?;
    if made.positions < wanted.positions {
        tell("stopped; the same command goes on");
    }
    let each = made.bytes as f64 / made.positions.max(1) as f64;
    writeln!(
        io::stdout(),
        "{} positions of {} games, {} bytes ({each:.2} a position)",
        made.positions,
        made.games,
        made.bytes
    )?;
    Ok(())
}
