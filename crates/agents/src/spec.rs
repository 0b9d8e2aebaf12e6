//! Spec strings: one way to name an agent, the same on the command line, in the server and in tournament files.

use quincunx_game::{Rules, TextError, refusal, text::quoted};
use quincunx_games::{Visitor, pente::Pente, visit};
use quincunx_search::Insight;
use quincunx_search::{Handicap, Limits, MOST_SELECTIVE, limits::parse_duration};

use crate::{
    Agent,
    classic::{self, Near},
    engine::EngineAgent,
    level::{HIGHEST_LEVEL, Level},
    mcts::MctsAgent,
    options::Options,
    random::Random,
};

/// The agents that play every game, each with an example.
pub const AGENTS: [(&str, &str); 6] = [
    ("human", "a person"),
    ("random", "uniformly random legal moves"),
    (
        "engine",
        "the search: engine:level=1..10, engine:movetime=200ms,threads=2, engine:cpu=60s (a game), engine:nodes=100000, engine:depth=8, engine:selectivity=0..5, engine:book=off, engine:nodes=500,overlook=20,noise=50",
    ),
    ("mcts", "Monte Carlo tree search: mcts:playouts=20000, mcts:movetime=1s"),
    ("classic", "the agent of the game's document: classic:depth=3; Aboyne classic:eval=f8,depth=4,fixed=true"),
    ("near", "Pente only: random next to a stone"),
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

/// The agent of ours a spec names, for games under `rules`; `seed` makes what is random in it.
pub fn build(text: &str, rules: &Rules, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let spec = Spec::parse(text)?;
    let mut options = Options::new(&spec.kind, &spec.options);
    match spec.kind.as_str() {
        "random" => {
            options.finish()?;
            Ok(Box::new(Random::new(seed)))
        }
        "engine" => {
            let build = engine(&mut options, seed)?;
            options.finish()?;
            Ok(visit(rules, build))
        }
        "mcts" => {
            let limits = Limits {
                nodes: options.number("playouts", 1, u64::MAX)?,
                movetime: options.take("movetime", parse_duration)?,
                ..Limits::default()
            };
            options.finish()?;
            Ok(visit(rules, BuildMcts { limits, seed }))
        }
        "classic" => {
            let agent = classic::build(rules, &mut options, seed)?;
            options.finish()?;
            Ok(agent)
        }
        "near" if rules.about.name == "pente" => {
            options.finish()?;
            Ok(classic::agent::<Pente, _>(Near::new(seed)))
        }
        "near" => Err(refusal!("agent.near", "near plays pente only, not {game}", game = rules.about.name)),
        _ => {
            let names: Vec<_> = AGENTS.iter().map(|(name, _)| *name).collect();
            let (given, names) = (quoted(&spec.kind), names.join(", "));
            Err(refusal!("agent.unknown", "there is no agent {given}; the agents are {names}", given, names))
        }
    }
}

fn engine(options: &mut Options<'_>, seed: u64) -> Result<BuildEngine, TextError> {
    let percent = |number: Option<u64>| number.map(|percent| percent as u32);
    Ok(BuildEngine {
        level: options.number("level", 1, HIGHEST_LEVEL)?,
        limits: Limits {
            depth: options.number("depth", 1, 100)?.map(|depth| depth as u32),
            nodes: options.number("nodes", 1, u64::MAX)?,
            movetime: options.take("movetime", parse_duration)?,
            cpu: options.take("cpu", parse_duration)?,
            ..Limits::default()
        },
        overlook: percent(options.number("overlook", 0, 90)?),
        noise: percent(options.number("noise", 0, 1000)?),
        seed,
        threads: options.number("threads", 1, 256)?.unwrap_or(1) as usize,
        megabytes: options.number("hash", 1, 1 << 16)?.unwrap_or(MEGABYTES) as usize,
        selectivity: options.number("selectivity", 0, MOST_SELECTIVE.into())?.unwrap_or(MOST_SELECTIVE.into()) as u8,
        book: options.take("book", on_or_off)?.unwrap_or(true),
    })
}

fn on_or_off(text: &str) -> Result<bool, TextError> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(refusal!("agent.on_or_off", "expected on or off")),
    }
}

struct BuildEngine {
    level: Option<u64>,
    /// What is asked beside the level.
    limits: Limits,
    overlook: Option<u32>,
    noise: Option<u32>,
    seed: u64,
    threads: usize,
    megabytes: usize,
    selectivity: u8,
    book: bool,
}

impl Visitor for BuildEngine {
    type Output = Box<dyn Agent>;

    fn visit<P: Insight>(self) -> Self::Output {
        let Level { limits, handicap } = self.level.map_or(Level::FULL, |number| Level::new::<P>(number, self.seed));
        let level = Level {
            limits: self.limits.and(&limits),
            handicap: Handicap {
                overlook: self.overlook.unwrap_or(handicap.overlook),
                noise: self.noise.unwrap_or(handicap.noise),
                seed: self.seed,
            },
        };
        // Who overlooks moves is no reader of books.
        let book = self.book && level.handicap.is_none();
        let mut engine = level.engine(self.megabytes, self.threads);
        engine.selectivity = self.selectivity;
        Box::new(EngineAgent::<P>::new(engine, level.limits).with_book(book.then_some(self.seed)))
    }
}

struct BuildMcts {
    limits: Limits,
    seed: u64,
}

impl Visitor for BuildMcts {
    type Output = Box<dyn Agent>;

    fn visit<P: Insight>(self) -> Self::Output {
        Box::new(MctsAgent::<P>::new(self.limits, self.seed))
    }
}
