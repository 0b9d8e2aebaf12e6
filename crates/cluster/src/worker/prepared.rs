//! A contest as a worker plays it: its plan, with the files that came along.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use quincunx_agents::load_weights;
use quincunx_arena::{Claim, Limit, Plan, play_fixture};
use quincunx_game::Rules;
use quincunx_games::{rules, variant};
use quincunx_outside::build;
use quincunx_search::{AnyEvaluator, Stop, selfplay::Settings};

use crate::{
    message::{Claims, Manifest, Task, Work, line},
    object,
    queue::Queue,
    seal::hex,
};

/// What is needed to play the jobs of a contest.
pub(crate) struct Prepared {
    game: Played,
    /// By how much clocks are stretched here.
    pub(crate) scale: Option<f64>,
    /// The files that came along; they go when the contest does.
    _files: Option<Scratch>,
}

enum Played {
    Games(Box<Plan>),
    SelfPlay { rules: Rules, evaluator: Arc<dyn AnyEvaluator>, settings: Settings },
}

impl Prepared {
    /// Fetches what a contest needs. `speed` is that of this machine in nodes a second. An error says in one line why the
    /// contest cannot be played here.
    pub(crate) async fn new(queue: &Queue, manifest: &Manifest, speed: f64) -> Result<Self, String> {
        let mut files = None;
        let mut places: Vec<(String, PathBuf)> = Vec::new();
        if !manifest.files.is_empty() {
            let scratch = files.insert(Scratch::new()?);
            for carried in &manifest.files {
                places.push((carried.path.clone(), object::fetch(queue, carried, &scratch.0).await?));
            }
        }
        let scale = manifest.needs.speed.map(|wanted| wanted / speed);
        let manifest = manifest.clone();
        let game = tokio::task::spawn_blocking(move || prepare(&manifest.work, &places, scale));
        let game = game.await.map_err(|_| "it cannot be prepared".to_string())?.map_err(|why| line(&why))?;
        Ok(Self { game, scale, _files: files })
    }

    /// Plays a job; `None` if it was stopped. An error says in one line why it cannot be played.
    pub(crate) fn play(&self, first: u64, task: &Task, stop: &Stop) -> Result<Option<Claims>, String> {
        match (&self.game, task) {
            (Played::Games(plan), Task::Games(fixtures)) => {
                let mut claims = Vec::with_capacity(fixtures.len());
                for fixture in fixtures {
                    match play_fixture(plan, fixture, stop).map_err(|error| error.to_string())? {
                        Some(record) => claims.push(Claim::of(&record)),
                        None => return Ok(None),
                    }
                }
                Ok(Some(Claims::Games(claims)))
            }
            (Played::SelfPlay { rules, evaluator, settings }, Task::SelfPlay(count)) => {
                let mut generator = evaluator.generator(*rules, *settings);
                let stopped = || stop.is_stopped();
                let games = (first..first.saturating_add(*count)).map(|number| generator.play(number, &stopped));
                let games: Option<Vec<_>> = games.collect();
                Ok(games.map(|games| Claims::SelfPlay(games.iter().map(|game| hex(&game.bytes)).collect())))
            }
            _ => Err("the job is of another kind than its contest".into()),
        }
    }
}

fn prepare(work: &Work, places: &[(String, PathBuf)], scale: Option<f64>) -> Result<Played, String> {
    let (game, ruleset) = work.rules();
    let rules = rules(game, Some(ruleset)).map_err(|error| error.to_string())?;
    match work {
        Work::Games { agents, limit, draws_to_faster, seed, .. } => {
            let limit = Limit::parse(limit).map_err(|error| error.to_string())?;
            let specs: Vec<String> =
                agents.iter().map(|spec| object::relocated(spec, places)).collect::<Result<_, _>>()?;
            for spec in &specs {
                build(spec, &rules, 0).map_err(|error| error.to_string())?;
            }
            Ok(Played::Games(Box::new(Plan {
                rules,
                agents: specs,
                limit: scale.map_or(limit, |scale| limit.scaled(scale)),
                openings: Vec::new(),
                openings_word: String::new(),
                draws_to_faster: *draws_to_faster,
                seed: *seed,
                bouts: Vec::new(),
            })))
        }
        &Work::SelfPlay { nodes, random_plies, random_moves, seed, ref weights, .. } => {
            let evaluator = match weights {
                Some(path) => {
                    let place = places.iter().find(|(known, _)| known == path).and_then(|(_, place)| place.to_str());
                    let place = place.ok_or("the weights did not come along")?;
                    load_weights(&rules, place).map_err(|error| error.to_string())?
                }
                None => variant(&rules).evaluator(),
            };
            let settings = Settings { nodes, random_plies, random_moves, seed };
            Ok(Played::SelfPlay { rules, evaluator, settings })
        }
    }
}

/// A folder of this process that goes when it is dropped.
struct Scratch(PathBuf);

/// What the folders of all workers are called, before the process and a number.
const PREFIX: &str = "quincunx-worker-";

impl Scratch {
    fn new() -> Result<Self, String> {
        let number = getrandom::u64().map_err(|error| error.to_string())?;
        let path = std::env::temp_dir().join(format!("{PREFIX}{}-{number:016x}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Removes what workers that were killed have left behind.
pub(crate) fn sweep() {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let gone = |process: &str| {
            process.bytes().all(|byte| byte.is_ascii_digit()) && !Path::new("/proc").join(process).exists()
        };
        if cfg!(target_os = "linux") && process.is_some_and(gone) {
            _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
