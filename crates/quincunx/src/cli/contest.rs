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
        /// Tell how fast it went: games a second, and what the referee itself takes for a move
        #[arg(long)]
        timing: bool,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Many agents: ratings, cross table, a report to look at
    Tournament {
        #[command(flatten)]
        settings: ContestSettings,
        /// The agents
        #[arg(value_name = "SPEC")]
        agents: Vec<String>,
        /// More agents, one a line
        #[arg(long, value_name = "FILE")]
        agents_file: Option<PathBuf>,
        /// round-robin, gauntlet (the first against the others) or knockout (who loses more than half of a match is out)
        #[arg(long, default_value = "round-robin")]
        format: String,
        /// The number of games between two agents, an even one
        #[arg(long, default_value = "10", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
        games: u64,
        /// Write a page with plots and all games to this file
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Grade an agent, or a folder of agents, by the rules of the Pente assignment
    Grade(GradeSettings),
    /// Answer input.txt with output.txt in the current directory (Pente), or the newest state file (Tessella)
    Agent {
        /// pente or tessella
        game: String,
    },
    /// Measure this machine for agent, and write calibration.txt
    Calibrate {
        /// pente
        game: String,
    },
    /// Rerun a published experiment: aboyne-depths, ladder or first-move
    Experiment(ExperimentSettings),
}

/// How an experiment is run.
#[derive(Args)]
pub(crate) struct ExperimentSettings {
    /// aboyne-depths, ladder or first-move
    pub(crate) name: String,
    /// Games for each line of the result, where its default is not wanted
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) games: Option<u64>,
    /// Only this game, where the experiment is about several
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// The highest level that climbs the ladder [default: 10]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u64).range(2..=quincunx_agents::HIGHEST_LEVEL))]
    pub(crate) highest: Option<u64>,
    /// Where the games of the ladder begin, as in `match`: balanced:6 where the first move decides too much [default: random:4]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<String>,
    /// Keep the games in this directory; the same command goes on with an experiment that was ended
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Games played at the same time; the processors of the machine where not given
    #[arg(long, value_name = "N", value_parser = workers)]
    pub(crate) concurrency: Option<usize>,
    /// The seed of the random numbers
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// Write a page with charts to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// How an agent is graded.
#[derive(Args)]
pub(crate) struct GradeSettings {
    /// pente; the other games are graded alike, against random instead of near
    pub(crate) game: String,
    /// An agent, its directory, or a directory with a directory for each agent of a class
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// Seconds of CPU time each side has for a game
    #[arg(long, value_name = "SECONDS", default_value = "100")]
    pub(crate) time: String,
    /// Games played at the same time; the processors of the machine where not given
    #[arg(long, value_name = "N", value_parser = workers)]
    pub(crate) concurrency: Option<usize>,
    /// The seed of the random numbers; drawn and printed where not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Keep the games and reports in this directory; the same command goes on with a run that was ended
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
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
    /// Where games begin: start, random:K for K random plies, balanced:K for those of them that favour nobody, or a file with one
    /// opening a line
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
