//! The sandbox: a warden over programs, which confines and watches them and ends them whole. Here the referee's side.

mod channel;
mod control_group;
mod failure;
mod folder;
mod init;
mod interpreters;
mod kept_output;
mod messages;
mod plain_folder;
mod privileges;
mod process_tree;
mod root;
mod system_calls;
mod warden;

use std::{
    io, iter,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use channel::Channel;
use interpreters::{every, interpreters, own_packages};
use messages::{Order, Ready, Reply, Word};
use quincunx_agents::{Failure, Fault};

use crate::settings::Settings;

pub(crate) use folder::{Folder, MOST_FILES, Unreadable};
pub(crate) use interpreters::{in_system, locate};
pub(crate) use messages::{Ending, How, Watch};
pub use warden::warden_main;

static WARDEN: OnceLock<PathBuf> = OnceLock::new();
static TRUSTED: AtomicBool = AtomicBool::new(false);

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

/// Lets programs from outside run from now on even if a wall is missing: whoever calls this trusts them.
pub fn trust_programs() {
    TRUSTED.store(true, Ordering::Relaxed);
}

/// The walls around programs from outside that cannot be had on this system, in one line; `None` if all can.
pub fn missing_walls() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    let find_out = || match Sandbox::begin(&Settings::default(), false, &Needs::default()) {
        Ok((_, missing)) if missing.is_empty() => None,
        Ok((_, missing)) => Some(missing.join("; ")),
        Err(failure) => Some(failure.to_string()),
    };
    MISSING.get_or_init(find_out).as_deref()
}

/// The walls that are missing, unless programs are trusted.
pub(crate) fn refusal() -> Option<String> {
    let missing = missing_walls().filter(|_| !TRUSTED.load(Ordering::Relaxed))?;
    Some(format!("programs from outside cannot be confined on this system, which lacks {missing}"))
}

/// What a program needs beside its directory and the interpreters of the system.
#[derive(Default)]
pub(crate) struct Needs {
    /// The files and directories that its command names.
    pub(crate) readable: Vec<PathBuf>,
    /// Where it starts, if not in its directory.
    pub(crate) start_in: Option<PathBuf>,
}

/// A warden and its programs.
pub(crate) struct Sandbox {
    child: Child,
    channel: Channel,
    /// The directory of the programs.
    pub(crate) folder: Folder,
}

impl Sandbox {
    /// Starts a warden for programs within the bounds of their settings, in a new directory; `pipes` says whether they
    /// have a standard input and output.
    pub(crate) fn start(settings: &Settings, pipes: bool, needs: &Needs) -> Result<Self, Failure> {
        if let Some(why) = refusal() {
            return Err(crash(why));
        }
        let (sandbox, missing) = Self::begin(settings, pipes, needs)?;
        // A wall that stood before may be refused later, when the system has too many; no program runs without it.
        let known = missing_walls().unwrap_or_default();
        match missing.iter().find(|wall| !known.contains(wall.as_str())) {
            Some(wall) => Err(crash(format!("its sandbox lacks {wall}"))),
            None => Ok(sandbox),
        }
    }

    /// Starts a warden; the walls that are missing come with it.
    fn begin(settings: &Settings, pipes: bool, needs: &Needs) -> Result<(Self, Vec<String>), Failure> {
        let program = WARDEN.get().ok_or_else(|| crash("this program cannot start others"))?;
        let order = order(settings, needs, program);
        let pipe = || if pipes { Stdio::piped() } else { Stdio::null() };
        let attempt = || -> io::Result<(Self, Vec<String>)> {
            let (ours, theirs) = UnixStream::pair()?;
            let mut child = Command::new(program)
                .arg("warden")
                .stdin(pipe())
                .stdout(pipe())
                .stderr(Stdio::from(OwnedFd::from(theirs)))
                .process_group(0)
                .spawn()?;
            let mut channel = Channel::new(ours);
            let mut get_ready = || {
                channel.send(&order)?;
                let Some(Reply::Ready(Ready { directory, owner, missing })) = channel.wait_within(LATEST) else {
                    return Err(io::Error::other("it does not get ready"));
                };
                Ok((Folder::open(&directory, owner)?, missing))
            };
            match get_ready() {
                Ok((folder, missing)) => Ok((Self { child, channel, folder }, missing)),
                Err(error) => {
                    _ = child.kill();
                    _ = child.wait();
                    Err(error)
                }
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
            Some(Reply::Ready(_)) | None => Err(crash(GONE)),
        }
    }

    /// The end of the program, if that comes within this time.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<Ending> {
        match self.next(within)? {
            Reply::Ended(ending) => Some(ending),
            Reply::Used(_) | Reply::Ready(_) => None,
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
        self.channel.wait_within(within)
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

/// What a warden is told: of the files named by the command, of the interpreters, and of our own program and package,
/// which nobody shall play for it unless the command names it.
fn order(settings: &Settings, needs: &Needs, own: &Path) -> Order {
    let &Settings { memory, tasks, disk, .. } = settings;
    let interpreters = interpreters();
    let found = interpreters.readable.iter().chain(&needs.readable).chain(&needs.start_in);
    let readable: Vec<_> = found.filter_map(|path| Some((path.canonicalize().ok()?, path.clone()))).collect();
    let found = iter::once(own.to_path_buf()).chain(every("quincunx")).chain(own_packages().to_vec());
    let hidden = found.filter(|path| !needs.readable.contains(path));
    let (hidden, search) = (hidden.collect(), interpreters.search.clone());
    Order { readable, hidden, search, start_in: needs.start_in.clone(), memory, tasks, disk }
}

fn crash(message: impl Into<String>) -> Failure {
    Failure::of(Fault::Crash, message)
}
