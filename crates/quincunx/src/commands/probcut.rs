//! `probcut`: fits how well shallow searches of a game predict deep ones.

use std::io::{self, Write};

use anyhow::Context;
use quincunx_games::{rules, variant};
use quincunx_search::{Stop, probcut::Sampling};

use super::interrupt;

pub(crate) fn run(game: &str, sampling: Sampling) -> anyhow::Result<()> {
    let rules = rules(game, None)?;
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let table = variant(&rules).evaluator().fit_probcut(rules, sampling, &stop);
    io::stdout().write_all(table.context("interrupted: nothing was fitted")?.as_bytes())?;
    Ok(())
}
