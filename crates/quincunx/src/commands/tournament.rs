//! `tournament`: many agents, ratings, cross table, report.

use quincunx_arena::{
    grade::class_of,
    names::{keep, numbers, table},
    tournament::{self, Format},
};
use quincunx_game::TextError;
use quincunx_games::rules;

use super::{
    announce_seed,
    contest::{check_walls, plain, print},
};
use crate::{cli::TournamentSettings, tell};

/// More agents than this are a mistake.
const MOST_AGENTS: usize = 1000;

pub(crate) fn run(settings: &TournamentSettings) -> anyhow::Result<()> {
    let TournamentSettings { contest, agents, agents_file, class, anonymous, format, games, report, json } = settings;
    let format = Format::parse(format)?;
    let mut agents = agents.clone();
    if let Some(path) = agents_file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TextError::new(format!("cannot read {}: {error}", path.display())))?;
        agents.extend(
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from),
        );
    }
    if !games.is_multiple_of(2) {
        return Err(TextError::new("--games must be even: each of two agents begins in half of their games").into());
    }
    let mut names = agents.clone();
    if let Some(directory) = class {
        check_walls(contest.trust_programs)?;
        let rules = rules(&contest.game, contest.ruleset.as_deref())?;
        for candidate in class_of(directory)? {
            if let Some(why) = candidate.prepare(&rules)?.refusal {
                tell(&format!("{} does not take part: {why}", candidate.name));
            } else {
                agents.push(candidate.spec);
                names.push(candidate.name);
            }
        }
    }
    if !(2..=MOST_AGENTS).contains(&agents.len()) {
        return Err(
            TextError::new(format!("a tournament takes 2 to {MOST_AGENTS} agents, not {}", agents.len())).into()
        );
    }
    let seed = contest.seed();
    let plan = contest.plan(agents, games / 2, seed)?;
    announce_seed(contest.seed, seed);
    if *anonymous {
        names = numbers(names.len(), seed);
    }
    match &contest.out {
        Some(directory) if names != plan.agents => keep(directory, &names, &plan.agents).map_err(plain)?,
        // The organiser of the contest is told which number is whose.
        None if *anonymous => table(&names, &plan.agents).lines().skip(1).for_each(tell),
        _ => {}
    }
    let played = tournament::play(plan, format, *games, &mut contest.runner()?, contest.out.as_deref());
    let summary = played.map_err(plain)?.named(names);
    if let Some(path) = report {
        summary.write_page(path).map_err(plain)?;
    }
    print(*json, || summary.as_json(), || summary.text())
}
