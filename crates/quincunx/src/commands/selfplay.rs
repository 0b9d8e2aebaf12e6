//! `selfplay`: games of the engine against itself, kept to learn from.

use std::{
    io::{self, Write},
    thread,
};

use indicatif::{ProgressBar, ProgressStyle};
use quincunx_agents::load_weights;
use quincunx_arena::{Progress, selfplay::SelfPlay};
use quincunx_cluster::Cluster;
use quincunx_games::{rules, variant};
use quincunx_search::{Stop, selfplay::Settings};

use super::{contest::plain, interrupt};
use crate::{cli, tell};

/// The bar, as far as it shows who plays.
struct Crew<'a>(&'a ProgressBar);

impl Progress for Crew<'_> {
    fn show_crew(&mut self, crew: String) {
        self.0.set_prefix(format!(", {crew}"));
    }

    fn tell(&mut self, line: &str) {
        self.0.suspend(|| tell(line));
    }
}

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
    let weights = wanted.weights.clone();
    let selfplay = SelfPlay { rules, evaluator, weights, settings, positions: wanted.positions, threads };
    let mut cluster = wanted.spread.options().map(Cluster::new).transpose().map_err(plain)?;
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let bar = ProgressBar::new(wanted.positions);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left{prefix}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut begun = false;
    let mut tell_positions = |positions| {
        bar.set_position(positions);
        if !std::mem::replace(&mut begun, true) {
            // What was there before says nothing of the speed.
            bar.reset_eta();
        }
    };
    let made = match &mut cluster {
        Some(cluster) => selfplay.run_on(cluster, &wanted.out, &stop, &mut Crew(&bar), &mut tell_positions),
        None => selfplay.run(&wanted.out, &stop, &mut tell_positions),
    };
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
