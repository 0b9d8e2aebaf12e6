//! The arguments of the command line.

use std::{path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand,
    error::{ContextKind, ContextValue},
};
use clap_complete::Shell;

mod cluster;
mod contest;
mod learn;
mod serve;

pub(crate) use cluster::{ClusterCommand, Spread, WorkerSettings};
pub(crate) use contest::{
    ContestCommand, ContestSettings, ExperimentSettings, GradeSettings, MatchSettings, ReportSettings, SimilarSettings,
    TournamentSettings,
};
pub(crate) use learn::{Learn, SelfPlay, Spsa, Train};
pub(crate) use serve::{Load, LogFormat, Serve};

/// Play, referee and study two-player abstract board games.
#[derive(Parser)]
#[command(version = quincunx_version::VERSION, arg_required_else_help = false, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

// There is one of it in a run.
#[allow(clippy::large_enum_variant)]
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the web app on this machine; `quincunx` alone does this and opens the browser
    Serve(Serve),
    /// Copy the games of the web app to a new file, also while it runs
    Backup {
        /// The file to write
        file: PathBuf,
        /// The file that the games are kept in [default: one in the data directory of this user]
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
    },
    /// Write the web app as files for any static host: it needs no server, and works without a network
    Site {
        /// The directory to write: a new or empty one, or one with an older site
        dir: PathBuf,
    },
    /// Play many games at once against a server on this machine, and measure how it copes
    Load(Load),
    /// List the games, their rulesets and the agents
    Games {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show a position: board, side to move, legal moves, result
    Show {
        #[command(flatten)]
        setup: Setup,
        /// One JSON document
        #[arg(long)]
        json: bool,
        /// Write a picture of the board to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Show a game from a file of games, in any format that `convert` reads
        #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "ruleset"])]
        record: Option<PathBuf>,
        /// The number of the game: as a contest has numbered it, else counted from 1 [default: the first]
        #[arg(long, value_name = "N", requires = "record")]
        number: Option<u64>,
        /// Show the position after this many turns [default: the last]
        #[arg(long, value_name = "N", requires = "record")]
        ply: Option<usize>,
    },
    /// Convert a file of games or positions into another format
    ///
    /// The format of FROM is recognised by its content, that of TO by its extension. Every game is replayed by the rules: a wrong one is
    /// named with its line and its reason, and nothing is written. `quincunx convert --list` lists the formats.
    Convert(Convert),
    /// Count the leaves of the game tree; prints depth, leaves and seconds of CPU time, a line for each depth
    Perft {
        #[command(flatten)]
        setup: Setup,
        /// How deep to count
        #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
        depth: u32,
        /// Also list the leaves behind each move
        #[arg(long)]
        divide: bool,
        /// Make and unmake the moves of the last ply too instead of counting them
        #[arg(long)]
        made: bool,
        /// Leave out lines that ended before this depth, as programs for chess do (those for Othello count them as leaves)
        #[arg(long, conflicts_with = "made")]
        unfinished: bool,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Play uniformly random games on one thread and count how they end
    Playouts {
        #[command(flatten)]
        setup: Setup,
        /// Seconds of CPU time to play for
        #[arg(long, default_value = "1", value_parser = seconds)]
        seconds: f64,
        /// The seed of the random numbers; if not given, one is drawn and printed
        #[arg(long)]
        seed: Option<u64>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Ask an agent for a move
    Think {
        #[command(flatten)]
        setup: Setup,
        /// The agent
        #[arg(long, value_name = "SPEC", default_value = "engine:level=10")]
        agent: String,
        /// The seed of the random numbers; if not given, one is drawn and printed
        #[arg(long)]
        seed: Option<u64>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show the best moves with scores and lines, searching deeper and deeper; Ctrl-C ends it
    Analyse {
        #[command(flatten)]
        setup: Setup,
        /// The number of moves shown
        #[arg(long, default_value = "3", value_parser = count)]
        lines: usize,
        /// The time to search: 500ms, 10s, 2m
        #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
        movetime: Duration,
        /// Megabytes of transposition table
        #[arg(long, default_value = "64", value_parser = count)]
        hash: usize,
        /// Threads
        #[arg(long, default_value = "1", value_parser = count)]
        threads: usize,
        /// One JSON document, at the end
        #[arg(long)]
        json: bool,
    },
    /// Fit how well shallow searches of a game predict deep ones, for `ProbCut`
    #[command(alias = "foretell")]
    Probcut {
        /// The game
        game: String,
        /// Positions searched, from games of the engine against itself
        #[arg(long, default_value = "1000")]
        positions: u32,
        /// The depth of each search in plies
        #[arg(long, default_value = "14", value_parser = clap::value_parser!(u32).range(3..=30))]
        depth: u32,
        /// The seed of the games
        #[arg(long, default_value = "1")]
        seed: u64,
        /// A file of weights to search with [default: those of the program]
        #[arg(long, value_name = "FILE")]
        weights: Option<String>,
        /// Write the weights together with the table to this file
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Make an opening book by searching the positions that good play reaches
    Book {
        /// The game
        game: String,
        /// The file to write the book to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Positions to search
        #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        positions: u32,
        /// Nodes of each search
        #[arg(long, default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        /// Moves kept for each position
        #[arg(long, default_value = "4", value_parser = clap::value_parser!(u8).range(1..=64))]
        lines: u8,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Fit the weights of a game's evaluation to games of the engine against itself
    Tune {
        /// The game
        game: String,
        /// The ruleset
        #[arg(long)]
        ruleset: Option<String>,
        /// Games of the engine against itself
        #[arg(long, default_value = "1000")]
        games: u32,
        /// Nodes of each search
        #[arg(long, default_value = "2000")]
        nodes: u64,
        /// Random plies before each game
        #[arg(long, default_value = "6")]
        random_plies: u32,
        /// The seed of the random plies
        #[arg(long, default_value = "1")]
        seed: u64,
        /// Write the evaluation with these weights to a file, for `engine:weights=FILE`
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Make puzzles from games of the engine: positions with one clear answer, rated by the levels that find it
    Puzzles {
        /// The game
        game: String,
        /// The ruleset
        #[arg(long)]
        ruleset: Option<String>,
        /// Games to look for them in
        #[arg(long, default_value = "50", value_parser = clap::value_parser!(u32).range(1..))]
        games: u32,
        /// Positions visited before an answer is believed
        #[arg(long, default_value = "200000", value_parser = clap::value_parser!(u64).range(20..))]
        nodes: u64,
        /// The most puzzles of one level that are kept
        #[arg(long, value_name = "N", default_value = "60", value_parser = clap::value_parser!(u32).range(1..))]
        each: u32,
        /// The seed of the games [default: a new one, which is printed]
        #[arg(long)]
        seed: Option<u64>,
        /// Write them to a file instead of standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Play games of the engine against itself and keep their positions, to learn from
    Selfplay(SelfPlay),
    /// Tell what is in a directory that `selfplay` made
    Data {
        /// The directory
        directory: PathBuf,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Speak the Universal Game Interface on standard input and output
    ///
    /// Options: Hash (megabytes), Threads, Level (0: full strength), Game, Ruleset. `go` takes depth, nodes, movetime, p1time, p2time,
    /// p1inc, p2inc and infinite; other words, such as movestogo, are ignored and named in an info string; `go` without any limit
    /// searches for a second. The distance to a mate is counted in plies. When the input ends, a search with limits has 10 seconds to
    /// finish.
    Ugi,
    /// Speak the Go Text Protocol on standard input and output
    Gtp {
        /// The game
        #[arg(default_value = "othello")]
        game: String,
        /// The ruleset; `boardsize` chooses one too
        #[arg(long)]
        ruleset: Option<String>,
        /// The agent that makes the moves
        #[arg(long, value_name = "SPEC", default_value = "engine:level=10")]
        agent: String,
        /// The seed of the random numbers
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Speak the `NBoard` protocol on standard input and output, for Othello
    Nboard {
        /// The longest time for a move, whatever depth the board asks for: 500ms, 10s, 2m
        #[arg(long, value_name = "TIME", value_parser = duration)]
        movetime: Option<Duration>,
        /// Megabytes of transposition table
        #[arg(long, default_value = "64", value_parser = count)]
        hash: usize,
        /// Threads
        #[arg(long, default_value = "1", value_parser = count)]
        threads: usize,
    },
    /// Search fixed positions of all games; prints a node-count signature and the speed
    Bench {
        /// Instead make a thousand moves of 10 ms in every game, and print by how much CPU time they overrun
        #[arg(long)]
        overrun: bool,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    #[command(flatten)]
    Contest(ContestCommand),
    /// Play games for other machines: take jobs from a queue, until Ctrl-C
    Worker(WorkerSettings),
    /// Look after a queue that spreads games over machines
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Solve positions exactly; prints score, best move, nodes, seconds and nodes a second
    Solve {
        #[command(flatten)]
        setup: Setup,
        /// Solve the positions in this file, one a line; a score after a semicolon is checked
        #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
        file: Option<PathBuf>,
        /// Only find the winner: +1, 0 or -1 for the side to move
        #[arg(long)]
        winner: bool,
        /// Threads
        #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
        /// The size of the transposition table in mebibytes
        #[arg(long, value_name = "MIB", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65536))]
        hash: u32,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Train the weights of an evaluation on self-play, and for Othello on files of games
    Train(Train),
    /// Make an evaluation better: self-play, training, a match against the one before, again and again
    Learn(Learn),
    /// Tune numbers of the search by games, several at once, and keep them with the weights
    Spsa(Spsa),
    /// Print a script with which a shell completes commands and options
    ///
    /// bash: `quincunx completions bash > ~/.local/share/bash-completion/completions/quincunx`; zsh: into a file `_quincunx` in a
    /// folder of `$fpath`; fish: `> ~/.config/fish/completions/quincunx.fish`.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of the program, or of one of its commands: `quincunx man play | man -l -`
    Man {
        /// The command
        command: Option<String>,
    },
    /// Play in the terminal; works through a pipe too
    Play {
        #[command(flatten)]
        setup: Setup,
        /// The first player: human or an agent
        #[arg(long, value_name = "SPEC", default_value = "human")]
        first: String,
        /// The second player
        #[arg(long, value_name = "SPEC", default_value = "human")]
        second: String,
        /// Keep the game in this file, in the format of its extension [.jsonl if it has none]
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        /// The seed of the random numbers; if not given, one is drawn and printed
        #[arg(long)]
        seed: Option<u64>,
    },
}

/// The arguments of `convert`.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub(crate) struct Convert {
    /// The file to read
    #[arg(required_unless_present = "list")]
    pub(crate) from: Option<PathBuf>,
    /// The file to write; - for standard output
    #[arg(required_unless_present = "list")]
    pub(crate) to: Option<PathBuf>,
    /// The format of the file to read [default: what its content looks like]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) read: Option<String>,
    /// The format of the file to write [default: that of its extension]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) write: Option<String>,
    /// The game, if the file does not say it
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// The ruleset of that game
    #[arg(long, requires = "game")]
    pub(crate) ruleset: Option<String>,
    /// A row for every position instead of every game, in CSV and Parquet
    #[arg(long)]
    pub(crate) positions: bool,
    /// Leave out games that are wrong, and name them on standard error
    #[arg(long)]
    pub(crate) skip_wrong: bool,
    /// List the formats
    #[arg(long, conflicts_with_all = ["from", "to", "read", "write", "game", "positions", "skip_wrong"])]
    pub(crate) list: bool,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// A game and a position in it.
#[derive(Args)]
pub(crate) struct Setup {
    /// The game, one of those that `quincunx games` lists
    pub(crate) game: String,
    /// The position to begin with, as text [default: the start of the game]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Moves to play from there, separated by spaces, commas or nothing (f5d6c3)
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// The ruleset, which settings may follow: official,first=red,plies=300
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e6 => Ok(value),
        _ => Err("expected a number of seconds above 0 and up to 1000000".into()),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    quincunx_search::limits::parse_duration(text).map_err(|error| error.to_string())
}

fn count(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=65_536).contains(count))
        .ok_or("expected a whole number from 1 to 65536".into())
}

/// The command, option or value that was probably meant.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let name = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.first().cloned(),
        _ => None,
    })?;
    Some(format!("; did you mean {name}?"))
}

/// What was wrong with the command line, in one line of sensible length.
pub(crate) fn in_one_line(error: &clap::Error) -> String {
    const MOST: usize = 300;
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let problem = text.split("\n\n").next().unwrap_or(text);
    let words: Vec<_> = problem.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    let shown: String = line.chars().take(MOST).collect();
    let cut = if shown.len() < line.len() { "…" } else { "" };
    format!("quincunx: {shown}{cut}{} (see --help)", suggestion(error).unwrap_or_default())
}
