//! `tournament`: many agents, ratings, cross table, report.

use std::path::Path;

use quincunx_arena::tournament::{self, Format};
use quincunx_game::TextError;

use super::{
    announce_seed,
    contest::{plain, print},
};
use crate::cli::ContestSettings;

/// Where the result goes.
pub(crate) struct Shown<'a> {
    pub(crate) report: Option<&'a Path>,
    pub(crate) json: bool,
}

/// More agents than this are a mistake.
const MOST_AGENTS: usize = 1000;

pub(crate) fn run(
    settings: &ContestSettings,
    agents: &[String],
    file: Option<&Path>,
    format: &str,
    games: u64,
    shown: &Shown<'_>,
) -> anyhow::Result<()> {
    let format = Format::parse(format)?;
    let mut agents = agents.to_vec();
    if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TextError::new(format!("cannot read {}: {error}", path.display())))?;
        agents.extend(
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from),
        );
    }
    if !(2..=MOST_AGENTS).contains(&agents.len()) {
        return Err(
            TextError::new(format!("a tournament takes 2 to {MOST_AGENTS} agents, not {}", agents.len())).into()
        );
    }
    if !games.is_multiple_of(2) {
        return Err(TextError::new("--games must be even: each of two agents begins in half of their games").into());
    }
    let seed = settings.seed();
    let plan = settings.plan(agents, games / 2, seed)?;
    announce_seed(settings.seed, seed);
    let played = tournament::play(plan, format, games, &mut settings.runner()?, settings.out.as_deref());
    let summary = played.map_err(plain)?;
    if let Some(path) = shown.report {
        summary.write_page(path).map_err(plain)?;
    }
    print(shown.json, || summary.as_json(), || summary.text())
}
