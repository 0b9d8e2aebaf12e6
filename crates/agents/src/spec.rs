//! Spec strings: one way to name an agent, the same on the command line, in the server and in tournament files.

use std::{fs::File, io::Read, path::Path, sync::Arc, time::Duration};

use quincunx_game::{Rules, TextError, refusal, text::quoted};
use quincunx_games::{entry, variant};
use quincunx_search::{
    AnyEvaluator, Handicap, Limits, MOST_SELECTIVE,
    agent::{EngineSettings, Options},
    book::Book,
    limits::parse_duration,
};

use crate::{
    Agent, Resources,
    level::{HIGHEST_LEVEL, HIGHEST_TIME, Level},
    random::Random,
};

/// The agents that play every game, each with examples. A game may have agents of its own beside them.
pub const AGENTS: [(&str, &str); 4] = [
    ("human", "a person"),
    ("random", "uniformly random legal moves"),
    (
        "engine",
        "the search: engine:level=1..10, engine:movetime=200ms,threads=2, engine:cpu=60s (a game), engine:nodes=100000, engine:depth=8, engine:selectivity=0..5, engine:weights=FILE, engine:book=off (or a FILE), engine:nodes=500,overlook=20,noise=50, engine:nodes=3000,futility=60,reduction=200 (numbers of the search)",
    ),
    ("mcts", "Monte Carlo tree search: mcts:playouts=20000, mcts:movetime=1s"),
];

/// Megabytes of transposition table of an engine that is not told otherwise.
const MEGABYTES: u64 = 32;

/// A spec string taken apart: a kind, and its options in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What stands before the first colon.
    pub kind: String,
    /// What stands behind it, as `name=value` pairs separated by commas.
    pub options: Vec<(String, String)>,
}

impl Spec {
    /// Takes `kind` or `kind:name=value,name=value` apart.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let (kind, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let mut options = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                let (given, agent) = (quoted(part), quoted(text));
                refusal!("agent.not_an_option", "{given} in the agent {agent}: options are name=value", given, agent)
            })?;
            options.push((name.trim().to_string(), value.trim().to_string()));
        }
        Ok(Self { kind: kind.to_string(), options })
    }
}

/// The agent of ours a spec names, for games under `rules`; `seed` makes what is random in it. A spec may name files to
/// read, so it must come from the person who runs this program.
pub fn build(text: &str, rules: &Rules, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let spec = Spec::parse(text)?;
    let mut options = Options::new(&spec.kind, &spec.options);
    let agent: Box<dyn Agent> = match spec.kind.as_str() {
        "random" => Box::new(Random::new(seed)),
        "engine" => engine(rules, &mut options, seed)?,
        "mcts" => {
            let limits = Limits {
                nodes: options.number("playouts", 1, u64::MAX)?,
                movetime: options.take("movetime", parse_duration)?,
                ..Limits::default()
            };
            variant(rules).mcts(limits, seed)
        }
        other => {
            let game = entry(rules.about.name)?;
            let Some(agent) = game.agent(other) else {
                let names = AGENTS.iter().map(|(name, _)| *name).chain(game.agents.iter().map(|agent| agent.name));
                let (given, names) = (quoted(other), names.collect::<Vec<_>>().join(", "));
                return Err(refusal!(
                    "agent.unknown",
                    "there is no agent {given}; the agents are {names}",
                    given,
                    names
                ));
            };
            (agent.build)(rules, &mut options, seed)?
        }
    };
    options.finish()?;
    Ok(agent)
}

/// What decides how long an agent of ours thinks about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Positions, plies or playouts: it plays the same on every machine.
    Counted,
    /// The clock, by its own spec or because nothing else limits it.
    Clock,
    /// Several threads that race each other.
    Threads,
}

/// What decides how long the agent of a spec thinks under these limits of the game, whose clocks are left out.
pub fn pace(text: &str, limits: &Limits) -> Result<Pace, TextError> {
    let spec = Spec::parse(text)?;
    let has = |name: &str| spec.options.iter().any(|(option, _)| option == name);
    let value = |name: &str| spec.options.iter().rfind(|(option, _)| option == name).map(|(_, value)| value.as_str());
    let highest = value("level").is_some_and(|level| level.parse() == Ok(HIGHEST_LEVEL));
    let counted = match spec.kind.as_str() {
        "engine" => {
            let limited = ["nodes", "depth", "level"].into_iter().any(has);
            !has("movetime")
                && !has("cpu")
                && !highest
                && (limited || limits.nodes.or(limits.depth.map(u64::from)).is_some())
        }
        "mcts" => !has("movetime") && (has("playouts") || limits.nodes.is_some()),
        _ => true,
    };
    let threads = value("threads").is_some_and(|threads| threads != "1");
    Ok(match (counted, threads) {
        (false, _) => Pace::Clock,
        (true, true) => Pace::Threads,
        (true, false) => Pace::Counted,
    })
}

/// The wall-clock time that the agent of a spec gives itself for a move, if it does.
pub(crate) fn movetime(text: &str) -> Option<Duration> {
    let spec = Spec::parse(text).ok()?;
    let value = |name: &str| spec.options.iter().rfind(|(option, _)| option == name).map(|(_, value)| value.as_str());
    let highest = value("level").is_some_and(|level| level.parse() == Ok(HIGHEST_LEVEL));
    value("movetime").and_then(|time| parse_duration(time).ok()).or(highest.then_some(HIGHEST_TIME))
}

/// The evaluator with the numbers of the search that a spec names. Pages have no use for them, and a small budget.
#[cfg(not(target_family = "wasm"))]
fn with_numbers(
    evaluator: Arc<dyn AnyEvaluator>,
    options: &mut Options<'_>,
) -> Result<Arc<dyn AnyEvaluator>, TextError> {
    let mut tuning = *evaluator.tuning();
    for number in quincunx_search::Tuning::NUMBERS {
        let value = options.number(number.name, number.least as u64, number.most as u64)?;
        if let Some(value) = value {
            number.set(&mut tuning, value as i32);
        }
    }
    Ok(if tuning == *evaluator.tuning() { evaluator } else { evaluator.with_tuning(tuning) })
}

/// The engine with the options of its spec.
fn engine(rules: &Rules, options: &mut Options<'_>, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let weights = options.take("weights", |path| load_weights(rules, path))?;
    let evaluator = weights.unwrap_or_else(|| variant(rules).evaluator());
    #[cfg(not(target_family = "wasm"))]
    let evaluator = with_numbers(evaluator, options)?;
    let level = options.number("level", 1, HIGHEST_LEVEL)?;
    let level = level.map_or(Level::FULL, |number| Level::new(evaluator.tuning(), number, seed));
    let limits = Limits {
        depth: options.number("depth", 1, 100)?.map(|depth| depth as u32),
        nodes: options.number("nodes", 1, u64::MAX)?,
        movetime: options.take("movetime", parse_duration)?,
        cpu: options.take("cpu", parse_duration)?,
        ..Limits::default()
    };
    let mut percent = |name, most, usual| Ok(options.number(name, 0, most)?.map_or(usual, |percent| percent as u32));
    let handicap = Handicap {
        overlook: percent("overlook", 90, level.handicap.overlook)?,
        noise: percent("noise", 1000, level.handicap.noise)?,
        seed,
    };
    let level = Level { limits: limits.and(&level.limits), handicap };
    let resources = Resources {
        threads: options.number("threads", 1, 256)?.unwrap_or(1) as usize,
        megabytes: options.number("hash", 1, 1 << 16)?.unwrap_or(MEGABYTES) as usize,
    };
    let selectivity = options.number("selectivity", 0, MOST_SELECTIVE.into())?;
    let book = options.take("book", |value| book(rules, value))?;
    let book = book.unwrap_or_else(|| embedded_book(rules));
    let settings = EngineSettings {
        selectivity: selectivity.map_or(MOST_SELECTIVE, |selectivity| selectivity as u8),
        // Levels that overlook moves do not use the book.
        book: book.filter(|_| handicap.is_none()).map(|book| (book, seed)),
        ..level.settings(resources)
    };
    Ok(evaluator.engine(settings))
}

/// The book that `on`, `off` or the name of a file stands for.
fn book(rules: &Rules, value: &str) -> Result<Option<Arc<Book>>, TextError> {
    match value {
        "on" => Ok(embedded_book(rules)),
        "off" => Ok(None),
        path if !Path::new(path).exists() => Err(refusal!("agent.book", "expected on, off or a file that exists")),
        path => Book::read(rules, &read(path)?).map(|book| Some(Arc::new(book))),
    }
}

/// The book that comes with the program for these rules.
pub fn embedded_book(rules: &Rules) -> Option<Arc<Book>> {
    let embedded = entry(rules.about.name).ok()?.book?;
    (*rules == Rules::of(rules.about)).then(embedded)
}

/// The evaluator that the agent of a spec judges positions by; `None` if the spec names no engine.
pub fn evaluator(text: &str, rules: &Rules) -> Result<Option<Arc<dyn AnyEvaluator>>, TextError> {
    let spec = Spec::parse(text)?;
    let weights = spec.options.iter().rfind(|(option, _)| option == "weights");
    match (spec.kind.as_str(), weights) {
        ("engine", Some((_, path))) => load_weights(rules, path).map(Some),
        ("engine", None) => Ok(Some(variant(rules).evaluator())),
        _ => Ok(None),
    }
}

/// The evaluator that a file of weights holds, for these rules.
pub fn load_weights(rules: &Rules, path: &str) -> Result<Arc<dyn AnyEvaluator>, TextError> {
    variant(rules).load(&read(path)?)
}

/// The bytes of a file of weights or a book.
fn read(path: &str) -> Result<Vec<u8>, TextError> {
    /// More than any of them has.
    const LARGEST: u64 = 1 << 28;
    let cannot = |why: &dyn std::fmt::Display| {
        refusal!("agent.file", "cannot read the file: {details}", details = why.to_string())
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| cannot(&error))?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(cannot(&"it is too large"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_of_a_spec_says_whether_it_plays_the_same_everywhere() {
        let free = Limits::default();
        let counted = Limits { nodes: Some(100), ..free };
        for (spec, without, with) in [
            ("random", Pace::Counted, Pace::Counted),
            ("engine", Pace::Clock, Pace::Counted),
            ("engine:level=9", Pace::Counted, Pace::Counted),
            ("engine:level=10", Pace::Clock, Pace::Clock),
            ("engine:nodes=5,movetime=1s", Pace::Clock, Pace::Clock),
            ("engine:cpu=60s", Pace::Clock, Pace::Clock),
            ("engine:depth=3,threads=2", Pace::Threads, Pace::Threads),
            ("engine:depth=3,threads=1", Pace::Counted, Pace::Counted),
            ("mcts", Pace::Clock, Pace::Counted),
            ("mcts:playouts=9", Pace::Counted, Pace::Counted),
            ("classic", Pace::Counted, Pace::Counted),
        ] {
            assert_eq!(pace(spec, &free).unwrap(), without, "{spec}");
            assert_eq!(pace(spec, &counted).unwrap(), with, "{spec}");
        }
    }
}
