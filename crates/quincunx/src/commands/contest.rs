//! What the contests share: from the settings to a plan and a runner, the progress bar, printing.

use std::{
    io::{self, Write},
    path::Path,
    thread,
};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use quincunx_arena::{ContestError, Journal, Limit, Plan, Players, Progress, Runner, Workers};
use quincunx_cluster::Cluster;
use quincunx_game::Rules;
use quincunx_games::about;
use quincunx_outside::{files, is_program, missing_walls, trust_programs};
use quincunx_search::Stop;
use serde_json::Value;

use super::{experiment, grade, interrupt, match_, report, seed_or_new, served, similar, tournament};
use crate::{
    cli::{ContestCommand, ContestSettings, Spread},
    screen::fitted,
    tell,
};

pub(crate) fn run(command: &ContestCommand) -> anyhow::Result<()> {
    match command {
        ContestCommand::Match(settings) => match_::run(settings),
        ContestCommand::Tournament(settings) => tournament::run(settings),
        ContestCommand::Grade(settings) => grade::run(settings),
        ContestCommand::Agent { game, step } => {
            let said = served(files::answer(game, *step))?;
            // Nobody may be listening.
            _ = writeln!(io::stdout(), "{said}");
            Ok(())
        }
        ContestCommand::Calibrate { game } => served(files::calibrate(game)),
        ContestCommand::Report(settings) => report::run(settings),
        ContestCommand::Similar(settings) => similar::run(settings),
        ContestCommand::Experiment(settings) => experiment::run(settings),
    }
}

impl ContestSettings {
    /// A plan without games, under the limits asked for, with openings for `pairs` pairs between these agents.
    pub(crate) fn plan(&self, agents: Vec<String>, pairs: u64, seed: u64) -> anyhow::Result<Plan> {
        if agents.iter().any(|agent| is_program(agent)) {
            check_walls(self.trust_programs)?;
        }
        let about = about(&self.game)?;
        let rules = self.ruleset.as_deref().map_or(Ok(Rules::of(about)), |text| Rules::parse(about, text))?;
        let limit = Limit::parse(&self.limit)?;
        let plan = Plan::new(rules, agents, &self.openings, pairs as usize, seed)?;
        Ok(Plan { limit, draws_to_faster: self.draws_to_faster, ..plan })
    }

    /// The seed asked for, that of the run that `--out` goes on with, or a new one.
    pub(crate) fn seed(&self) -> u64 {
        seed(self.seed, self.out.as_deref())
    }

    pub(crate) fn runner(&self) -> anyhow::Result<Runner> {
        runner(self.concurrency, self.pin, &self.spread)
    }
}

/// Refuses programs from outside if this system cannot confine them, unless they are trusted; then it is told.
pub(crate) fn check_walls(trusted: bool) -> anyhow::Result<()> {
    let Some(missing) = missing_walls() else { return Ok(()) };
    if !trusted {
        bail!(
            "programs from outside cannot be confined on this system, which lacks {missing}; docs/ARENA.md tells how to \
             have all walls, and --trust-programs runs the programs without"
        );
    }
    trust_programs();
    tell(&format!("programs from outside are trusted: this system lacks {missing}"));
    Ok(())
}

/// The seed asked for, that of the run in the directory, or a new one.
pub(crate) fn seed(asked: Option<u64>, out: Option<&Path>) -> u64 {
    asked.or_else(|| Journal::seed(out?)).unwrap_or_else(|| seed_or_new(None))
}

/// Plays contests on as many threads as asked for, or as there are processors; or on the machines of a queue. From now on
/// Ctrl-C ends contests, keeping the games that were finished.
pub(crate) fn runner(threads: Option<usize>, pinned: bool, spread: &Spread) -> anyhow::Result<Runner> {
    let cluster = spread.options().map(Cluster::new).transpose().map_err(plain)?;
    let elsewhere = cluster.map(|cluster| Box::new(cluster) as Box<dyn Players>);
    Ok(Runner { elsewhere, ..local_runner(threads, pinned)? })
}

/// The same on this machine only.
pub(crate) fn local_runner(threads: Option<usize>, pinned: bool) -> anyhow::Result<Runner> {
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let workers = Workers { count: threads.unwrap_or(processors), pinned };
    let progress = Box::new(Terminal { bar: ProgressBar::hidden(), stop: stop.clone() });
    Ok(Runner { workers, elsewhere: None, stop, progress })
}

/// A bar on a terminal, nothing in a pipe.
struct Terminal {
    bar: ProgressBar,
    stop: Stop,
}

impl Progress for Terminal {
    fn begin(&mut self, games: u64) {
        self.bar = ProgressBar::new(games);
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left{prefix}\n{msg}");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    }

    fn advance(&mut self) {
        self.bar.inc(1);
    }

    fn show_crew(&mut self, crew: String) {
        self.bar.set_prefix(format!(", {crew}"));
    }

    fn show(&mut self, standing: String) {
        self.bar.set_message(standing);
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
        if self.stop.is_stopped() {
            tell("stopped; what follows is the result of the games that were finished");
        }
    }

    fn tell(&mut self, line: &str) {
        self.bar.suspend(|| tell(line));
    }
}

/// A contest's error as the command line tells it: what was asked wrongly keeps its own exit code.
pub(crate) fn plain(error: ContestError) -> anyhow::Error {
    match error {
        ContestError::Wrong(wrong) => wrong.into(),
        other => other.into(),
    }
}

/// Prints a result, as text or as one JSON document.
pub(crate) fn print(
    as_json: bool,
    document: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", serde_json::to_string_pretty(&document())?)?;
    } else {
        write!(out, "{}", fitted(&text()))?;
    }
    Ok(())
}
