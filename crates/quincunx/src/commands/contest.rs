//! What `match` and `tournament` share: the settings of a contest, playing it, keeping it, showing how it goes.

use std::{ops::ControlFlow, path::Path, sync::OnceLock, thread, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use quincunx_arena::{GameRecord, Journal, JournalError, Limit, Opening, Plan, RunError, Timing, Workers};
use quincunx_game::{Rules, TextError};
use quincunx_games::about;
use quincunx_outside::{confinement, files};
use quincunx_search::{Stop, limits::parse_duration};

use super::{experiment, grade, interrupt, match_, served, tournament};
use crate::{
    cli::{ContestCommand, ContestSettings, GradeSettings},
    tell,
};

pub(crate) fn run(command: &ContestCommand) -> anyhow::Result<()> {
    match command {
        ContestCommand::Match { settings, a, b, games, sprt, timing, json } => {
            let shown = match_::Shown { timing: *timing, json: *json };
            match_::run(settings, [a, b], *games, sprt.as_deref(), &shown)
        }
        ContestCommand::Tournament { settings, agents, agents_file, format, games, report, json } => {
            let shown = tournament::Shown { report: report.as_deref(), json: *json };
            tournament::run(settings, agents, agents_file.as_deref(), format, *games, &shown)
        }
        ContestCommand::Grade(settings) => grade::run(settings),
        ContestCommand::Agent { game } => served(files::answer(game)),
        ContestCommand::Calibrate { game } => served(files::calibrate(game)),
        ContestCommand::Experiment(settings) => experiment::run(settings),
    }
}

impl ContestSettings {
    /// The rules asked for.
    pub(crate) fn rules(&self) -> Result<Rules, TextError> {
        let about = about(&self.game)?;
        self.ruleset.as_deref().map_or(Ok(Rules::of(about)), |text| Rules::parse(about, text))
    }

    /// A plan without games: the rules, limits and openings for `pairs` pairs between these agents.
    pub(crate) fn plan(&self, agents: Vec<String>, pairs: usize, seed: u64) -> Result<Plan, TextError> {
        let rules = self.rules()?;
        let plan = Plan {
            rules,
            agents,
            limit: Limit::parse(&self.limit)?,
            openings: Opening::list(&self.openings, &rules, pairs, seed)?,
            openings_word: self.openings.clone(),
            draws_to_faster: self.draws_to_faster,
            seed,
            bouts: Vec::new(),
        };
        if plan.agents.iter().any(|spec| spec == "human") {
            return Err(TextError::new("a person cannot sit in a contest; use play"));
        }
        plan.check_agents()?;
        Ok(plan)
    }

    /// The seed of the run that `--out` goes on with, else the one asked for or `new`.
    pub(crate) fn seed_or(&self, new: u64) -> u64 {
        let kept = || self.out.as_deref().and_then(Journal::seed);
        self.seed.or_else(kept).unwrap_or(new)
    }

    pub(crate) fn workers(&self) -> Workers {
        Workers { pinned: self.pin, ..workers(self.concurrency) }
    }
}

impl GradeSettings {
    /// The time of a game.
    pub(crate) fn time(&self) -> Result<Duration, TextError> {
        parse_duration(&self.time)
    }

    pub(crate) fn workers(&self) -> Workers {
        workers(self.concurrency)
    }
}

/// As many threads as asked for, or as there are processors.
pub(crate) fn workers(asked: Option<usize>) -> Workers {
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Workers { count: asked.unwrap_or(processors), pinned: false }
}

/// Plays the games of a plan that are not in the journal of `out` yet, until `take` has seen enough or Ctrl-C ends it. Every game,
/// old or new, goes through `take`, which also tells the progress bar how it stands. What the new ones took is returned.
pub(crate) fn play(
    plan: &Plan,
    workers: Workers,
    out: Option<&Path>,
    mut take: impl FnMut(GameRecord, &ProgressBar) -> ControlFlow<()>,
) -> anyhow::Result<Timing> {
    let mut timing = Timing::default();
    let bar = progress(plan.bouts.len() as u64);
    let mut done = vec![false; plan.bouts.len()];
    let mut ended = false;
    let mut journal = None;
    if let Some(directory) = out {
        let mut old = Vec::new();
        let opened = Journal::open(directory, plan, &mut |record| old.push(record));
        journal = Some(opened.map_err(plain)?);
        bar.inc(old.len() as u64);
        old.sort_by_key(|record| record.number);
        for record in old {
            done[record.number as usize] = true;
            ended |= take(record, &bar).is_break();
        }
    }
    let pending: Vec<u64> = (0..done.len()).filter(|&number| !done[number]).map(|number| number as u64).collect();
    let stop = stop()?;
    if !ended && !pending.is_empty() {
        let journal = std::cell::RefCell::new(&mut journal);
        timing = quincunx_arena::run(
            plan,
            &pending,
            workers,
            &stop,
            |record| {
                if let Some(journal) = journal.borrow_mut().as_mut() {
                    journal.add(&record);
                }
                bar.inc(1);
                Ok(take(record, &bar))
            },
            || journal.borrow_mut().as_mut().map_or(Ok(()), Journal::flush),
        )
        .map_err(|error| match error {
            RunError::Wrong(error) => error.into(),
            RunError::Taker(error) => plain(error),
        })?;
    }
    bar.finish_and_clear();
    if let Some(journal) = &mut journal {
        journal.finish(plan).map_err(plain)?;
    }
    if stop.is_stopped() {
        tell("stopped; what follows is the result of the games that were finished");
    }
    if let Some(missing) = confinement() {
        tell(&missing);
    }
    Ok(timing)
}

/// The signal of Ctrl-C, for all contests of this process: the handler can be set once.
fn stop() -> anyhow::Result<Stop> {
    static STOP: OnceLock<Stop> = OnceLock::new();
    if let Some(stop) = STOP.get() {
        return Ok(stop.clone());
    }
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    Ok(STOP.get_or_init(|| stop).clone())
}

/// Whether Ctrl-C was pressed during a contest.
pub(crate) fn was_stopped() -> bool {
    stop().is_ok_and(|stop| stop.is_stopped())
}

/// A journal's error as the command line tells it: what was asked wrongly keeps its own exit code.
pub(crate) fn plain(error: JournalError) -> anyhow::Error {
    match error {
        JournalError::Wrong(wrong) => wrong.into(),
        JournalError::Disk { .. } => anyhow::Error::new(error).context("cannot keep the games"),
    }
}

/// A bar on a terminal, nothing in a pipe.
fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left\n{msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
