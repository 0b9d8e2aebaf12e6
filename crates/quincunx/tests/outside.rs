//! Programs from outside: honest ones are served, hostile ones get their verdict and harm nothing.
//!
//! Each program is a folder with a script that this test makes; each plays against `random` and must end as it says.
#![cfg(target_os = "linux")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use quincunx_agents::{Answer, Failure, Request};
use quincunx_game::AnyGame;
use quincunx_games::open;
use quincunx_outside::{build, set_warden};
use quincunx_search::Limits;

/// A folder with an agent.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("outside-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// An agent that is a shell script.
    fn shell(script: &str) -> Self {
        let folder = Self::new();
        folder.program("homework", &format!("#!/bin/sh\n{script}\n"));
        folder
    }

    fn program(&self, name: &str, text: &str) {
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

fn cpu(seconds: f64) -> Limits {
    Limits { cpu: Some(Duration::from_secs_f64(seconds)), ..Limits::default() }
}

/// Asks the agent of a folder for a move in a game.
fn ask_in(game: &dyn AnyGame, spec: &str, limits: Limits) -> Result<Answer, Failure> {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let mut agent = build(spec, game.rules(), 0).unwrap();
    agent.choose(game, &Request { limits, ..Request::default() })
}

/// Asks for the first move of Pente with stall and CPU time short enough for a test.
fn ask(folder: &Folder) -> Result<Answer, Failure> {
    let spec = format!("files:[stall=1s,memory=300M,tasks=40,disk=20M]{}", folder.0.display());
    ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(1.0))
}

#[track_caller]
fn fails(script: &str, fault: &str, says: &str) {
    let began = Instant::now();
    let failure = ask(&Folder::shell(script)).unwrap_err();
    let text = failure.to_string();
    assert_eq!(failure.fault.name(), fault, "{text}");
    assert!(text.contains(says) && !text.contains('\n') && text.len() < 500, "{text}");
    assert!(began.elapsed() < Duration::from_secs(60), "took {:?}", began.elapsed());
}

#[track_caller]
fn answers(script: &str) -> Answer {
    let answer = ask(&Folder::shell(script)).unwrap();
    assert_eq!(answer.mv, "10K");
    answer
}

// --- Honest programs.

#[test]
fn a_plain_answer_is_taken() {
    answers("echo 10K > output.txt");
}

#[test]
fn the_exchange_is_the_assignments() {
    let check = r#"[ "$(sed -n 1p input.txt)" = WHITE ] && [ "$(sed -n 2p input.txt)" = 1.00 ] &&
        [ "$(sed -n 3p input.txt)" = 0,0 ] && [ $(wc -l < input.txt) = 22 ] && [ $# = 0 ] &&
        [ ! -e playdata.txt ] && echo 10K > output.txt"#;
    answers(check);
}

#[test]
fn what_it_prints_is_ignored() {
    answers("seq 100000; seq 100000 >&2; echo 10K > output.txt");
}

#[test]
fn every_form_of_handing_in_is_run() {
    let python = "open('output.txt', 'w').write('10K\\n')\n";
    let folder = Folder::new();
    fs::write(folder.0.join("homework.py"), python).unwrap();
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    fs::write(folder.0.join("agent.py"), python).unwrap();
    fs::write(folder.0.join("CMD"), "python3 agent.py\n").unwrap();
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    folder.program("my-agent", "#!/bin/sh\necho 10K > output.txt");
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    fs::write(folder.0.join("notes.txt"), "not an agent").unwrap();
    let spec = format!("files:{}", folder.0.display());
    let rules = *open("pente", None, None).unwrap().rules();
    let error = build(&spec, &rules, 0).err().unwrap().to_string();
    assert!(error.contains("homework.py"), "{error}");
}

#[test]
fn playdata_lasts_for_a_game_and_calibration_runs_once() {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let folder = Folder::shell(
        "[ -e calibration.txt ] || exit 7\nif [ -e playdata.txt ]; then echo 11K; else echo 10K; fi > output.txt\necho x > playdata.txt",
    );
    folder.program("calibrate", "#!/bin/sh\necho speed 1 > calibration.txt\necho once >> /dev/null");
    let game = open("pente", None, None).unwrap();
    let spec = format!("files:{}", folder.0.display());
    let mut agent = build(&spec, game.rules(), 0).unwrap();
    let request = Request { limits: cpu(5.0), ..Request::default() };
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "11K");
    agent.new_game();
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    assert!(!folder.0.join("playdata.txt").exists() && !folder.0.join("calibration.txt").exists());
}

#[test]
fn tessella_is_handed_over_in_step_files() {
    let folder = Folder::shell("[ \"$1\" = 1 ] && [ -e state_0.txt ] && echo 8 4 7 4 > decision_1.txt");
    let game = open("tessella", None, None).unwrap();
    let answer = ask_in(&*game, &format!("files:{}", folder.0.display()), cpu(5.0)).unwrap();
    assert_eq!(answer.mv, "e1-e2");
}

// --- Time.

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

fn python(script: &str) -> Folder {
    let folder = Folder::new();
    fs::write(folder.0.join("homework.py"), format!("{BURN}{script}\n")).unwrap();
    folder
}

/// Runs a program that says itself what was used; what was booked may be off by the larger of 10 ms and 2 %, and below by `unseen` more.
///
/// A program cannot say what its end takes after its last look at the clock. That is below 2 ms, unless the machine stands still just
/// then: so what is too much has to be too much three times. What is too little is an error at once.
#[track_caller]
fn books(script: &str, at_least: f64, unseen: f64) {
    let folder = python(script);
    let spec = format!("files:{}", folder.0.display());
    let mut too_much = Vec::new();
    while too_much.len() < 3 {
        let answer = ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(20.0)).unwrap();
        let (used, booked) = (answer.mv.parse::<f64>().unwrap(), answer.cpu.unwrap().as_secs_f64());
        assert!(used >= at_least, "used {used} s");
        let within = (0.02 * used).max(0.01);
        assert!(booked - used >= -within - unseen, "booked {booked:.4} s for {used:.4} s");
        if booked - used <= within {
            return;
        }
        too_much.push(format!("{booked:.4} s for {used:.4} s"));
    }
    panic!("booked {}", too_much.join(", "));
}

#[test]
fn cpu_time_is_booked_as_the_system_counts_it() {
    books("burn(0.4)\nanswer()", 0.4, 0.0);
    books("answer()", 0.0, 0.0);
}

#[test]
fn cpu_time_of_children_is_booked_as_the_system_counts_it() {
    books("if os.fork() == 0:\n    burn(0.3); os._exit(0)\nos.wait(); burn(0.2); answer()", 0.5, 0.0);
}

#[test]
fn cpu_time_of_threads_is_booked_as_the_system_counts_it() {
    let script = "import threading\nthreads = [threading.Thread(target=burn, args=(0.3,)) for _ in range(3)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nanswer()";
    books(script, 0.3, 0.0);
}

#[test]
fn cpu_time_of_children_that_outlive_the_program_is_booked_as_the_system_counts_it() {
    books("used = child(lambda: (os.setsid(), burn(0.4)), lambda: time.sleep(60))\nanswer(used())", 0.4, 0.0);
}

#[test]
fn cpu_time_of_children_nobody_waits_for_is_booked() {
    // Where the system keeps no groups such a child is booked as last seen.
    let script = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nused = child(lambda: burn(0.5), lambda: None)\nused = used(); time.sleep(0.2); answer(used)";
    books(script, 0.5, 0.15);
}

#[test]
fn a_busy_loop_is_ended_when_its_cpu_time_is_over() {
    fails("while :; do :; done", "timeout", "CPU time");
}

#[test]
fn busy_children_use_up_the_time_of_their_parent() {
    fails("for i in 1 2 3; do (while :; do :; done) & done; sleep 60", "timeout", "CPU time");
}

#[test]
fn a_wall_clock_is_kept_too() {
    let folder = Folder::shell("sleep 30; echo 10K > output.txt");
    let limits = Limits { movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    let spec = format!("files:{}", folder.0.display());
    let failure = ask_in(&*open("pente", None, None).unwrap(), &spec, limits).unwrap_err();
    assert_eq!(failure.fault.name(), "timeout");
}

#[test]
fn one_that_sleeps_is_stalled() {
    fails("sleep 1000", "stall", "neither");
}

#[test]
fn one_that_stops_itself_is_stalled() {
    fails("kill -STOP $$", "stall", "neither");
}

#[test]
fn one_that_waits_for_input_gets_none() {
    fails("read line; exit 0", "no output", "without writing");
}

#[test]
fn one_that_ignores_every_polite_signal_is_ended() {
    fails("trap '' TERM INT HUP QUIT; while :; do :; done", "timeout", "CPU time");
}

// --- Answers that are none.

#[test]
fn no_output_is_told_with_the_last_words() {
    fails("echo I have no idea >&2", "no output", "I have no idea");
}

#[test]
fn an_exit_code_without_output_is_a_crash() {
    fails("echo oops >&2; exit 3", "crash", "code 3; it said: oops");
}

#[test]
fn a_signal_is_a_crash_with_its_name() {
    fails("kill -SEGV $$", "crash", "SIGSEGV");
    fails("kill -40 $$", "crash", "an unnamed signal (40)");
}

#[test]
fn killing_itself_is_a_crash() {
    fails("kill -KILL $$", "crash", "SIGKILL");
}

#[test]
fn a_program_that_cannot_run_is_a_crash() {
    let folder = Folder::new();
    folder.program("homework", "#!/no/such/interpreter\n");
    let failure = ask(&folder).unwrap_err();
    assert_eq!(failure.fault.name(), "crash");
}

#[test]
fn the_wrong_file_name_is_no_output() {
    fails("echo 10K > OuTpUt.TxT", "no output", "output.txt");
}

#[test]
fn an_empty_file_is_malformed() {
    fails(": > output.txt", "malformed output", "no place");
}

#[test]
fn the_other_order_of_coordinates_is_malformed() {
    fails("echo K10 > output.txt", "malformed output", "K10");
}

#[test]
fn two_lines_are_malformed() {
    fails("printf '10K\\n11K\\n' > output.txt", "malformed output", "one line");
}

#[test]
fn binary_garbage_is_malformed() {
    fails("head -c 1000 /dev/urandom > output.txt", "malformed output", "output.txt");
}

#[test]
fn a_long_file_is_excess() {
    fails("head -c 100000 /dev/zero | tr '\\0' 1 > output.txt", "excess", "4096");
}

#[test]
fn a_link_is_not_followed() {
    fails("ln -s /etc/passwd output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_link_to_a_right_answer_is_not_followed() {
    fails("echo 10K > answer; ln -s answer output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_directory_is_no_answer() {
    fails("mkdir output.txt; touch output.txt/x", "malformed output", "not a plain file");
}

#[test]
fn a_pipe_does_not_hold_the_referee() {
    fails("mkfifo output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_file_without_permissions_is_no_answer_or_is_read() {
    // Whoever runs as root reads it all the same.
    match ask(&Folder::shell("echo 10K > output.txt; chmod 000 output.txt")) {
        Ok(answer) => assert_eq!(answer.mv, "10K"),
        Err(failure) => assert_eq!(failure.fault.name(), "malformed output"),
    }
}

// --- Too much of everything.

#[test]
fn a_huge_file_is_refused_by_the_system() {
    fails("truncate -s 10G output.txt; head -c 30000000 /dev/zero > output.txt", "excess", "4096");
}

#[test]
fn filling_the_disk_is_excess() {
    let script = "i=0; while :; do head -c 5000000 /dev/zero > file$i; i=$((i+1)); sleep 0.02; done";
    fails(script, "excess", "files");
}

#[test]
fn a_fork_bomb_is_excess_and_leaves_nothing() {
    fails("b() { b | b & b | b & sleep 5; }; b", "excess", "processes");
}

#[test]
fn one_that_starts_too_many_and_ends_at_once_is_excess() {
    // It is gone before anybody looks; the system has counted.
    let folder = python(
        "for _ in range(200):\n    try:\n        if os.fork() == 0: time.sleep(60)\n    except OSError: os._exit(2)\nos._exit(2)",
    );
    let failure = ask(&folder).unwrap_err();
    assert_eq!(failure.fault.name(), "excess", "{failure}");
}

#[test]
fn too_much_memory_is_a_crash_of_its_own_or_excess() {
    let folder = python("data = []\nwhile True: data.append(bytearray(10_000_000))");
    let failure = ask(&folder).unwrap_err();
    assert!(matches!(failure.fault.name(), "crash" | "excess"), "{failure}");
}

#[test]
fn memory_shared_out_over_processes_is_excess() {
    let folder = python(
        "for _ in range(8):\n    if os.fork() == 0:\n        data = bytearray(100_000_000); time.sleep(60); os._exit(0)\ntime.sleep(60)",
    );
    let failure = ask(&folder).unwrap_err();
    assert_eq!(failure.fault.name(), "excess", "{failure}");
}

#[test]
fn endless_standard_error_is_bounded() {
    fails("yes nonsense >&2", "excess", "standard error");
}

// --- Harm.

#[test]
fn nothing_it_started_outlives_its_move() {
    let mark = format!("{}.{}", 4000 + std::process::id() % 1000, 77);
    answers(&format!("setsid sh -c 'sleep {mark}' & (sleep {mark} &) ; nohup sleep {mark} & echo 10K > output.txt"));
    let list = Command::new("ps").args(["-eo", "args"]).stderr(Stdio::null()).output();
    if let Ok(list) = list {
        assert!(!String::from_utf8_lossy(&list.stdout).contains(&format!("sleep {mark}")));
    }
}

#[test]
fn it_cannot_reach_beyond_its_directory() {
    let rival = Folder::shell("echo 10K > output.txt");
    fs::write(rival.0.join("secret.txt"), "plan").unwrap();
    assert!(ask(&rival).is_ok());
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written-by-an-agent");
    _ = fs::remove_file(&outside);
    let script = format!(
        "cat '{}/secret.txt' > seen 2>/dev/null && exit 1\necho x > '{}' 2>/dev/null && exit 2\necho 10K > output.txt",
        rival.0.display(),
        outside.display()
    );
    let found = ask(&Folder::shell(&script));
    assert_eq!(found.unwrap().mv, "10K");
    _ = fs::remove_file(&outside);
}

#[test]
fn input_turned_into_a_link_is_not_written_through() {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let victim = Path::new(env!("CARGO_TARGET_TMPDIR")).join("victim.txt");
    fs::write(&victim, "untouched").unwrap();
    let folder = Folder::shell(&format!(
        "rm input.txt; ln -s '{}' input.txt; rm -f output.txt; echo 10K > output.txt",
        victim.display()
    ));
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    let request = Request { limits: cpu(5.0), ..Request::default() };
    for _ in 0..2 {
        assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
}

#[test]
fn killing_whatever_it_can_see_does_not_help() {
    // Its parent, its group, everybody: the referee and its warden go on, and the program has no answer.
    let failure = ask(&Folder::shell("kill -9 $PPID; kill -9 -1; kill -9 0")).unwrap_err();
    assert!(matches!(failure.fault.name(), "crash" | "no output"), "{failure}");
}

#[test]
fn it_sees_no_secrets_of_the_environment() {
    // Cargo sets many variables of its own; none of them is for agents.
    answers("[ -z \"$CARGO_MANIFEST_DIR\" ] && echo 10K > output.txt");
}

#[test]
fn the_agents_own_folder_is_never_changed() {
    let folder = Folder::shell("echo 10K > output.txt; rm -f homework; touch new");
    assert!(ask(&folder).is_ok() && ask(&folder).is_ok());
    let names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["homework"]);
}

// --- What a referee leaves behind.

fn files_match(scratch: &Path, agent: &Folder, limit: &str) -> Command {
    with_arguments(Command::new(env!("CARGO_BIN_EXE_quincunx")), scratch, agent, limit)
}

/// The same on a system without namespaces, for programs that are trusted; `None` if there is no way to have one.
fn unwalled_match(scratch: &Path, agent: &Folder, limit: &str) -> Option<Command> {
    const WITHOUT: &str = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\" --trust-programs";
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["-U", "-r", "sh", "-c"]);
        command
    };
    if !unshare().arg("echo 0 > /proc/sys/user/max_user_namespaces").output().is_ok_and(|tried| tried.status.success())
    {
        eprintln!("skipped: unshare cannot make a system without namespaces here");
        return None;
    }
    let mut command = unshare();
    command.args([WITHOUT, "sh", env!("CARGO_BIN_EXE_quincunx")]);
    Some(with_arguments(command, scratch, agent, limit))
}

fn with_arguments(mut command: Command, scratch: &Path, agent: &Folder, limit: &str) -> Command {
    let spec = format!("files:{}", agent.0.display());
    command.args(["match", "pente", &spec, "random", "--games", "1", "--limit", limit, "--json"]);
    command.env("TMPDIR", scratch).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[test]
fn directories_of_dead_wardens_are_removed_and_no_others() {
    let scratch = Folder::new();
    let agent = Folder::shell("exit 1");
    let Some(mut command) = unwalled_match(&scratch.0, &agent, "cpu=5s") else { return };
    let (dead, held) = (scratch.0.join("quincunx-4194305"), scratch.0.join("quincunx-4194306"));
    let (file, other) = (scratch.0.join("quincunx-4194307"), scratch.0.join("quincunx-notes"));
    for directory in [&dead, &held, &other] {
        fs::create_dir_all(directory.join("0")).unwrap();
        fs::write(directory.join("0/input.txt"), "x").unwrap();
    }
    fs::write(&file, "x").unwrap();
    let link = scratch.0.join("quincunx-4194308");
    std::os::unix::fs::symlink(&other, &link).unwrap();
    let lock = fs::File::open(&held).unwrap();
    lock.lock().unwrap();
    assert!(command.output().unwrap().status.success());
    assert!(!dead.exists());
    let mut left: Vec<_> = fs::read_dir(&scratch.0).unwrap().map(|entry| entry.unwrap().path()).collect();
    left.sort();
    assert_eq!(left, [held, file, link, other.clone()]);
    assert!(other.join("0/input.txt").exists());
}

#[test]
fn a_killed_referee_leaves_no_directory_and_no_process() {
    let until = |done: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !done() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        done()
    };
    for (number, walled) in [(78, true), (79, false)] {
        let scratch = Folder::new();
        let mark = format!("{}.{number}", 5000 + std::process::id() % 1000);
        let agent = Folder::shell(&format!("sleep {mark}"));
        let command = files_match(&scratch.0, &agent, "cpu=60s");
        let command = if walled { Some(command) } else { unwalled_match(&scratch.0, &agent, "cpu=60s") };
        let Some(mut command) = command else { return };
        let mut referee = command.spawn().unwrap();
        let running = || {
            let list = Command::new("ps").args(["-eo", "args"]).output().unwrap();
            String::from_utf8_lossy(&list.stdout).lines().any(|line| line == format!("sleep {mark}"))
        };
        let is_empty = || fs::read_dir(&scratch.0).unwrap().next().is_none();
        assert!(until(&running) && is_empty() == walled);
        referee.kill().unwrap();
        referee.wait().unwrap();
        assert!(until(&|| !running() && is_empty()));
    }
}

#[test]
fn getting_ready_is_not_on_the_clock() {
    let scratch = Folder::new();
    let agent = Folder::shell("exit 1");
    agent.program("calibrate", "#!/bin/sh\nsleep 1");
    let output = files_match(&scratch.0, &agent, "clock=0.5s,margin=0s").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The loser is told why.
    assert!(text.contains("\"crash\": 1") && text.contains("it ended with code 1"), "{text}");
}

// --- Programs over pipes.

fn othello(spec: &str, limits: Limits) -> Result<Answer, Failure> {
    ask_in(&*open("othello", None, None).unwrap(), spec, limits)
}

#[track_caller]
fn pipe_fails(kind: &str, script: &str, fault: &str) {
    let folder = Folder::shell(script);
    let failure = othello(&format!("{kind}:[stall=1s]{}/homework", folder.0.display()), cpu(2.0)).unwrap_err();
    assert_eq!(failure.fault.name(), fault, "{failure}");
}

#[test]
fn engines_over_pipes_are_understood() {
    let cases = [
        (
            "ugi",
            r"while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) echo info depth 3 nodes 99; echo bestmove d3;; esac; done",
        ),
        ("gtp", r#"while read a b; do case $a in genmove) echo "= D3";; *) echo "=";; esac; echo; done"#),
        ("nboard", r#"while read a b; do case $a in ping) echo "pong $b";; go) echo "=== D3/0.5/1";; esac; done"#),
    ];
    for (kind, script) in cases {
        let folder = Folder::shell(script);
        let answer = othello(&format!("{kind}:{}/homework", folder.0.display()), cpu(10.0)).unwrap();
        assert!(answer.mv.eq_ignore_ascii_case("d3"), "{kind}: {answer:?}");
        if kind == "ugi" {
            assert_eq!((answer.depth, answer.nodes), (3, 99));
        }
    }
}

#[test]
fn an_engine_that_ends_in_the_middle_is_a_crash() {
    pipe_fails("ugi", "read a; echo ugiok; read a; exit 4", "crash");
}

#[test]
fn an_engine_that_says_nothing_is_stalled() {
    pipe_fails("ugi", "sleep 1000", "stall");
}

#[test]
fn an_engine_that_refuses_breaks_the_protocol() {
    pipe_fails("gtp", "while read a; do echo '? no'; echo; done", "protocol error");
}

#[test]
fn an_engine_without_a_move_breaks_the_protocol() {
    pipe_fails("nboard", "read a; read a; echo pong 1; while read a; do echo ===; done", "protocol error");
}

#[test]
fn an_engine_that_floods_is_stopped() {
    pipe_fails("ugi", "exec yes", "excess");
}

#[test]
fn an_engine_that_computes_for_ever_is_out_of_time() {
    pipe_fails(
        "ugi",
        "while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) while :; do :; done;; esac; done",
        "timeout",
    );
}

#[test]
fn the_referee_itself_spends_little_on_a_move() {
    let folder = Folder::shell("echo 10K > output.txt");
    let game = open("pente", None, None).unwrap();
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    let request = Request { limits: cpu(60.0), ..Request::default() };
    let fastest = (0..20).map(|_| agent.choose(&*game, &request).unwrap().seconds).fold(f64::MAX, f64::min);
    // A shell that writes a line, our two processes around it, and what a busy machine adds.
    assert!(fastest < 0.05, "{fastest} s");
}

// --- Programs that speak a protocol of boards.

/// Plays a game between our own agent for such programs and the first legal move.
fn plays_a_whole_game(spec: &str, ruleset: &str) {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let mut game = open("othello", Some(ruleset), None).unwrap();
    let mut agent = build(spec, game.rules(), 0).unwrap();
    while game.outcome().is_none() {
        let choices = game.choices();
        if game.ply().is_multiple_of(2) && !choices[0].pass {
            let answer = agent.choose(&*game, &Request::default()).unwrap();
            game.play(&answer.mv).unwrap();
        } else {
            game.play(&choices[0].text).unwrap();
        }
    }
}

#[test]
fn our_agents_for_outside_programs_play_whole_games_against_these_protocols() {
    let program = env!("CARGO_BIN_EXE_quincunx");
    plays_a_whole_game(&format!("gtp:{program} gtp --agent engine:nodes=200"), "8x8");
    plays_a_whole_game(&format!("gtp:{program} gtp --agent random"), "6x6");
    plays_a_whole_game(&format!("nboard:{program} nboard --hash 1 --movetime 5ms"), "8x8");
    plays_a_whole_game(&format!("nboard:{program} nboard --hash 1 --movetime 5ms"), "6x6");
}

#[test]
fn an_nboard_program_is_told_the_depth_of_its_spec_and_only_once() {
    set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    // It answers with what it was told, in place of a move.
    let script = "while read -r word name value; do case \"$word $name\" in \
                  'nboard 2') ;; 'ping 1') echo pong 1;; 'set depth') told=$told.$value;; 'go ') echo \"=== $told\";; esac; done";
    let mut game = open("othello", None, None).unwrap();
    let answers = |spec: &str, game: &mut dyn AnyGame| -> Vec<String> {
        let mut agent = build(spec, game.rules(), 0).unwrap();
        (0..2).map(|_| agent.choose(game, &Request::default()).unwrap().mv).collect()
    };
    let command = format!("sh -c {script:?}").replace('$', "\\$");
    assert_eq!(answers(&format!("nboard:[depth=12]{command}"), &mut *game), [".12", ".12"]);
    assert_eq!(answers(&format!("nboard:{command}"), &mut *game), [".8", ".8"]);
    for wrong in ["nboard:[depth=0]x", "nboard:[depth=deep]x", "nboard:[Hash=64]x"] {
        let error = build(wrong, game.rules(), 0).err().expect(wrong);
        assert!(error.to_string().contains("nboard"), "{error}");
    }
}
