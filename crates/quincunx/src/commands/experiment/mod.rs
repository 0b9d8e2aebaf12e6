//! `experiment`: published experiments, rerun, and two of our own.

mod aboyne_depths;
mod first_move;
mod ladder;

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use anyhow::Context;
use quincunx_arena::{
    Bout, CrossTable, GameRecord, Limit, Opening, Plan, Results, Standing, report::Page, statistic::Estimate,
};
use quincunx_game::{About, Rules, TextError, text::quoted};
use quincunx_games::{about, all};
use quincunx_machine::write_whole;
use serde_json::{Value, json};

use super::contest;
use crate::{cli::ExperimentSettings, tell};

/// What an experiment has found: a table, a page and a document.
struct Findings {
    /// The first row is the head.
    rows: Vec<Vec<String>>,
    page: Page,
    document: Value,
}

pub(crate) fn run(settings: &ExperimentSettings) -> anyhow::Result<()> {
    if settings.name != "ladder" && (settings.highest.is_some() || settings.openings.is_some()) {
        return Err(TextError::new("--highest and --openings belong to the ladder").into());
    }
    let findings = match settings.name.as_str() {
        "aboyne-depths" => aboyne_depths::run(settings)?,
        "ladder" => ladder::run(settings)?,
        "first-move" => first_move::run(settings)?,
        other => {
            let known = "aboyne-depths, ladder, first-move";
            return Err(TextError::new(format!("there is no experiment {}; there are {known}", quoted(other))).into());
        }
    };
    if let Some(path) = &settings.report {
        write_whole(path, findings.page.finish()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = io::stdout().lock();
    if settings.json {
        let document = json!({ "experiment": settings.name, "seed": settings.seed, "rows": findings.document });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        for row in &findings.rows {
            let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>12}")).collect();
            writeln!(out, "{}", cells.join(" ").trim_end())?;
        }
    }
    Ok(())
}

/// The games the settings ask for: one, or all.
fn games_asked(settings: &ExperimentSettings) -> Result<Vec<&'static About>, TextError> {
    settings.game.as_deref().map_or_else(|| Ok(all()), |name| about(name).map(|found| vec![found]))
}

/// A series of games between two agents, the first of which has the first side in all of them, or in every other one.
struct Series<'a> {
    /// Names its directory among those of the experiment.
    name: String,
    rules: Rules,
    agents: [&'a str; 2],
    openings: &'a str,
    games: u64,
    swapped: bool,
}

impl Series<'_> {
    /// Plays it; the records in order.
    fn play(&self, settings: &ExperimentSettings) -> anyhow::Result<Vec<GameRecord>> {
        let bouts: Vec<Bout> = if self.swapped {
            Plan::pairs_between(0, 1, self.games, 0).collect()
        } else {
            (0..self.games).map(|pair| Bout { seats: [0, 1], pair }).collect()
        };
        let pairs = bouts.last().map_or(0, |bout| bout.pair + 1);
        let plan = Plan {
            rules: self.rules,
            agents: self.agents.map(String::from).to_vec(),
            limit: Limit::default(),
            openings: Opening::list(self.openings, &self.rules, pairs as usize, settings.seed)?,
            openings_word: self.openings.to_string(),
            draws_to_faster: false,
            seed: settings.seed,
            bouts,
        };
        plan.check_agents()?;
        let mut records = Vec::new();
        let out = settings.out.as_ref().map(|out| out.join(&self.name));
        contest::play(&plan, contest::workers(settings.concurrency), out.as_deref(), |record, _| {
            records.push(record);
            ControlFlow::Continue(())
        })?;
        if contest::was_stopped() {
            let kept = if settings.out.is_some() { "; the same command goes on with it" } else { "" };
            anyhow::bail!("stopped: an experiment is complete or says nothing{kept}");
        }
        records.sort_by_key(|record| record.number);
        Ok(records)
    }
}

/// How the first side did.
fn by_side(records: &[GameRecord]) -> Results {
    let mut table = CrossTable::new(2);
    for record in records {
        table.add([0, 1], record);
    }
    table.between(0, 1)
}

/// What the pairs of a series with swapped colours say of its first agent.
fn estimate(records: &[GameRecord]) -> anyhow::Result<Estimate> {
    let mut standing = Standing::new(None);
    for record in records {
        standing.add(record);
    }
    standing.estimate().context("no pair of games was played")
}

/// An Elo for a table.
fn elo_text(value: f64) -> String {
    if value.is_finite() {
        format!("{value:+.0}")
    } else if value > 0.0 {
        "above".into()
    } else {
        "below".into()
    }
}

/// Tells on the terminal what goes on.
fn telling(what: &str) {
    tell(&format!("playing {what}"));
}
