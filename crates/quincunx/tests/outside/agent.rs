//! Programs made for a test, and how they are asked for a move.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, exit},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use quincunx_agents::{Answer, Failure, Request};
use quincunx_game::AnyGame;
use quincunx_games::open;
use quincunx_outside::{build, missing_walls, set_warden, trust_programs};
use quincunx_search::Limits;

/// Where tests make files.
pub(crate) fn scratch() -> PathBuf {
    std::env::var_os("OUTSIDE_SCRATCH").map_or_else(|| env!("CARGO_TARGET_TMPDIR").into(), PathBuf::from)
}

/// Makes ready for programs. Hostile ones are never run without namespaces: one that ends every process it sees would end
/// everything of its user. On a machine without, all these tests are skipped.
pub(crate) fn prepare() {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let Some(missing) = missing_walls() else { return };
    if missing.contains("namespaces") {
        // Not by a macro, whose output is kept until the end of a test.
        _ = writeln!(io::stderr(), "skipped: no hostile program is run on this machine, which lacks {missing}");
        exit(0);
    }
    trust_programs();
}

/// Whether a wall that a test is about cannot be had on this machine, which is told.
pub(crate) fn lacks_wall(name: &str) -> bool {
    prepare();
    let lacks = missing_walls().is_some_and(|missing| missing.contains(name));
    if lacks {
        eprintln!("skipped: {}", missing_walls().unwrap_or_default());
    }
    lacks
}

/// Whether this machine has no program of this name, which is told.
pub(crate) fn lacks(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let lacks = !found.is_ok_and(|found| found.status.success());
    if lacks {
        eprintln!("skipped: there is no {program}");
    }
    lacks
}

/// A folder with an agent.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("outside-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = scratch().join(name);
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// An agent that is a shell script.
    pub(crate) fn shell(script: &str) -> Self {
        let folder = Self::new();
        folder.program("homework", &format!("#!/bin/sh\n{script}\n"));
        folder
    }

    pub(crate) fn program(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn cpu(seconds: f64) -> Limits {
    Limits { cpu: Some(Duration::from_secs_f64(seconds)), ..Limits::default() }
}

/// Asks the agent of a folder for a move in a game.
pub(crate) fn ask_in(game: &dyn AnyGame, spec: &str, limits: Limits) -> Result<Answer, Failure> {
    prepare();
    let mut agent = build(spec, game.rules(), 0).unwrap();
    agent.choose(game, &Request { limits, ..Request::default() })
}

/// Asks for the first move of Pente with stall and CPU time short enough for a test.
pub(crate) fn ask(folder: &Folder) -> Result<Answer, Failure> {
    let spec = format!("files:[stall=1s,memory=300M,tasks=40,disk=20M]{}", folder.0.display());
    ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(1.0))
}

#[track_caller]
pub(crate) fn fails(script: &str, fault: &str, says: &str) {
    let began = Instant::now();
    let failure = ask(&Folder::shell(script)).unwrap_err();
    let text = failure.to_string();
    assert_eq!(failure.fault.name(), fault, "{text}");
    assert!(text.contains(says) && !text.contains('\n') && text.len() < 500, "{text}");
    assert!(began.elapsed() < Duration::from_secs(60), "took {:?}", began.elapsed());
}

#[track_caller]
pub(crate) fn answers(script: &str) -> Answer {
    let answer = ask(&Folder::shell(script)).unwrap();
    assert_eq!(answer.mv, "10K");
    answer
}

/// A program of Python that can burn CPU time.
/// Ways to use CPU time, and to say at the end what the system has booked for this process and those it waited for. Where a move should
/// be, since it comes back as it is.
const BURN: &str = "import os, resource, signal, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
def booked():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
def answer(others=0):
    with open('output.txt', 'w') as out: out.write('%.6f' % (booked() + others))
    os._exit(0)
def child(work, after):
    out, into = os.pipe()
    if os.fork() == 0:
        os.close(out); work(); os.write(into, b'%.6f' % time.process_time()); os.close(into); after(); os._exit(0)
    os.close(into)
    return lambda: float(os.read(out, 100))
";

/// A program of Python that can burn CPU time and say what it used.
pub(crate) fn python(script: &str) -> Folder {
    let folder = Folder::new();
    fs::write(folder.0.join("homework.py"), format!("{BURN}{script}\n")).unwrap();
    folder
}

/// What an attack begins with: `attempt` notes what should not be possible, `end` answers if nothing was.
const ATTEMPTS: &str = "import ctypes, errno, fcntl, glob, mmap, os, socket, stat, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
done = []
def attempt(name, deed):
    try:
        if deed() is not False: done.append(name)
    except (OSError, ValueError, MemoryError): pass
def end():
    if done: sys.exit('possible: ' + ', '.join(done))
    with open('output.txt', 'w') as out: out.write('10K')
";

/// Runs a program of Python that attempts things, none of which may succeed.
#[track_caller]
pub(crate) fn is_in_vain(script: &str) {
    if lacks("python3") {
        return;
    }
    let folder = Folder::new();
    fs::write(folder.0.join("homework.py"), format!("{ATTEMPTS}{script}\nend()\n")).unwrap();
    match ask(&folder) {
        Ok(answer) => assert_eq!(answer.mv, "10K"),
        Err(failure) => panic!("{failure}"),
    }
}
