//! What the referee and a warden say to each other: one line of JSON a message.

use std::{path::PathBuf, time::Duration};

use quincunx_search::Limits;
use serde::{Deserialize, Serialize};

/// The walls a warden is to build, for one program or for several one after the other: the first line it is told.
#[derive(Serialize, Deserialize)]
pub(crate) struct Order {
    /// What they may read beside the system folders and their own directory: what it is, and where they find it.
    pub(crate) readable: Vec<(PathBuf, PathBuf)>,
    /// The files in there and in the system folders that they may not see.
    pub(crate) hidden: Vec<PathBuf>,
    /// The directories to search for programs, as in `PATH`.
    pub(crate) search: String,
    /// Where they start, if not in their own directory.
    pub(crate) start_in: Option<PathBuf>,
    /// Bytes of memory, over all processes.
    pub(crate) memory: u64,
    /// Processes and threads.
    pub(crate) tasks: u64,
    /// Bytes in the places they may write to.
    pub(crate) disk: u64,
}

/// The time a program has for what it was asked.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Watch {
    /// CPU time.
    pub(crate) cpu: Option<Duration>,
    /// Wall-clock time.
    pub(crate) wall: Option<Duration>,
    /// How long it may do nothing.
    pub(crate) stall: Duration,
}

/// The wall-clock time beyond a limit after which a program is ended; whether it was too late is for its clock to say.
const GRACE: Duration = Duration::from_millis(500);

impl Watch {
    /// The watch over a program that is asked for a move under these limits.
    pub(crate) fn under(limits: &Limits, stall: Duration) -> Self {
        let wall = limits.movetime.or(limits.clock.map(|clock| clock.left));
        Self { cpu: limits.cpu, wall: wall.map(|time| time + GRACE), stall }
    }
}

/// What the referee tells a warden later.
#[derive(Serialize, Deserialize)]
pub(crate) enum Word {
    /// Start a program, and watch it from the beginning if `watch` says so.
    Run {
        /// The program and its arguments.
        command: Vec<String>,
        /// Its time.
        watch: Option<Watch>,
    },
    /// The program was asked something: watch it.
    Watch(Watch),
    /// It has answered: stop watching, and say what CPU time it used.
    Rest,
    /// Nothing more is wanted: end everything, and go.
    Done,
}

/// What a warden tells the referee.
#[derive(Serialize, Deserialize)]
pub(crate) enum Reply {
    /// Programs can be started.
    Ready(Ready),
    /// The CPU time used since the watch began.
    Used(Duration),
    /// The program has ended, and everything it started.
    Ended(Ending),
}

/// What stands before the first program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ready {
    /// The directory of the programs, as it is found from outside.
    pub(crate) directory: PathBuf,
    /// The user that programs are, if that is another one.
    pub(crate) owner: Option<u32>,
    /// The walls that could not be had, each with its reason.
    pub(crate) missing: Vec<String>,
}

/// The end of a program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ending {
    /// How it ended.
    pub(crate) how: How,
    /// The CPU time of all its processes since its start.
    pub(crate) cpu: Duration,
    /// The beginning and the end of what it wrote to standard error.
    pub(crate) stderr: String,
    /// Whether the warden waits for the next program; else it is gone too.
    pub(crate) more: bool,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// Ended by the warden: it used more CPU time than it had.
    OutOfCpu,
    /// Ended by the warden: it took longer than it may.
    OutOfTime,
    /// Ended by the warden: it did nothing.
    Stalled,
    /// Ended by the warden: too much of something.
    Excess(String),
    /// It could not be started.
    NotStarted(String),
}
