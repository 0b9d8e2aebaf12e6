//! SPSA: the numbers of a search tuned by games, several at once.
//!
//! All of a run but its settings are the results of its iterations, which stand in a file beside the weights it makes. So
//! a run that was killed goes on by walking the same way again.

mod walk;

use std::{
    fmt::Write as _,
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use quincunx_agents::load_weights;
use quincunx_game::{Rules, TextError, hash::mix, text::quoted};
use quincunx_games::variant;
use quincunx_search::{AnyEvaluator, Number, Tuning, net::plot, selfplay::fingerprint};
use serde_json::{Value, json};

pub use walk::{Knob, Walk};

use crate::{ContestError, Desk, GameRecord, Limit, Opening, Plan, Players, Progress, Runner};

/// The spread of a number in the last iteration, as a share of where it begins.
const SPREAD: f64 = 0.15;

/// By what a number moves in spreads, all told, if games are coins.
const DRIFT: f64 = 0.5;

/// More openings than this are not drawn: they come again, with other settings.
const OPENINGS: u64 = 1000;

/// What is to be tuned, and how.
#[derive(Clone, Debug)]
pub struct Spsa {
    /// The rules.
    pub rules: Rules,
    /// The weights to begin with; those of the program if `None`.
    pub weights: Option<String>,
    /// The numbers, as `all` or `futility,reduction=220`; the latter says where it begins.
    pub numbers: String,
    /// Steps of all numbers.
    pub iterations: u64,
    /// Pairs of games for each.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// The openings, as in a match.
    pub openings: String,
    /// The step of the last iteration for a game won more than lost, in spreads; `None` for what suits the games.
    pub rate: Option<f64>,
    /// The seed of everything drawn.
    pub seed: u64,
}

/// What came out.
pub struct Tuned {
    /// The numbers, each with where it began.
    pub numbers: Vec<(&'static Number, i32)>,
    /// Where they were before the first iteration and after each.
    pub values: Vec<Vec<f64>>,
    /// The games that the first setting of an iteration won, that were drawn, and that it lost, in all.
    pub results: [u64; 3],
    /// The evaluator with the numbers found.
    pub evaluator: Arc<dyn AnyEvaluator>,
    /// Whether all iterations were done.
    pub complete: bool,
}

impl Spsa {
    /// Tunes, keeping the results of all iterations in a file beside `out`, until all are done or the runner is stopped.
    pub fn run(&self, out: &Path, runner: &mut Runner) -> Result<Tuned, ContestError> {
        let base = match &self.weights {
            Some(path) if path.contains(',') => {
                return Err(ContestError::wrong("the name of the weights must have no comma: specs of agents name it"));
            }
            Some(path) => load_weights(&self.rules, path)?,
            None => variant(&self.rules).evaluator(),
        };
        let numbers = chosen(&self.numbers, base.tuning())?;
        let mut walk = self.walk(&numbers);
        let (mut journal, old) = Results::open(out, &self.identity(&*base, &numbers))?;
        let count = (self.iterations * self.pairs).min(OPENINGS) as usize;
        let openings = Opening::list(&self.openings, &self.rules, count, self.seed)?;
        let values = |walk: &Walk| walk.knobs.iter().map(|knob| knob.value).collect::<Vec<_>>();
        let (mut path, mut results) = (vec![values(&walk)], [0; 3]);
        let mut take = |walk: &mut Walk, found: [u64; 3]| {
            walk.step(found[0] as f64 - found[2] as f64);
            for (sum, found) in results.iter_mut().zip(found) {
                *sum += found;
            }
            path.push(values(walk));
        };
        runner.progress.begin(2 * self.pairs * self.iterations);
        for found in old.into_iter().take(self.iterations as usize) {
            take(&mut walk, found);
            for _game in 0..2 * self.pairs {
                runner.progress.advance();
            }
        }
        while walk.done < self.iterations {
            let Some(found) = self.iterate(&walk, &numbers, &openings, runner)? else { break };
            journal.add(found)?;
            take(&mut walk, found);
            runner.progress.show(in_words(&numbers, &walk));
        }
        runner.progress.end();
        let mut tuning = *base.tuning();
        for ((number, _), knob) in numbers.iter().zip(&walk.knobs) {
            number.set(&mut tuning, knob.value.round() as i32);
        }
        let (evaluator, complete) = (base.with_tuning(tuning), walk.done == self.iterations);
        Ok(Tuned { numbers, values: path, results, evaluator, complete })
    }

    /// The numbers before the first iteration.
    fn walk(&self, numbers: &[(&'static Number, i32)]) -> Walk {
        let knob = |&(number, start): &(&Number, i32)| {
            let (value, most) = (f64::from(start), f64::from(number.most));
            // 0 is off, which is no neighbour of 1.
            Knob { value, least: f64::from(number.least.max(1)), most, spread: (SPREAD * value).max(1.0) }
        };
        let rate = self.rate.unwrap_or(DRIFT / ((self.iterations * self.pairs) as f64).sqrt());
        let (iterations, seed) = (self.iterations, self.seed);
        Walk { knobs: numbers.iter().map(knob).collect(), iterations, rate, seed, done: 0 }
    }

    /// What must be the same for a run to be gone on with.
    fn identity(&self, base: &dyn AnyEvaluator, numbers: &[(&'static Number, i32)]) -> Value {
        let Self { rules, iterations, pairs, nodes, openings, rate, seed, .. } = self;
        let numbers: Vec<_> = numbers.iter().map(|(number, start)| format!("{}={start}", number.name)).collect();
        json!({
            "spsa": 1, "game": rules.about.name, "ruleset": rules.to_string(), "numbers": numbers,
            "iterations": iterations, "pairs": pairs, "nodes": nodes, "openings": openings, "rate": rate, "seed": seed,
            "evaluator": format!("{:016x}", fingerprint(base)),
        })
    }

    /// The games of one iteration: won, drawn and lost by the first setting; `None` if they were stopped.
    fn iterate(
        &self,
        walk: &Walk,
        numbers: &[(&'static Number, i32)],
        openings: &[Opening],
        runner: &mut Runner,
    ) -> Result<Option<[u64; 3]>, ContestError> {
        let spec = |setting: &Vec<i32>| {
            let mut spec = format!("engine:nodes={},book=off", self.nodes);
            if let Some(path) = &self.weights {
                _ = write!(spec, ",weights={path}");
            }
            for ((number, _), value) in numbers.iter().zip(setting) {
                _ = write!(spec, ",{}={value}", number.name);
            }
            spec
        };
        let plan = Plan {
            rules: self.rules,
            agents: walk.settings().iter().map(spec).collect(),
            limit: Limit::default(),
            openings: openings.to_vec(),
            openings_word: self.openings.clone(),
            draws_to_faster: false,
            seed: mix(self.seed, walk.done),
            bouts: Plan::pairs_between(0, 1, 2 * self.pairs, walk.done * self.pairs).collect(),
        };
        let pending: Vec<u64> = (0..2 * self.pairs).collect();
        let mut table = Table { found: [0; 3], progress: &mut *runner.progress };
        runner.workers.play(&plan, &pending, &runner.stop, &mut table)?;
        let found = table.found;
        Ok((found.iter().sum::<u64>() == 2 * self.pairs).then_some(found))
    }
}

impl Tuned {
    /// Where the numbers began and where they are, in a table for people.
    pub fn text(&self) -> String {
        let [wins, draws, losses] = self.results;
        let mut text = format!(
            "{} iterations, {} games ({wins} won, {draws} drawn, {losses} lost by the first setting)\n",
            self.values.len() - 1,
            wins + draws + losses
        );
        for (index, (number, start)) in self.numbers.iter().enumerate() {
            let end = self.values[self.values.len() - 1][index];
            _ = writeln!(text, "{:24} {start:6} -> {:6} ({end:.2})", number.name, end.round());
        }
        text
    }

    /// The same as JSON, with at most about 200 points of the way.
    pub fn as_json(&self) -> Value {
        let last = self.values.len() - 1;
        let every = (last / 200).max(1);
        let points = (0..=last).filter(|at| at.is_multiple_of(every) || *at == last);
        let way: Vec<_> = points.map(|at| json!({ "iteration": at, "values": self.values[at] })).collect();
        let numbers = self.numbers.iter().enumerate().map(|(index, (number, start))| {
            json!({ "name": number.name, "start": start, "end": self.values[last][index].round() as i64 })
        });
        let [wins, draws, losses] = self.results;
        json!({
            "iterations": last, "complete": self.complete, "wins": wins, "draws": draws, "losses": losses,
            "numbers": numbers.collect::<Vec<_>>(), "way": way,
        })
    }

    /// The way of the numbers as an SVG picture, each as a multiple of where it began.
    pub fn picture(&self, title: &str) -> String {
        let curves: Vec<(&str, Vec<f64>)> = self
            .numbers
            .iter()
            .enumerate()
            .map(|(index, (number, start))| {
                (number.name, self.values.iter().map(|values| values[index] / f64::from(*start)).collect())
            })
            .collect();
        plot(&format!("{title}: numbers of the search, each in parts of its start"), ("start", "iteration"), &curves)
    }
}

/// The numbers that a word names, each with where it begins.
fn chosen(word: &str, tuning: &Tuning) -> Result<Vec<(&'static Number, i32)>, TextError> {
    if word == "all" {
        // A depth up to which nothing is done says nothing.
        let is_on = |number: &&Number| {
            let master = number.name.strip_suffix("-depth").and_then(|name| Number::named(name).ok());
            number.get(tuning) > 0 && master.is_none_or(|master| master.get(tuning) > 0)
        };
        return Ok(Tuning::NUMBERS.iter().filter(is_on).map(|number| (number, number.get(tuning))).collect());
    }
    let mut chosen: Vec<(&'static Number, i32)> = Vec::new();
    for part in word.split(',') {
        let name = part.split('=').next().unwrap_or(part);
        let number = Number::named(name)?;
        let start = if name == part { number.get(tuning) } else { number.get(&tuning.with_words(part)?) };
        if start == 0 {
            return Err(TextError::new(format!("{name} is 0, that is off; say where to begin, as in {name}=50")));
        }
        if chosen.iter().any(|(known, _)| known.name == name) {
            return Err(TextError::new(format!("{} is named twice", quoted(name))));
        }
        chosen.push((number, start));
    }
    Ok(chosen)
}

/// How the numbers stand, in one line.
fn in_words(numbers: &[(&'static Number, i32)], walk: &Walk) -> String {
    let values =
        numbers.iter().zip(&walk.knobs).map(|((number, _), knob)| format!("{} {:.0}", number.name, knob.value));
    values.collect::<Vec<_>>().join(", ")
}

/// Counts the games of one iteration.
struct Table<'a> {
    found: [u64; 3],
    progress: &'a mut dyn Progress,
}

impl Desk for Table<'_> {
    fn take(
        &mut self,
        records: &mut dyn Iterator<Item = Result<GameRecord, TextError>>,
    ) -> Result<ControlFlow<()>, ContestError> {
        for record in records {
            let GameRecord { winner, seats, .. } = record?;
            let winner = winner.zip(seats).map(|(side, seats)| seats[side.index()]);
            self.found[winner.map_or(1, |agent| if agent == 0 { 0 } else { 2 })] += 1;
            self.progress.advance();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn progress(&mut self) -> &mut dyn Progress {
        self.progress
    }
}

/// The results of a run on the disk: a line that says what is tuned, and one of `won drawn lost` for each iteration.
struct Results {
    path: PathBuf,
    file: File,
}

impl Results {
    /// Opens the file beside the weights; the results that are in it.
    fn open(out: &Path, identity: &Value) -> Result<(Self, Vec<[u64; 3]>), ContestError> {
        let mut name = out.file_name().unwrap_or_default().to_os_string();
        name.push(".spsa");
        let path = out.with_file_name(name);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(ContestError::keeping(&path))?;
        if file.try_lock().is_err() {
            return Err(ContestError::wrong(format!("another run uses {}", path.display())));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(ContestError::keeping(&path))?;
        // What a killed run left of its last line goes.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let heading = format!("{identity}\n");
        if !text.is_empty() && !text.starts_with(&heading) {
            let what = "holds a run with other settings: give another --out, or remove it";
            return Err(ContestError::wrong(format!("{} {what}", path.display())));
        }
        let lines = text.strip_prefix(&heading).unwrap_or("").lines();
        let old: Option<Vec<_>> = lines.map(result).collect();
        let old = old.ok_or_else(|| ContestError::wrong(format!("{} is damaged: remove it", path.display())))?;
        file.set_len(text.len() as u64).map_err(ContestError::keeping(&path))?;
        file.seek(SeekFrom::End(0)).map_err(ContestError::keeping(&path))?;
        let mut results = Self { path, file };
        if text.is_empty() {
            results.write(&heading)?;
        }
        Ok((results, old))
    }

    fn add(&mut self, [won, drawn, lost]: [u64; 3]) -> Result<(), ContestError> {
        self.write(&format!("{won} {drawn} {lost}\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), ContestError> {
        self.file.write_all(text.as_bytes()).map_err(ContestError::keeping(&self.path))
    }
}

/// The result in a line.
fn result(line: &str) -> Option<[u64; 3]> {
    let numbers: Result<Vec<u64>, _> = line.split(' ').map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_are_those_that_are_on() {
        let off = Tuning { futility: 0, reverse_futility: 80, reduction: 0, ..Tuning::CAUTIOUS };
        let names: Vec<_> = chosen("all", &off).unwrap().into_iter().map(|(number, _)| number.name).collect();
        assert_eq!(names, ["reverse-futility", "reverse-futility-depth", "aspiration"]);
        let named = chosen("futility=60,aspiration", &off).unwrap();
        assert_eq!(named.iter().map(|(_, start)| *start).collect::<Vec<_>>(), [60, 40]);
        for (word, told) in [
            ("futility", "say where to begin"),
            ("futilty=3", "it has null-move 0..8"),
            ("futility=9999", "futility 0..5000"),
            ("aspiration,aspiration", "twice"),
            ("", "it has null-move"),
        ] {
            let error = chosen(word, &off).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
