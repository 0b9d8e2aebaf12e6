//! The promises of `match` to those who script it: results, records, and runs that survive any kill.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::Duration,
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

/// A directory of this test alone, empty.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = fs::remove_dir_all(&path);
    path
}

fn numbers(directory: &Path) -> Vec<u64> {
    let text = fs::read_to_string(directory.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].as_u64().unwrap()).collect()
}

#[test]
fn a_match_that_is_killed_50_times_loses_and_doubles_no_game() {
    const GAMES: usize = 10_000;
    let directory = scratch("killed");
    let out = directory.to_str().unwrap();
    let games = GAMES.to_string();
    let arguments = ["match", "othello", "random", "random", "--games", &games, "--seed", "5", "--out", out, "--json"];
    let mut waited = 7919u64;
    let mut kills_before_the_end = 0;
    for _ in 0..50 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Long enough to get to the games now and then, and often not.
        waited = waited * 48271 % 2_147_483_647;
        sleep(Duration::from_micros(1000 + waited % 30_000));
        kills_before_the_end += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills_before_the_end > 20, "only {kills_before_the_end} kills hit a running match");
    let resumed = json(&arguments);
    assert_eq!(resumed["games"], GAMES);
    let found = numbers(&directory);
    assert_eq!(found.len(), GAMES);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), GAMES);

    // The games of a seed do not depend on when they were played: a run in one go says the same.
    let whole = json(&["match", "othello", "random", "random", "--games", &games, "--seed", "5", "--json"]);
    for field in ["a_wins", "b_wins", "draws", "elo", "los", "causes", "pairs"] {
        assert_eq!(resumed[field], whole[field], "{field}");
    }
}

#[test]
fn a_half_written_game_is_cut_off_and_played_again() {
    let directory = scratch("half-written");
    let out = directory.to_str().unwrap();
    let arguments = ["match", "othello", "random", "random", "--games", "20", "--seed", "1", "--out", out, "--json"];
    let first = json(&arguments);
    let path = directory.join("games.jsonl");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    assert_eq!(json(&arguments), first);
    assert_eq!(numbers(&directory).len(), 20);
}

#[test]
fn a_directory_of_another_match_or_a_damaged_one_is_refused() {
    let directory = scratch("another");
    let out = directory.to_str().unwrap();
    let with =
        |seed: &str| quincunx(&["match", "othello", "random", "random", "--games", "4", "--seed", seed, "--out", out]);
    assert!(with("1").status.success());
    let other = with("2");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("seed was 1"));

    let path = directory.join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{}\n", text.lines().next().unwrap())).unwrap();
    let doubled = with("1");
    assert_eq!(doubled.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&doubled.stderr).contains("twice"));
}

#[test]
fn another_version_goes_on_with_a_match_and_each_game_names_its_own() {
    let directory = scratch("version");
    let out = directory.to_str().unwrap();
    let with = |games: &str| {
        json(&["match", "othello", "random", "random", "--games", games, "--seed", "1", "--out", out, "--json"])
    };
    with("2");
    let version = Value::from(quincunx_version::VERSION);
    let edited = |name: &str, edit: &dyn Fn(&mut Value)| {
        let path = directory.join(name);
        let mut text = String::new();
        for value in serde_json::Deserializer::from_str(&fs::read_to_string(&path).unwrap()).into_iter::<Value>() {
            let mut value = value.unwrap();
            assert_eq!(value["version"], version, "{name}");
            edit(&mut value);
            text += &value.to_string();
            text.push('\n');
        }
        fs::write(path, text).unwrap();
    };
    // As a version before would have left them, and as one older than the field.
    edited("contest.json", &|contest| contest["version"] = "0.0.1".into());
    edited("games.jsonl", &|game| drop(game.as_object_mut().unwrap().remove("version")));
    assert_eq!(with("4")["games"], 4);
    let games = fs::read_to_string(directory.join("games.jsonl")).unwrap();
    let versions: Vec<_> =
        games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["version"].clone()).collect();
    assert_eq!(versions, [Value::Null, Value::Null, version.clone(), version]);
    let text = fs::read_to_string(directory.join("games.txt")).unwrap();
    assert_eq!(text.matches(&format!("[Version \"{}\"]", quincunx_version::VERSION)).count(), 2);
}

#[test]
fn every_recorded_game_can_be_shown_from_both_files() {
    let directory = scratch("shown");
    let out = directory.to_str().unwrap();
    json(&["match", "othello", "random", "random", "--games", "6", "--openings", "random:6", "--out", out, "--json"]);
    for number in ["0", "5"] {
        let [from_json, from_text] = ["games.jsonl", "games.txt"].map(|name| {
            let file = directory.join(name);
            json(&["show", "othello", "--record", file.to_str().unwrap(), "--number", number, "--json"])
        });
        assert_eq!(from_json, from_text);
        assert_eq!(from_json["over"], true);
    }
    let file = directory.join("games.txt");
    let early = json(&["show", "othello", "--record", file.to_str().unwrap(), "--ply", "6", "--json"]);
    assert_eq!(early["ply"], 6);
    assert_eq!(
        quincunx(&["show", "othello", "--record", file.to_str().unwrap(), "--number", "6"]).status.code(),
        Some(2)
    );
}

#[test]
fn games_come_in_pairs_over_one_opening_with_the_colours_swapped() {
    let directory = scratch("pairs");
    let out = directory.to_str().unwrap();
    json(&[
        "match",
        "othello",
        "random",
        "engine:depth=1",
        "--games",
        "20",
        "--openings",
        "random:8",
        "--out",
        out,
        "--json",
    ]);
    let text = fs::read_to_string(directory.join("games.jsonl")).unwrap();
    let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["number"].as_u64());
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["opening"].as_array().unwrap().len(), 8);
        assert_eq!(pair[0]["agents"][0], pair[1]["agents"][1]);
        assert_ne!(pair[0]["agents"], pair[1]["agents"]);
    }
    let openings: BTreeSet<String> = games.iter().map(|game| game["opening"].to_string()).collect();
    assert_eq!(openings.len(), 10);
}

#[test]
fn a_sequential_test_ends_a_clear_match_early_and_always_at_the_same_pair() {
    let arguments = [
        "match",
        "othello",
        "engine:depth=2",
        "random",
        "--games",
        "2000",
        "--sprt",
        "0,50",
        "--openings",
        "random:6",
        "--seed",
        "3",
        "--json",
    ];
    let found = json(&arguments);
    assert_eq!(found["sprt"]["decision"]["accepted"], "elo1");
    assert!(found["games"].as_u64().unwrap() < 400);
    assert_eq!(json(&arguments)["sprt"]["decision"], found["sprt"]["decision"]);
}

#[test]
fn cpu_time_is_each_players_own_while_games_go_on_side_by_side() {
    let directory = scratch("side-by-side");
    let out = directory.to_str().unwrap();
    let limit = ["--limit", "cpu=1s", "--concurrency", "2", "--seed", "1", "--out", out, "--json"];
    let found = json(&[&["match", "tessella", "engine", "engine", "--games", "2"], &limit[..]].concat());
    assert!(!found["causes"].to_string().contains("timeout"), "{found}");
    let text = fs::read_to_string(directory.join("games.jsonl")).unwrap();
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        for side in 0..2 {
            let used = game["used"][side].as_f64().unwrap();
            assert!(used > 0.05 && used < 1.0, "{used}");
        }
    }
}

#[test]
fn games_that_were_played_before_are_told() {
    let arguments = |openings| {
        [
            "match",
            "othello",
            "engine:depth=1,book=off",
            "engine:depth=2,book=off",
            "--games",
            "8",
            "--seed",
            "1",
            "--openings",
            openings,
            "--json",
        ]
    };
    assert_eq!(json(&arguments("start"))["repeated"], 6);
    assert_eq!(json(&arguments("random:8"))["repeated"], 0);
    assert!(String::from_utf8_lossy(&quincunx(&arguments("start")).stderr).contains("6 of 8 games are the same"));
}

#[test]
fn a_match_tells_its_speed_if_asked() {
    let found = json(&["match", "othello", "random", "random", "--games", "50", "--timing", "--json"]);
    let timing = &found["timing"];
    assert_eq!(timing["games"], 50);
    assert!(timing["moves"].as_u64().unwrap() > 50 * 40);
    assert!(
        timing["games_per_second"].as_f64().unwrap() > 0.0 && timing["referee_us_per_move"].as_f64().unwrap() > 0.0
    );
    assert!(json(&["match", "othello", "random", "random", "--games", "2", "--json"]).get("timing").is_none());
}

#[test]
fn what_is_asked_wrongly_is_told_in_one_line_with_code_2() {
    let wrong: [&[&str]; 8] = [
        &["match", "chess", "random", "random"],
        &["match", "othello", "random", "nobody"],
        &["match", "othello", "random", "human"],
        &["match", "othello", "random", "random", "--limit", "fast"],
        &["match", "othello", "random", "random", "--openings", "/nonexistent"],
        &["match", "othello", "random", "random", "--openings", "random:x"],
        &["match", "othello", "random", "random", "--sprt", "5,0"],
        &["match", "othello", "random", "random", "--games", "0"],
    ];
    for arguments in wrong {
        let output = quincunx(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_game_without_its_pair_counts_for_the_score_and_not_for_the_interval() {
    let arguments = ["match", "othello", "engine:depth=3", "random", "--games", "3", "--seed", "4"];
    let found = json(&[&arguments[..], &["--json"]].concat());
    let (wins, draws) = (found["a_wins"].as_f64().unwrap(), found["draws"].as_f64().unwrap());
    assert!((found["score"].as_f64().unwrap() - (wins + draws / 2.0) / 3.0).abs() < 1e-9, "{found:#}");
    assert_eq!(found["complete"], true);
    let sides = found["first_wins"].as_u64().unwrap() + found["second_wins"].as_u64().unwrap();
    assert_eq!(sides, 3 - found["draws"].as_u64().unwrap());
    let timed = [&arguments[..], &["--timing"]].concat();
    let averages = json(&[&timed[..], &["--json"]].concat())["timing"]["averages"].clone();
    let average = |name: &str| averages[name].as_f64().unwrap();
    assert!(average("seconds_per_game") > average("seconds_per_first_move"), "{averages}");
    let text = String::from_utf8(quincunx(&timed).stdout).unwrap();
    assert!(text.contains("of 1 complete pairs") && text.contains("s a move of Black"), "{text}");
    assert!(text.contains("Black won ") && text.contains("drawn 0.0 %"), "{text}");
    let even = String::from_utf8(quincunx(&["match", "othello", "random", "random", "--games", "2"]).stdout).unwrap();
    assert!(!even.contains("complete pairs"), "{even}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_match_says_that_it_is_not_complete() {
    let child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["match", "othello", "random", "random", "--games", "1000000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(700));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["complete"], false);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_cannot_be_started_ends_a_match_with_its_reason() {
    let folder = scratch("cannot-start");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("homework.cpp"), "not C++\n").unwrap();
    let files = format!("files:{}", folder.display());
    for spec in ["ugi:/bin/false", "gtp:/bin/true", &files] {
        let output = quincunx(&["match", "othello", spec, "random", "--games", "2", "--trust-programs"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{spec}: {said}");
        assert!(said.lines().last().unwrap().contains("cannot be started"), "{said}");
    }
}
