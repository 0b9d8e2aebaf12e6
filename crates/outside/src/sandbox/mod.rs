//! The sandbox: a warden over programs, which confines and watches them and ends them whole. Here the referee's side.

mod channel;
mod confine;
mod control_group;
mod failure;
mod folder;
mod init;
mod messages;
mod process_tree;
mod warden;

use std::{
    collections::BTreeSet,
    io,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
    thread::sleep,
    time::{Duration, Instant},
};

use channel::Channel;
use messages::{Confined, Order, Reply, Word};
use quincunx_agents::{Failure, Fault};

use crate::settings::Settings;

pub(crate) use folder::{Folder, Unreadable};
pub(crate) use messages::{Ending, How, Watch};
pub use warden::warden_main;

static WARDEN: OnceLock<PathBuf> = OnceLock::new();
static CONFINED: Mutex<Option<Confined>> = Mutex::new(None);

/// The directories that no program may read, beside all working directories but its own.
static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A warden that does not report this long after it should have is itself given up.
const LATEST: Duration = Duration::from_secs(10);

/// What is said of a program whose warden does not answer.
const GONE: &str = "its warden is gone";

/// Tells which program, called with the one argument `warden`, runs [`warden_main`]. Without it programs from
/// outside cannot be started.
pub fn set_warden(program: PathBuf) {
    // Only the first call counts: every caller names the same program.
    _ = WARDEN.set(program);
}

/// What did not confine the programs that were run so far, in one line; `None` if everything did or nothing ran.
pub fn confinement() -> Option<String> {
    let confined = (*CONFINED.lock().ok()?)?;
    let mut missing = Vec::new();
    if !confined.files {
        missing.push("they could read and write files outside their directories (no Landlock)");
    }
    if !confined.processes {
        missing.push("they could see other processes (no process namespace)");
    }
    (!missing.is_empty()).then(|| format!("programs from outside were not fully confined here: {}", missing.join("; ")))
}

/// Keeps a directory from being read by any program that is started from now on.
pub(crate) fn hide(directory: &Path) {
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.to_path_buf());
}

/// A warden and its programs.
pub(crate) struct Sandbox {
    child: Child,
    channel: Channel,
}

impl Sandbox {
    /// Starts a warden for programs that run in a folder, within the bounds of their settings; `pipes` says whether
    /// they have a standard input and output.
    pub(crate) fn start(folder: &Folder, settings: &Settings, pipes: bool) -> Result<Self, Failure> {
        let program = WARDEN.get().ok_or_else(|| crash("this program cannot start others"))?;
        let pipe = || if pipes { Stdio::piped() } else { Stdio::null() };
        let mut hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
        hidden.insert(Folder::root());
        let &Settings { memory, tasks, disk, .. } = settings;
        let order = Order { directory: folder.path().to_path_buf(), hidden, memory, tasks, disk };
        let attempt = || -> io::Result<Self> {
            let (ours, theirs) = UnixStream::pair()?;
            let child = Command::new(program)
                .arg("warden")
                .stdin(pipe())
                .stdout(pipe())
                .stderr(Stdio::from(OwnedFd::from(theirs)))
                .process_group(0)
                .spawn()?;
            let mut sandbox = Self { child, channel: Channel::new(ours) };
            sandbox.channel.send(&order)?;
            match sandbox.next(LATEST) {
                Some(Reply::Ready) => Ok(sandbox),
                _ => Err(io::Error::other("it does not get ready")),
            }
        };
        attempt().map_err(|error| crash(format!("its warden cannot be started: {error}")))
    }

    /// The pipe ends of the program, once.
    pub(crate) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?))
    }

    /// Starts a program, and watches it from the beginning if it is said what to watch.
    pub(crate) fn run(&mut self, command: Vec<String>, watch: Option<Watch>) -> Result<(), Failure> {
        self.say(&Word::Run { command, watch })
    }

    /// Watches the program from now on.
    pub(crate) fn watch(&mut self, watch: Watch) -> Result<(), Failure> {
        self.say(&Word::Watch(watch))
    }

    /// Ends the watch; the CPU time used during it.
    pub(crate) fn rest(&mut self) -> Result<Duration, Failure> {
        self.say(&Word::Rest)?;
        match self.next(LATEST) {
            Some(Reply::Used(time)) => Ok(time),
            Some(Reply::Ended(ending)) => Err(ending.failure()),
            Some(Reply::Ready) | None => Err(crash(GONE)),
        }
    }

    /// The end of the program, if that comes within this time.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<Ending> {
        match self.next(within)? {
            Reply::Ended(ending) => Some(ending),
            Reply::Used(_) | Reply::Ready => None,
        }
    }

    /// Why the program is gone, now that it is.
    pub(crate) fn reason(&mut self) -> Failure {
        self.ended(LATEST).map_or_else(|| crash(GONE), |ending| ending.failure())
    }

    fn say(&mut self, word: &Word) -> Result<(), Failure> {
        self.channel.send(word).map_err(|_| self.reason())
    }

    fn next(&mut self, within: Duration) -> Option<Reply> {
        let reply = self.channel.wait_within(within)?;
        if let Reply::Ended(ending) = &reply {
            let mut confined = CONFINED.lock().unwrap_or_else(PoisonError::into_inner);
            let before = confined.unwrap_or(Confined { files: true, processes: true });
            *confined = Some(Confined {
                files: before.files && ending.confined.files,
                processes: before.processes && ending.confined.processes,
            });
        }
        Some(reply)
    }
}

impl Drop for Sandbox {
    /// Ends a warden that does not go when it is told to.
    fn drop(&mut self) {
        _ = self.channel.send(&Word::Done);
        self.channel.close();
        let deadline = Instant::now() + LATEST;
        let mut pause = Duration::from_micros(50);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn crash(message: impl Into<String>) -> Failure {
    Failure::of(Fault::Crash, message)
}
