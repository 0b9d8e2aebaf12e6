//! The arguments of the commands that learn: self-play, training, the loop of both, and tuning by games.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use super::cluster::Spread;

/// The arguments of `selfplay`.
#[derive(Args)]
pub(crate) struct SelfPlay {
    /// The game
    pub(crate) game: String,
    /// The positions wanted; the last game is played to its end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) positions: u64,
    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// The directory to keep the games in; a run that ended early goes on with the same command
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The ruleset
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// The seed of the random plies: the same one gives the same games, whatever the number of threads
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// Games at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// A file of weights to play with [default: those of the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<String>,
    /// The fewest and the most random plies before a game, drawn for each
    #[arg(long, value_name = "A..B", default_value = "4..12", value_parser = plies)]
    pub(crate) random_plies: (u32, u32),
    /// One later move in N is random too, so that bad positions are seen as well; 0 for none
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) random_moves: u32,
    #[command(flatten)]
    pub(crate) spread: Spread,
}

/// The arguments of `train`.
#[derive(Args)]
pub(crate) struct Train {
    /// The game
    pub(crate) game: String,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// A directory that `selfplay` made; may be given more than once
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// A file of games in any format that `convert` reads, such as WTHOR, for Othello; may be given more than once
    #[arg(long, value_name = "FILE", num_args = 1.., alias = "from")]
    pub(crate) wthor: Vec<PathBuf>,
    /// Games that the engine plays against itself first, for Othello [default: 100000]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    pub(crate) games: Option<u32>,
    /// Passes over the positions [default: what the game needs]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) epochs: Option<u32>,
    /// The share of the search's score in what a position of self-play is said to be worth; the rest is how its game
    /// ended [default: what the game needs]
    #[arg(long, value_name = "0..1", value_parser = share)]
    pub(crate) score_share: Option<f32>,
    /// Write a picture of the learning curve to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) curve: Option<PathBuf>,
    /// The seed of the random numbers
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `spsa`.
#[derive(Args)]
pub(crate) struct Spsa {
    /// The game
    pub(crate) game: String,
    /// The numbers to tune: all that are on, or a list such as `futility,reduction=220`, which may say where to begin
    #[arg(long, value_name = "A,B,C", default_value = "all")]
    pub(crate) numbers: String,
    /// Steps of all numbers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) iterations: u64,
    /// Nodes a move
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// The file to write the weights to, with the numbers found; `FILE.spsa` beside it keeps the results, with which the
    /// same command goes on
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The weights to begin with [default: those of the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<String>,
    /// Pairs of games for each step
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) pairs: u64,
    /// The ruleset
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// The openings of the games, as in `match`
    #[arg(long, default_value = "balanced:6")]
    pub(crate) openings: String,
    /// The last step for a game won more than lost, as a share of the last spread [default: half of that for the root of
    /// all pairs]
    #[arg(long, value_name = "R", value_parser = rate)]
    pub(crate) rate: Option<f64>,
    /// Games at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// The seed of the random numbers: the same one finds the same, whatever the number of threads
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// Write a picture of the way of the numbers to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) curve: Option<PathBuf>,
    /// One JSON document, with the way of the numbers
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `learn`.
#[derive(Args)]
pub(crate) struct Learn {
    /// The game
    pub(crate) game: String,
    /// The directory to learn in; the same command goes on with what is there
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How long to learn
    #[arg(long, value_name = "H", value_parser = hours)]
    pub(crate) hours: Duration,
    /// End sooner, when so many steps are finished in all
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// The ruleset
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// The weights to begin with [default: those of the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<String>,
    /// Positions of self-play for each step
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) positions: u64,
    /// Nodes of each search in self-play
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// The fewest and the most random plies before a game of self-play, drawn for each
    #[arg(long, value_name = "A..B", default_value = "4..12", value_parser = plies)]
    pub(crate) random_plies: (u32, u32),
    /// How many steps a step learns from, its own included
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) window: u16,
    /// A directory that `selfplay` made, to learn from as well; may be given more than once
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// The most games of a match
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) games: u64,
    /// The limits of both engines in a match
    #[arg(long, default_value = "nodes=5000")]
    pub(crate) limit: String,
    /// The openings of a match, as in `match`
    #[arg(long, default_value = "random:6")]
    pub(crate) openings: String,
    /// The sequential test that new weights have to pass
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10")]
    pub(crate) sprt: String,
    /// Games at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// The seed of the random numbers
    #[arg(long, default_value = "1")]
    pub(crate) seed: u32,
    #[command(flatten)]
    pub(crate) spread: Spread,
}

fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse().ok().filter(|hours| (0.0..=10_000.0).contains(hours));
    hours.map(|hours: f64| Duration::from_secs_f64(3600.0 * hours)).ok_or("expected hours, such as 8 or 0.5".into())
}

fn plies(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let range = least.parse().ok().zip(most.parse().ok());
    range
        .filter(|&(least, most)| least <= most && most <= 1000)
        .ok_or("expected a range within 0..1000, such as 4..12".into())
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or("expected a number from 0 to 1, such as 0.35".into())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 10.0);
    rate.ok_or_else(|| "expected a number above 0, 10 at most".to_string())
}
