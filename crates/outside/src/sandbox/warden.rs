//! The warden: a process between the referee and a program from outside. It has the program started inside its walls,
//! watches its time, ends it with everything it started, and books the CPU time of all of them.
//!
//! Three processes: the warden itself, unconfined, which watches and reports; the init process of the program's own
//! namespace, which starts the program and takes in what it leaves behind; and the program. The warden's standard error
//! is the channel to the referee, its standard input and output are the program's. Warden and init process serve the
//! programs of a whole game, since walls and groups take longer to make than most programs to answer.

use std::{
    io::{self, PipeReader, Read},
    ops::ControlFlow,
    os::{fd::AsFd, unix::net::UnixStream},
    process::{ExitCode, exit},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        prctl::set_child_subreaper,
        resource::UsageWho,
        signal::Signal,
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::{ForkResult, Pid, fork, getpid, setsid},
};

use super::{
    channel::Channel,
    confine,
    control_group::ControlGroup,
    folder::{self, bytes_below},
    init::{Inside, Ready, Report, Start, init_process, used},
    messages::{Confined, Ending, How, Order, Reply, Watch, Word},
    process_tree::{ProcessTree, own_time},
};

/// Of what the program writes to standard error, this much of the end is kept.
const KEPT_STDERR: usize = 4096;

/// More than this on standard error is too much.
const MOST_STDERR: u64 = 16 << 20;

/// Between two looks at the processes; shorter at first, since most answers are quick.
const LOOKS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];

/// Between two looks at the directory.
const DISK_LOOK: Duration = Duration::from_millis(300);

/// Less CPU time than this since it was last seen to grow is no sign of work.
const PROGRESS: Duration = Duration::from_millis(10);

/// The whole of a warden process.
pub fn warden_main() -> ExitCode {
    // Only the referee could be told, and it sees that the channel is closed.
    match guard() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn guard() -> io::Result<()> {
    let mut line = Channel::new(UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?));
    let Some(order) = line.wait::<Order>()? else { return Ok(()) };
    _ = setsid();
    set_child_subreaper(true)?;
    let (stderr, stderr_in) = io::pipe()?;
    let (ours, theirs) = UnixStream::pair()?;
    let processes = confine::own_process_namespace();
    // The init process is one more.
    let group = ControlGroup::new(order.tasks + 1);
    let inside = Inside { order: &order, namespace: processes, group: &group, stderr: stderr_in };
    let init = start_init(&inside, theirs)?;
    drop(inside);
    let mut inner = Channel::new(ours);
    if inner.wait::<Ready>()?.is_some() {
        line.send(&Reply::Ready)?;
    }
    let mut guarded = Guarded {
        tree: ProcessTree::below(getpid(), init),
        init,
        order: &order,
        group: &group,
        inner,
        stderr_pipe: stderr,
        stderr: Vec::new(),
        stderr_bytes: 0,
        watching: None,
        used_before: Duration::ZERO,
        children_before: Duration::ZERO,
        init_used: Duration::ZERO,
        refusals_before: 0,
        confined: Confined { files: false, processes },
    };
    let left = guarded.serve(&mut line);
    guarded.end_all();
    match left {
        Ok(Left::Program(how)) => {
            let ending = guarded.ending_of_all(how);
            line.send(&Reply::Ended(ending))
        }
        Ok(Left::Done) => Ok(()),
        Ok(Left::Referee) | Err(_) => {
            // No other process will clear up.
            folder::remove(&order.directory);
            left.map(|_| ())
        }
    }
}

/// Why a warden has nothing more to do.
enum Left {
    /// A program had to be ended, or has ended and no other can be started.
    Program(How),
    /// The referee says so.
    Done,
    /// The referee is gone.
    Referee,
}

/// Starts the init process of the namespace.
#[allow(unsafe_code)]
fn start_init(inside: &Inside<'_>, theirs: UnixStream) -> io::Result<Pid> {
    // SAFETY: a warden has one thread, so no lock is held for ever in the copy, which may do anything.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            init_process(inside, theirs);
            exit(0)
        }
    }
}

/// Programs under guard, one after the other.
struct Guarded<'a> {
    tree: ProcessTree,
    init: Pid,
    order: &'a Order,
    group: &'a ControlGroup,
    /// The channel to the init process.
    inner: Channel,
    stderr_pipe: PipeReader,
    stderr: Vec<u8>,
    /// All that came there, kept or not.
    stderr_bytes: u64,
    watching: Option<Watching>,
    /// The CPU time of the programs at the beginning of the watch.
    used_before: Duration,
    /// The CPU time the init process had waited for before this program.
    children_before: Duration,
    /// The CPU time of the init process itself, once it is gone.
    init_used: Duration,
    /// How often a task was refused before this program.
    refusals_before: u64,
    confined: Confined,
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

    /// How long to wait for events before the next look.
    fn patience(&self) -> Duration {
        let deadline = self.watch.wall.map(|wall| self.since + wall);
        let next = deadline.map_or(self.next_look, |deadline| deadline.min(self.next_look));
        next.saturating_duration_since(Instant::now())
    }
}

impl Guarded<'_> {
    /// Serves the referee for as long as there is something to do.
    fn serve(&mut self, line: &mut Channel) -> io::Result<Left> {
        loop {
            // The first word may have come together with the order.
            if self.hear(line)?.is_break() {
                return Ok(Left::Done);
            }
            let patience = self.watching.as_ref().map_or(Duration::from_secs(3600), Watching::patience);
            let timeout = PollTimeout::try_from(patience.as_micros().div_ceil(1000) as i32).unwrap_or(PollTimeout::MAX);
            let [inner, outer, stderr] = {
                let mut fds = [self.inner.as_fd(), line.as_fd(), self.stderr_pipe.as_fd()]
                    .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
                match poll(&mut fds, timeout) {
                    Ok(_) | Err(nix::Error::EINTR) => {}
                    Err(error) => return Err(error.into()),
                }
                fds.map(|fd| fd.any().unwrap_or(false))
            };
            if stderr {
                self.take_stderr()?;
            }
            if outer && !line.fill()? {
                return Ok(Left::Referee);
            }
            if inner {
                // An init process that was killed reports nothing; what killed it wanted the program gone.
                if !self.inner.fill()? {
                    return Ok(Left::Program(How::Signalled(9)));
                }
                if let Some(report) = self.inner.take::<Report>()? {
                    let ending = self.ending(report);
                    if !ending.more {
                        return Ok(Left::Program(ending.how));
                    }
                    self.forget();
                    line.send(&Reply::Ended(ending))?;
                }
            }
            if let Some(how) = self.look() {
                return Ok(Left::Program(how));
            }
        }
    }

    /// Does what the referee has said; a break if that is to go.
    fn hear(&mut self, line: &mut Channel) -> io::Result<ControlFlow<()>> {
        while let Some(word) = line.take()? {
            match word {
                Word::Run { command, watch } => {
                    self.refusals_before = self.group.refusals();
                    self.used_before = self.grouped().unwrap_or(self.children_before);
                    self.inner.send(&Start { command, cpu: watch.and_then(|watch| watch.cpu) })?;
                    self.watching = watch.map(Watching::new);
                }
                Word::Watch(watch) => {
                    self.used_before = self.used_so_far();
                    self.watching = Some(Watching::new(watch));
                }
                Word::Rest => {
                    self.watching = None;
                    let used = self.used_so_far().saturating_sub(self.used_before);
                    line.send(&Reply::Used(used))?;
                }
                Word::Done => return Ok(ControlFlow::Break(())),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The CPU time of all programs until now, if the system counts it: of everything inside but the init process,
    /// which is ours.
    fn grouped(&self) -> Option<Duration> {
        self.group.cpu().map(|cpu| cpu.saturating_sub(own_time(self.init)))
    }

    fn used_so_far(&mut self) -> Duration {
        self.grouped().unwrap_or_else(|| self.tree.measure(None).cpu)
    }

    /// Looks at the time and the processes, if it is time to; the reason to end the program, if there is one.
    fn look(&mut self) -> Option<How> {
        let grouped = self.grouped();
        let Self { tree, order, group, watching: Some(watching), used_before, .. } = self else { return None };
        if self.stderr_bytes > MOST_STDERR {
            return Some(How::Excess(format!("more than {} MB on standard error", MOST_STDERR >> 20)));
        }
        let now = Instant::now();
        let elapsed = now - watching.since;
        if watching.watch.wall.is_some_and(|wall| elapsed >= wall) {
            return Some(How::OutOfTime);
        }
        if now < watching.next_look {
            return None;
        }
        watching.next_look = now + (elapsed / 4).clamp(LOOKS[0], LOOKS[1]);
        if group.refusals() > self.refusals_before {
            return Some(too_many(order));
        }
        let found = tree.measure(group.processes());
        let used = grouped.unwrap_or(found.cpu).saturating_sub(*used_before);
        if found.tasks > order.tasks {
            return Some(too_many(order));
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
        if watching.watch.cpu.is_some_and(|cpu| used >= cpu) {
            return Some(How::OutOfCpu);
        }
        if used >= watching.progress.1 + PROGRESS {
            watching.progress = (now, used);
        }
        let stall = watching.watch.stall;
        // One that sleeps most of the time is stalled too, only more slowly.
        let slowest = watching.watch.cpu.map(|cpu| 3 * stall + 10 * cpu);
        let stalled = now - watching.progress.0 >= stall || slowest.is_some_and(|slowest| elapsed >= slowest);
        stalled.then_some(How::Stalled)
    }

    /// The end of a program that ended by itself.
    fn ending(&mut self, report: Report) -> Ending {
        self.take_last_words();
        self.confined.files = report.files;
        let waited_for = report.children.saturating_sub(self.children_before);
        self.children_before = report.children;
        // The group also counts processes that were not waited for.
        let grouped = self.grouped().map_or(Duration::ZERO, |used| used.saturating_sub(self.used_before));
        let crowd = report.left > self.order.tasks || self.group.refusals() > self.refusals_before;
        let how = if crowd { too_many(self.order) } else { report.how };
        Ending {
            cpu: waited_for.max(grouped),
            stderr: String::from_utf8_lossy(&self.stderr).into_owned(),
            confined: self.confined,
            more: self.confined.processes && matches!(how, How::Exited(_) | How::Signalled(_)),
            how,
        }
    }

    /// Makes ready for the next program.
    fn forget(&mut self) {
        self.watching = None;
        self.stderr.clear();
        self.stderr_bytes = 0;
    }

    /// Ends every process below this one, and waits until all are gone.
    fn end_all(&mut self) {
        // With the init process its namespace dies at once, fork bombs and all. What is left dies one by one.
        self.tree.measure(None);
        self.init_used = own_time(self.init);
        _ = nix::sys::signal::kill(self.init, Signal::SIGKILL);
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

    /// The end of a program after which everything was ended.
    fn ending_of_all(&mut self, how: How) -> Ending {
        self.take_last_words();
        // Everything was waited for by now, here or by the init process.
        let whole = used(UsageWho::RUSAGE_CHILDREN).max(self.group.cpu().unwrap_or_default());
        let booked = whole.saturating_sub(self.init_used).max(self.tree.cpu_seen());
        Ending {
            how,
            cpu: booked.saturating_sub(self.used_before),
            stderr: String::from_utf8_lossy(&self.stderr).into_owned(),
            confined: self.confined,
            more: false,
        }
    }

    /// Takes what is left of standard error, and no more than is kept if something goes on writing.
    fn take_last_words(&mut self) {
        while self.stderr_bytes <= MOST_STDERR
            && readable_now(&self.stderr_pipe)
            && self.take_stderr().is_ok_and(|more| more)
        {}
    }

    /// Takes what is there of standard error; whether more may come.
    fn take_stderr(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let count = self.stderr_pipe.read(&mut buffer)?;
        self.stderr_bytes += count as u64;
        self.stderr.extend_from_slice(&buffer[..count]);
        if self.stderr.len() > KEPT_STDERR {
            self.stderr.drain(..self.stderr.len() - KEPT_STDERR);
        }
        Ok(count > 0)
    }
}

fn too_many(order: &Order) -> How {
    How::Excess(format!("more than {} processes and threads", order.tasks))
}

fn readable_now(fd: &PipeReader) -> bool {
    let mut fds = [PollFd::new(fd.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}
