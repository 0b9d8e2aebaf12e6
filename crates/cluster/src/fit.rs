//! Whether a worker fits a contest: the same program, search and evaluation, and whatever else the contest needs.

use std::{
    collections::BTreeMap,
    fs,
    sync::{Mutex, PoisonError},
};

use quincunx_arena::Bench;
use quincunx_game::{Rules, TextError, text::quoted};
use quincunx_games::{all, rules, variant};
use quincunx_search::selfplay::fingerprint;
use quincunx_version::VERSION;

use crate::{
    message::{Manifest, Needs, line},
    seal::hash,
};

/// What this program and machine are, measured once for each game.
pub(crate) struct Ability {
    /// Version and commit.
    pub(crate) version: String,
    /// The name of the worker.
    pub(crate) name: String,
    /// Whether it runs programs from outside.
    pub(crate) programs: bool,
    /// Fingerprints of the evaluations, by game, under the usual rules; only of one that announces them.
    pub(crate) evaluators: BTreeMap<String, String>,
    benches: Mutex<BTreeMap<String, (u64, f64)>>,
}

impl Ability {
    /// What a coordinator is. It announces nothing, and packing every evaluation for its fingerprint would delay the
    /// beginning of each contest.
    pub(crate) fn coordinator() -> Self {
        let (name, benches) = ("coordinator".into(), Mutex::default());
        Self { version: version(), name, programs: true, evaluators: BTreeMap::new(), benches }
    }

    /// What a worker is.
    pub(crate) fn worker(name: &str, programs: bool) -> Self {
        let evaluators = all().into_iter().map(|about| (about.name.to_string(), evaluator(&Rules::of(about))));
        Self { name: name.into(), programs, evaluators: evaluators.collect(), ..Self::coordinator() }
    }

    /// The fingerprint of the evaluation for some rules.
    pub(crate) fn evaluator(&self, rules: &Rules) -> String {
        let usual = || rules.to_string() == Rules::of(rules.about).to_string();
        let known = self.evaluators.get(rules.about.name).filter(|_| usual());
        known.cloned().unwrap_or_else(|| evaluator(rules))
    }

    /// What `bench` says of a game, and the nodes a second. Takes a moment the first time.
    pub(crate) fn bench(&self, game: &str) -> Result<(u64, f64), String> {
        // One measurement at a time: two would slow each other down.
        let mut benches = self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = benches.get(game) {
            return Ok(known);
        }
        let bench = Bench::of(game).map_err(|error| error.to_string())?;
        let found = (bench.signature, bench.speed());
        benches.insert(game.to_string(), found);
        Ok(found)
    }

    /// What is measured so far: signatures and speeds by game.
    pub(crate) fn measured(&self) -> BTreeMap<String, (u64, f64)> {
        self.benches.try_lock().map(|benches| benches.clone()).unwrap_or_default()
    }

    /// Why this worker cannot take part in a contest, if so.
    pub(crate) fn refusal(&self, manifest: &Manifest) -> Option<String> {
        let (game, ruleset) = manifest.work.rules();
        let rules = match rules(game, Some(ruleset)) {
            Ok(rules) => rules,
            Err(error) => return Some(line(&error.to_string())),
        };
        let needs = &manifest.needs;
        if needs.version != self.version {
            return Some(line(&format!("it needs version {}, this is {}", quoted(&needs.version), self.version)));
        }
        let evaluator = self.evaluator(&rules);
        if needs.evaluator != evaluator {
            return Some(line(&format!("it needs the evaluation {}, this is {evaluator}", quoted(&needs.evaluator))));
        }
        if !needs.workers.is_empty() && !needs.workers.contains(&self.name) {
            return Some(line(&format!("it is for {} alone", needs.workers.join(", "))));
        }
        if needs.programs && !self.programs {
            return Some(
                "programs from outside play in it, and this worker was not started with --run-programs".into(),
            );
        }
        match self.bench(game) {
            Ok((signature, _)) if signature == needs.signature => None,
            Ok((signature, _)) => {
                Some(format!("it needs the bench signature {} of {game}, this has {signature}", needs.signature))
            }
            Err(error) => Some(line(&error)),
        }
    }
}

impl Needs {
    /// What a contest under these rules needs at least: what this program is.
    pub(crate) fn of(rules: &Rules, ability: &Ability) -> Result<Self, TextError> {
        let (signature, _) = ability.bench(rules.about.name).map_err(TextError::new)?;
        Ok(Self { version: version(), signature, evaluator: evaluator(rules), ..Self::default() })
    }
}

/// Version and commit of this program; two builds of it for different processors play alike, which `bench` shows.
pub(crate) fn version() -> String {
    VERSION.split(',').next().unwrap_or(VERSION).replace('(', "")
}

/// The fingerprint of the evaluation that this program has for some rules.
pub(crate) fn evaluator(rules: &Rules) -> String {
    format!("{:016x}", fingerprint(&*variant(rules).evaluator()))
}

/// The hash of the program that runs.
pub(crate) fn binary() -> String {
    let program = std::env::current_exe().and_then(fs::read);
    program.map_or_else(|_| "unknown".into(), |bytes| hash(&bytes))
}
