//! A real nats-server on a free port of this machine, with a disk of its own that outlives its kills.

#![allow(dead_code)]

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

pub(crate) struct Server {
    child: Option<Child>,
    pub(crate) port: u16,
    pub(crate) folder: PathBuf,
    config: Option<PathBuf>,
    _turn: Turn,
}

/// Whether other tests may have a server at the same time.
enum Turn {
    Shared(#[expect(dead_code, reason = "held")] RwLockReadGuard<'static, ()>),
    Alone(#[expect(dead_code, reason = "held")] RwLockWriteGuard<'static, ()>),
}

static TURNS: RwLock<()> = RwLock::new(());

/// The program, if it is installed.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file())
}

impl Server {
    /// Starts a server; `None` if it is not installed, which is told.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// Starts a server when no other test has one: for promises that are kept within parts of a second.
    pub(crate) fn start_alone() -> Option<Self> {
        Self::begin(None, Turn::Alone(TURNS.write().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Starts a server with lines of configuration.
    pub(crate) fn start_with(config: Option<&str>) -> Option<Self> {
        Self::begin(config, Turn::Shared(TURNS.read().unwrap_or_else(PoisonError::into_inner)))
    }

    fn begin(config: Option<&str>, turn: Turn) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if program().is_none() {
            eprintln!("SKIPPED: nats-server is not installed");
            return None;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("quincunx-nats-{}-{number}", std::process::id()));
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = config.map(|text| {
            let path = folder.join("server.conf");
            fs::write(&path, text).unwrap();
            path
        });
        let mut server = Self { child: None, port, folder, config, _turn: turn };
        server.restart();
        Some(server)
    }

    pub(crate) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server as a power cut would; its disk stays.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Starts it again on the same port and disk.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let mut command = Command::new(program().unwrap());
        command.args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string()]).current_dir(&self.folder);
        match &self.config {
            Some(config) => command.arg("-c").arg(config),
            None => command.args(["-sd", "store"]),
        };
        let log = fs::File::create(self.folder.join("log")).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.child = Some(command.spawn().unwrap());
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(10), "{}", self.log());
            sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        _ = fs::remove_dir_all(&self.folder);
    }
}

/// The games in a directory as they must be the same everywhere: sorted, without times and names of machines.
pub(crate) fn games(directory: &Path) -> Vec<quincunx_arena::GameRecord> {
    let mut games = quincunx_arena::load_games(&directory.join("games.jsonl")).unwrap();
    games.sort_by_key(|game| game.number);
    games.iter().map(quincunx_arena::GameRecord::without_times).collect()
}
