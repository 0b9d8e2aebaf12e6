//! What came out of a contest, made again from its directory alone: no agent is needed, and no game is played.

use std::{
    fs,
    path::{Path, PathBuf},
};

use quincunx_game::text::quoted;
use quincunx_games::rules;
use quincunx_search::Stop;
use serde_json::Value;

use crate::{
    ContestError, Desk, Ended, GameRecord, Limit, Plan, Players, Runner, Summary, Workers,
    experiment::{self, Findings},
    load_games, names,
    tournament::Rounds,
};

/// The description of a contest.
const CONTEST: &str = "contest.json";

/// The largest one.
const LARGEST: u64 = 16 << 20;

/// More rounds than any knockout has: each pair of players meets at most once.
const MOST_ROUNDS: u32 = 1_000_000;

/// What a directory holds.
#[derive(Debug)]
pub enum Remade {
    /// A match or tournament, and the words of the command that began it, if they are known.
    Contest(Box<Summary>, Vec<String>),
    /// An experiment, by its name.
    Experiment(String, Box<Findings>),
}

/// Reads the directory that a match, a tournament or an experiment was kept in.
pub fn remake(directory: &Path) -> Result<Remade, ContestError> {
    if let Some(document) = read(&directory.join(experiment::FILE))? {
        let (name, settings) = experiment::Settings::read(&document, directory)?;
        let (workers, stop) = (Workers { count: 1, pinned: false }, Stop::default());
        let mut runner = Runner { workers, elsewhere: Some(Box::new(Nobody)), stop, progress: Box::new(()) };
        let findings = experiment::run(&name, &settings, &mut runner)?;
        return Ok(Remade::Experiment(name, Box::new(findings)));
    }
    let rounds: Vec<_> = (1..=MOST_ROUNDS)
        .map(|round| directory.join(format!("round-{round}")))
        .take_while(|round| round.is_dir())
        .collect();
    let summary = if rounds.is_empty() { contest(directory)? } else { knockout(&rounds)? };
    let summary = match names::read(directory, &summary.plan().agents)? {
        Some(names) => summary.named(names),
        None => summary,
    };
    Ok(Remade::Contest(Box::new(summary), command_of(rounds.first().map_or(directory, PathBuf::as_path))?))
}

/// The command line that stands in a `contest.json`.
fn command_of(directory: &Path) -> Result<Vec<String>, ContestError> {
    let document = read(&directory.join(CONTEST))?.unwrap_or_default();
    let words = document["command"].as_array().into_iter().flatten();
    Ok(words.filter_map(Value::as_str).map(String::from).collect())
}

/// A match, round robin or gauntlet.
fn contest(directory: &Path) -> Result<Summary, ContestError> {
    let (plan, records) = games_of(directory)?;
    let seats = seats_of(&plan, &records)?;
    Ok(Summary::new(plan, records, seats, Vec::new(), Vec::new()))
}

/// A knockout, by the directories of its rounds.
fn knockout(directories: &[PathBuf]) -> Result<Summary, ContestError> {
    let mut played: Option<(Plan, Rounds, u64)> = None;
    for directory in directories {
        let (plan, records) = games_of(directory)?;
        let seats = seats_of(&plan, &records)?;
        let (_, rounds, games) = if let Some(played) = &mut played {
            played
        } else {
            let rounds = Rounds::new(plan.agents.len());
            // The matches of a round are of the same length, in older versions as long as was played.
            let all = read(&directory.join(CONTEST))?.and_then(|contest| contest["games"].as_u64());
            let games = all.unwrap_or(records.len() as u64).div_ceil(rounds.next_round().len().max(1) as u64);
            played.insert((plan, rounds, games))
        };
        if !rounds.take(records, seats, *games) {
            break;
        }
    }
    let (plan, rounds, _) = played.ok_or_else(|| ContestError::wrong("the knockout has no round"))?;
    Ok(rounds.finish(plan))
}

/// The plan of a directory, without openings and bouts, and its games in order.
fn games_of(directory: &Path) -> Result<(Plan, Vec<GameRecord>), ContestError> {
    let path = directory.join(CONTEST);
    let document = read(&path)?.ok_or_else(|| {
        ContestError::wrong(format!("{} holds no contest: there is no {CONTEST}", directory.display()))
    })?;
    let damaged = |what: &str| ContestError::wrong(format!("{}: no {what}", path.display()));
    let text = |name: &str| document[name].as_str().ok_or_else(|| damaged(name));
    let agents = document["agents"].as_array().ok_or_else(|| damaged("agents"))?;
    let agents: Option<Vec<String>> = agents.iter().map(|agent| agent.as_str().map(String::from)).collect();
    let plan = Plan {
        rules: rules(text("game")?, Some(text("ruleset")?))?,
        agents: agents.ok_or_else(|| damaged("agents"))?,
        limit: Limit::parse(text("limit")?)?,
        openings: Vec::new(),
        openings_word: text("openings")?.into(),
        draws_to_faster: document["draws_to_faster"].as_bool().ok_or_else(|| damaged("draws_to_faster"))?,
        seed: document["seed"].as_u64().ok_or_else(|| damaged("seed"))?,
        bouts: Vec::new(),
    };
    let mut records = load_games(&directory.join("games.jsonl"))?;
    records.sort_by_key(|record| record.number);
    Ok((plan, records))
}

/// The players of each game. Records of older versions name the agents by their specs alone.
fn seats_of(plan: &Plan, records: &[GameRecord]) -> Result<Vec<[usize; 2]>, ContestError> {
    let number = |record: &GameRecord, side: usize| {
        let seat = record.seats.map(|seats| seats[side]);
        let spec = &record.agents[side];
        let found = seat.or_else(|| plan.agents.iter().position(|agent| agent == spec));
        found.filter(|&agent| agent < plan.agents.len()).ok_or_else(|| {
            ContestError::wrong(format!("game {} was played by {}, who is not there", record.number, quoted(spec)))
        })
    };
    records.iter().map(|record| Ok([number(record, 0)?, number(record, 1)?])).collect()
}

/// A description of a contest; `None` if it is not there.
fn read(path: &Path) -> Result<Option<Value>, ContestError> {
    let Ok(found) = fs::metadata(path) else { return Ok(None) };
    if !found.is_file() || found.len() > LARGEST {
        return Err(ContestError::wrong(format!("{} is not a file of at most 16 MiB", path.display())));
    }
    let text = fs::read_to_string(path).map_err(ContestError::keeping(path))?;
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| ContestError::wrong(format!("{} is damaged: {error}", path.display())))
}

/// Plays nothing: what is remade has to be there.
struct Nobody;

impl Players for Nobody {
    fn play(&mut self, _: &Plan, pending: &[u64], _: &Stop, _: &mut dyn Desk) -> Result<Ended, ContestError> {
        match pending.len() {
            0 => Ok(Ended::Done(crate::Timing::default())),
            missing => Err(ContestError::wrong(format!("the experiment is not complete: {missing} games are missing"))),
        }
    }
}
