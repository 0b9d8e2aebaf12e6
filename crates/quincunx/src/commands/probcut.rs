//! `probcut`: fits how well shallow searches of a game predict deep ones.

use std::io::{self, Write};

use anyhow::Context;
use quincunx_game::Rules;
use quincunx_games::{Visitor, about, visit};
use quincunx_search::Insight;
use quincunx_search::{
    Stop,
    foretell::{Sampling, foretell},
};

use super::interrupt;

pub(crate) fn run(game: &str, sampling: Sampling) -> anyhow::Result<()> {
    let rules = Rules::of(about(game)?);
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let table = visit(&rules, Fit { rules, sampling, stop }).context("interrupted: nothing was fitted")?;
    io::stdout().write_all(table.as_bytes())?;
    Ok(())
}

struct Fit {
    rules: Rules,
    sampling: Sampling,
    stop: Stop,
}

impl Visitor for Fit {
    type Output = Option<String>;

    fn visit<G: Insight>(self) -> Self::Output {
        foretell::<G>(self.rules, self.sampling, &self.stop)
    }
}
