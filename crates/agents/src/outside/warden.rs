//! The warden: a process between the referee and a program from outside. It starts the program, confines it, watches its time, ends it
//! with everything it started, and books the CPU time of all of them.
//!
//! Three processes: the warden itself, unconfined, which watches and reports; a first process of the program's own namespace, which
//! starts the program and takes in what it leaves behind; and the program. The warden's standard error is the line to the
//! referee, its standard input and output are the program's.

use std::{
    io::{self, PipeReader, PipeWriter, Read, Write},
    os::{
        fd::AsFd,
        unix::{net::UnixStream, process::ExitStatusExt},
    },
    process::{Command, ExitCode, ExitStatus, Stdio, exit},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        prctl::{set_child_subreaper, set_pdeathsig},
        resource::{UsageWho, getrusage},
        signal::Signal,
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::{ForkResult, Pid, fork, getpid, setsid},
};
use serde::{Deserialize, Serialize};

use super::{
    confine::{self, TaskLimit},
    folder::bytes_below,
    order::{Confined, Ending, How, Order, Reply, Watch, Word},
    tree::Tree,
};

/// Of what the program writes to standard error, this much of the end is kept.
const KEPT_STDERR: usize = 4096;

/// More than this on standard error is too much.
const MOST_STDERR: u64 = 16 << 20;

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

/// Between two looks at the processes; shorter at first, since most answers are quick.
const LOOKS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];

/// Between two looks at the directory.
const DISK_LOOK: Duration = Duration::from_millis(300);

/// The whole of a warden process.
pub fn warden_main() -> ExitCode {
    // There is nobody to tell but the referee, who sees the line go dead.
    match guard() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// What the first process of the namespace reports of the program.
#[derive(Serialize, Deserialize)]
struct Report {
    how: How,
    files: bool,
    own_us: u64,
}

/// What waits for the program inside.
struct Inside<'a> {
    namespace: bool,
    task_limit: Option<&'a TaskLimit>,
}

fn guard() -> io::Result<()> {
    let mut line = Line::new(UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?));
    let order: Order = line.first()?;
    _ = setsid();
    set_child_subreaper(true)?;
    let (stderr_out, stderr_in) = io::pipe()?;
    let (report_out, report_in) = io::pipe()?;
    let processes = confine::own_process_namespace();
    let task_limit = TaskLimit::new(order.tasks);
    let inside = Inside { namespace: processes, task_limit: task_limit.as_ref() };
    let first = start_first(&order, &inside, stderr_in, report_in)?;
    let mut guarded = Guarded {
        tree: Tree::below(getpid()),
        first,
        order,
        watching: None,
        stderr: Vec::new(),
        stderr_bytes: 0,
        used_before: Duration::ZERO,
        confined: Confined { files: false, processes },
        own: Duration::ZERO,
    };
    if let Some(watch) = guarded.order.watch {
        guarded.watching = Some(Watching::new(watch));
    }
    let how = guarded.watch_over(&mut line, stderr_out, report_out)?;
    guarded.end_all();
    if let Some(how) = how {
        let ending = guarded.ending(how);
        line.send(&Reply::Ended(ending))?;
    }
    Ok(())
}

/// Starts the first process of the namespace, which starts the program.
#[allow(unsafe_code)]
fn start_first(order: &Order, inside: &Inside<'_>, stderr: PipeWriter, report: PipeWriter) -> io::Result<Pid> {
    // SAFETY: a warden has one thread, so the copy holds no lock that nobody would open and may do anything.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            first_process(order, inside, stderr, report);
            exit(0)
        }
    }
}

/// Starts the program inside its walls, waits for it, takes in processes whose parents have gone, and reports. When this one ends, the
/// namespace ends with it.
fn first_process(order: &Order, inside: &Inside<'_>, stderr: PipeWriter, mut report: PipeWriter) {
    _ = set_pdeathsig(Signal::SIGKILL);
    _ = set_child_subreaper(true);
    // A session of its own: the system shares processors out by sessions, and the warden needs its share.
    _ = setsid();
    let (how, files) = run_inside(order, inside, stderr);
    let own = getrusage(UsageWho::RUSAGE_SELF).map(|usage| time_of(&usage)).unwrap_or_default();
    let text = serde_json::to_vec(&Report { how, files, own_us: own.as_micros() as u64 });
    _ = report.write_all(&text.unwrap_or_default());
}

fn run_inside(order: &Order, inside: &Inside<'_>, stderr: PipeWriter) -> (How, bool) {
    if let Some(limit) = inside.task_limit {
        limit.enter();
    }
    if let Err(error) = confine::limit_resources(order, inside.namespace) {
        return (How::NotStarted(format!("its resources cannot be limited: {error}")), false);
    }
    let files = confine::wall_in(order);
    let [program, arguments @ ..] = order.command.as_slice() else {
        return (How::NotStarted("there is no program".into()), files);
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&order.directory).env_clear();
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("TMPDIR", &order.directory).stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(stderr);
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return (How::NotStarted(format!("{program} cannot be started: {error}")), files),
    };
    drop(command);
    let pid = child.id() as i32;
    loop {
        let how = match waitpid(None, None) {
            Ok(WaitStatus::Exited(ended, code)) if ended.as_raw() == pid => How::Exited(code),
            Ok(WaitStatus::Signaled(ended, signal, _)) if ended.as_raw() == pid => How::Signalled(signal as i32),
            Ok(_) | Err(nix::Error::EINTR) => continue,
            Err(error) => How::NotStarted(format!("it cannot be waited for: {error}")),
        };
        return (how, files);
    }
}

/// A program under guard.
struct Guarded {
    tree: Tree,
    first: Pid,
    order: Order,
    watching: Option<Watching>,
    stderr: Vec<u8>,
    /// All that came there, kept or not.
    stderr_bytes: u64,
    /// The CPU time at the beginning of the watch.
    used_before: Duration,
    confined: Confined,
    /// The CPU time of the first process itself, which is ours.
    own: Duration,
}

/// What is being watched, and since when.
struct Watching {
    watch: Watch,
    since: Instant,
    next_look: Instant,
    next_disk_look: Instant,
    /// When CPU time was last seen to grow, and to what.
    progress: (Instant, Duration),
}

impl Watching {
    fn new(watch: Watch) -> Self {
        let now = Instant::now();
        Self {
            watch,
            since: now,
            next_look: now + LOOKS[0],
            next_disk_look: now + DISK_LOOK,
            progress: (now, Duration::ZERO),
        }
    }
}

impl Guarded {
    /// Watches until the program ends or has to be ended; `None` where the referee is gone.
    fn watch_over(
        &mut self,
        line: &mut Line,
        mut stderr: PipeReader,
        mut report: PipeReader,
    ) -> io::Result<Option<How>> {
        let mut stderr_open = true;
        // The first word may have come together with the order.
        self.hear(line)?;
        loop {
            let patience = self.watching.as_ref().map_or(Duration::from_secs(3600), |watching| {
                let deadline = watching.watch.wall.map(|us| watching.since + Duration::from_micros(us));
                let next = deadline.map_or(watching.next_look, |deadline| deadline.min(watching.next_look));
                next.saturating_duration_since(Instant::now())
            });
            let timeout = PollTimeout::try_from(patience.as_micros().div_ceil(1000) as i32).unwrap_or(PollTimeout::MAX);
            let mut fds = vec![
                PollFd::new(report.as_fd(), PollFlags::POLLIN),
                PollFd::new(line.stream.as_fd(), PollFlags::POLLIN),
            ];
            if stderr_open {
                fds.push(PollFd::new(stderr.as_fd(), PollFlags::POLLIN));
            }
            match poll(&mut fds, timeout) {
                Ok(_) | Err(nix::Error::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            let ready: Vec<bool> = fds.iter().map(|fd| fd.any().unwrap_or(false)).collect();
            if ready.get(2) == Some(&true) {
                stderr_open = self.take_stderr(&mut stderr)?;
            }
            if ready[1] && !line.fill()? {
                return Ok(None);
            }
            self.hear(line)?;
            if ready[0] {
                let mut text = Vec::new();
                report.read_to_end(&mut text)?;
                while stderr_open && readable_now(&stderr) {
                    stderr_open = self.take_stderr(&mut stderr)?;
                }
                // A first process that was killed reports nothing; whoever killed it wanted the program gone.
                let Ok(found) = serde_json::from_slice::<Report>(&text) else { return Ok(Some(How::Signalled(9))) };
                self.own = Duration::from_micros(found.own_us);
                self.confined.files = found.files;
                return Ok(Some(found.how));
            }
            if let Some(how) = self.look() {
                return Ok(Some(how));
            }
        }
    }

    /// Does what the referee has said.
    fn hear(&mut self, line: &mut Line) -> io::Result<()> {
        while let Some(said) = line.next_line() {
            match serde_json::from_slice(&said)? {
                Word::Watch(watch) => {
                    self.used_before = self.tree.measure().cpu;
                    self.watching = Some(Watching::new(watch));
                }
                Word::Rest => {
                    self.watching = None;
                    let used = self.tree.measure().cpu.saturating_sub(self.used_before);
                    line.send(&Reply::Used(used.as_micros() as u64))?;
                }
            }
        }
        Ok(())
    }

    /// Looks at the time and the processes, where it is time to; the reason to end the program, if there is one.
    fn look(&mut self) -> Option<How> {
        let Self { tree, order, watching: Some(watching), used_before, .. } = self else { return None };
        if self.stderr_bytes > MOST_STDERR {
            return Some(How::Excess(format!("more than {} MB on standard error", MOST_STDERR >> 20)));
        }
        let now = Instant::now();
        let elapsed = now - watching.since;
        if watching.watch.wall.is_some_and(|us| elapsed >= Duration::from_micros(us)) {
            return Some(How::OutOfTime);
        }
        if now < watching.next_look {
            return None;
        }
        watching.next_look = now + (elapsed / 4).clamp(LOOKS[0], LOOKS[1]);
        let found = tree.measure();
        let used = found.cpu.saturating_sub(*used_before);
        if found.tasks > order.tasks {
            return Some(How::Excess(format!("{} processes and threads, {} are allowed", found.tasks, order.tasks)));
        }
        if found.bytes > order.memory {
            return Some(How::Excess(format!("more than {} MB of memory", order.memory >> 20)));
        }
        if now >= watching.next_disk_look {
            watching.next_disk_look = now + DISK_LOOK;
            if bytes_below(&order.directory, order.disk) > order.disk {
                return Some(How::Excess(format!("more than {} MB of files", order.disk >> 20)));
            }
        }
        if watching.watch.cpu.is_some_and(|us| used >= Duration::from_micros(us)) {
            return Some(How::OutOfCpu);
        }
        if used > watching.progress.1 {
            watching.progress = (now, used);
        }
        let stall = Duration::from_micros(watching.watch.stall);
        // One that sleeps most of the time is stalled too, only more slowly.
        let slowest = watching.watch.cpu.map(|us| 3 * stall + 10 * Duration::from_micros(us));
        let stalled = now - watching.progress.0 >= stall || slowest.is_some_and(|slowest| elapsed >= slowest);
        stalled.then_some(How::Stalled)
    }

    /// Ends every process below this one, and waits until all are gone.
    fn end_all(&mut self) {
        // With the first process its namespace dies at once, fork bombs and all. What is left dies one by one.
        self.tree.measure();
        _ = nix::sys::signal::kill(self.first, Signal::SIGKILL);
        loop {
            let gone = loop {
                match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                    Ok(WaitStatus::StillAlive) => break false,
                    Err(nix::Error::ECHILD) => break true,
                    _ => {}
                }
            };
            if gone {
                return;
            }
            self.tree.kill();
            sleep(Duration::from_micros(200));
        }
    }

    fn ending(&self, how: How) -> Ending {
        let booked = getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| time_of(&usage)).unwrap_or_default();
        let cpu = booked.saturating_sub(self.own).max(self.tree.cpu_seen().saturating_sub(self.own));
        Ending {
            how,
            cpu_us: cpu.as_micros() as u64,
            stderr: String::from_utf8_lossy(&self.stderr).into_owned(),
            confined: self.confined,
        }
    }

    /// Takes what is there of standard error; whether more may come.
    fn take_stderr(&mut self, stderr: &mut PipeReader) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let count = stderr.read(&mut buffer)?;
        self.stderr_bytes += count as u64;
        self.stderr.extend_from_slice(&buffer[..count]);
        if self.stderr.len() > KEPT_STDERR {
            self.stderr.drain(..self.stderr.len() - KEPT_STDERR);
        }
        Ok(count > 0)
    }
}

fn readable_now(fd: &PipeReader) -> bool {
    let mut fds = [PollFd::new(fd.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

fn time_of(usage: &nix::sys::resource::Usage) -> Duration {
    let of = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec().max(0) as u64, 0) + Duration::from_micros(time.tv_usec().max(0) as u64)
    };
    of(usage.user_time()) + of(usage.system_time())
}

/// The line to the referee.
struct Line {
    stream: UnixStream,
    unread: Vec<u8>,
}

impl Line {
    fn new(stream: UnixStream) -> Self {
        Self { stream, unread: Vec::new() }
    }

    fn first(&mut self) -> io::Result<Order> {
        loop {
            if let Some(line) = self.next_line() {
                return Ok(serde_json::from_slice(&line)?);
            }
            if !self.fill()? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Takes what has come; false once the referee is gone.
    fn fill(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let count = self.stream.read(&mut buffer)?;
        self.unread.extend_from_slice(&buffer[..count]);
        Ok(count > 0)
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        let end = self.unread.iter().position(|&byte| byte == b'\n')?;
        Some(self.unread.drain(..=end).collect())
    }

    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        let mut text = serde_json::to_vec(reply)?;
        text.push(b'\n');
        self.stream.write_all(&text)
    }
}

/// The name a signal has among programmers.
pub(super) fn signal_name(number: i32) -> String {
    let name = Signal::try_from(number).map_or("an unnamed signal", Signal::as_str);
    match ExitStatus::from_raw(number).signal() {
        Some(number) => format!("{name} ({number})"),
        None => name.to_string(),
    }
}
