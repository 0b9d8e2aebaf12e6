//! The sandbox: a warden over programs, which confines and watches them and ends them whole. Here the referee's side.

mod channel;
mod confine;
mod control_group;
mod folder;
mod init;
mod messages;
mod process_tree;
mod warden;

use std::{
    io::{self, BufRead, BufReader, Write},
    net::Shutdown,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Mutex, OnceLock},
    thread::sleep,
    time::{Duration, Instant},
};

use messages::{Confined, Order, Reply, Word};
use quincunx_agents::{Failure, Fault};
use warden::signal_name;

use crate::settings::Settings;

pub(crate) use folder::{Folder, Unreadable};
pub(crate) use messages::{Ending, How, Watch};
pub use warden::warden_main;

static WARDEN: OnceLock<PathBuf> = OnceLock::new();
static CONFINED: Mutex<Option<Confined>> = Mutex::new(None);

/// A warden that does not report this long after it should have is itself given up.
const LATEST: Duration = Duration::from_secs(10);

/// Tells which program, called with the one argument `warden`, runs [`warden_main`]. Without it programs from
/// outside cannot be started.
pub fn set_warden(program: PathBuf) {
    // The first to say it is right: it is the same program in any case.
    _ = WARDEN.set(program);
}

/// What did not confine the programs that were run so far, in one line; `None` where everything did or nothing ran.
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

/// A warden and its programs.
pub(crate) struct Sandbox {
    child: Child,
    line: BufReader<UnixStream>,
}

impl Sandbox {
    /// Starts a warden with this order.
    pub(crate) fn start(order: &Order, stdin: Stdio, stdout: Stdio) -> Result<Self, Failure> {
        let program = WARDEN.get().ok_or_else(|| crash("this program cannot start others".into()))?;
        let attempt = || -> io::Result<Self> {
            let (ours, theirs) = UnixStream::pair()?;
            let child = Command::new(program)
                .arg("warden")
                .stdin(stdin)
                .stdout(stdout)
                .stderr(Stdio::from(OwnedFd::from(theirs)))
                .process_group(0)
                .spawn()?;
            let mut sandbox = Self { child, line: BufReader::new(ours) };
            sandbox.say(order)?;
            match sandbox.next(LATEST) {
                Some(Reply::Ready) => Ok(sandbox),
                _ => Err(io::Error::other("it does not get ready")),
            }
        };
        attempt().map_err(|error| crash(format!("its warden cannot be started: {error}")))
    }

    /// The pipe ends of the program, once.
    pub(crate) fn pipes(&mut self) -> Option<(std::process::ChildStdin, std::process::ChildStdout)> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?))
    }

    fn say(&mut self, message: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(message)?;
        text.push(b'\n');
        self.line.get_mut().write_all(&text)
    }

    /// Has a program started, and watched from the beginning where it is said what to watch.
    pub(crate) fn run(&mut self, command: Vec<String>, watch: Option<Watch>) -> Result<(), Failure> {
        self.say(&Word::Run { command, watch }).map_err(|_| self.reason())
    }

    /// Has the program watched from now on.
    pub(crate) fn watch(&mut self, watch: Watch) -> Result<(), Failure> {
        self.say(&Word::Watch(watch)).map_err(|_| self.reason())
    }

    /// Ends the watch; the CPU time used during it.
    pub(crate) fn rest(&mut self) -> Result<Duration, Failure> {
        if self.say(&Word::Rest).is_err() {
            return Err(self.reason());
        }
        match self.next(LATEST) {
            Some(Reply::Used(us)) => Ok(Duration::from_micros(us)),
            Some(Reply::Ended(ending)) => Err(failure_of(&ending)),
            Some(Reply::Ready) | None => Err(crash("its warden is gone".into())),
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
        self.ended(LATEST).map_or_else(|| crash("its warden is gone".into()), |ending| failure_of(&ending))
    }

    fn next(&mut self, within: Duration) -> Option<Reply> {
        // A timeout of zero would mean for ever.
        self.line.get_ref().set_read_timeout(Some(within.max(Duration::from_millis(1)))).ok()?;
        let mut text = Vec::new();
        let deadline = Instant::now() + within;
        loop {
            match self.line.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) if text.ends_with(b"\n") => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Half a line is as good as whole soon.
                Err(_) if !text.is_empty() && Instant::now() < deadline + LATEST => {}
                Err(_) => return None,
            }
        }
        let reply = serde_json::from_slice(&text).ok()?;
        if let Reply::Ended(ending) = &reply
            && let Ok(mut confined) = CONFINED.lock()
        {
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
    /// A warden that does not go when it is told to is ended.
    fn drop(&mut self) {
        _ = self.say(&Word::Done);
        _ = self.line.get_ref().shutdown(Shutdown::Write);
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

/// An order for programs within the bounds of their spec.
pub(crate) fn order(directory: PathBuf, hidden: Vec<PathBuf>, settings: &Settings) -> Order {
    Order { directory, hidden, memory: settings.memory, tasks: settings.tasks, disk: settings.disk }
}

fn crash(message: String) -> Failure {
    Failure::of(Fault::Crash, message)
}

/// The verdict on a program that ended without an answer.
pub(crate) fn failure_of(ending: &Ending) -> Failure {
    let (fault, what) = match &ending.how {
        How::Exited(0) => (Fault::NoOutput, "it ended without an answer".to_string()),
        How::Exited(code) => (Fault::Crash, format!("it ended with code {code}")),
        How::Signalled(number) => (Fault::Crash, format!("it was ended by {}", signal_name(*number))),
        How::OutOfCpu => (Fault::Timeout, "its CPU time ran out".to_string()),
        How::OutOfTime => (Fault::Timeout, "its time ran out".to_string()),
        How::Stalled => (Fault::Stall, "it neither answered nor computed".to_string()),
        How::Excess(what) => (Fault::Excess, what.clone()),
        How::NotStarted(why) => (Fault::Crash, why.clone()),
    };
    Failure::of(fault, with_stderr(what, &ending.stderr))
}

/// A message with the last lines of standard error behind it, all in one line.
pub(crate) fn with_stderr(mut message: String, stderr: &str) -> String {
    const LINES: usize = 3;
    const MOST: usize = 300;
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join(" | ");
    if !last.is_empty() {
        let clean: Vec<char> = last.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let tail: String = clean[clean.len().saturating_sub(MOST)..].iter().collect();
        message.push_str("; it said: ");
        message.push_str(&tail);
    }
    message
}
