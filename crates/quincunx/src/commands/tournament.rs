//! `tournament`: many agents, ratings, cross table, report.

use std::{fmt::Write as _, path::Path};

use anyhow::Context;
use quincunx_arena::{
    grade::class_of,
    tournament::{self, Format},
};
use quincunx_game::{TextError, hash::mix};
use quincunx_games::rules;
use quincunx_machine::write_whole;

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
    let mut labels = agents.clone();
    if let Some(directory) = class {
        check_walls(contest.trust_programs)?;
        let rules = rules(&contest.game, contest.ruleset.as_deref())?;
        for candidate in class_of(directory)? {
            if let Some(why) = candidate.prepare(&rules)?.refusal {
                tell(&format!("{} does not take part: {why}", candidate.name));
            } else {
                agents.push(candidate.spec);
                labels.push(candidate.name);
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
        labels = pseudonyms(&labels, seed, contest.out.as_deref())?;
    }
    let played = tournament::play(plan, format, *games, &mut contest.runner()?, contest.out.as_deref());
    let summary = played.map_err(plain)?.named(labels);
    if let Some(path) = report {
        summary.write_page(path).map_err(plain)?;
    }
    print(*json, || summary.as_json(), || summary.text())
}

/// Numbers in the place of names, in an order that the seed draws. Who is who is told to whoever runs the contest.
fn pseudonyms(names: &[String], seed: u64, out: Option<&Path>) -> anyhow::Result<Vec<String>> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&agent| mix(mix(seed, 0xA11A5), agent as u64));
    let mut labels = vec![String::new(); names.len()];
    let mut key = String::from("number,agent\n");
    for (number, &agent) in order.iter().enumerate() {
        labels[agent] = format!("agent {}", number + 1);
        _ = writeln!(key, "{},\"{}\"", labels[agent], names[agent].replace('"', "\"\""));
    }
    match out {
        Some(directory) => {
            std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
            let path = directory.join("names.csv");
            write_whole(&path, key).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => key.lines().skip(1).for_each(tell),
    }
    Ok(labels)
}
