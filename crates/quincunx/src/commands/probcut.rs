//! `probcut`: fits how well shallow searches of a game predict deep ones.

use std::io::{self, Write};

use anyhow::{Context, bail};
use quincunx_games::{rules, variant};
use quincunx_search::{Stop, probcut::Sampling};

use super::interrupt;

pub(crate) fn run(game: &str, sampling: Sampling) -> anyhow::Result<()> {
    let rules = rules(game, None)?;
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let table = variant(&rules).evaluator().fit_probcut(rules, sampling, &stop);
    let table = table.context("interrupted: nothing was fitted")?;
    if table.lines().all(|line| line.starts_with('#')) {
        bail!("{} positions are too few to fit anything; take more with --positions", sampling.positions);
    }
    io::stdout().write_all(table.as_bytes())?;
    Ok(())
}
