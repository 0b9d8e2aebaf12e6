//! The init process, the first of a program's own namespace: it starts the program inside its walls, takes in what the
//! program leaves behind, ends that too, and says what all of it used. It serves one program after the other; with it
//! the namespace dies.

use std::{
    fs,
    io::{self, PipeWriter, Read, Write},
    os::{
        fd::AsFd,
        unix::{
            net::UnixStream,
            process::{CommandExt, ExitStatusExt},
        },
    },
    path::Path,
    process::{Command, ExitStatus, Stdio, exit},
    time::Duration,
};

use nix::{
    errno::Errno,
    sched::{CloneFlags, unshare},
    sys::{
        prctl::{set_child_subreaper, set_no_new_privs, set_pdeathsig},
        resource::{UsageWho, getrusage},
        signal::{Signal, kill},
        stat::{Mode, SFlag, fstat, umask},
    },
    unistd::{ForkResult, Gid, Pid, Uid, fchown, fork, getpid, sethostname, setsid},
};
use serde::{Deserialize, Serialize};

use super::{
    channel::Channel,
    control_group::ControlGroup,
    messages::{How, Order},
    privileges::{become_user, bound_capabilities, close_files, forbid_core_dumps, limit_resources},
    process_tree::ProcessTree,
    root::{self, USER},
    system_calls,
};

/// What of the user's environment a program may see.
const ENVIRONMENT: [&str; 3] = ["LANG", "LC_ALL", "TZ"];

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

/// What the warden says once it has given the namespace its users.
#[derive(Serialize, Deserialize)]
pub(super) struct Begin;

/// What is said once, when everything stands: the walls that could not be had, or why none stands.
pub(super) type Built = Result<Vec<String>, String>;

/// What is reported of a program, once nothing of it is left.
#[derive(Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) how: How,
    /// The processes that were still there at its end.
    pub(super) left: u64,
    /// The CPU time of all processes that were waited for, since the first program.
    pub(super) children: Duration,
}

/// Where programs are started.
pub(super) struct Inside<'a> {
    pub(super) order: &'a Order,
    /// Their directory.
    pub(super) home: &'a Path,
    /// Whether this process is in namespaces of its own, so that it can build walls.
    pub(super) walled: bool,
    pub(super) group: &'a ControlGroup,
    /// Whether programs are another user than this process.
    pub(super) other_user: bool,
    pub(super) stderr: &'a PipeWriter,
}

/// The whole life of the init process.
pub(super) fn init_process(inside: &Inside<'_>, line: UnixStream) {
    let mut line = Channel::new(line);
    if !matches!(line.wait::<Begin>(), Ok(Some(_))) {
        return;
    }
    // A session of its own: the system shares processors out by sessions, and the warden needs its share.
    _ = setsid();
    _ = set_child_subreaper(true);
    inside.group.enter();
    // If the whole machine runs out of memory, the system ends this program and neither the referee nor its rival.
    _ = fs::write("/proc/self/oom_score_adj", "1000");
    let built = build_walls(inside);
    // Set late, since the system forgets it when a process changes its rights.
    _ = set_pdeathsig(Signal::SIGKILL);
    if line.send(&built).is_err() || built.is_err() {
        return;
    }
    while let Ok(Some(start)) = line.wait::<Start>() {
        let report = serve(inside, &start);
        if line.send(&report).is_err() {
            return;
        }
    }
}

/// Builds what walls this process and all programs have in common.
fn build_walls(inside: &Inside<'_>) -> Built {
    let mut missing = Vec::new();
    if inside.walled {
        // Begun in the group, so that its name does not show.
        _ = unshare(CloneFlags::CLONE_NEWCGROUP);
        _ = sethostname("sandbox");
        give_pipes_to_programs(inside);
        umask(Mode::from_bits_truncate(0o022));
        root::move_into_new_root(inside.order).map_err(|error| error.to_string())?;
        bound_capabilities();
    }
    if let Err(error) = set_no_new_privs() {
        missing.push(format!("rights that no program can regain ({error})"));
    }
    // Before the filter, which lets nobody change it any more.
    forbid_core_dumps().map_err(|error| error.to_string())?;
    if let Err(error) = system_calls::restrict() {
        missing.push(format!("a filter of system calls ({error})"));
    }
    Ok(missing)
}

/// Lets programs open their standard files again by name, as `/dev/stdout`.
fn give_pipes_to_programs(inside: &Inside<'_>) {
    let (input, output) = (io::stdin(), io::stdout());
    for file in [input.as_fd(), output.as_fd(), inside.stderr.as_fd()] {
        let pipe = fstat(file).is_ok_and(|found| found.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFIFO.bits());
        if pipe {
            _ = fchown(file, Some(Uid::from_raw(USER)), Some(Gid::from_raw(USER)));
        }
    }
}

fn serve(inside: &Inside<'_>, start: &Start) -> Report {
    let mut report = Report { how: How::Exited(0), left: 0, children: Duration::ZERO };
    match launch(inside, start) {
        Ok(program) => {
            report.how = wait_for(program);
            report.left = end_what_is_left(inside.walled);
        }
        Err(why) => report.how = How::NotStarted(why),
    }
    report.children = used(UsageWho::RUSAGE_CHILDREN);
    report
}

/// Starts the program; its number.
#[allow(unsafe_code)]
fn launch(inside: &Inside<'_>, start: &Start) -> Result<Pid, String> {
    let cannot = |error: &dyn std::fmt::Display| format!("it cannot be started: {error}");
    let (mut heard, mut said) = io::pipe().map_err(|error| cannot(&error))?;
    // SAFETY: this process has one thread, so no lock is held for ever in the copy, which may do anything.
    match unsafe { fork() }.map_err(|error| cannot(&error))? {
        ForkResult::Child => {
            drop(heard);
            let why = become_program(inside, start);
            _ = said.write_all(why.as_bytes());
            exit(127)
        }
        ForkResult::Parent { child } => {
            drop(said);
            // The pipe is closed when the program begins; whatever comes through it before is from us.
            let mut why = Vec::new();
            _ = heard.by_ref().take(LONGEST_REASON).read_to_end(&mut why);
            if why.is_empty() {
                return Ok(child);
            }
            wait_for(child);
            Err(String::from_utf8_lossy(&why).into_owned())
        }
    }
}

/// Turns this process into the program; the reason if that fails.
fn become_program(inside: &Inside<'_>, start: &Start) -> String {
    let Inside { order, home, walled, other_user, stderr, .. } = *inside;
    _ = setsid();
    if let Err(error) = limit_resources(order, walled, start.cpu) {
        return format!("its resources cannot be limited: {error}");
    }
    if walled && let Err(error) = become_user(other_user) {
        return format!("it cannot be kept from its rights: {error}");
    }
    let [program, arguments @ ..] = start.command.as_slice() else { return "there is no program".into() };
    let Ok(stderr) = stderr.try_clone() else { return "it cannot have a standard error".into() };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(order.start_in.as_deref().unwrap_or(home)).env_clear();
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("PATH", &order.search).env("HOME", home).env("USER", "agent").env("LOGNAME", "agent");
    command.env("TMPDIR", if walled { Path::new("/tmp") } else { home });
    command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(stderr);
    if let Err(error) = close_files() {
        return format!("it cannot be kept from open files: {error}");
    }
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

/// Ends every process that the program left and waits for them, so that their time is booked; how many there were.
fn end_what_is_left(walled: bool) -> u64 {
    if walled {
        // All of the namespace but this process.
        _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    }
    let tree = (!walled).then(|| ProcessTree::below(getpid(), getpid()));
    let mut left = 0;
    loop {
        if let Some(tree) = &tree {
            tree.kill();
        }
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
