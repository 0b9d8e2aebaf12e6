//! The warden: a process between the referee and a program from outside. It has the program started inside its walls,
//! watches its time, ends it with everything it started, and books the CPU time of all of them.
//!
//! Three processes: the warden itself, unconfined, which watches and reports; the init process of the program's own
//! namespace, which starts the program and takes in what it leaves behind; and the program. The warden's standard error
//! is the channel to the referee, its standard input and output are the program's. Warden and init process serve the
//! programs of a whole game, since walls and groups take longer to make than most programs to answer.

use std::{
    fs,
    io::{self, PipeReader, PipeWriter, Read},
    ops::ControlFlow,
    os::{fd::AsFd, unix::net::UnixStream},
    path::Path,
    process::{ExitCode, exit},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sched::{CloneFlags, clone},
    sys::{
        prctl::set_child_subreaper,
        resource::UsageWho,
        signal::Signal,
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::{ForkResult, Pid, fork, getegid, geteuid, getpid, setsid},
};

use super::{
    channel::Channel,
    control_group::ControlGroup,
    folder::Folder,
    init::{Begin, Built, Inside, Report, Start, init_process, used},
    kept_output::KeptOutput,
    messages::{Ending, How, Order, Ready, Reply, Watch, Word},
    plain_folder::PlainFolder,
    process_tree::{ProcessTree, own_time},
    root::{HOME, SPARE, USER},
};

/// More than this on standard error is too much.
const MOST_STDERR: u64 = 16 << 20;

/// Between two looks at the processes; shorter at first, since most answers are quick.
const LOOKS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];

/// Less CPU time than this since it was last seen to grow is no sign of work.
const PROGRESS: Duration = Duration::from_millis(10);

/// A look that comes so much later than it should says that the whole machine stood still.
const HELD_UP: Duration = Duration::from_secs(1);

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
    // A program may open its end for reading and take what it wrote: whoever waited for that would watch nothing else.
    fcntl(&stderr, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    // The init process is one more, and files in memory are memory.
    let mut group = ControlGroup::new(order.tasks + 1, order.memory + order.disk);
    let Started { init, inner, mut missing, plain, owner } = start(&order, &group, &stderr_in)?;
    drop(stderr_in);
    group.keep_those_of(init);
    if group.cpu().is_none() {
        missing.push("a count of all their CPU time (no control group can be made)".into());
    }
    let directory =
        plain.as_ref().map_or_else(|| format!("/proc/{init}/root{HOME}").into(), |plain| plain.path.clone());
    let folder = plain.is_none().then(|| Folder::open(&directory, None)).transpose()?;
    line.send(&Reply::Ready(Ready { directory, owner, missing }))?;
    let mut guarded = Guarded {
        tree: ProcessTree::below(getpid(), init),
        init,
        order: &order,
        group: &group,
        folder,
        inner,
        stderr_pipe: stderr,
        stderr: KeptOutput::default(),
        watching: None,
        used_before: Duration::ZERO,
        used_then: None,
        game: GameTime::default(),
        children_before: Duration::ZERO,
        init_used: Duration::ZERO,
        refusals_before: 0,
    };
    let left = guarded.serve(&mut line);
    guarded.end_all();
    if let Left::Program(how) = left? {
        let ending = guarded.ending_of_all(how);
        line.send(&Reply::Ended(ending))?;
        // The directory stays until the referee has seen what is in it.
        while plain.is_some() && !matches!(line.wait::<Word>(), Ok(None | Some(Word::Done)) | Err(_)) {}
    }
    Ok(())
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

/// The users that programs are if the referee is root: each warden's are another one, by its number, since the system
/// counts some things by user and not by namespace (files on their way through sockets, pipes, `epoll`), so that one
/// program could use up what another needs. No system gives these numbers to anybody.
const FIRST_USER: u32 = 0x7000_0000;

/// The user that programs are if root may not become any other one, as in some containers.
const NOBODY: u32 = 65534;

/// The stack of the init process before it becomes a copy of this one.
const STACK: usize = 1 << 20;

/// An init process, and what stands around it.
struct Started {
    init: Pid,
    inner: Channel,
    missing: Vec<String>,
    /// The directory of the programs, if no wall stands.
    plain: Option<PlainFolder>,
    /// The user that programs are, if that is another one.
    owner: Option<u32>,
}

/// Starts the init process inside its walls, or without if they cannot be had.
fn start(order: &Order, group: &ControlGroup, stderr: &PipeWriter) -> io::Result<Started> {
    let home = Path::new(HOME);
    let inside = Inside { order, home, walled: true, group, other_user: is_root(), stderr };
    match start_init(&inside) {
        Ok(Begun { init, inner, missing, owner }) => Ok(Started { init, inner, missing, plain: None, owner }),
        Err(why) => {
            let plain = PlainFolder::new()?;
            let inside = Inside { home: &plain.path, walled: false, other_user: false, ..inside };
            let Begun { init, inner, mut missing, owner } = start_init(&inside).map_err(io::Error::other)?;
            missing.insert(0, format!("files, processes and a network of their own (no namespaces: {why})"));
            Ok(Started { init, inner, missing, plain: Some(plain), owner })
        }
    }
}

/// An init process that is ready for programs.
struct Begun {
    init: Pid,
    inner: Channel,
    missing: Vec<String>,
    owner: Option<u32>,
}

/// Starts an init process and waits until it is ready for programs.
fn start_init(inside: &Inside<'_>) -> Result<Begun, String> {
    let (ours, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
    let init = spawn(inside, theirs).map_err(|error| error.to_string())?;
    let mut inner = Channel::new(ours);
    let mut owner = None;
    let mut get_ready = || -> Result<Vec<String>, String> {
        if inside.walled {
            owner = give_users(init).map_err(|error| format!("its users: {error}"))?;
        }
        inner.send(&Begin).map_err(|error| error.to_string())?;
        inner.wait::<Built>().map_err(|error| error.to_string())?.ok_or("the init process is gone")?
    };
    match get_ready() {
        Ok(missing) => Ok(Begun { init, inner, missing, owner }),
        Err(why) => {
            _ = nix::sys::signal::kill(init, Signal::SIGKILL);
            _ = waitpid(init, None);
            Err(why)
        }
    }
}

#[allow(unsafe_code)]
fn spawn(inside: &Inside<'_>, theirs: UnixStream) -> nix::Result<Pid> {
    if inside.walled {
        let flags = CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS;
        let mut theirs = Some(theirs);
        let life = Box::new(|| {
            if let Some(theirs) = theirs.take() {
                init_process(inside, theirs);
            }
            0
        });
        // SAFETY: a warden has one thread, so no lock is held for ever in the copy, which may do anything; it has its own
        // copy of the stack too, since no memory is shared.
        return unsafe { clone(life, &mut vec![0; STACK], flags, Some(Signal::SIGCHLD as i32)) };
    }
    // SAFETY: as above.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            init_process(inside, theirs);
            exit(0)
        }
    }
}

/// Says which users of the system those in the namespace of a process are: the one programs are, and root if we are it;
/// the first of them, if it is another one than we are.
fn give_users(init: Pid) -> io::Result<Option<u32>> {
    let write = |file: &str, map: String| fs::write(format!("/proc/{init}/{file}"), map);
    if !is_root() {
        write("setgroups", "deny".into())?;
        write("uid_map", format!("{USER} {} 1", geteuid()))?;
        write("gid_map", format!("{USER} {} 1", getegid()))?;
        return Ok(None);
    }
    let map = |id: u32| format!("0 0 1\n{USER} {id} 1");
    let own = FIRST_USER + std::process::id();
    let owner = if write("uid_map", map(own)).is_ok() { own } else { NOBODY };
    if owner == NOBODY {
        write("uid_map", map(owner))?;
    }
    write("gid_map", map(owner))?;
    Ok(Some(owner))
}

fn is_root() -> bool {
    geteuid().is_root()
}

/// Programs under guard, one after the other.
struct Guarded<'a> {
    tree: ProcessTree,
    init: Pid,
    order: &'a Order,
    group: &'a ControlGroup,
    /// Their directory, if its file system is their own.
    folder: Option<Folder>,
    /// The channel to the init process.
    inner: Channel,
    stderr_pipe: PipeReader,
    stderr: KeptOutput,
    watching: Option<Watching>,
    /// The CPU time of the programs at the beginning of the watch.
    used_before: Duration,
    /// The same at the end of the last watch.
    used_then: Option<Duration>,
    /// The game so far, if CPU time counts in it.
    game: GameTime,
    /// The CPU time the init process had waited for before this program.
    children_before: Duration,
    /// The CPU time of the init process itself, once it is gone.
    init_used: Duration,
    /// How often a task was refused before this program.
    refusals_before: u64,
}

/// What is being watched, and since when.
struct Watching {
    watch: Watch,
    since: Instant,
    next_look: Instant,
    /// When CPU time was last seen to grow, and to what.
    progress: (Instant, Duration),
}

/// The wall-clock time of a game in which CPU time counts: one that sleeps before each answer would make it last for ever.
#[derive(Default)]
struct GameTime {
    /// What was left of the CPU time at the last watch. It only grows when a game begins.
    cpu: Duration,
    /// The wall-clock time of the watches before this one.
    before: Duration,
    most: Duration,
}

impl GameTime {
    /// The longest that so much CPU time can take if it is spent in earnest, on a machine with much else to do.
    fn longest(cpu: Duration, stall: Duration) -> Duration {
        3 * stall + 10 * cpu
    }

    fn begin_watch(&mut self, watch: &Watch) {
        let Some(cpu) = watch.cpu else { return };
        if cpu > self.cpu {
            *self = Self { before: Duration::ZERO, most: Self::longest(cpu, watch.stall), cpu };
        }
        self.cpu = cpu;
    }

    fn is_over(&self, watching: &Watching, elapsed: Duration) -> bool {
        watching.watch.cpu.is_some_and(|cpu| {
            elapsed >= Self::longest(cpu, watching.watch.stall) || self.before + elapsed >= self.most
        })
    }
}

impl Watching {
    fn new(watch: Watch) -> Self {
        let now = Instant::now();
        Self { watch, since: now, next_look: now + LOOKS[0], progress: (now, Duration::ZERO) }
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
                    if let Some(watch) = &watch {
                        self.game.begin_watch(watch);
                    }
                }
                Word::Watch(watch) => {
                    let now = self.used_so_far();
                    // CPU time counts whenever it is used, also while its rival thinks.
                    self.used_before = self.used_then.filter(|_| watch.cpu.is_some()).unwrap_or(now);
                    self.game.begin_watch(&watch);
                    self.watching = Some(Watching::new(watch));
                }
                Word::Rest => {
                    self.end_watch();
                    let now = self.used_so_far();
                    self.used_then = Some(now);
                    let used = now.saturating_sub(self.used_before);
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
        let Self { tree, order, group, folder, watching: Some(watching), used_before, refusals_before, .. } = self
        else {
            return None;
        };
        if self.stderr.bytes > MOST_STDERR {
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
        // Whoever held up this process for so long may have held up the program too.
        let late = now - watching.next_look;
        if late > HELD_UP {
            watching.progress.0 += late;
        }
        watching.next_look = now + (elapsed / 4).clamp(LOOKS[0], LOOKS[1]);
        if let Some(excess) = excess(order, group, folder.as_ref(), *refusals_before) {
            return Some(excess);
        }
        let found = tree.measure(group.processes());
        let used = grouped.unwrap_or(found.cpu).saturating_sub(*used_before);
        if found.tasks > order.tasks {
            return Some(too_many(order));
        }
        if found.bytes > order.memory {
            return Some(too_large(order));
        }
        if watching.watch.cpu.is_some_and(|cpu| used >= cpu) {
            return Some(How::OutOfCpu);
        }
        if used >= watching.progress.1 + PROGRESS {
            watching.progress = (now, used);
        }
        let stall = watching.watch.stall;
        // One that sleeps most of the time is stalled too, only more slowly.
        let stalled = now - watching.progress.0 >= stall || self.game.is_over(watching, elapsed);
        stalled.then_some(How::Stalled)
    }

    /// The end of a program that ended by itself.
    fn ending(&mut self, report: Report) -> Ending {
        self.take_last_words();
        let waited_for = report.children.saturating_sub(self.children_before);
        self.children_before = report.children;
        // The group also counts processes that were not waited for.
        let grouped = self.grouped().map_or(Duration::ZERO, |used| used.saturating_sub(self.used_before));
        let excess = excess(self.order, self.group, self.folder.as_ref(), self.refusals_before);
        let crowd = (report.left > self.order.tasks).then(|| too_many(self.order));
        let how = excess.or(crowd).unwrap_or(report.how);
        Ending {
            cpu: waited_for.max(grouped),
            stderr: self.stderr.text(),
            more: matches!(how, How::Exited(_) | How::Signalled(_)),
            how,
        }
    }

    fn end_watch(&mut self) {
        if let Some(watching) = self.watching.take() {
            self.game.before += watching.since.elapsed();
        }
    }

    /// Makes ready for the next program.
    fn forget(&mut self) {
        self.end_watch();
        self.stderr = KeptOutput::default();
    }

    /// Ends every process below this one, and waits until all are gone.
    fn end_all(&mut self) {
        // With the init process its namespace dies at once, fork bombs and all. What is left dies one by one.
        self.tree.measure(self.group.processes());
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
        Ending { how, cpu: booked.saturating_sub(self.used_before), stderr: self.stderr.text(), more: false }
    }

    /// Takes what is left of standard error, and no more than is kept if something goes on writing.
    fn take_last_words(&mut self) {
        while self.stderr.bytes <= MOST_STDERR
            && readable_now(&self.stderr_pipe)
            && self.take_stderr().is_ok_and(|more| more)
        {}
    }

    /// Takes what is there of standard error; whether more may come.
    fn take_stderr(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let count = match self.stderr_pipe.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            read => read?,
        };
        self.stderr.add(&buffer[..count]);
        Ok(count > 0)
    }
}

/// What the system has counted too much of.
fn excess(order: &Order, group: &ControlGroup, folder: Option<&Folder>, refusals_before: u64) -> Option<How> {
    if group.refusals() > refusals_before {
        return Some(too_many(order));
    }
    if group.kills() > 0 {
        return Some(too_large(order));
    }
    folder
        .is_some_and(|folder| folder.is_full(SPARE))
        .then(|| How::Excess(format!("more than {} MB of files, or too many", order.disk >> 20)))
}

fn too_large(order: &Order) -> How {
    How::Excess(format!("more than {} MB of memory", order.memory >> 20))
}

fn too_many(order: &Order) -> How {
    How::Excess(format!("more than {} processes and threads", order.tasks))
}

fn readable_now(fd: &PipeReader) -> bool {
    let mut fds = [PollFd::new(fd.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}
