//! What may stand on the command line of the contests: `match` and its relatives.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The commands of the arena.
#[derive(Subcommand)]
pub(crate) enum ContestCommand {
    /// Two agents against each other, in pairs of games with the colours swapped: result, Elo, likelihood of superiority
    Match {
        #[command(flatten)]
        settings: ContestSettings,
        /// An agent
        #[arg(value_name = "A")]
        a: String,
        /// The other one
        #[arg(value_name = "B")]
        b: String,
        /// The number of games; the most there will be under --sprt
        #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
        games: u64,
        /// Stop as soon as a sequential test tells these two Elo differences apart
        #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
        sprt: Option<String>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
}

/// How the games of a contest are played.
#[derive(Args)]
pub(crate) struct ContestSettings {
    /// othello, pente, shobu, aboyne or tessella
    pub(crate) game: String,
    /// The ruleset or variant, with settings behind it if wanted: official,first=red,plies=300
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// How long the agents may think: movetime=100ms, nodes=50000, depth=6, clock=60s+0.5s (wall), cpu=60s (a game); several
    /// separated by commas; margin=250ms is what a wall clock may be overrun by
    #[arg(long, value_name = "LIMIT", default_value = "")]
    pub(crate) limit: String,
    /// Where games begin: start, random:K for K random plies, or a file with one opening a line
    #[arg(long, value_name = "OPENINGS", default_value = "start")]
    pub(crate) openings: String,
    /// Games played at the same time; the processors of the machine where not given
    #[arg(long, value_name = "N", value_parser = workers)]
    pub(crate) concurrency: Option<usize>,
    /// Keep each of them on one processor
    #[arg(long)]
    pub(crate) pin: bool,
    /// A drawn game goes to whoever used less time
    #[arg(long)]
    pub(crate) draws_to_faster: bool,
    /// The seed of the random numbers; drawn and printed where not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Keep the games in this directory; the same command goes on with a run that was ended
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

fn workers(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1024).contains(count))
        .ok_or_else(|| "expected a number from 1 to 1024".into())
}
