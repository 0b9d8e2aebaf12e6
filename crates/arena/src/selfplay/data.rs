//! What is in a directory of self-play.

use std::{
    fmt,
    fs::{self, File},
    path::Path,
};

use quincunx_game::{Rules, Side};
use quincunx_games::{rules, variant};
use quincunx_search::{
    Score,
    selfplay::{Chunk, GameSummary, fingerprint},
};
use serde::Serialize;

use super::{FILE, reader};
use crate::ContestError;

/// What a file of self-play holds, up to its end or the first damage.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Data {
    /// The game.
    pub game: String,
    /// The rules.
    pub ruleset: String,
    /// Nodes a move.
    pub nodes: u64,
    /// The fewest and the most random plies before a game.
    pub random_plies: [u32; 2],
    /// One later move in this many is random; 0 for none.
    pub random_moves: u32,
    /// The seed.
    pub seed: u64,
    /// The fingerprint of the evaluator, in hexadecimal digits.
    pub evaluator: String,
    /// Whether it is the one in this program.
    pub evaluator_is_embedded: bool,
    /// The programs that played, in the order of their games.
    pub versions: Vec<String>,
    /// The bytes of the file.
    pub bytes: u64,
    /// The chunks that were read.
    pub chunks: u64,
    /// The games.
    pub games: u64,
    /// The positions with a label.
    pub positions: u64,
    /// Those of them that are quiet.
    pub quiet: u64,
    /// Positions that had been there before.
    pub duplicates: u64,
    /// Games that the first side won.
    pub first_wins: u64,
    /// Games that the second side won.
    pub second_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// The mean number of plies of a game, the random ones included.
    pub mean_plies: f64,
    /// The scores for the side to move.
    pub scores: Scores,
    /// Why the rest of the file could not be read, if so.
    pub damage: Option<String>,
    /// The names of the sides.
    #[serde(skip)]
    sides: [&'static str; 2],
}

/// How scores are distributed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Scores {
    /// Estimates.
    pub estimates: u64,
    /// Exact results.
    pub exact: u64,
    /// Proven wins.
    pub wins: u64,
    /// Proven losses.
    pub losses: u64,
    /// The 5th, 25th, 50th, 75th and 95th percentile of estimates, in hundredths of the game's unit; empty without any.
    pub percentiles: Vec<i32>,
}

impl Data {
    /// Reads the whole file of a directory. An error if it is not one of self-play; damage behind its heading is part of
    /// the answer.
    pub fn read(directory: &Path) -> Result<Self, ContestError> {
        let path = directory.join(FILE);
        let cannot = |error| ContestError::wrong(format!("cannot read {}: {error}", path.display()));
        let file = File::open(&path).map_err(cannot)?;
        let bytes = fs::metadata(&path).map_err(cannot)?.len();
        let mut reader = reader(&file, &path)?;
        let heading = reader.heading().clone();
        let named = |error| ContestError::wrong(format!("{}: {error}", path.display()));
        let rules = rules(&heading.game, Some(&heading.rules)).map_err(named)?;
        let settings = heading.settings;
        let mut data = Self {
            game: heading.game,
            ruleset: heading.rules,
            nodes: settings.nodes,
            random_plies: settings.random_plies.into(),
            random_moves: settings.random_moves,
            seed: settings.seed,
            evaluator: format!("{:016x}", heading.evaluator),
            evaluator_is_embedded: fingerprint(&*variant(&rules).evaluator()) == heading.evaluator,
            versions: Vec::new(),
            bytes,
            chunks: 0,
            games: 0,
            positions: 0,
            quiet: 0,
            duplicates: 0,
            first_wins: 0,
            second_wins: 0,
            draws: 0,
            mean_plies: 0.0,
            scores: Scores::default(),
            damage: None,
            sides: rules.about.sides,
        };
        let mut counts = Counts::default();
        for chunk in reader.by_ref() {
            let taken =
                chunk.map_err(|fault| fault.to_string()).and_then(|chunk| data.take(rules, &chunk, &mut counts));
            if let Err(what) = taken {
                data.damage = Some(what);
                break;
            }
        }
        data.settle(counts);
        Ok(data)
    }

    /// Counts the games of a chunk.
    fn take(&mut self, rules: Rules, chunk: &Chunk, counts: &mut Counts) -> Result<(), String> {
        if !self.versions.contains(&chunk.version) {
            self.versions.push(chunk.version.clone());
        }
        let number = self.chunks;
        let replayed = variant(&rules).replay(rules, chunk, &mut |game| self.count(game, counts));
        replayed.map_err(|error| format!("chunk {number} is damaged: {error}"))?;
        self.chunks += 1;
        Ok(())
    }

    fn count(&mut self, game: &GameSummary, counts: &mut Counts) {
        self.games += 1;
        self.positions += game.labels.len() as u64;
        counts.plies += game.plies as u64;
        *match game.winner {
            Some(Side::First) => &mut self.first_wins,
            Some(Side::Second) => &mut self.second_wins,
            None => &mut self.draws,
        } += 1;
        counts.hashes.extend(&game.hashes);
        for label in &game.labels {
            self.quiet += u64::from(label.quiet);
            *match label.score {
                Score::Estimate(value) => {
                    counts.estimates.push(value as i16);
                    &mut self.scores.estimates
                }
                Score::Exact(_) => &mut self.scores.exact,
                Score::Win(_) => &mut self.scores.wins,
                Score::Loss(_) => &mut self.scores.losses,
            } += 1;
        }
    }

    /// Works out what only all games together show.
    fn settle(&mut self, mut counts: Counts) {
        counts.hashes.sort_unstable();
        self.duplicates = counts.hashes.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        self.mean_plies = counts.plies as f64 / self.games.max(1) as f64;
        counts.estimates.sort_unstable();
        if let Some(last) = counts.estimates.len().checked_sub(1) {
            let percentiles = [5, 25, 50, 75, 95].map(|percent| i32::from(counts.estimates[last * percent / 100]));
            self.scores.percentiles = percentiles.into();
        }
    }
}

/// What is kept of every position until all are read: ten bytes.
#[derive(Default)]
struct Counts {
    plies: u64,
    hashes: Vec<u64>,
    estimates: Vec<i16>,
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        let Self { game, ruleset, nodes, random_plies: [least, most], random_moves, seed, games, positions, .. } = self;
        write!(f, "{game} {ruleset}, {nodes} nodes a move, {least} to {most} random plies, ")?;
        if *random_moves > 0 {
            write!(f, "one later move in {random_moves} random, ")?;
        }
        writeln!(f, "seed {seed}")?;
        let embedded = if self.evaluator_is_embedded { ", the one in this program" } else { "" };
        writeln!(f, "evaluator   {}{embedded}", self.evaluator)?;
        for version in &self.versions {
            writeln!(f, "played by   {version}")?;
        }
        let each = self.bytes as f64 / (*positions).max(1) as f64;
        writeln!(f, "positions   {positions} in {} chunks, {} bytes, {each:.2} a position", self.chunks, self.bytes)?;
        writeln!(f, "quiet       {} ({:.1} %)", self.quiet, share(self.quiet, *positions))?;
        writeln!(f, "duplicates  {} ({:.1} %)", self.duplicates, share(self.duplicates, *positions))?;
        writeln!(f, "games       {games} of {:.1} plies on average", self.mean_plies)?;
        let results = [(self.sides[0], self.first_wins), (self.sides[1], self.second_wins), ("drawn", self.draws)];
        let results = results.map(|(name, count)| format!("{name} {count} ({:.1} %)", share(count, *games)));
        writeln!(f, "results     {}", results.join(", "))?;
        let Scores { estimates, exact, wins, losses, percentiles } = &self.scores;
        writeln!(f, "scores      {estimates} estimates, {exact} exact, {wins} proven wins, {losses} proven losses")?;
        if !percentiles.is_empty() {
            let numbers: Vec<_> =
                percentiles.iter().map(|&value| format!("{:+.2}", f64::from(value) / 100.0)).collect();
            writeln!(f, "estimates   {} (5, 25, 50, 75, 95 % lie below)", numbers.join(" "))?;
        }
        writeln!(f, "damage      {}", self.damage.as_deref().unwrap_or("none"))
    }
}
