//! What may stand on the command line.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use clap::{Args, Parser, Subcommand};

mod contest;

pub(crate) use contest::{ContestCommand, ContestSettings, ExperimentSettings, GradeSettings};

/// Play, referee and study two-player abstract board games.
#[derive(Parser)]
#[command(version = quincunx_version::VERSION, about, arg_required_else_help = false, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the web app on this machine; what a plain `quincunx` does, which also opens the browser
    Serve(Serve),
    /// Play many games at once against a server on this machine, and measure how it bears them
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
        /// Show a game of a games.jsonl or games.txt that a match has kept
        #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "ruleset"])]
        record: Option<PathBuf>,
        /// Which game of that file, by its number; the first where not given
        #[arg(long, value_name = "N", requires = "record")]
        number: Option<u64>,
        /// The position after this many turns of it; the last one where not given
        #[arg(long, value_name = "N", requires = "record")]
        ply: Option<usize>,
    },
    /// Count the leaves of the game tree, a line a depth: depth nodes seconds (CPU time)
    Perft {
        #[command(flatten)]
        setup: Setup,
        /// How deep to count
        #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
        depth: u32,
        /// Also list the leaves behind each move
        #[arg(long)]
        divide: bool,
        /// Make and unmake the last turn too instead of counting it
        #[arg(long)]
        made: bool,
    },
    /// Play uniformly random games on one thread and count how they end
    Playouts {
        #[command(flatten)]
        setup: Setup,
        /// For how many seconds of CPU time
        #[arg(long, default_value = "1", value_parser = seconds)]
        seconds: f64,
        /// The seed of the random numbers; drawn and printed where not given
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
        /// Who is asked
        #[arg(long, value_name = "SPEC", default_value = "engine:level=10")]
        agent: String,
        /// The seed of the random numbers; drawn and printed where not given
        #[arg(long)]
        seed: Option<u64>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show the best moves with scores and expected lines, deepening; Ctrl-C ends it
    Analyse {
        #[command(flatten)]
        setup: Setup,
        /// How many moves
        #[arg(long, default_value = "3", value_parser = count)]
        lines: usize,
        /// For how long: 500ms, 10s, 2m
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
    /// Fit how well shallow searches of a game foretell deep ones, for cuts on what is probable
    Foretell {
        /// The game
        game: String,
        /// Positions searched, of games of the engine against itself
        #[arg(long, default_value = "1000")]
        positions: u32,
        /// Plies of each search
        #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(3..=30))]
        depth: u32,
        /// The seed of the games
        #[arg(long, default_value = "1")]
        seed: u64,
    },
    /// Make an opening book by searching the positions that good play leads to
    Book {
        /// The game
        game: String,
        /// The file the book is written to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Positions whose best moves are looked for
        #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        positions: u32,
        /// Positions that each of these searches visits
        #[arg(long, default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        /// Moves kept of each
        #[arg(long, default_value = "4", value_parser = clap::value_parser!(u8).range(1..=64))]
        lines: u8,
    },
    /// Fit the weights of a game's evaluation to games of the engine against itself
    Tune {
        /// The game
        game: String,
        /// The ruleset or variant
        #[arg(long)]
        ruleset: Option<String>,
        /// Games of self-play
        #[arg(long, default_value = "1000")]
        games: u32,
        /// Nodes a move
        #[arg(long, default_value = "2000")]
        nodes: u64,
        /// Random plies before each game
        #[arg(long, default_value = "6")]
        random_plies: u32,
        /// The seed of the random plies
        #[arg(long, default_value = "1")]
        seed: u64,
    },
    /// Speak the Universal Game Interface on standard input and output
    ///
    /// Options: Hash (megabytes), Threads, Level (0: full strength), Game, Ruleset. `go` takes depth, nodes, movetime, p1time, p2time,
    /// p1inc, p2inc and infinite; other words, such as movestogo, are ignored and named in an info string, and where no limit is left
    /// it thinks for a second. A mate is counted in plies. When the input ends, a search with limits has 10 seconds to finish.
    Ugi,
    /// Speak the Go Text Protocol on standard input and output, for Othello or another game
    Gtp {
        /// The game
        #[arg(default_value = "othello")]
        game: String,
        /// The ruleset or variant; `boardsize` chooses one too
        #[arg(long)]
        ruleset: Option<String>,
        /// Who makes the moves
        #[arg(long, value_name = "SPEC", default_value = "engine:level=10")]
        agent: String,
        /// The seed of the random numbers
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Speak the `NBoard` protocol on standard input and output, for Othello
    Nboard {
        /// The most a move may take, whatever depth the board asks for: 500ms, 10s, 2m
        #[arg(long, value_name = "TIME", value_parser = duration)]
        movetime: Option<Duration>,
        /// Megabytes of transposition table
        #[arg(long, default_value = "64", value_parser = count)]
        hash: usize,
        /// Threads
        #[arg(long, default_value = "1", value_parser = count)]
        threads: usize,
    },
    /// Search fixed positions of all games: a signature of the search, and its speed
    Bench {
        /// Make a thousand moves at 10 ms each in every game instead: by how much CPU time they overrun that
        #[arg(long)]
        overrun: bool,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    #[command(flatten)]
    Contest(ContestCommand),
    /// Solve positions exactly: score with perfect play, best move, nodes, seconds, nodes a second
    Solve {
        #[command(flatten)]
        setup: Setup,
        /// Solve all positions of this file, a line each; scores behind a semicolon are checked
        #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
        file: Option<PathBuf>,
        /// Only find out who wins: +1, 0 or -1 for the side to move
        #[arg(long)]
        winner: bool,
        /// How many threads search
        #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
        /// The size of the transposition table in mebibytes
        #[arg(long, value_name = "MIB", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65536))]
        hash: u32,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Make the weights of an evaluation anew: from games the engine plays with itself, and from files of games
    Train {
        /// The game: othello
        game: String,
        /// The file the weights are written to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// A file of games in the WTHOR format; may be given more than once
        #[arg(long, value_name = "FILE", num_args = 1..)]
        wthor: Vec<PathBuf>,
        /// How many games the engine plays with itself
        #[arg(long, default_value = "100000", value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
        games: u32,
        /// Passes over the positions
        #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(1..=1000))]
        epochs: u32,
        /// The seed of the random numbers
        #[arg(long, default_value = "1")]
        seed: u64,
    },
    /// Play in the terminal; works through a pipe too
    Play {
        #[command(flatten)]
        setup: Setup,
        /// Who plays the first side: human or an agent
        #[arg(long, value_name = "SPEC", default_value = "human")]
        first: String,
        /// Who plays the second side
        #[arg(long, value_name = "SPEC", default_value = "human")]
        second: String,
        /// The seed of the random numbers; drawn and printed where not given
        #[arg(long)]
        seed: Option<u64>,
    },
}

/// How a server is loaded.
#[derive(Args)]
pub(crate) struct Load {
    /// Games at once, two players each
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..=20_000))]
    pub(crate) games: u16,
    /// For how long
    #[arg(long, default_value = "30s", value_parser = duration)]
    pub(crate) time: Duration,
    /// How long a player thinks on a move, on average
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub(crate) think: Duration,
    /// A server that runs on this machine; one of its own is started where not given
    #[arg(long, value_name = "ADDRESS", value_parser = crate::commands::load::server_address)]
    pub(crate) server: Option<SocketAddr>,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the web app is served.
#[derive(Args)]
pub(crate) struct Serve {
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 8421)]
    pub(crate) port: u16,
    /// The address to listen on; one beyond this machine needs --public
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Let other machines in: stricter bounds on what each may do, and no list of all games
    #[arg(long)]
    pub(crate) public: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The file the games are kept in; one of this user where not given
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// A folder with the results of contests (what --out and --report write), to be looked at in the browser
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// Threads for the moves of engines, and as many for analyses; all cores where not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) engines: Option<u16>,
}

/// A game and where it stands.
#[derive(Args)]
pub(crate) struct Setup {
    /// othello, pente, shobu, aboyne or tessella
    pub(crate) game: String,
    /// The position to begin with, as text; the start where not given
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Moves to play from there, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// The ruleset or variant, with settings behind it if wanted: official,first=red,plies=300
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
    format!("quincunx: {shown}{cut} (see --help)")
}
