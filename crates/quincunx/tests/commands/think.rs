//! `think` and `analyse`.

use std::process::Command;

use crate::binary::{PROGRAM, quincunx};

#[test]
fn analysis_without_any_time_still_names_a_move() {
    let lines = quincunx(&["analyse", "shobu", "--movetime", "0ms"]).done();
    assert!(lines.starts_with("depth ") && lines.contains(':'), "{lines}");
}

#[test]
fn finished_games_are_refused() {
    for command in ["think", "analyse"] {
        let message =
            quincunx(&[command, "othello", "--ruleset", "4x4", "--position", "XXXXXXXXXXXXXXOO X"]).refused(2);
        assert!(message.contains("the game is over"), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_larger_than_memory_is_made_smaller() {
    for arguments in [
        "analyse shobu --movetime 10ms --hash 65536",
        "think shobu --agent engine:nodes=100,hash=65536",
        "solve othello --ruleset 4x4 --hash 65536",
    ] {
        let limited = format!("ulimit -v 200000; exec {PROGRAM} {arguments}");
        let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_person_is_not_asked_to_think() {
    let message = quincunx(&["think", "othello", "--agent", "human"]).refused(2);
    assert!(message.contains("play") && !message.contains("agents are human"), "{message}");
}
