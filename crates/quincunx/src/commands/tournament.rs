//! `tournament`: many agents, ratings, cross table, report.

use quincunx_arena::tournament::{self, Format};
use quincunx_game::TextError;

use super::{
    announce_seed,
    contest::{plain, print},
};
use crate::cli::TournamentSettings;

/// More agents than this are a mistake.
const MOST_AGENTS: usize = 1000;

pub(crate) fn run(settings: &TournamentSettings) -> anyhow::Result<()> {
    let TournamentSettings { contest, agents, agents_file, format, games, report, json } = settings;
    let format = Format::parse(format)?;
    let mut agents = agents.clone();
    if let Some(path) = agents_file {
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
    let seed = contest.seed();
    let plan = contest.plan(agents, games / 2, seed)?;
    announce_seed(contest.seed, seed);
    let played = tournament::play(plan, format, *games, &mut contest.runner()?, contest.out.as_deref());
    let summary = played.map_err(plain)?;
    if let Some(path) = report {
        summary.write_page(path).map_err(plain)?;
    }
    print(*json, || summary.as_json(), || summary.text())
}
