//! The loop that makes an evaluator better: self-play with the best one so far, training on it, a match against the one
//! before, and the new one takes its place if the match says so.
//!
//! Everything is in one directory, and every part of it goes on after a kill: `best.bin` (the best weights so far),
//! `steps.jsonl` (a line for each finished step), `report.md` (the same for people), and for each step a folder with its
//! self-play (`data`), its weights (`weights.bin`), its learning curve (`curve.svg`) and its match (`match`).

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use quincunx_agents::load_weights;
use quincunx_game::{Rules, TextError};
use quincunx_games::{entry, variant};
use quincunx_machine::write_whole;
use quincunx_search::{
    Stop,
    selfplay::{Settings, fingerprint},
    train::{Train, Training},
};
use serde::{Deserialize, Serialize};

use crate::{
    ContestError, Limit, Plan, Players, Runner, Standing, error,
    selfplay::{self, SelfPlay},
    statistic::{Decision, Sprt, elo},
};

/// How an evaluator is made better.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The rules.
    pub rules: Rules,
    /// The weights to begin with; those of the program if `None`.
    pub weights: Option<String>,
    /// Positions of self-play for each step.
    pub positions: u64,
    /// Nodes a move in self-play.
    pub nodes: u64,
    /// The fewest and the most random plies before a game of self-play.
    pub random_plies: (u32, u32),
    /// How many steps a step learns from, its own included.
    pub window: usize,
    /// Directories of self-play that every step learns from as well.
    pub data: Vec<PathBuf>,
    /// The most games of a match.
    pub games: u64,
    /// The limits of a match.
    pub limit: Limit,
    /// The openings of a match.
    pub openings: String,
    /// The sequential test that a new evaluator has to pass.
    pub sprt: Sprt,
    /// The run ends when so many steps are finished in all, if it did not before.
    pub steps: Option<u64>,
    /// The seed of everything random.
    pub seed: u64,
}

/// What one step came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: u64,
    /// The positions that were learnt from.
    pub positions: usize,
    /// The evaluator that played, by its fingerprint in hexadecimal digits.
    pub before: String,
    /// The one that was trained.
    pub trained: String,
    /// Games won, drawn and lost by the new one.
    pub results: [u64; 3],
    /// Its Elo against the one before, and the 95 % interval; none if it won or lost everything.
    pub elo: Option<[f64; 3]>,
    /// Whether it passed the test and took the place of the one before.
    pub adopted: bool,
}

/// The names of the files of a step, and of the whole.
const BEST: &str = "best.bin";
const STEPS: &str = "steps.jsonl";
const REPORT: &str = "report.md";

impl Learning {
    /// Learns in a directory, which is made if it is missing, until the runner is stopped; tells `tell` of every part.
    /// Returns the steps that are finished.
    pub fn run(
        &self,
        directory: &Path,
        runner: &mut Runner,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Vec<Step>, ContestError> {
        let about = self.rules.about;
        let train = entry(about.name)?.train.ok_or_else(|| {
            TextError::new(format!("{} has no weights to train: `quincunx tune` fits its terms", about.title))
        })?;
        if directory.to_string_lossy().contains(',') {
            return Err(ContestError::wrong("the name of the directory must have no comma: specs of agents name it"));
        }
        fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        let _lock = crate::journal::lock(directory)?;
        let best = directory.join(BEST);
        if !best.exists() {
            let first = match &self.weights {
                Some(path) => load_weights(&self.rules, path)?,
                None => variant(&self.rules).evaluator(),
            };
            keep(&best, &first.file())?;
        }
        let mut steps = read_steps(&directory.join(STEPS))?;
        while !runner.stop.is_stopped() && self.steps.is_none_or(|most| (steps.len() as u64) < most) {
            let number = steps.last().map_or(1, |step| step.number + 1);
            let Some(step) = self.step(directory, number, train, runner, tell)? else { break };
            steps.push(step);
            // The line of the step is what makes it finished, so it comes after the weights.
            let lines: Result<Vec<_>, _> = steps.iter().map(serde_json::to_string).collect();
            let lines = lines.map_err(|error| ContestError::wrong(format!("a step cannot be written: {error}")))?;
            error::write(&directory.join(STEPS), &(lines.join("\n") + "\n"))?;
            error::write(&directory.join(REPORT), &self.report(&steps))?;
        }
        Ok(steps)
    }

    /// One step; `None` if it was stopped.
    fn step(
        &self,
        directory: &Path,
        number: u64,
        train: Train,
        runner: &mut Runner,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<Step>, ContestError> {
        let folder = |number: u64| directory.join(format!("step-{number:03}"));
        let own = folder(number);
        fs::create_dir_all(&own).map_err(ContestError::keeping(&own))?;
        // The weights before the step stay with it: a kill after the match must not make the new ones play themselves.
        let before = own.join("before.bin");
        if !before.exists() {
            keep(&before, &read(&directory.join(BEST))?)?;
        }
        let player = load_weights(&self.rules, &path_text(&before)?)?;
        let (nodes, random_plies) = (self.nodes, self.random_plies);
        let settings = Settings { nodes, random_plies, random_moves: 0, seed: self.seed + number };
        let playing = SelfPlay {
            rules: self.rules,
            evaluator: player.clone(),
            weights: Some(path_text(&before)?),
            settings,
            positions: self.positions,
            threads: runner.workers.count,
        };
        tell(&format!("step {number}: self-play, {} positions", self.positions));
        let data = own.join("data");
        let made = match runner.elsewhere.as_deref_mut().and_then(Players::self_players) {
            Some(players) => playing.run_on(players, &data, &runner.stop, &mut *runner.progress, &mut |_| {})?,
            None => playing.run(&data, &runner.stop, &mut |_| {})?,
        };
        if made.positions < self.positions {
            return Ok(None);
        }
        let weights = own.join("weights.bin");
        let count = own.join("positions");
        if !weights.exists() {
            tell(&format!("step {number}: training"));
            let first = number.saturating_sub(self.window as u64 - 1).max(1);
            let own_data = (first..=number).map(|step| folder(step).join("data"));
            let data: Result<Vec<_>, _> =
                own_data.chain(self.data.iter().cloned()).map(|path| selfplay::file(&path)).collect();
            let Some(trained) = self.train(train, &data?, number, &runner.stop)? else { return Ok(None) };
            if let Some(curve) = trained.curve {
                error::write(&own.join("curve.svg"), &curve)?;
            }
            error::write(&count, &trained.positions.to_string())?;
            keep(&weights, &trained.evaluator.file())?;
        }
        let trained = load_weights(&self.rules, &path_text(&weights)?)?;
        tell(&format!("step {number}: match against the evaluator before"));
        let spec = |path: &Path| path_text(path).map(|path| format!("engine:book=off,hash=16,weights={path}"));
        let agents = vec![spec(&weights)?, spec(&before)?];
        let pairs = self.games.div_ceil(2);
        let plan = Plan::new(self.rules, agents, &self.openings, pairs as usize, self.seed + number)?;
        let bouts = Plan::pairs_between(0, 1, 2 * pairs, 0).collect();
        let plan = Plan { limit: self.limit, bouts, ..plan };
        let (standing, _) = Standing::play(Some(self.sprt), &plan, runner, Some(&own.join("match")))?;
        let results = standing.results();
        if standing.decision().is_none() && results.games() < 2 * pairs {
            return Ok(None);
        }
        let adopted = standing.decision() == Some(Decision::Accepted);
        if adopted {
            keep(&directory.join(BEST), &read(&weights)?)?;
        }
        let elo = standing.estimate().map(|found| [found.score, found.interval[0], found.interval[1]].map(elo));
        let step = Step {
            number,
            positions: fs::read_to_string(&count).ok().and_then(|text| text.parse().ok()).unwrap_or_default(),
            before: format!("{:016x}", fingerprint(&*player)),
            trained: format!("{:016x}", fingerprint(&*trained)),
            results: [results.wins, results.draws, results.losses],
            elo: elo.filter(|elo| elo.iter().all(|elo| elo.is_finite())),
            adopted,
        };
        tell(&format!("step {number}: {}", step.verdict()));
        Ok(Some(step))
    }

    fn train(
        &self,
        train: Train,
        data: &[(String, Vec<u8>)],
        number: u64,
        stop: &Stop,
    ) -> Result<Option<quincunx_search::train::Trained>, TextError> {
        let seed = self.seed + number;
        train(&Training { files: &[], data, games: Some(0), epochs: None, score_share: None, seed, stop })
    }

    /// The steps as a table for people.
    fn report(&self, steps: &[Step]) -> String {
        let Self { rules, positions, nodes, window, limit, openings, sprt, seed, .. } = self;
        let mut text = format!(
            "# {}: learning by self-play\n\nEach step: {positions} positions of self-play at {nodes} nodes a move with \
             the best evaluator so far, training on those of the last {window} steps, and a match ({limit}, openings \
             {openings}) with a sequential test of {} against {} Elo. Ruleset {rules}, seed {seed}.\n\n\
             | step | positions | won, drawn, lost | Elo | result |\n|---|---|---|---|---|\n",
            rules.about.title, sprt.elo0, sprt.elo1
        );
        let mut sum = 0.0;
        for step in steps {
            let [wins, draws, losses] = step.results;
            let elo = step
                .elo
                .map_or("without bound".into(), |[elo, low, high]| format!("{elo:+.0} ({low:+.0} to {high:+.0})"));
            let word = if step.adopted { "adopted" } else { "kept the one before" };
            _ = writeln!(text, "| {} | {} | {wins}, {draws}, {losses} | {elo} | {word} |", step.number, step.positions);
            sum += step.elo.filter(|_| step.adopted).map_or(0.0, |[elo, ..]| elo);
        }
        _ = writeln!(text, "\nThe steps adopted add up to {sum:+.0} Elo, by their own matches.");
        text
    }
}

impl Step {
    /// What came of it, in one line.
    pub fn verdict(&self) -> String {
        let [wins, draws, losses] = self.results;
        let elo =
            self.elo.map_or(String::new(), |[elo, low, high]| format!(", Elo {elo:+.0} ({low:+.0} to {high:+.0})"));
        let word = if self.adopted { "adopted" } else { "not adopted" };
        format!("won {wins}, drawn {draws}, lost {losses}{elo}: {word}")
    }
}

/// The steps that are finished.
fn read_steps(path: &Path) -> Result<Vec<Step>, ContestError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let wrong = |what: &dyn std::fmt::Display| ContestError::wrong(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| wrong(&error))).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, ContestError> {
    fs::read(path).map_err(ContestError::keeping(path))
}

fn keep(path: &Path, bytes: &[u8]) -> Result<(), ContestError> {
    write_whole(path, bytes).map_err(ContestError::keeping(path))
}

/// A path as specs of agents name it.
fn path_text(path: &Path) -> Result<String, TextError> {
    let text = path.to_str().map(String::from);
    text.ok_or_else(|| TextError::new("the name of the directory must be Unicode: specs of agents name it"))
}
