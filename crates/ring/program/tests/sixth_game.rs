//! A sixth game plays in matches and tournaments like any other.

use std::process::{Command, Stdio};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_quincunx-with-ring");

/// Runs the program to its end; its standard output.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_program_lists_it_last() {
    let list: Value = serde_json::from_str(&run(&["games", "--json"])).unwrap();
    let names: Vec<_> = list["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(names.last(), Some(&"ring"));
}

#[test]
fn the_engine_wins_no_less_than_random_moves_and_another_program_plays_it_over_ugi() {
    let other = format!("ugi:{PROGRAM} ugi");
    let games = ["--games", "8", "--openings", "start", "--limit", "nodes=300", "--seed", "1", "--json"];
    let score = |agents: [&str; 2]| {
        let result: Value = serde_json::from_str(&run(&[&["match", "ring"], &agents[..], &games].concat())).unwrap();
        assert_eq!(result["games"], 8, "{result}");
        result
    };
    let against_random = score(["engine", "random"]);
    assert!(against_random["a_wins"].as_u64() >= Some(3) && against_random["b_wins"] == 0, "{against_random}");
    let against_itself = score(["engine", &other]);
    assert_eq!(against_itself["draws"], 8, "whoever is hunted can flee for ever: {against_itself}");
}
