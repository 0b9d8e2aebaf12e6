//! `tournament`: many agents, ratings, cross table, report.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    io::{self, Write as _},
    ops::ControlFlow,
    path::Path,
};

use anyhow::Context;
use quincunx_arena::{
    CrossTable, GameRecord, Plan, Results,
    rating::Rating,
    report::Page,
    tournament::{Format, Knockout, schedule},
};
use quincunx_game::TextError;
use quincunx_machine::write_whole;
use serde_json::json;

use super::{announce_seed, contest, seed_or_new};
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
    let seed = settings.seed_or(seed_or_new(settings.seed));
    let mut plan = settings.plan(agents, games.div_ceil(2) as usize, seed)?;
    announce_seed(settings.seed, seed);
    let mut played = Vec::new();
    let winners = if format == Format::Knockout {
        knockout(settings, &mut plan, games, &mut played)?
    } else {
        plan.bouts = schedule(format, plan.agents.len(), games);
        play(settings, &plan, settings.out.as_deref(), &mut played)?;
        Vec::new()
    };
    let summary = Summary::new(&plan, played, winners);
    if let Some(path) = shown.report {
        write_whole(path, summary.page(&plan)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = io::stdout().lock();
    if shown.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&summary.as_json(&plan))?)?;
    } else {
        write!(out, "{}", summary.text(&plan))?;
    }
    Ok(())
}

/// A game and who sat where.
type Seated = ([usize; 2], GameRecord);

fn play(settings: &ContestSettings, plan: &Plan, out: Option<&Path>, played: &mut Vec<Seated>) -> anyhow::Result<()> {
    contest::play(plan, settings.workers(), out, |record, _| {
        if let Some(bout) = plan.bouts.get(record.number as usize) {
            played.push((bout.seats, record));
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Plays round after round; each is a contest of its own on disk, since who plays depends on what came before.
fn knockout(
    settings: &ContestSettings,
    plan: &mut Plan,
    games: u64,
    played: &mut Vec<Seated>,
) -> anyhow::Result<Vec<usize>> {
    let mut knockout = Knockout::new(plan.agents.len());
    for round in 1.. {
        let matches = knockout.next_round();
        if matches.is_empty() || contest::was_stopped() {
            break;
        }
        plan.bouts = matches.iter().flat_map(|&(a, b)| Plan::pairs_between(a, b, games, 0)).collect();
        let out = settings.out.as_ref().map(|out| out.join(format!("round-{round}")));
        let before = played.len();
        play(settings, plan, out.as_deref(), played)?;
        // On disk each round counts from the beginning, in the report the games go on.
        let mut round = CrossTable::new(plan.agents.len());
        for (seats, record) in &mut played[before..] {
            record.number += before as u64;
            round.add(*seats, record);
        }
        for &(a, b) in &matches {
            let results = round.between(a, b);
            if results.games() < games {
                // The round was stopped: nobody is out for games that were not played.
                return Ok(knockout.alive().to_vec());
            }
            knockout.take((a, b), results);
        }
    }
    Ok(knockout.alive().to_vec())
}

/// What came out of a tournament.
struct Summary {
    played: Vec<Seated>,
    table: CrossTable,
    totals: Vec<Results>,
    ratings: Vec<Rating>,
    /// The agents, the best first.
    order: Vec<usize>,
    /// Those left at the end of a knockout.
    winners: Vec<usize>,
}

impl Summary {
    fn new(plan: &Plan, mut played: Vec<Seated>, winners: Vec<usize>) -> Self {
        played.sort_by_key(|(_, record)| record.number);
        let mut table = CrossTable::new(plan.agents.len());
        for (seats, record) in &played {
            table.add(*seats, record);
        }
        let ratings = table.ratings();
        let mut order: Vec<usize> = (0..plan.agents.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        Self { played, totals: table.totals(), table, ratings, order, winners }
    }

    fn text(&self, plan: &Plan) -> String {
        let mut text = String::from("rank  rating  95 % +-    points  agent\n");
        for (rank, &agent) in self.order.iter().enumerate() {
            let Rating { elo, error } = self.ratings[agent];
            let (points, games) = (self.totals[agent].points(), self.totals[agent].games());
            _ = writeln!(text, "{:4} {elo:+7.0} {error:9.0} {points:6.1}/{games:<4} {}", rank + 1, plan.agents[agent]);
        }
        text.push_str("\npoints against");
        for rank in 1..=self.order.len() {
            _ = write!(text, "{rank:>8}");
        }
        text.push('\n');
        for (rank, &agent) in self.order.iter().enumerate() {
            _ = write!(text, "{:14}", rank + 1);
            for &other in &self.order {
                let results = self.table.between(agent, other);
                let cell = if results.games() > 0 { share_text(results) } else { "-".into() };
                _ = write!(text, "{cell:>8}");
            }
            text.push('\n');
        }
        if !self.winners.is_empty() {
            let names: Vec<_> = self.winners.iter().map(|&agent| plan.agents[agent].as_str()).collect();
            _ = writeln!(text, "\nstill in at the end: {}", names.join(", "));
        }
        text
    }

    fn as_json(&self, plan: &Plan) -> serde_json::Value {
        let agents: Vec<_> = self
            .order
            .iter()
            .map(|&agent| {
                let (points, games) = (self.totals[agent].points(), self.totals[agent].games() as f64);
                let Rating { elo, error } = self.ratings[agent];
                let cross: Vec<_> = self.order.iter().map(|&other| self.table.between(agent, other).points()).collect();
                json!({
                    "agent": plan.agents[agent], "elo": elo, "error": error, "points": points, "games": games,
                    "points_against": cross,
                })
            })
            .collect();
        json!({
            "game": plan.rules.about.name, "seed": plan.seed, "games": self.played.len(), "agents": agents,
            "winners": self.winners.iter().map(|&agent| &plan.agents[agent]).collect::<Vec<_>>(), "causes": self.table.causes(),
        })
    }

    fn page(&self, plan: &Plan) -> String {
        let mut page = Page::new(&format!("{} tournament", plan.rules.about.title));
        page.paragraph(&format!(
            "{} games between {} agents, ruleset {}, limit {}, openings {}, seed {}.",
            self.played.len(),
            plan.agents.len(),
            plan.rules,
            if plan.limit.to_string().is_empty() { "none".into() } else { plan.limit.to_string() },
            plan.openings_word,
            plan.seed
        ));
        let names: Vec<String> = self.order.iter().map(|&agent| plan.agents[agent].clone()).collect();
        page.heading("Ratings");
        page.paragraph("Bradley-Terry by maximum likelihood, with 95 % intervals; one drawn game against an average agent is added for each, so that nobody's rating is infinite.");
        let values: Vec<_> =
            self.order.iter().map(|&agent| (self.ratings[agent].elo, self.ratings[agent].error)).collect();
        page.error_bars(&names, &values, "Elo");
        page.heading("Points against each other");
        let cells: Vec<Vec<_>> = self
            .order
            .iter()
            .map(|&agent| {
                let cell = |&other: &usize| {
                    let results = self.table.between(agent, other);
                    (results.games() > 0).then(|| (results.share(), share_text(results)))
                };
                self.order.iter().map(cell).collect()
            })
            .collect();
        page.heat_map(&names, &cells);
        page.heading("Length of games, in plies");
        page.columns(&self.lengths(), "games");
        page.heading("How games ended");
        let mut rows = vec![vec!["cause".to_string(), "games".to_string()]];
        rows.extend(self.table.causes().iter().map(|(cause, count)| vec![cause.clone(), count.to_string()]));
        page.table(&rows);
        page.heading("How each agent lost");
        page.table(&self.losses(plan));
        page.heading("Seconds a game");
        let time = |agent: usize| {
            let used = self.played.iter().flat_map(|(seats, record)| {
                (0..2).filter(move |&side| seats[side] == agent).map(|side| record.used[side])
            });
            let used: Vec<f64> = used.collect();
            used.iter().sum::<f64>() / used.len().max(1) as f64
        };
        let times: Vec<_> = self.order.iter().map(|&agent| (plan.agents[agent].clone(), time(agent))).collect();
        page.columns(&times, "s");
        page.heading("Games");
        let records: Vec<_> = self.played.iter().map(|(_, record)| record.clone()).collect();
        page.games(&records);
        page.finish()
    }

    /// A row for each agent: its lost games by their causes.
    fn losses(&self, plan: &Plan) -> Vec<Vec<String>> {
        let lost = |agent: usize| {
            self.played
                .iter()
                .filter(move |(seats, record)| record.winner.is_some_and(|winner| seats[(!winner).index()] == agent))
        };
        let causes: BTreeSet<&str> =
            self.order.iter().flat_map(|&agent| lost(agent)).map(|(_, record)| record.cause.as_str()).collect();
        let mut rows = vec![["agent", "lost"].into_iter().chain(causes.iter().copied()).map(String::from).collect()];
        for &agent in &self.order {
            let by_cause = causes.iter().map(|cause| lost(agent).filter(|(_, record)| record.cause == *cause).count());
            let counts = std::iter::once(lost(agent).count()).chain(by_cause);
            rows.push(std::iter::once(plan.agents[agent].clone()).chain(counts.map(|n| n.to_string())).collect());
        }
        rows
    }

    /// Games by their length, in a dozen steps.
    fn lengths(&self) -> Vec<(String, f64)> {
        let lengths: Vec<usize> =
            self.played.iter().map(|(_, record)| record.opening.len() + record.moves.len()).collect();
        let (shortest, longest) =
            (lengths.iter().copied().min().unwrap_or(0), lengths.iter().copied().max().unwrap_or(0));
        let step = (longest - shortest) / 12 + 1;
        (0..=(longest - shortest) / step)
            .map(|bin| {
                let from = shortest + bin * step;
                let within = lengths.iter().filter(|&&length| (from..from + step).contains(&length)).count();
                let name = if step == 1 { from.to_string() } else { format!("{from}-{}", from + step - 1) };
                (name, within as f64)
            })
            .collect()
    }
}

/// The points of so many games.
fn share_text(results: Results) -> String {
    format!("{}/{}", results.points(), results.games())
}
