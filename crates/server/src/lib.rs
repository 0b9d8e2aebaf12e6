//! The web app: games kept in `SQLite`, an HTTP and WebSocket API, engines in a bounded pool, the embedded front end.

mod analysis;
mod assets;
mod boards;
mod connections;
mod contests;
mod description;
mod document;
mod engines;
mod guard;
mod hub;
mod incoming;
mod lanes;
mod library;
mod lobby;
mod monitor;
mod outgoing;
mod password;
mod play;
mod proxy;
mod rates;
mod refusal;
mod room;
mod routes;
mod secret;
mod site;
mod social;
mod socket;
mod store;
mod tls;

use std::{
    fs::File,
    future::Future,
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use quincunx_agents::elsewhere::Elsewhere;
use tokio::{net::TcpListener, sync::watch};

pub use proxy::Network;
pub use rates::Rate;
pub use site::{SiteError, write_site};
pub use store::Unusable;
pub use tls::Tls;

/// How often to look for empty rooms and clocks that have run out.
const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// How often memory is given back, if fewer sockets are open than were meanwhile.
const GIVE_BACK_EVERY: Duration = Duration::from_secs(60);

/// How a server is run, and the bounds of what it does.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Whether it may be reached from other machines.
    pub public: bool,
    /// A name to show; empty if it has none.
    pub name: String,
    /// What everybody must know to be let in, if anything.
    pub password: Option<String>,
    /// Whether people can offer games to anybody.
    pub lobby: bool,
    /// The proxies in front of it, whose word about a client's address is believed.
    pub behind: Vec<Network>,
    /// Its certificate, if it speaks TLS itself.
    pub tls: Option<Tls>,
    /// The file of the games.
    pub data: PathBuf,
    /// The folder of contests to show; none are shown if it is missing.
    pub results: Option<PathBuf>,
    /// Threads that think about moves, and as many for analyses.
    pub engine_threads: usize,
    /// Games kept. What is abandoned and empty goes first; an ended game goes only for a new one of the same address.
    pub most_games: usize,
    /// How long a game is kept that nobody touches; without end if missing.
    pub keep_for: Option<Duration>,
    /// Games in memory at once.
    pub most_rooms: usize,
    /// Connections at once.
    pub most_connections: usize,
    /// Connections at once from one address; the addresses of one IPv6 network (/64) count as one.
    pub most_connections_an_address: usize,
    /// How long a client may keep the server waiting.
    pub deadlines: Deadlines,
    /// New games from one address.
    pub creations: Rate,
    /// The token by which a load test on this machine says that it is one, and is not bounded.
    pub load_token: Option<String>,
    /// Requests from one address.
    pub requests: Rate,
    /// Guesses of a password or a code from one address.
    pub guesses: Rate,
}

/// How long a client may keep the server waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    /// For the head of a request, and between two requests.
    pub head: Duration,
    /// For the body of a request.
    pub body: Duration,
    /// For taking anything of what is sent to it.
    pub write: Duration,
    /// Until a WebSocket asks for a game or an analysis.
    pub join: Duration,
    /// Between two pings of a WebSocket; each must be answered before the next.
    pub ping: Duration,
    /// For another user of the file of games that holds it.
    pub disk: Duration,
    /// For everything under way when the server ends.
    pub drain: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(15),
            body: Duration::from_secs(15),
            write: Duration::from_secs(15),
            join: Duration::from_secs(60),
            ping: Duration::from_secs(30),
            disk: Duration::from_secs(5),
            drain: Duration::from_secs(8),
        }
    }
}

impl Settings {
    /// Bounds for people at this machine.
    pub fn local(data: PathBuf) -> Self {
        Self {
            public: false,
            name: String::new(),
            password: None,
            lobby: false,
            behind: Vec::new(),
            tls: None,
            data,
            results: None,
            engine_threads: std::thread::available_parallelism().map_or(2, usize::from),
            most_games: 100_000,
            keep_for: None,
            most_rooms: 30_000,
            most_connections: 10_000,
            most_connections_an_address: usize::MAX,
            deadlines: Deadlines::default(),
            creations: Rate { burst: 2_000.0, per_second: 100.0 },
            requests: Rate { burst: 10_000.0, per_second: 5_000.0 },
            load_token: None,
            guesses: Rate { burst: 10.0, per_second: 0.1 },
        }
    }

    /// Bounds for people elsewhere: one address may do little.
    pub fn public(data: PathBuf) -> Self {
        Self {
            public: true,
            most_connections_an_address: 50,
            creations: Rate { burst: 20.0, per_second: 0.2 },
            requests: Rate { burst: 300.0, per_second: 20.0 },
            ..Self::local(data)
        }
    }
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The file of the games cannot be used.
    #[error("cannot use the games in {path}: {why}")]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Unusable,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// The certificate cannot be used.
    #[error("cannot use the certificate: {0}")]
    Tls(String),
    /// The address can be reached from other machines, which was not asked for.
    #[error("{0} can be reached from other machines; say --public if that is meant")]
    NotPublic(SocketAddr),
}

/// A server that listens but does not serve yet.
pub struct Server {
    listener: TcpListener,
    settings: Settings,
    store: store::Store,
    certificate: Option<Arc<tls::Certificate>>,
    elsewhere: Option<Arc<dyn Elsewhere>>,
    /// Keeps other servers away from the games.
    reserved: File,
}

impl Server {
    /// Opens the games and the address.
    pub async fn bind(address: SocketAddr, settings: Settings) -> Result<Self, ServeError> {
        if !settings.public && !address.ip().is_loopback() {
            return Err(ServeError::NotPublic(address));
        }
        let certificate = settings.tls.clone().map(tls::Certificate::read).transpose().map_err(ServeError::Tls)?;
        let unusable = |why| ServeError::Data { path: settings.data.clone(), why };
        let reserved = store::reserve(&settings.data).map_err(unusable)?;
        let (most, longest, patience) = (settings.most_games, settings.keep_for, settings.deadlines.disk);
        let keeping = store::Keeping { most, longest, patience };
        let store = store::Store::open(&settings.data, keeping).map_err(unusable)?;
        let listener = TcpListener::bind(address).await.map_err(|why| ServeError::Listen { address, why })?;
        Ok(Self { listener, settings, store, certificate: certificate.map(Arc::new), elsewhere: None, reserved })
    }

    /// Lets engines on other machines think; those of this one do what they leave undone.
    #[must_use]
    pub fn helped_by(self, elsewhere: Arc<dyn Elsewhere>) -> Self {
        Self { elsewhere: Some(elsewhere), ..self }
    }

    /// The address listened on, with the port that the system chose if port 0 was asked for.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `until` is done, and then for as long as connections need to end, within their deadline.
    pub async fn serve(self, until: impl Future<Output = ()>) {
        let (end, ending) = watch::channel(false);
        let hub = hub::Hub::new(self.settings, self.store, self.elsewhere, ending.clone());
        let sweeper = tokio::spawn({
            let (hub, certificate) = (Arc::clone(&hub), self.certificate.clone());
            async move {
                let (mut most, mut gave_back) = (0, Instant::now());
                loop {
                    tokio::time::sleep(SWEEP_EVERY).await;
                    hub.sweep().await;
                    let sockets = hub.counts.sockets.load(Ordering::Relaxed);
                    most = most.max(sockets);
                    if sockets < most && gave_back.elapsed() > GIVE_BACK_EVERY {
                        (most, gave_back) = (sockets, Instant::now());
                        // The allocator keeps what a flood of connections took, otherwise.
                        tokio::task::spawn_blocking(quincunx_machine::give_back_memory);
                    }
                    if let Some(certificate) = &certificate {
                        certificate.renew();
                    }
                }
            }
        });
        let (settings, store) = (hub.settings.clone(), hub.store.clone());
        let serving = connections::serve(self.listener, routes::router(hub), &settings, self.certificate, ending);
        let ended = async {
            until.await;
            // Tells every connection, without waiting for those that no longer listen.
            _ = end.send(true);
        };
        tokio::join!(serving, ended);
        sweeper.abort();
        // If that fails, clocks go on from when the server was last seen running.
        _ = store.write(store::Write::Alive).await;
        drop(self.reserved);
    }
}

/// A token that nobody can guess.
pub fn new_token() -> String {
    secret::new_token()
}

/// Copies the games in `data` to a new file, also while a server uses them.
pub fn back_up(data: &Path, to: &Path) -> Result<(), ServeError> {
    store::back_up(data, to).map_err(|why| ServeError::Data { path: data.into(), why })
}

/// Milliseconds since 1970.
fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}
