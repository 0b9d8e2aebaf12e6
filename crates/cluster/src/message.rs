//! The messages between machines. All are small JSON documents, read as hostile: bounded, checked, refused in one line.

use std::collections::BTreeMap;

use quincunx_arena::{Claim, Fixture};
use quincunx_game::text::quoted;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{object::Carried, subject::is_word};

/// What both ends must agree on: streams, subjects and the messages below.
pub(crate) const PROTOCOL: u32 = 3;

/// The most bytes of a message. A server takes 1 MiB, headers included, unless it is told otherwise.
pub(crate) const LARGEST: usize = (1 << 20) - 4096;

/// The most games of one job.
pub(crate) const MOST_GAMES: usize = 512;

/// The longest name of a worker, and the longest line of text anybody sends.
const LONGEST_NAME: usize = 64;
const LONGEST_LINE: usize = 1200;

/// A contest, as everybody must know it to take part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) protocol: u32,
    /// The name of the contest: a hash of everything that decides its games.
    pub(crate) id: String,
    /// The same without the seed, for a coordinator that starts again and has drawn another.
    pub(crate) command: String,
    /// One line for people.
    pub(crate) title: String,
    /// The games, if that is known beforehand.
    pub(crate) games: Option<u64>,
    pub(crate) work: Work,
    pub(crate) needs: Needs,
    /// A worker that is silent for so many milliseconds has lost its job to another.
    pub(crate) silence_ms: u64,
    /// Games of a job.
    pub(crate) batch: u64,
    /// Files that agents need.
    pub(crate) files: Vec<Carried>,
}

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Work {
    /// The games of a plan.
    Games { game: String, ruleset: String, agents: Vec<String>, limit: String, draws_to_faster: bool, seed: u64 },
    /// Games of the engine against itself, to learn from.
    SelfPlay {
        game: String,
        ruleset: String,
        nodes: u64,
        random_plies: (u32, u32),
        random_moves: u32,
        seed: u64,
        weights: Option<String>,
    },
}

impl Manifest {
    /// Whether its games have a clock: they are scaled, or for some workers alone.
    pub(crate) fn has_clock(&self) -> bool {
        self.needs.speed.is_some() || !self.needs.workers.is_empty()
    }
}

impl Work {
    /// Game and ruleset.
    pub(crate) fn rules(&self) -> (&str, &str) {
        match self {
            Self::Games { game, ruleset, .. } | Self::SelfPlay { game, ruleset, .. } => (game, ruleset),
        }
    }
}

/// What a worker must have to take part.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Needs {
    /// Version and commit of the program.
    pub(crate) version: String,
    /// What `bench` says of the game.
    pub(crate) signature: u64,
    /// The fingerprint of the evaluation in the program.
    pub(crate) evaluator: String,
    /// Whether programs from outside play.
    pub(crate) programs: bool,
    /// The names of the workers that may take part; all if there are none.
    pub(crate) workers: Vec<String>,
    /// The speed in nodes a second that the clocks are meant for, if they are scaled.
    pub(crate) speed: Option<f64>,
}

/// A job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Job {
    pub(crate) contest: String,
    pub(crate) first: u64,
    pub(crate) task: Task,
}

/// The games of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Task {
    /// Games of a plan.
    Games(Vec<Fixture>),
    /// Games of self-play: so many from the first number on.
    SelfPlay(u64),
}

/// What a worker says it has played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    pub(crate) contest: String,
    pub(crate) first: u64,
    /// The name of the worker.
    pub(crate) worker: String,
    /// By how much its clocks were stretched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<f64>,
    /// The time it took.
    pub(crate) seconds: f64,
    pub(crate) claims: Claims,
}

/// Games as they are claimed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Claims {
    Games(Vec<Claim>),
    /// Games of self-play in hexadecimal digits, in the order of their numbers.
    SelfPlay(Vec<String>),
}

impl Claims {
    /// Whether both tell the same games.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Games(a), Self::Games(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.agrees(b)),
            (Self::SelfPlay(a), Self::SelfPlay(b)) => a == b,
            _ => false,
        }
    }
}

/// Why a worker gives a job back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Back {
    pub(crate) first: u64,
    /// Whether the job itself is to blame.
    pub(crate) failed: bool,
    pub(crate) reason: String,
}

/// A job that is put aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Poison {
    pub(crate) first: u64,
    pub(crate) games: u64,
    pub(crate) reason: String,
}

/// What the server says of a job that was given out as often as it may be; the rest of it is of no use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Exhausted {
    pub(crate) stream_seq: u64,
}

/// What a worker says of itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Announcement {
    pub(crate) protocol: u32,
    pub(crate) key: String,
    /// Counts up, so that what was said before is not taken for new.
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The hash of the program.
    pub(crate) binary: String,
    /// What `bench` says, by game, as far as it was run.
    pub(crate) signatures: BTreeMap<String, u64>,
    /// Nodes a second, by game.
    pub(crate) speeds: BTreeMap<String, f64>,
    /// Fingerprints of the evaluations, by game.
    pub(crate) evaluators: BTreeMap<String, String>,
    pub(crate) cores: usize,
    pub(crate) running: usize,
    /// Moves and analyses for people that it thinks about now, and those it has thought about.
    pub(crate) thinking: usize,
    pub(crate) thought: u64,
    pub(crate) jobs: u64,
    pub(crate) games: u64,
    pub(crate) seconds: u64,
    pub(crate) programs: bool,
    /// The contests it does not take part in, and why.
    pub(crate) refused: BTreeMap<String, String>,
    /// Whether it takes no more jobs.
    pub(crate) leaving: bool,
}

/// A message that is checked for more than its form.
pub(crate) trait Message: DeserializeOwned {
    /// What it is, for people.
    const NAME: &'static str;

    /// What is wrong with it, if anything.
    fn fault(&self) -> Option<String>;

    /// Reads a message. The error says in one line what is wrong.
    fn read(payload: &[u8]) -> Result<Self, String> {
        if payload.len() > LARGEST {
            return Err(format!("{} of {} bytes is too large", Self::NAME, payload.len()));
        }
        let message: Self =
            serde_json::from_slice(payload).map_err(|error| line(&format!("this is not {}: {error}", Self::NAME)))?;
        message.fault().map_or(Ok(message), |what| Err(line(&format!("{}: {what}", Self::NAME))))
    }
}

impl Message for Manifest {
    const NAME: &'static str = "a contest";

    fn fault(&self) -> Option<String> {
        if self.protocol != PROTOCOL {
            return Some(format!("it speaks protocol {}, this program {PROTOCOL}", self.protocol));
        }
        let words = [&self.id, &self.command].into_iter().chain(self.files.iter().map(|file| &file.hash));
        let bad = words.into_iter().find(|word| !is_word(word));
        if let Some(bad) = bad {
            return Some(format!("{} is no name", quoted(bad)));
        }
        if !(100..=3_600_000).contains(&self.silence_ms) {
            return Some("the time of silence is not between 0.1 s and an hour".into());
        }
        let speed = self.needs.speed.is_none_or(|speed| speed.is_finite() && speed > 0.0);
        let lines = [&self.title, &self.needs.version, &self.needs.evaluator];
        let long = lines.into_iter().chain(&self.needs.workers).any(|text| text.len() > LONGEST_LINE);
        (!speed || long).then(|| "what it needs makes no sense".into())
    }
}

impl Message for Job {
    const NAME: &'static str = "a job";

    fn fault(&self) -> Option<String> {
        let games = match &self.task {
            Task::Games(games) => games.len() as u64,
            Task::SelfPlay(count) => *count,
        };
        let first = match &self.task {
            Task::Games(games) => games.first().map(|fixture| fixture.number),
            Task::SelfPlay(_) => Some(self.first),
        };
        let sound = is_word(&self.contest) && (1..=MOST_GAMES as u64).contains(&games) && first == Some(self.first);
        (!sound).then(|| "its games are not those of its number".into())
    }
}

impl Message for Report {
    const NAME: &'static str = "a result";

    fn fault(&self) -> Option<String> {
        if !is_name(&self.worker) {
            return Some("its worker has no name".into());
        }
        let times = [Some(self.seconds), self.scale];
        if times.into_iter().flatten().any(|time| !(0.0..=1e9).contains(&time)) {
            return Some("its time is not one".into());
        }
        let games = match &self.claims {
            Claims::Games(games) => games.len(),
            Claims::SelfPlay(games) => games.len(),
        };
        (games == 0 || games > MOST_GAMES).then(|| format!("{games} games are not a job"))
    }
}

impl Message for Back {
    const NAME: &'static str = "a job handed back";

    fn fault(&self) -> Option<String> {
        (self.reason.len() > LONGEST_LINE).then(|| "its reason is too long".into())
    }
}

impl Message for Poison {
    const NAME: &'static str = "a job put aside";

    fn fault(&self) -> Option<String> {
        (self.reason.len() > LONGEST_LINE).then(|| "its reason is too long".into())
    }
}

impl Message for Exhausted {
    const NAME: &'static str = "an advisory";

    fn fault(&self) -> Option<String> {
        None
    }
}

impl Message for Announcement {
    const NAME: &'static str = "a worker";

    fn fault(&self) -> Option<String> {
        let sound = self.protocol == PROTOCOL && is_word(&self.key) && is_name(&self.name) && self.cores <= 1 << 16;
        let texts = self.refused.values().chain([&self.version, &self.binary]);
        let short = texts.into_iter().all(|text| text.len() <= LONGEST_LINE);
        (!sound || !short || self.refused.len() > 1000).then(|| "it does not say who it is".into())
    }
}

/// Whether a worker may be called this.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(plain)
}

/// A text of somebody else as one line of sensible length.
pub(crate) fn line(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    // A character has four bytes at most.
    clean.take(LONGEST_LINE / 4).collect()
}

/// A message as it is sent.
pub(crate) fn bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data")
}
