//! Attacks of a student who wants points: programs in C, Python, shell and Java, each with its verdict.

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use quincunx_agents::{Failure, Request};
use quincunx_games::open;
use quincunx_outside::{build, words::is_active};

use crate::agent::{Folder, answers, ask, ask_in, cpu, fails, is_in_vain, lacks, lacks_wall, prepare, python};

/// What every program in C begins with.
const HEAD: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n\
    #include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n\
    #include <sys/prctl.h>\n#include <sys/resource.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>\n\
    #include <sys/time.h>\n#include <sys/wait.h>\n#include <sys/file.h>\n#include <unistd.h>\n\
    static void answer(void) { int f = open(\"output.txt\", O_WRONLY | O_CREAT | O_TRUNC, 0644); write(f, \"10K\\n\", 4); close(f); }\n\
    static void *burn(void *x) { for (;;) ; return x; }\n";

/// A program in C, compiled outside, with `main` around its body.
fn c(body: &str) -> Option<Folder> {
    if lacks("gcc") {
        return None;
    }
    let folder = Folder::new();
    let (source, target) = (folder.0.join("x.c"), folder.0.join("homework"));
    fs::write(&source, format!("{HEAD}int main(int argc, char **argv) {{ (void) burn; (void) answer; {body} }}\n"))
        .unwrap();
    let compiled = Command::new("gcc").args(["-w", "-pthread", "-o"]).arg(&target).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Some(folder)
}

/// A program in C that fails in one of these ways, soon.
#[track_caller]
fn c_fails(body: &str, faults: &[&str]) {
    let Some(folder) = c(body) else { return };
    let (failure, took) = timed(&folder);
    assert!(faults.contains(&failure.fault.name()), "{failure}");
    assert!(took < Duration::from_secs(30), "took {took:?}");
}

/// A program in C whose attempts are in vain: it exits with another code than 0 if one is not, and answers otherwise.
#[track_caller]
fn c_in_vain(body: &str) {
    let Some(folder) = c(&format!("{body} answer(); return 0;")) else { return };
    assert_eq!(ask(&folder).unwrap_or_else(|failure| panic!("{failure}")).mv, "10K");
}

fn timed(folder: &Folder) -> (Failure, Duration) {
    let began = Instant::now();
    (ask(folder).unwrap_err(), began.elapsed())
}

// --- The clock.

#[test]
fn taking_back_what_it_wrote_to_standard_error_holds_nobody() {
    // Its own end of the pipe, opened for reading: once the warden hung in a read of what was there a moment before.
    let script = "fd = os.open('/proc/self/fd/2', os.O_RDONLY | os.O_NONBLOCK)\n\
        end = time.time() + 0.5\n\
        while time.time() < end:\n    os.write(2, b'x')\n    try: os.read(fd, 1)\n    except BlockingIOError: pass\n\
        burn(5)";
    if lacks("python3") {
        return;
    }
    let (failure, took) = timed(&python(script));
    assert_eq!(failure.fault.name(), "timeout", "{failure}");
    assert!(took < Duration::from_secs(25), "took {took:?}");
}

#[test]
fn threads_do_not_multiply_the_clock() {
    c_fails("pthread_t t; for (int i = 0; i < 20; i++) pthread_create(&t, 0, burn, 0); pause();", &["timeout"]);
}

#[test]
fn a_limit_of_its_own_on_cpu_time_does_not_replace_ours() {
    c_fails(
        "struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY}; setrlimit(RLIMIT_CPU, &l); signal(SIGXCPU, SIG_IGN);\
         signal(SIGTERM, SIG_IGN); burn(0);",
        &["timeout"],
    );
}

#[test]
fn children_in_sessions_of_their_own_are_on_its_clock() {
    c_fails(
        "for (int i = 0; i < 6; i++) if (!fork()) { setsid(); if (fork()) _exit(0); setsid(); burn(0); } sleep(30);",
        &["timeout"],
    );
}

#[test]
fn a_child_does_not_think_on_while_its_rival_does() {
    prepare();
    // The child would leave its count in the directory for the next move.
    let Some(folder) = c(
        "int f = open(\"count\", O_RDWR | O_CREAT, 0644); char b[2] = {0}; if (read(f, b, 1) == 1 && b[0] != '0') return 9;\
        if (!fork()) { setsid(); close(0); close(1); close(2); usleep(300000); pwrite(f, \"1\", 1, 0); pause(); }\
        pwrite(f, \"0\", 1, 0); answer(); return 0;",
    ) else {
        return;
    };
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    for _ in 0..3 {
        let found = agent.choose(&*game, &Request { limits: cpu(5.0), ..Request::default() });
        assert_eq!(found.unwrap_or_else(|failure| panic!("{failure}")).mv, "10K");
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn an_engine_pays_for_what_it_computes_while_its_rival_thinks() {
    if lacks("python3") || lacks_wall("CPU time") {
        return;
    }
    let folder = Folder::new();
    let script = "#!/usr/bin/env python3\nimport sys, threading\ndef burn():\n    while True: pass\n\
        for line in sys.stdin:\n    word = line.split()[0]\n    if word == 'ugi': print('ugiok', flush=True)\n    \
        if word == 'isready': print('readyok', flush=True)\n    if word == 'go':\n        print('bestmove d3', flush=True)\n        \
        threading.Thread(target=burn, daemon=True).start()\n";
    folder.program("engine", script);
    prepare();
    let game = open("othello", None, None).unwrap();
    let mut agent = build(&format!("ugi:{}/engine", folder.0.display()), game.rules(), 0).unwrap();
    let request = Request { limits: cpu(1.0), ..Request::default() };
    agent.choose(&*game, &request).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    // Asked again, it has more than its second behind it.
    match agent.choose(&*game, &request) {
        Ok(answer) => assert!(answer.cpu.unwrap() > Duration::from_millis(100), "{:?}", answer.cpu),
        Err(failure) => assert_eq!(failure.fault.name(), "timeout", "{failure}"),
    }
}

#[test]
fn one_that_sleeps_before_every_answer_is_stalled_in_the_end() {
    prepare();
    let folder = Folder::shell("sleep 0.45; echo 10K > output.txt");
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:[stall=0.5s]{}", folder.0.display()), game.rules(), 0).unwrap();
    let began = Instant::now();
    // Its CPU time would last for ever: 3 x 0.5 s and 10 x 0.1 s of wall-clock time do not.
    let failure = (0..60).find_map(|_| agent.choose(&*game, &Request { limits: cpu(0.1), ..Request::default() }).err());
    assert_eq!(failure.expect("it played on").fault.name(), "stall");
    assert!(began.elapsed() < Duration::from_secs(15), "took {:?}", began.elapsed());
}

#[test]
fn the_slowest_class_of_scheduling_is_a_stall_or_an_answer() {
    let Some(folder) = c(
        "struct sched_param { int p; } s = {0}; syscall(SYS_sched_setscheduler, 0, 5, &s); setpriority(PRIO_PROCESS, 0, 19); answer(); return 0;",
    ) else {
        return;
    };
    // Which of them depends on what else the machine does.
    match ask(&folder) {
        Ok(answer) => assert_eq!(answer.mv, "10K"),
        Err(failure) => assert_eq!(failure.fault.name(), "stall"),
    }
}

// --- The referee and others.

#[test]
fn signals_reach_nobody_else() {
    c_fails(
        "union sigval v = {0}; for (int s = 1; s < 65; s++) { if (s == 9 || s == SIGCHLD) continue; signal(s, SIG_IGN); kill(1, s); sigqueue(1, s, v); }\
         kill(-1, SIGSTOP); for (int p = 1; p < 70000; p++) if (p != getpid()) kill(p, SIGKILL); for (int i = 0; i < 3; i++) kill(1, SIGKILL); return 0;",
        &["no output"],
    );
}

#[test]
fn the_first_process_cannot_be_looked_into() {
    c_in_vain(
        "char *names[] = {\"exe\", \"mem\", \"maps\", \"fd\", \"root\", \"cwd\", \"environ\", \"cmdline\", \"status\", \"ns/user\", \"ns/mnt\", \"fdinfo\", \"task\"};\
         for (int p = 1; p < 5; p++) for (int i = 0; i < 13; i++) { char b[64]; sprintf(b, \"/proc/%d/%s\", p, names[i]);\
             if (p != getpid() && p != getppid() && open(b, O_RDONLY) >= 0) { fputs(b, stderr); return 1; }\
             sprintf(b, \"/proc/%d/root/etc/shadow\", p); if (open(b, O_RDONLY) >= 0) return 2; }",
    );
}

#[test]
fn its_own_view_of_processes_leads_nowhere() {
    c_in_vain(
        "char *names[] = {\"/proc/self/root/root/.bashrc\", \"/proc/self/root/var\", \"/proc/self/cwd/../etc/shadow\", \"/proc/self/root/../etc/shadow\",\
             \"/proc/sys/kernel/core_pattern\", \"/proc/sysrq-trigger\", \"/proc/kcore\", \"/proc/kmsg\", \"/proc/keys\", \"/proc/mounts/../1\",\
             \"/proc/net/unix\", \"/proc/self/net/unix\", \"/proc/sched_debug\", \"/proc/timer_list\", \"/proc/loadavg\", \"/proc/meminfo\", \"/sys/kernel\"};\
         for (int i = 0; i < 17; i++) { int f = open(names[i], O_RDONLY); char b; if (f >= 0 && strstr(names[i], \"unix\") == 0) { fputs(names[i], stderr); return 1; } }\
         char *writes[] = {\"/proc/self/uid_map\", \"/proc/self/setgroups\", \"/proc/self/oom_score_adj\", \"/proc/self/loginuid\", \"/proc/self/clear_refs\"};\
         for (int i = 0; i < 5; i++) { int f = open(writes[i], O_WRONLY); if (f >= 0) { fputs(writes[i], stderr); return 2; } }",
    );
}

#[test]
fn nobody_is_told_what_others_read() {
    // Through inotify or its predecessor, a program would see when its rival's interpreter starts.
    c_in_vain(
        "if (syscall(SYS_inotify_init1, 0) >= 0) return 1; if (syscall(300, 0, 0) >= 0) return 2;\
         int d = open(\"/usr/bin\", O_RDONLY | O_DIRECTORY); if (fcntl(d, F_NOTIFY, 1) == 0) return 3; if (fcntl(d, F_GETFD) < 0) return 4;",
    );
}

#[test]
fn no_core_dump_is_made_by_a_program_of_the_system() {
    // Systems hand core dumps to programs outside all walls unless the limit is one byte, so it cannot be changed.
    c_in_vain(
        "struct rlimit l; if (getrlimit(RLIMIT_CORE, &l) || l.rlim_cur != 1 || l.rlim_max != 1) return 1;\
         struct rlimit none = {0, 0}; if (setrlimit(RLIMIT_CORE, &none) == 0 || syscall(SYS_setrlimit, RLIMIT_CORE, &none) == 0) return 2;\
         if (syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, 0) == 0) return 3; struct rlimit files = {64, 64}; if (setrlimit(RLIMIT_NOFILE, &files)) return 4;",
    );
    c_fails("abort();", &["crash"]);
}

#[test]
fn times_of_access_keep_no_secrets_from_game_to_game() {
    // A file of the system that is read looks as before.
    c_in_vain(
        "struct stat a, b; char *names[] = {\"/usr/bin/env\", \"/usr/bin/tac\", \"/usr/bin/sha512sum\", \"/usr/bin/factor\", \"/usr/bin/pinky\"};\
         for (int i = 0; i < 5; i++) { char x[9]; if (stat(names[i], &a)) continue; int f = open(names[i], O_RDONLY); read(f, x, 8); close(f); stat(names[i], &b);\
             if (a.st_atim.tv_sec != b.st_atim.tv_sec || a.st_atim.tv_nsec != b.st_atim.tv_nsec) return 1;\
             if (utimensat(AT_FDCWD, names[i], 0, 0) == 0) return 2; if (chmod(names[i], 0755) == 0) return 3; if (link(names[i], \"hard\") == 0) return 4; }",
    );
}

#[test]
fn a_program_from_memory_is_no_way_around_anything() {
    c_in_vain(
        "if (syscall(SYS_memfd_create, \"x\", 0) >= 0) return 1; if (syscall(425, 8, 0) >= 0) return 2; if (syscall(SYS_userfaultfd, 0) >= 0) return 3;\
         if (syscall(SYS_keyctl, 0, -3, 1) >= 0) return 4; if (syscall(SYS_ptrace, 0, 0, 0, 0) >= 0) return 5; if (syscall(SYS_unshare, 0x10000000) >= 0) return 6;\
         if (syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) >= 0) return 7; if (syscall(SYS_setns, 0, 0) >= 0) return 8;\
         if (syscall(0x40000000 + SYS_getpid) >= 0) return 9; int s = open(\"/dev/shm/x\", O_RDWR | O_CREAT, 0755); if (s < 0) return 10;",
    );
}

#[test]
fn a_program_started_through_a_file_in_its_temporary_places_is_the_same_user() {
    answers(
        "cp /bin/sh /tmp/sh; cp /bin/sh /dev/shm/sh; chmod 6777 /tmp/sh /dev/shm/sh\n\
         [ \"$(/tmp/sh -p -c 'id -u')\" = 1000 ] && [ \"$(/dev/shm/sh -p -c 'id -un')\" = agent ] || exit 1\n\
         echo 10K > output.txt",
    );
}

#[test]
fn sockets_to_pass_open_files_lead_nowhere() {
    is_in_vain(
        "import array\n\
         a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n\
         attempt('credentials', lambda: a.sendmsg([b'x'], [(socket.SOL_SOCKET, 2, struct.pack('iii', 1, 0, 0))]))\n\
         attempt('vsock', lambda: socket.socket(40, socket.SOCK_STREAM))\n\
         attempt('netlink', lambda: socket.socket(16, socket.SOCK_RAW, 0))\n\
         attempt('packet', lambda: socket.socket(17, socket.SOCK_RAW, 3))\n\
         attempt('alg', lambda: socket.socket(38, socket.SOCK_SEQPACKET))\n\
         attempt('listening', lambda: os.listdir('/run'))\n\
         attempt('abstract', lambda: [socket.socket(socket.AF_UNIX).connect('\\0' + n) for n in ('/tmp/.X11-unix/X0', 'dbus', '/org/freedesktop/systemd1')])",
    );
}

// --- Files.

#[test]
fn an_answer_that_is_no_file_is_malformed() {
    for script in [
        "mkfifo output.txt; (exec 3<>output.txt; echo 10K >&3; sleep 30) &",
        "ln -s /dev/stdin output.txt",
        "ln -s /dev/zero output.txt",
        "ln -s /proc/self/environ output.txt",
        "ln -s output.txt output.txt",
        "mkdir -p output.txt/output.txt",
        "echo 10K > answer; ln -s answer output.txt",
    ] {
        fails(script, "malformed output", "not a plain file");
    }
    if !lacks("python3") {
        let socket = "import socket; socket.socket(socket.AF_UNIX).bind('output.txt')";
        assert_eq!(ask(&python(socket)).unwrap_err().fault.name(), "malformed output");
    }
}

#[test]
fn an_answer_that_changes_to_the_last_moment_is_one_or_the_other() {
    // Nothing of it is left to change the file by the time it is read.
    let script = "(while :; do ln -s /etc/passwd x; mv x output.txt; echo 10K > y; mv y output.txt; done) & sleep 0.1";
    for _ in 0..5 {
        match ask(&Folder::shell(script)) {
            Ok(answer) => assert_eq!(answer.mv, "10K"),
            Err(failure) => assert_eq!(failure.fault.name(), "malformed output", "{failure}"),
        }
    }
}

#[test]
fn a_sparse_answer_is_not_read() {
    fails("truncate -s 15M output.txt", "excess", "4096");
}

#[test]
fn hard_links_to_its_input_give_no_way_into_the_next_move() {
    prepare();
    let folder = Folder::shell(
        "ln input.txt kept$$; [ -e output.txt ] && exit 1; echo 10K > output.txt; ln output.txt also$$; chmod 444 input.txt output.txt",
    );
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    for _ in 0..3 {
        let found = agent.choose(&*game, &Request { limits: cpu(5.0), ..Request::default() });
        assert_eq!(found.unwrap_or_else(|failure| panic!("{failure}")).mv, "10K");
    }
}

#[test]
fn locks_and_leases_on_its_files_hold_nobody() {
    let Some(folder) =
        c("answer(); int f = open(\"output.txt\", O_RDONLY); fcntl(f, F_SETLEASE, F_WRLCK); flock(f, LOCK_EX);\
        if (!fork()) { setsid(); fcntl(f, F_SETLEASE, F_WRLCK); pause(); } return 0;")
    else {
        return;
    };
    let began = Instant::now();
    assert_eq!(ask(&folder).unwrap().mv, "10K");
    assert!(began.elapsed() < Duration::from_secs(8), "took {:?}", began.elapsed());
}

#[test]
fn extended_attributes_and_file_flags_cannot_be_set() {
    is_in_vain(
        "for name in 'user.x', 'trusted.x', 'security.capability': attempt(name, lambda: os.setxattr('input.txt', name, b'x'))\n\
         attempt('lists', lambda: fcntl.ioctl(os.open('.', os.O_RDONLY), 0x40086602, struct.pack('l', 0x20)))",
    );
}

// --- Too much.

#[test]
fn bombs_in_c_are_excess() {
    // Children that end at once and start two more; threads; both wait for nobody.
    c_fails("signal(SIGCHLD, SIG_IGN); for (;;) if (fork() == 0) { fork(); }", &["excess", "timeout"]);
    c_fails("for (;;) { pthread_t t; pthread_create(&t, 0, burn, 0); }", &["excess", "timeout"]);
    c_fails("for (;;) vfork();", &["excess", "timeout", "crash"]);
}

#[test]
fn pipes_and_open_files_are_bounded() {
    // The memory of pipes is the system's own, and is counted.
    c_fails(
        "int made = 0; for (int i = 0; i < 30; i++) if (!fork()) { for (;;) { int p[2]; if (pipe2(p, O_NONBLOCK)) break; fcntl(p[1], F_SETPIPE_SZ, 1 << 20);\
         static char b[1 << 16]; while (write(p[1], b, sizeof b) > 0); } sleep(60); } sleep(60);",
        &["excess", "stall", "timeout"],
    );
}

#[test]
fn memory_in_every_form_is_excess_or_a_crash() {
    c_fails(
        "for (;;) { char *p = mmap(0, 1 << 24, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (p == MAP_FAILED) abort(); memset(p, 1, 1 << 24); }",
        &["excess", "crash"],
    );
    c_fails("for (;;) { char *p = alloca(1 << 16); memset(p, 1, 1 << 16); }", &["crash", "excess"]);
    c_fails(
        "mlockall(3); for (;;) { char *p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); }",
        &["excess", "crash"],
    );
}

#[test]
fn a_flood_with_the_sequences_of_terminals_stays_one_plain_line() {
    let failure = ask(&Folder::shell(
        "printf '\\033[2J\\033]0;owned\\007\\033[31mPOINTS: 100\\r\\n\\0\\0\\302\\233 \\xe2\\x80\\xae' >&2; head -c 3000000 /dev/urandom >&2; exit 3",
    ))
    .unwrap_err();
    let text = failure.to_string();
    assert!(failure.fault.name() == "crash" && !text.chars().any(is_active) && text.len() < 2000, "{text:?}");
}

#[test]
fn an_engine_that_does_not_listen_does_not_hold_the_referee() {
    if lacks("python3") {
        return;
    }
    let folder = Folder::new();
    let script = "#!/usr/bin/env python3\nimport sys, fcntl, os, time\nfcntl.fcntl(0, 1031, 4096)\n\
        data = b''\nwhile b'isready' not in data: data += os.read(0, 1) if b'ugi\\n' in data or print('ugiok', flush=True) else os.read(0, 1)\n\
        print('readyok', flush=True)\nfd = os.open('/proc/self/fd/0', os.O_WRONLY | os.O_NONBLOCK)\n\
        while True:\n    try: os.write(fd, b'x' * 4096)\n    except BlockingIOError: time.sleep(0.01)\n";
    folder.program("engine", script);
    let began = Instant::now();
    let spec = format!("ugi:[stall=1s]{}/engine", folder.0.display());
    let failure = ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(1.0)).unwrap_err();
    assert!(matches!(failure.fault.name(), "stall" | "timeout" | "crash" | "protocol error"), "{failure}");
    assert!(began.elapsed() < Duration::from_secs(40), "took {:?}", began.elapsed());
}

#[test]
fn java_has_no_more_than_others() {
    if lacks("java") || lacks("javac") {
        return;
    }
    let folder = Folder::new();
    let text = "import java.io.*; import java.net.*; import java.nio.file.*;\n\
        public class homework { static void attempt(String n, java.util.concurrent.Callable<?> c) { try { if (c.call() != null) { System.err.println(\"possible: \" + n); System.exit(1); } } catch (Throwable t) { } }\n\
        public static void main(String[] a) throws Exception {\n\
        attempt(\"shadow\", () -> Files.readAllBytes(Path.of(\"/etc/shadow\")));\n\
        attempt(\"home\", () -> new File(\"/root/.bashrc\").exists() || new File(\"/var\").exists() ? 1 : null);\n\
        attempt(\"server\", () -> new ServerSocket(0)); attempt(\"client\", () -> new Socket(\"127.0.0.1\", 22)); attempt(\"udp\", () -> new DatagramSocket());\n\
        attempt(\"others\", () -> ProcessHandle.allProcesses().anyMatch(p -> p.pid() == 1) ? 1 : null);\n\
        attempt(\"watch\", () -> { WatchService w = FileSystems.getDefault().newWatchService(); Path.of(\"/usr/bin\").register(w, StandardWatchEventKinds.ENTRY_MODIFY); return null; });\n\
        attempt(\"attach\", () -> new File(\"/tmp/.java_pid1\").exists() ? 1 : null);\n\
        try (FileWriter w = new FileWriter(\"output.txt\")) { w.write(\"10K\\n\"); } } }";
    fs::write(folder.0.join("homework.java"), text).unwrap();
    let spec = format!("files:{}", folder.0.display());
    let found = ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(20.0));
    assert_eq!(found.unwrap_or_else(|failure| panic!("{failure}")).mv, "10K");
}

// --- Compilers as weapons, and archives.

/// What becomes of sources that are built and asked once.
fn outcome(files: &[(&str, &str)]) -> Result<String, String> {
    prepare();
    let folder = Folder::new();
    for (name, text) in files {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }
    let spec = format!("files:{}", folder.0.display());
    let found = ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(20.0));
    found.map(|answer| answer.mv).map_err(|failure| failure.to_string())
}

#[test]
fn compilers_read_nothing_that_is_not_there() {
    if lacks("g++") {
        return;
    }
    let rival = Folder::new();
    fs::write(rival.0.join("homework.cpp"), "#error the_secret_of_a_rival\n").unwrap();
    let path = rival.0.join("homework.cpp").display().to_string();
    for text in [
        format!("#include \"{path}\"\nint main() {{}}"),
        format!("#include </proc/1/root{path}>\nint main() {{}}"),
        "__asm__(\".incbin \\\"/etc/shadow\\\"\"); int main() {}".into(),
        "static const char x[] = {\n#embed \"/etc/shadow\"\n}; int main() {}".into(),
        "#include \"/proc/self/environ\"\nint main() {}".into(),
        "#include \"/proc/1/environ\"\nint main() {}".into(),
    ] {
        let error = outcome(&[("homework.cpp", &text)]).unwrap_err();
        assert!(
            !error.contains("the_secret_of_a_rival") && !error.contains("root:") && !error.contains("CARGO"),
            "{error}"
        );
    }
}

#[test]
fn a_makefile_sees_what_a_program_sees() {
    if lacks("make") {
        return;
    }
    let own = env!("CARGO_BIN_EXE_quincunx");
    let rule = format!(
        "all:\n\t@! test -e {own}\n\t@! ls /var /run /sys 2>/dev/null | grep .\n\t@! touch /usr/x /etc/x 2>/dev/null\n\t@(sleep 300 &)\n\
         \t@printf '#!/bin/sh\\necho 10K > output.txt\\n' > homework; chmod 755 homework\n"
    );
    assert_eq!(outcome(&[("Makefile", &rule)]).as_deref(), Ok("10K"));
    for rule in [
        "all:\n\tcp /bin/true homework; i=0; while [ $$i -lt 1500 ]; do mkdir d; cd d; i=$$((i+1)); done",
        "all:\n\truncate -s 500M a b c d; touch homework; chmod 755 homework",
        "all:\n\tyes > /dev/stderr",
        "include /etc/shadow\nall:\n\ttrue",
        "all:\n\tmknod homework b 8 0; ln -s /etc/shadow homework",
        "all:\n\tmkfifo homework; rm -rf ../agent; rm Makefile",
    ] {
        let began = Instant::now();
        assert!(outcome(&[("Makefile", rule)]).is_err(), "{rule}");
        assert!(began.elapsed() < Duration::from_secs(60), "{rule}: took {:?}", began.elapsed());
    }
}

#[test]
fn a_processor_of_annotations_runs_inside_the_walls() {
    if lacks("javac") {
        return;
    }
    // Compiled while it compiles: what javac would run is handed in as a source and is not there yet, or is confined.
    let processor = "import java.util.*; import javax.annotation.processing.*; import javax.lang.model.element.*;\n\
        @SupportedAnnotationTypes(\"*\") public class P extends AbstractProcessor { public boolean process(Set<? extends TypeElement> s, RoundEnvironment r) {\n\
        if (new java.io.File(\"/etc/shadow\").exists()) throw new RuntimeException(\"escaped\"); return false; } }";
    let files = [
        (
            "homework.java",
            "public class homework { public static void main(String[] a) throws Exception { try (var w = new java.io.FileWriter(\"output.txt\")) { w.write(\"10K\\n\"); } } }",
        ),
        ("P.java", processor),
        ("META-INF/services/javax.annotation.processing.Processor", "P"),
    ];
    let found = outcome(&files);
    assert!(
        found.as_deref() == Ok("10K") || found.as_ref().is_err_and(|error| !error.contains("escaped")),
        "{found:?}"
    );
}

#[test]
fn what_is_computed_while_compiling_is_bounded() {
    if lacks("g++") || lacks("make") {
        return;
    }
    let text = "constexpr int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); } static_assert(f(60) > 0, \"\"); int main() {}";
    // By a Makefile, since sources alone are tried under four standards.
    let rule = "all:\n\tg++ -o homework agent.cpp";
    let error = outcome(&[("Makefile", rule), ("agent.cpp", text)]).unwrap_err();
    // The compiler gives up, or it is ended after 60 s of CPU time or 180 s; on a busy machine nobody knows which.
    assert!(error.contains("does not build"), "{error}");
}

#[test]
fn archives_of_every_malice_are_refused() {
    if lacks("python3") {
        return;
    }
    let folder = Folder::new();
    let script = "import io, os, stat, sys, tarfile, zipfile, zlib, gzip\nos.chdir(sys.argv[1])\n\
def tar(name, *members):\n    with tarfile.open(name, 'w') as t:\n        for kind, path, link, size in members:\n            i = tarfile.TarInfo(path); i.type = kind; i.linkname = link; i.size = size; i.mode = 0o755\n            t.addfile(i, io.BytesIO(b'x' * size))\n\
agent = (tarfile.REGTYPE, 'homework', '', 9)\n\
tar('hard.tar', agent, (tarfile.LNKTYPE, 'secret', '/etc/shadow', 0))\n\
tar('soft.tar', agent, (tarfile.SYMTYPE, 'all', '/', 0))\n\
tar('through.tar', (tarfile.SYMTYPE, 'd', '/tmp', 0), (tarfile.REGTYPE, 'd/escaped', '', 3))\n\
tar('block.tar', agent, (tarfile.BLKTYPE, 'disk', '', 0))\n\
tar('char.tar', agent, (tarfile.CHRTYPE, 'mem', '', 0))\n\
tar('fifo.tar', agent, (tarfile.FIFOTYPE, 'pipe', '', 0))\n\
tar('up.tar', (tarfile.REGTYPE, '../escaped', '', 3))\n\
tar('absolute.tar', (tarfile.REGTYPE, '/tmp/escaped', '', 3))\n\
tar('twice.tar', agent, agent)\n\
tar('deep.tar', (tarfile.REGTYPE, 'd/' * 60 + 'homework', '', 3))\n\
tar('many.tar', *[(tarfile.REGTYPE, 'f%d' % i, '', 0) for i in range(10050)])\n\
i = tarfile.TarInfo('homework'); i.size = 1 << 40\nopen('huge.tar', 'wb').write(i.tobuf(tarfile.GNU_FORMAT))\n\
i = tarfile.TarInfo('x'); i.size = 1 << 33; i.type = b'x'\nopen('pax.tar', 'wb').write(i.tobuf(tarfile.GNU_FORMAT) + b'9' * 4096)\n\
i = tarfile.TarInfo('x'); i.size = 1 << 33; i.type = b'L'\nopen('long.tar', 'wb').write(i.tobuf(tarfile.GNU_FORMAT) + b'9' * 4096)\n\
buffer = io.BytesIO()\nwith tarfile.open(fileobj=buffer, mode='w') as t:\n    i = tarfile.TarInfo('homework'); i.size = 300 << 20\n    class Z:\n        def read(self, n): return bytes(n)\n    t.addfile(i, Z())\n\
open('bomb.tar.gz', 'wb').write(gzip.compress(buffer.getvalue(), 1))\n\
with zipfile.ZipFile('bomb.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('homework', bytes(300 << 20))\n\
with zipfile.ZipFile('link.zip', 'w') as z:\n    i = zipfile.ZipInfo('homework'); i.external_attr = (stat.S_IFLNK | 0o777) << 16; z.writestr(i, '/bin/sh')\n\
with zipfile.ZipFile('up.zip', 'w') as z: z.writestr('../../escaped', 'x')\n\
with zipfile.ZipFile('back.zip', 'w') as z: z.writestr('..\\\\..\\\\escaped', 'x')\n\
open('text.zip', 'w').write('no archive')\n";
    let made = Command::new("python3").args(["-c", script]).arg(&folder.0).stdin(Stdio::null()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let rules = *open("pente", None, None).unwrap().rules();
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 20);
    for path in names {
        let began = Instant::now();
        let error = build(&format!("files:{}", path.display()), &rules, 0).err();
        let error = error.unwrap_or_else(|| panic!("{} was taken", path.display())).to_string();
        assert!(!error.contains('\n') && error.len() < 400, "{error}");
        assert!(began.elapsed() < Duration::from_secs(60), "{}: took {:?}", path.display(), began.elapsed());
    }
    assert!(!std::path::Path::new("/tmp/escaped").exists());
}

#[test]
fn a_submission_of_holes_is_refused_without_reading_them() {
    prepare();
    let folder = Folder::new();
    fs::write(folder.0.join("homework.cpp"), "int main() {}\n").unwrap();
    let holes = fs::File::create(folder.0.join("data")).unwrap();
    holes.set_len(1 << 40).unwrap();
    let began = Instant::now();
    let error = ask(&folder).unwrap_err().to_string();
    assert!(error.contains("MB"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(2), "took {:?}", began.elapsed());
}
