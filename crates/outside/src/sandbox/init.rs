//! The init process, the first of a program's own namespace: it starts the program inside its walls, takes in what the
//! program leaves behind, ends that too, and says what all of it used. It serves one program after the other; with it
//! the namespace dies.

use std::{
    io::{self, PipeWriter, Read, Write},
    os::unix::{
        net::UnixStream,
        process::{CommandExt, ExitStatusExt},
    },
    process::{Command, ExitStatus, Stdio, exit},
    time::Duration,
};

use nix::{
    errno::Errno,
    sys::{
        prctl::{set_child_subreaper, set_pdeathsig},
        resource::{UsageWho, getrusage},
        signal::{Signal, kill},
    },
    unistd::{ForkResult, Pid, fork, setsid},
};
use serde::{Deserialize, Serialize};

use super::{
    channel::Channel,
    confine::{self, Walls},
    control_group::ControlGroup,
    messages::{How, Order},
};

/// The environment a program may see: what it takes to find interpreters, and nothing of its user's secrets.
const ENVIRONMENT: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "TZ",
    "JAVA_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
];

/// The longest message of a program that could not be started.
const LONGEST_REASON: u64 = 4096;

/// What the warden asks for: start this.
#[derive(Serialize, Deserialize)]
pub(super) struct Start {
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// Its CPU time: the system ends a process that uses much more, watched or not.
    pub(super) cpu: Option<Duration>,
}

/// What is said once, when everything stands.
#[derive(Serialize, Deserialize)]
pub(super) struct Ready;

/// What is reported of a program, once nothing of it is left.
#[derive(Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) how: How,
    /// Whether it was walled in.
    pub(super) files: bool,
    /// The processes that were still there at its end.
    pub(super) left: u64,
    /// The CPU time of all processes that were waited for, since the first program.
    pub(super) children: Duration,
}

/// Where programs are started.
pub(super) struct Inside<'a> {
    pub(super) order: &'a Order,
    pub(super) namespace: bool,
    pub(super) group: &'a ControlGroup,
    pub(super) stderr: PipeWriter,
}

/// The whole life of the init process.
pub(super) fn init_process(inside: &Inside<'_>, line: UnixStream) {
    _ = set_pdeathsig(Signal::SIGKILL);
    _ = set_child_subreaper(true);
    // A session of its own: the system shares processors out by sessions, and the warden needs its share.
    _ = setsid();
    inside.group.enter();
    let walls = Walls::of(inside.order);
    let mut line = Channel::new(line);
    if line.send(&Ready).is_err() {
        return;
    }
    while let Ok(Some(start)) = line.wait::<Start>() {
        let report = serve(inside, &walls, &start);
        if line.send(&report).is_err() {
            return;
        }
    }
}

fn serve(inside: &Inside<'_>, walls: &Walls, start: &Start) -> Report {
    let mut report = Report { how: How::Exited(0), files: false, left: 0, children: Duration::ZERO };
    match launch(inside, walls, start) {
        Ok((program, files)) => {
            report.files = files;
            report.how = wait_for(program);
            if inside.namespace {
                report.left = end_what_is_left();
            }
        }
        Err(why) => report.how = How::NotStarted(why),
    }
    report.children = used(UsageWho::RUSAGE_CHILDREN);
    report
}

/// Starts the program; its number, and whether it is walled in.
#[allow(unsafe_code)]
fn launch(inside: &Inside<'_>, walls: &Walls, start: &Start) -> Result<(Pid, bool), String> {
    let cannot = |error: &dyn std::fmt::Display| format!("it cannot be started: {error}");
    let (mut heard, mut said) = io::pipe().map_err(|error| cannot(&error))?;
    // SAFETY: this process has one thread, so no lock is held for ever in the copy, which may do anything.
    match unsafe { fork() }.map_err(|error| cannot(&error))? {
        ForkResult::Child => {
            drop(heard);
            let why = become_program(inside, walls, start, &mut said);
            _ = said.write_all(why.as_bytes());
            exit(127)
        }
        ForkResult::Parent { child } => {
            drop(said);
            // The pipe is closed when the program begins; whatever comes through it before is from us.
            let mut text = Vec::new();
            _ = heard.by_ref().take(LONGEST_REASON).read_to_end(&mut text);
            match text.as_slice() {
                [walled] => Ok((child, *walled == b'+')),
                [] => Ok((child, false)),
                [_, why @ ..] => {
                    wait_for(child);
                    Err(String::from_utf8_lossy(why).into_owned())
                }
            }
        }
    }
}

/// Turns this process into the program; the reason if that fails. Whether the walls stand is told first.
fn become_program(inside: &Inside<'_>, walls: &Walls, start: &Start, said: &mut PipeWriter) -> String {
    _ = setsid();
    let limited = confine::limit_resources(inside.order, inside.namespace, start.cpu);
    _ = said.write_all(if walls.put_up() { b"+" } else { b"-" });
    if let Err(error) = limited {
        return format!("its resources cannot be limited: {error}");
    }
    let [program, arguments @ ..] = start.command.as_slice() else { return "there is no program".into() };
    let Ok(stderr) = inside.stderr.try_clone() else { return "it cannot have a standard error".into() };
    let directory = &inside.order.directory;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env_clear();
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("TMPDIR", directory).stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(stderr);
    format!("{program} cannot be started: {}", command.exec())
}

/// Waits for the end of the program, taking in others that end before.
fn wait_for(program: Pid) -> How {
    loop {
        match wait() {
            Ok((ended, status)) if ended == program => {
                return status.signal().map_or(How::Exited(status.code().unwrap_or(0)), How::Signalled);
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return How::NotStarted(format!("it cannot be waited for: {error}")),
        }
    }
}

/// Waits for any process. The wrapper in `nix` forgets which one ended if that was by a signal without a name.
#[allow(unsafe_code)]
fn wait() -> nix::Result<(Pid, ExitStatus)> {
    let mut status = 0;
    // SAFETY: the system writes to an integer of ours that outlives the call.
    let ended = Errno::result(unsafe { nix::libc::wait(&raw mut status) })?;
    Ok((Pid::from_raw(ended), ExitStatus::from_raw(status)))
}

/// Ends every other process of the namespace and waits for them, so that their time is booked; how many there were.
fn end_what_is_left() -> u64 {
    _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    let mut left = 0;
    loop {
        match wait() {
            Err(Errno::EINTR) => {}
            Err(_) => return left,
            Ok(_) => left += 1,
        }
    }
}

/// The CPU time the system has booked.
pub(super) fn used(who: UsageWho) -> Duration {
    let of = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec().max(0) as u64) + Duration::from_micros(time.tv_usec().max(0) as u64)
    };
    getrusage(who).map(|usage| of(usage.user_time()) + of(usage.system_time())).unwrap_or_default()
}
