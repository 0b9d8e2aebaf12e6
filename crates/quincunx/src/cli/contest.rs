//! The arguments of `match`, `tournament` and the other contests.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Spread;

/// The commands of the arena.
#[derive(Subcommand)]
pub(crate) enum ContestCommand {
    /// Play two agents against each other, in pairs of games with colours swapped: result, Elo, likelihood of superiority
    Match(MatchSettings),
    /// Play many agents against each other: ratings, cross table, a report
    Tournament(TournamentSettings),
    /// Grade an agent, or a folder of agents, by the grading run of an assignment
    Grade(GradeSettings),
    /// Act as a file agent: answer the input file in the current directory with an output file
    Agent {
        /// The game, one that has a format for file agents
        game: String,
        /// The step to be decided, if the game's files are numbered by steps [default: the newest]
        step: Option<u64>,
    },
    /// Measure the speed of this machine for `agent`, and write calibration.txt
    Calibrate {
        /// The game, one whose file agents have a calibration
        game: String,
    },
    /// Tell again what came out of a match, tournament or experiment, from its directory alone
    Report(ReportSettings),
    /// Compare the sources of a class: pairs that share code, with the places side by side
    Similar(SimilarSettings),
    /// Rerun a published experiment: aboyne-depths, ladder or first-move
    Experiment(ExperimentSettings),
}

/// How a match is played and shown.
#[derive(Args)]
pub(crate) struct MatchSettings {
    #[command(flatten)]
    pub(crate) contest: ContestSettings,
    /// The first agent
    #[arg(value_name = "A")]
    pub(crate) a: String,
    /// The second agent
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// The number of games; with --sprt, the most that are played
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) games: u64,
    /// Stop as soon as a sequential test decides between these two Elo differences
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<String>,
    /// Also print games a second, and the time that the referee itself takes for a move
    #[arg(long)]
    pub(crate) timing: bool,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a tournament is played and shown.
#[derive(Args)]
pub(crate) struct TournamentSettings {
    #[command(flatten)]
    pub(crate) contest: ContestSettings,
    /// The agents
    #[arg(value_name = "SPEC")]
    pub(crate) agents: Vec<String>,
    /// A file with more agents, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) agents_file: Option<PathBuf>,
    /// A directory of submissions, as in `grade`: all that can be built take part, under their names
    #[arg(long, value_name = "DIR")]
    pub(crate) class: Option<PathBuf>,
    /// Call the agents by numbers; who is who goes to names.csv in the directory of --out, or to standard error
    #[arg(long)]
    pub(crate) anonymous: bool,
    /// round-robin, gauntlet (the first against the others) or knockout (the loser of more than half of a match is out)
    #[arg(long, default_value = "round-robin")]
    pub(crate) format: String,
    /// The number of games between two agents; even
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) games: u64,
    /// Write a page with plots and all games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `experiment`.
#[derive(Args)]
pub(crate) struct ExperimentSettings {
    /// aboyne-depths, ladder or first-move
    pub(crate) name: String,
    /// Games for each line of the result [default: the experiment's own]
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) games: Option<u64>,
    /// Only this game, if the experiment covers several
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// The highest level of the ladder [default: 10]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u64).range(2..=quincunx_agents::HIGHEST_LEVEL))]
    pub(crate) highest: Option<u64>,
    /// The openings of the ladder, as in `match`; balanced:6 for a game in which the first move decides too much [default: random:4]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<String>,
    /// Keep the games in this directory; the same command resumes an experiment that was interrupted
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Games played at the same time [default: the number of processors]
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
    #[command(flatten)]
    pub(crate) spread: Spread,
}

/// The arguments of `report`.
#[derive(Args)]
pub(crate) struct ReportSettings {
    /// The directory that `match`, `tournament` or `experiment` kept its games in, by --out
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Write the page with its plots and games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `similar`.
#[derive(Args)]
pub(crate) struct SimilarSettings {
    /// A directory of submissions: folders, zip or tar files
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// The least share of the smaller submission, in percent, from which a pair is told
    #[arg(long, value_name = "PERCENT", default_value = "30", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) threshold: u8,
    /// A directory with code that was given to everybody and does not count
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Option<PathBuf>,
    /// Write a page with the places side by side to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `grade`.
#[derive(Args)]
pub(crate) struct GradeSettings {
    /// The game; one without an assignment is graded in the same way, against random
    pub(crate) game: String,
    /// An agent, its directory, zip or tar file, or a directory with one of these for each agent of a class
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// Seconds of CPU time for each side in a game; 5..300 draws another time for each game
    #[arg(long, value_name = "SECONDS", default_value = "100")]
    pub(crate) time: String,
    /// The openings, as in `match`: start, random:K, balanced:K or a file; each game has its own
    #[arg(long, value_name = "OPENINGS", default_value = "start")]
    pub(crate) openings: String,
    /// Take an answer that is not in the exact form (CR LF, blanks behind it, no newline) for a fault
    #[arg(long)]
    pub(crate) strict: bool,
    /// Of a class, grade only the agent of this name, again if it was graded before; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Of one agent, play only the game of this number, as it was played in the whole run of the same seed
    #[arg(long = "game", id = "number", value_name = "N", conflicts_with = "only")]
    pub(crate) number: Option<u64>,
    /// Games played at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = workers)]
    pub(crate) concurrency: Option<usize>,
    /// The seed of the random numbers; if not given, one is drawn and printed
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Run programs from outside even if this system cannot confine them
    #[arg(long)]
    pub(crate) trust_programs: bool,
    /// Keep the games and reports in this directory; the same command resumes a run that was interrupted
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) spread: Spread,
}

/// The arguments that `match` and `tournament` share.
#[derive(Args)]
pub(crate) struct ContestSettings {
    /// The game, one of those that `quincunx games` lists
    pub(crate) game: String,
    /// The ruleset, which settings may follow: official,first=red,plies=300
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// The limits of the agents, separated by commas: movetime=100ms, nodes=50000, depth=6, clock=60s+0.5s (wall time), cpu=60s (CPU
    /// time of a game); margin=250ms is how far a wall clock may be overrun
    #[arg(long, value_name = "LIMIT", default_value = "")]
    pub(crate) limit: String,
    /// The openings: start, random:K (K random plies), balanced:K (K random plies that favour neither side), or a file with one
    /// opening a line
    #[arg(long, value_name = "OPENINGS", default_value = "start")]
    pub(crate) openings: String,
    /// Games played at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = workers)]
    pub(crate) concurrency: Option<usize>,
    /// Keep each thread on one processor
    #[arg(long)]
    pub(crate) pin: bool,
    /// Give a drawn game to the side that used less time
    #[arg(long)]
    pub(crate) draws_to_faster: bool,
    /// The seed of the random numbers; if not given, one is drawn and printed
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Run programs from outside even if this system cannot confine them
    #[arg(long)]
    pub(crate) trust_programs: bool,
    /// Keep the games in this directory; the same command resumes a run that was interrupted
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) spread: Spread,
}

fn workers(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1024).contains(count))
        .ok_or_else(|| "expected a number from 1 to 1024".into())
}
