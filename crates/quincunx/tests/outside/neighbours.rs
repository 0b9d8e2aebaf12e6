//! What a program can take from others that run at the same time, and from whoever runs them.

use std::{
    env, fs,
    os::unix::fs::MetadataExt,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use quincunx_games::open;

use crate::agent::{Folder, ask_in, cpu, is_in_vain, lacks, prepare, python};

/// Asks the agent of a folder for a move with room for a crowd of processes and for one that waits.
fn ask_roomy(folder: &Folder, seconds: f64) -> Result<String, String> {
    let spec = format!("files:[stall=20s,memory=4G,tasks=150,disk=20M]{}", folder.0.display());
    let found = ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(seconds));
    found.map(|answer| answer.mv).map_err(|failure| failure.to_string())
}

#[test]
fn what_the_system_counts_by_user_is_not_used_up_by_others() {
    if lacks("python3") {
        return;
    }
    if fs::metadata("/proc/self").is_ok_and(|found| found.uid() != 0) {
        eprintln!("skipped: an ordinary user's programs are all that user");
        return;
    }
    prepare();
    // A thousand open files on their way through sockets, and all that pipes may hold: others can neither pass a file nor
    // have a pipe of the usual size then.
    let taker = python(
        "import array, fcntl, socket\nfile = os.open('input.txt', os.O_RDONLY)\nkept = []\n\
         try:\n    for _ in range(5):\n        pair = socket.socketpair(); kept.append(pair)\n        \
         pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [file] * 250))])\n\
         except OSError: pass\n\
         try:\n    while True:\n        kept.append(os.pipe()); fcntl.fcntl(kept[-1][1], 1031, 1 << 20)\n\
         except OSError: pass\n\
         time.sleep(4)\nopen('output.txt', 'w').write('10K')",
    );
    let honest = python(
        "import array, fcntl, socket, sys\nfile = os.open('input.txt', os.O_RDONLY)\na, b = socket.socketpair()\n\
         a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [file]))])\n\
         if fcntl.fcntl(os.pipe()[1], 1032) < 65536: sys.exit('a small pipe')\nopen('output.txt', 'w').write('10K')",
    );
    let taken = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            assert_eq!(ask_roomy(&taker, 10.0).as_deref(), Ok("10K"));
            taken.store(true, Ordering::Relaxed);
        });
        while !taken.load(Ordering::Relaxed) {
            assert_eq!(ask_roomy(&honest, 10.0).as_deref(), Ok("10K"));
        }
    });
}

/// Whether a warden can make groups here among which the system shares out the processors.
fn shares_processors() -> bool {
    let listed = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    listed.lines().any(|line| {
        let parts: Vec<&str> = line.splitn(3, ':').collect();
        let [_, controllers, path] = parts[..] else { return false };
        let trial = format!("/sys/fs/cgroup/{controllers}{path}/outside-trial-{}", std::process::id());
        controllers.split(',').any(|name| name == "cpu")
            && fs::create_dir(&trial).is_ok()
            && fs::remove_dir(&trial).is_ok()
    })
}

#[test]
fn a_crowd_of_processes_gets_no_more_of_the_processors_than_one() {
    if lacks("python3") {
        return;
    }
    if !shares_processors() {
        eprintln!("skipped: no group that has its share of the processors can be made here");
        return;
    }
    prepare();
    let crowd = python("for _ in range(100):\n    if os.fork() == 0: burn(1000)\ntime.sleep(1000)");
    let one = python("time.sleep(0.3); burn(0.3); open('output.txt', 'w').write('10K')");
    // Before one of a hundred equals had its 0.3 s, the hundred would have had 30 s together. A fair share leaves them what
    // the processors do in twice that time, and before it began.
    let seconds = 3.0 + 1.2 * thread::available_parallelism().map_or(1, usize::from) as f64;
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let failure = ask_roomy(&crowd, seconds).unwrap_err();
            over.store(true, Ordering::Relaxed);
            assert!(failure.contains("CPU time ran out"), "{failure}");
        });
        assert_eq!(ask_roomy(&one, 5.0).as_deref(), Ok("10K"));
        assert!(!over.load(Ordering::Relaxed), "the crowd had used its {seconds} s before the other one had 0.3 s");
    });
}

#[test]
fn if_memory_runs_out_the_system_ends_a_program_and_not_its_referee() {
    is_in_vain("attempt('staying', lambda: int(open('/proc/self/oom_score_adj').read()) < 1000)");
}

#[test]
fn neither_large_pages_nor_a_core_are_taken_from_others() {
    // Not there, rather than refused for a reason of this machine.
    is_in_vain(
        "def taken(call, *arguments):\n    ctypes.set_errno(0)\n    return call(*arguments) not in (-1, 2 ** 64 - 1, None) or ctypes.get_errno() != errno.ENOSYS\n\
         libc.mmap.restype = ctypes.c_size_t\n\
         attempt('large pages', lambda: taken(libc.mmap, None, ctypes.c_size_t(1 << 21), 3, 0x40022, -1, ctypes.c_long(0)))\n\
         attempt('core', lambda: taken(libc.prctl, 62, 1, 0, 0, 0))",
    );
}

#[test]
fn our_own_package_for_python_is_not_there() {
    // An interpreter of the user's own, with what is installed for it.
    let place = Folder::new();
    let packages = place.0.join("lib/python3.99/site-packages");
    for package in ["quincunx", "numpy"] {
        fs::create_dir_all(packages.join(package)).unwrap();
        fs::write(packages.join(package).join("__init__.py"), "").unwrap();
    }
    fs::write(packages.join("quincunx.pth"), "/x").unwrap();
    let python = place.0.join("bin/python3");
    fs::create_dir_all(python.parent().unwrap()).unwrap();
    place.program("bin/python3", &format!("#!/bin/sh\necho '{}'\n", python.display()));
    let agent = Folder::shell(&format!(
        "cd '{}' || exit 2; [ -e numpy/__init__.py ] || exit 3; [ -s quincunx.pth ] && exit 4; ls quincunx | grep . && exit 5\n\
         cd /agent; echo 20Z > output.txt",
        packages.display()
    ));
    let path = format!("{}:{}", python.parent().unwrap().display(), env::var("PATH").unwrap_or_default());
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["match", "pente", "random", &format!("files:{}", agent.0.display()), "--games", "2"]);
    let output =
        command.args(["--limit", "cpu=5s", "--seed", "1", "--trust-programs"]).env("PATH", path).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("20Z") && !said.contains("ended with code"), "{said}");
}
