//! What may be typed behind `serve` and `load`.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use clap::{Args, ValueEnum};
use quincunx_server::Network;

use super::{cluster::QueueLogin, duration};

/// The arguments of `load`.
#[derive(Args)]
pub(crate) struct Load {
    /// Games at once, two players each
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..=20_000))]
    pub(crate) games: u16,
    /// The time to play for
    #[arg(long, default_value = "30s", value_parser = duration)]
    pub(crate) time: Duration,
    /// Beside honest players: floods, slow readers, kills and restarts; fails if a promise is broken
    #[arg(long, conflicts_with_all = ["server", "together"])]
    pub(crate) chaos: bool,
    /// Both players of a game share a connection
    #[arg(long)]
    pub(crate) together: bool,
    /// The token that a server under --load-test printed
    #[arg(long, value_name = "TOKEN", requires = "server")]
    pub(crate) token: Option<String>,
    /// The average time a player thinks about a move
    #[arg(long, default_value = "1s", value_parser = duration)]
    pub(crate) think: Duration,
    /// A server that runs on this machine; if not given, one is started
    #[arg(long, value_name = "ADDRESS", value_parser = crate::commands::load::server_address)]
    pub(crate) server: Option<SocketAddr>,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the lines of the log look.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// A line of text
    Text,
    /// A JSON object
    Json,
}

/// The arguments of `serve`.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Args)]
pub(crate) struct Serve {
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 8421)]
    pub(crate) port: u16,
    /// The address to listen on; one beyond this machine needs --public
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Let other machines in, with stricter limits for each and without the list of all games
    #[arg(long)]
    pub(crate) public: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The file to keep the games in [default: one in the data directory of this user]
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// A folder with results of contests (written by --out and --report) to show in the browser
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// Threads for the moves of engines, and as many for analyses [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) engines: Option<u16>,
    /// Let the workers of this queue think, machines that run `quincunx worker`; what they leave undone is done here
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) queue: Option<String>,
    #[command(flatten)]
    pub(crate) login: QueueLogin,
    /// Let people offer games to anybody on this server
    #[arg(long)]
    pub(crate) lobby: bool,
    /// The name of the server, shown to those who enter
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) name: String,
    /// A file whose first line everybody must know to be let in
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// A proxy in front of the server, or a network of them: its word about the address of a client is believed
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', requires = "public")]
    pub(crate) behind: Vec<Network>,
    /// The certificate of this server (PEM), to speak TLS without a proxy; read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Keep at most this many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) keep_games: Option<u32>,
    /// Remove games that nobody has touched for this many days
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) keep_for: Option<u32>,
    /// Print a token with which `quincunx load` on this machine is not bounded
    #[arg(long)]
    pub(crate) load_test: bool,
    /// Log every request, as text or as JSON
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}

impl Serve {
    /// The arguments of `quincunx` without any.
    pub(crate) fn and_open() -> Self {
        Self {
            port: 8421,
            address: [127, 0, 0, 1].into(),
            public: false,
            open: true,
            data: None,
            results: None,
            engines: None,
            queue: None,
            login: QueueLogin::default(),
            lobby: false,
            name: String::new(),
            password_file: None,
            behind: Vec::new(),
            tls_cert: None,
            tls_key: None,
            keep_games: None,
            keep_for: None,
            load_test: false,
            log: None,
        }
    }
}
