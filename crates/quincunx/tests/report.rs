//! The promises of `report`: what came out of a contest, from its directory alone, whoever played.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

fn quincunx(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quincunx")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = quincunx(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A directory of this test alone, empty, and its name.
fn scratch(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    _ = fs::remove_dir_all(&path);
    (path.clone(), path.to_str().unwrap().into())
}

/// Plays a tournament into a directory and returns its JSON and its page, and both again as `report` remakes them.
fn twice(name: &str, arguments: &[&str]) -> [(Value, String); 2] {
    let (directory, out) = scratch(name);
    let pages = ["first", "again"].map(|page| directory.with_extension(page));
    let [first, again] = pages.each_ref().map(|page| page.to_str().unwrap());
    let played = json(&[arguments, &["--seed", "3", "--out", &out, "--report", first, "--json"]].concat());
    let remade = json(&["report", &out, "--page", again, "--json"]);
    let [first, again] = pages.each_ref().map(|page| fs::read_to_string(page).unwrap());
    [(played, first), (remade, again)]
}

#[test]
fn a_tournament_is_told_again_from_its_directory_alone() {
    for (name, arguments) in [
        ("round-robin", vec!["tournament", "tessella", "engine:nodes=50", "random", "random", "--games", "2"]),
        (
            "knockout",
            vec![
                "tournament",
                "othello",
                "engine:nodes=50",
                "random",
                "random",
                "--format",
                "knockout",
                "--games",
                "4",
            ],
        ),
        (
            "anonymous",
            vec![
                "tournament",
                "othello",
                "engine:nodes=50",
                "random",
                "--anonymous",
                "--format",
                "knockout",
                "--games",
                "4",
            ],
        ),
    ] {
        let [played, remade] = twice(name, &arguments);
        assert_eq!(played, remade, "{name}");
    }
}

#[test]
fn a_round_that_was_stopped_puts_nobody_out_when_it_is_told_again() {
    let (directory, out) = scratch("stopped");
    let agents = ["engine:nodes=50", "random", "random"];
    let knockout = ["--format", "knockout", "--games", "4", "--seed", "3", "--out", &out];
    let played = json(&[&["tournament", "othello"], &agents[..], &knockout, &["--json"]].concat());
    assert!(played["winners"].as_array().unwrap().len() < 3, "{played}");
    // As it lies there after Ctrl-C in the first round: only its first pair of games is complete.
    for round in 2.. {
        if fs::remove_dir_all(directory.join(format!("round-{round}"))).is_err() {
            break;
        }
    }
    let games = directory.join("round-1/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.split_inclusive('\n').take(3).collect::<String>()).unwrap();
    let told = json(&["report", &out, "--json"]);
    assert_eq!(told["winners"].as_array().unwrap().len(), 3, "{told}");
    assert_eq!(told["rounds"], serde_json::json!([]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_competition_of_a_class_is_told_again_by_the_names_of_its_students() {
    use std::os::unix::fs::PermissionsExt;

    let class = scratch("class").0;
    for name in ["ann", "bob"] {
        let program = class.join(name).join("homework");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "#!/bin/sh\nexit 1\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let class = class.to_str().unwrap();
    for (name, more, expected) in
        [("named", &[][..], ["ann", "bob"]), ("numbered", &["--anonymous"], ["agent 1", "agent 2"])]
    {
        let arguments = ["tournament", "pente", "--class", class, "--games", "2", "--trust-programs"];
        let [(played, page), (remade, again)] = twice(name, &[&arguments, more].concat());
        assert_eq!((&played, page), (&remade, again), "{name}");
        let mut names: Vec<_> =
            played["agents"].as_array().unwrap().iter().map(|agent| agent["agent"].clone()).collect();
        names.sort_by_key(ToString::to_string);
        assert_eq!(names, expected);
    }
}

#[test]
fn a_match_is_told_again_as_a_match_with_its_sequential_test() {
    let (_, out) = scratch("match");
    let arguments =
        ["match", "tessella", "engine:nodes=50", "random", "--games", "40", "--sprt", "0,300", "--seed", "3"];
    let played = quincunx(&[&arguments[..], &["--out", &out]].concat());
    let remade = quincunx(&["report", &out]);
    assert_eq!(String::from_utf8(remade.stdout).unwrap(), String::from_utf8(played.stdout).unwrap());
    // Everything is there already: the same command plays nothing and tells the same.
    let again = json(&[&arguments[..], &["--out", &out, "--json"]].concat());
    assert_eq!(json(&["report", &out, "--json"]), again);
    assert!(again["complete"] == true && again["games"].as_u64().unwrap() < 40, "the test has decided: {again}");
}

#[test]
fn an_experiment_is_told_again_and_an_unfinished_one_is_refused() {
    let arguments = ["experiment", "ladder", "--game", "tessella", "--highest", "2", "--games", "4"];
    let [(played, first), (remade, again)] = twice("ladder", &arguments);
    assert_eq!(played["rows"], remade["rows"]);
    assert_eq!(first, again);

    let (directory, out) = scratch("ladder-cut");
    assert!(quincunx(&[&arguments[..], &["--out", &out]].concat()).status.success());
    let series = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir());
    let games = series.unwrap().join("games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.split_inclusive('\n').skip(1).collect::<String>()).unwrap();
    let refused = quincunx(&["report", &out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("1 games are missing"), "{refused:?}");
}

#[test]
fn the_directory_says_which_version_machine_command_and_evaluators_made_it() {
    let (directory, out) = scratch("made-by");
    json(&["match", "shobu", "engine:nodes=30", "random", "--games", "2", "--seed", "9", "--out", &out, "--json"]);
    let contest: Value = serde_json::from_slice(&fs::read(directory.join("contest.json")).unwrap()).unwrap();
    assert_eq!(contest["version"], quincunx_version::VERSION);
    assert!(contest["machine"].as_str().is_some_and(|machine| machine.contains("threads")), "{contest}");
    assert_eq!(contest["command"][0], "match");
    assert_eq!(contest["seed"], 9);
    assert!(contest["evaluators"]["engine:nodes=30"].as_str().is_some_and(|hash| hash.len() == 16), "{contest}");
    let told = json(&["report", &out, "--json"]);
    assert_eq!(told["games"], 2);
}

#[test]
fn what_is_no_contest_is_refused_in_one_line() {
    let (directory, out) = scratch("no-contest");
    fs::create_dir_all(&directory).unwrap();
    for (contest, complaint) in [
        (None, "there is no contest.json"),
        (Some("{"), "is damaged"),
        (Some("{}"), "no agents"),
        (Some(r#"{"agents":["a"],"game":"chess","ruleset":"x"}"#), "chess"),
        (
            Some(
                r#"{"game":"othello","ruleset":"8x8","agents":[1],"limit":"","openings":"start","draws_to_faster":false,"seed":1}"#,
            ),
            "no agents",
        ),
    ] {
        if let Some(text) = contest {
            fs::write(directory.join("contest.json"), text).unwrap();
        }
        let refused = quincunx(&["report", &out]);
        let line = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(line.contains(complaint) && line.trim().lines().count() == 1, "{line}");
    }
}
