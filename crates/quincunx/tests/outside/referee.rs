//! What a referee leaves behind.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::agent::{Folder, prepare};

fn files_match(scratch: &Path, agent: &Folder, limit: &str) -> Command {
    with_arguments(Command::new(env!("CARGO_BIN_EXE_quincunx")), scratch, agent, limit)
}

/// The same on a system without namespaces, only for programs that harm nothing; `None` if there is no way to have one.
fn unwalled_match(scratch: &Path, agent: &Folder, limit: &str) -> Option<Command> {
    const WITHOUT: &str = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
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
    command.args(["match", "pente", &spec, "random", "--games", "1", "--limit", limit, "--json", "--trust-programs"]);
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
    prepare();
    let scratch = Folder::new();
    let agent = Folder::shell("exit 1");
    agent.program("calibrate", "#!/bin/sh\nsleep 4");
    let output = files_match(&scratch.0, &agent, "clock=3s,margin=0s").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The loser is told why.
    assert!(text.contains("\"crash\": 1") && text.contains("it ended with code 1"), "{text}");
}

#[test]
fn hostile_programs_cost_only_themselves() {
    prepare();
    let hostile = [
        "mkdir d; while cd d; do mkdir d; done",
        "yes > a & yes > b & b() { b | b & }; b",
        "chmod 000 .; kill -9 -1",
        "exec yes >&2",
    ]
    .map(Folder::shell);
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["tournament", "pente", "random", "near"]);
    for folder in &hostile {
        command.arg(format!("files:[disk=10M,tasks=30,stall=1s]{}", folder.0.display()));
    }
    let began = Instant::now();
    let output = command
        .args(["--games", "2", "--limit", "cpu=1s", "--seed", "1", "--json", "--trust-programs"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(began.elapsed() < Duration::from_secs(120), "took {:?}", began.elapsed());
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Whoever met one has won, and the games without one were played out.
    let points = |name: &str| {
        let agents = found["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["agent"] == name).unwrap()["points"].as_f64().unwrap()
    };
    assert!(points("random") + points("near") >= 2.0 * 8.0 + 2.0, "{found:#}");
    assert_eq!(found["causes"]["five in a row"], 2, "{found:#}");
}

#[test]
fn what_a_program_says_cannot_break_the_page_it_is_shown_on() {
    prepare();
    let agent = Folder::shell("echo '<!--<script>alert(1)</script>' >&2; exit 1");
    let page = agent.0.join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["tournament", "pente", "random", &format!("files:{}", agent.0.display()), "--games", "2"]);
    let output =
        command.args(["--limit", "cpu=5s", "--seed", "1", "--trust-programs", "--report"]).arg(&page).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("alert(1)") && !html.contains("<!--") && !html.contains("<script>alert"));
}
