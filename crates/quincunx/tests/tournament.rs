//! The promises of `tournament`, `grade`, `agent`, `calibrate` and `experiment` to those who script them.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Instant,
};

use serde_json::Value;

fn quincunx_in(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let output = quincunx_in(Path::new("."), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A directory of this test alone, empty.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_round_robin_ranks_by_strength_and_its_page_stands_alone() {
    let directory = scratch("round-robin");
    let report = directory.join("report.html");
    let found = json(&[
        "tournament",
        "othello",
        "random",
        "engine:depth=1",
        "engine:depth=3",
        "--games",
        "8",
        "--openings",
        "random:6",
        "--seed",
        "1",
        "--report",
        report.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(found["games"], 24);
    let names: Vec<_> =
        found["agents"].as_array().unwrap().iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    assert_eq!(names, ["engine:depth=3", "engine:depth=1", "random"]);
    let points: f64 = found["agents"].as_array().unwrap().iter().map(|agent| agent["points"].as_f64().unwrap()).sum();
    assert!((points - 24.0).abs() < 1e-9);
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains(&format!("Quincunx {}", quincunx_version::VERSION)));
    assert!(page.contains("<svg id=\"board\"") && page.matches("\"steps\":").count() == 24);
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_knockout_goes_on_after_a_kill_and_drops_the_weak() {
    let directory = scratch("knockout");
    let (out, report) = (directory.join("out"), directory.join("report.html"));
    let arguments = [
        "tournament",
        "othello",
        "random",
        "engine:depth=2",
        "random",
        "--format",
        "knockout",
        "--games",
        "6",
        "--openings",
        "random:6",
        "--seed",
        "3",
        "--out",
        out.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
        "--json",
    ];
    let first = json(&arguments);
    // Its page counts the games through, over all rounds.
    let page = fs::read_to_string(&report).unwrap();
    let games = first["games"].as_u64().unwrap();
    assert!(games > 6);
    for number in 0..games {
        assert_eq!(page.matches(&format!("\"number\":{number},")).count(), 1, "game {number} of {games}");
    }
    assert!(first["winners"].as_array().unwrap().contains(&"engine:depth=2".into()), "{first}");
    // Half of the first round gone, as after a kill.
    let games = out.join("round-1/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, &text[..text.len() / 2]).unwrap();
    assert_eq!(json(&arguments)["winners"], first["winners"]);
}

#[test]
fn a_knockout_whose_seed_was_drawn_goes_on_with_that_seed() {
    let out = scratch("knockout-seed").join("out");
    let arguments = ["tournament", "othello", "random", "random", "--format", "knockout", "--games", "4", "--json"];
    let arguments = [&arguments[..], &["--out", out.to_str().unwrap()]].concat();
    assert_eq!(json(&arguments), json(&arguments));
}

#[test]
fn a_tournament_that_cannot_be_is_refused() {
    let wrong: [&[&str]; 4] = [
        &["tournament", "othello", "random"],
        &["tournament", "othello", "random", "random", "--games", "3"],
        &["tournament", "othello", "random", "random", "--format", "swiss"],
        &["tournament", "othello", "--agents-file", "/nonexistent"],
    ];
    for arguments in wrong {
        assert_eq!(quincunx_in(Path::new("."), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

fn shell_agent(directory: &Path, script: &str) {
    fs::create_dir_all(directory).unwrap();
    let path = directory.join("homework");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_engine_gets_full_marks() {
    let found = json(&["grade", "pente", "engine:nodes=3000", "--time", "20", "--seed", "1", "--json"]);
    assert_eq!(found["points"], 100, "{found:#}");
    let games = found["games"].as_array().unwrap();
    assert_eq!(games.len(), 20);
    for opponent in ["near", "classic"] {
        let against: Vec<_> = games.iter().filter(|game| game["opponent"] == opponent).collect();
        assert_eq!(against.len(), 10);
        assert_eq!(against.iter().filter(|game| game["side"] == "white").count(), 6);
    }
}

#[test]
fn a_class_list_names_everybody_also_those_who_fail() {
    let directory = scratch("class");
    let class = directory.join("agents");
    shell_agent(&class.join("crashing"), "exit 1");
    shell_agent(&class.join("illegal"), "echo 1A > output.txt");
    fs::create_dir_all(class.join("empty")).unwrap();
    let out = directory.join("out");
    let output = quincunx_in(
        Path::new("."),
        &["grade", "pente", class.to_str().unwrap(), "--time", "5", "--seed", "1", "--out", out.to_str().unwrap()],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 4, "{csv}");
    assert!(lines[1].starts_with("\"crashing\",0,") && lines[1].contains("code 1"), "{csv}");
    assert!(lines[2].starts_with("\"empty\",0,") && lines[2].contains("no agent"), "{csv}");
    assert!(lines[3].starts_with("\"illegal\",0,"), "{csv}");
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), csv);
    assert!(fs::read_to_string(out.join("class.html")).unwrap().contains("crashing"));
    assert!(fs::read_to_string(out.join("crashing/grade.html")).unwrap().contains("crash"));
}

fn sample(seconds: &str) -> String {
    let mut board = vec![vec!['.'; 19]; 19];
    for (row, column, stone) in [(10, 9, 'w'), (10, 12, 'w'), (12, 9, 'w'), (11, 10, 'b'), (10, 11, 'b')] {
        board[19 - row][column] = stone;
    }
    let rows: Vec<String> = board.into_iter().map(|row| row.into_iter().collect()).collect();
    format!("BLACK\n{seconds}\n0,0\n{}\n", rows.join("\n"))
}

#[test]
fn our_own_file_agent_answers_the_sample_in_time() {
    let directory = scratch("file-agent");
    for seconds in ["100.0", "0.5", "0.01"] {
        fs::write(directory.join("input.txt"), sample(seconds)).unwrap();
        _ = fs::remove_file(directory.join("output.txt"));
        let began = Instant::now();
        let output = quincunx_in(&directory, &["agent", "pente"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(began.elapsed().as_secs() < 30);
        let answer = fs::read_to_string(directory.join("output.txt")).unwrap();
        let move_ = answer.strip_suffix('\n').unwrap();
        assert!(
            move_.chars().last().unwrap().is_ascii_uppercase() && !move_.contains(char::is_whitespace),
            "{answer:?}"
        );
        assert!(directory.join("playdata.txt").exists());
    }
    for wrong in ["", "GREEN\n1\n0,0\n", "BLACK\n-1\n0,0\n", "BLACK\n1\n0,0\n...\n"] {
        fs::write(directory.join("input.txt"), wrong).unwrap();
        let output = quincunx_in(&directory, &["agent", "pente"]);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn calibration_tells_a_speed() {
    let directory = scratch("calibrate");
    assert!(quincunx_in(&directory, &["calibrate", "pente"]).status.success());
    let text = fs::read_to_string(directory.join("calibration.txt")).unwrap();
    let speed: f64 = text.trim().strip_prefix("nodes_per_second ").unwrap().parse().unwrap();
    assert!(speed > 100.0);
}

#[test]
fn our_own_step_agent_answers_the_newest_state() {
    let directory = scratch("step-agent");
    let start = "-0 -0 -0 -0 O2 -0 -0 -0 -0\n-0 -0 -0 O2 S0 O2 -0 -0 -0\n-0 -0 O2 S0 O0 S0 O2 -0 -0\n-0 O2 S0 O0 S0 O0 S0 O2 -0\nO0 S0 O0 S0 O0 S0 O0 S0 O0\n-0 O1 S0 O0 S0 O0 S0 O1 -0\n-0 -0 O1 S0 O0 S0 O1 -0 -0\n-0 -0 -0 O1 S0 O1 -0 -0 -0\n-0 -0 -0 -0 O1 -0 -0 -0 -0\n";
    fs::write(directory.join("state_0.txt"), start).unwrap();
    let output = quincunx_in(&directory, &["agent", "tessella"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = fs::read_to_string(directory.join("decision_1.txt")).unwrap();
    assert_eq!(answer.split_whitespace().filter(|word| word.parse::<u8>().is_ok_and(|number| number < 9)).count(), 4);
}

#[test]
fn our_file_agent_plays_whole_games_under_our_referee() {
    let directory = scratch("own-agent");
    let agent = directory.join("agent");
    shell_agent(&agent, "exec ./quincunx agent pente");
    fs::copy(env!("CARGO_BIN_EXE_quincunx"), agent.join("quincunx")).unwrap();
    let spec = format!("files:{}", agent.display());
    let found = json(&[
        "match",
        "pente",
        &spec,
        "near",
        "--games",
        "2",
        "--limit",
        "cpu=4s",
        "--seed",
        "1",
        "--json",
        "--trust-programs",
    ]);
    assert_eq!(found["a_wins"], 2, "{found:#}");
}

#[test]
fn our_ugi_engine_plays_under_our_referee() {
    let spec = format!("ugi:{} ugi", env!("CARGO_BIN_EXE_quincunx"));
    for game in ["othello", "aboyne"] {
        let found = json(&[
            "match",
            game,
            &spec,
            "random",
            "--games",
            "2",
            "--limit",
            "nodes=300",
            "--seed",
            "1",
            "--json",
            "--trust-programs",
        ]);
        assert_eq!(found["games"], 2);
        let causes = found["causes"].to_string();
        for fault in ["crash", "protocol error", "illegal move", "timeout", "stall"] {
            assert!(!causes.contains(fault), "{game}: {causes}");
        }
    }
}

#[test]
fn the_aboyne_table_comes_out_the_same_for_the_same_seed() {
    let arguments = ["experiment", "aboyne-depths", "--games", "2", "--seed", "7", "--json"];
    let strip = |found: Value| -> Vec<String> {
        found["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                format!("{} {} {} {} {}", row["ruleset"], row["fixed"], row["blue_wins"], row["red_wins"], row["draws"])
            })
            .collect()
    };
    let first = strip(json(&arguments));
    assert_eq!(first.len(), 3 * 2 * 9);
    assert_eq!(first, strip(json(&arguments)));
    let refused =
        |arguments: &[&str]| quincunx_in(Path::new("."), &[&["experiment"], arguments].concat()).status.code();
    assert_eq!(refused(&["cold-fusion"]), Some(2));
    assert_eq!(refused(&["aboyne-depths", "--game", "pente"]), Some(2));
    assert_eq!(refused(&["first-move", "--highest", "3"]), Some(2));
    assert_eq!(refused(&["first-move", "--openings", "start"]), Some(2));
}

#[test]
fn a_ladder_goes_on_after_a_kill_and_tells_score_and_elo_of_each_step() {
    let directory = scratch("ladder");
    let out = directory.join("out");
    let arguments = |games| {
        [
            "experiment",
            "ladder",
            "--game",
            "othello",
            "--highest",
            "3",
            "--games",
            games,
            "--out",
            out.to_str().unwrap(),
            "--json",
        ]
    };
    let first = json(&arguments("6"));
    let rows = first["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for (row, level) in rows.iter().zip(2u64..) {
        assert_eq!((row["level"].as_u64(), row["against"].as_u64()), (Some(level), Some(level - 1)));
        assert_eq!(row["games"], 6);
        let score = |name: &str| row[name].as_f64().unwrap();
        assert!(score("score_low") <= score("score") && score("score") <= score("score_high"), "{row}");
    }
    // Half of the games of the second step gone, as after a kill.
    let games = out.join("othello-3/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, &text[..text.len() / 2]).unwrap();
    assert_eq!(json(&arguments("6")), first);
    let refused = |option, word| quincunx_in(Path::new("."), &["experiment", "ladder", option, word]).status.code();
    assert_eq!(refused("--highest", "11"), Some(2));
    assert_eq!(refused("--openings", "balanced:many"), Some(2));
}

#[test]
fn the_first_move_is_measured_at_three_strengths() {
    let directory = scratch("first-move");
    let out = directory.to_str().unwrap();
    // Othello has twelve openings of two plies: twenty games need longer ones, or some would be played twice.
    json(&["experiment", "first-move", "--game", "othello", "--games", "20", "--out", out, "--json"]);
    let text = fs::read_to_string(directory.join("othello-100/games.jsonl")).unwrap();
    let openings: std::collections::BTreeSet<String> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["opening"].to_string()).collect();
    assert_eq!(openings.len(), 20);
    let found = json(&["experiment", "first-move", "--game", "tessella", "--games", "4", "--json"]);
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["nodes"].as_u64().unwrap()).collect::<Vec<_>>(), [100, 1_000, 10_000]);
    for row in rows {
        let [first, second, draws] = ["first_wins", "second_wins", "draws"].map(|name| row[name].as_u64().unwrap());
        assert_eq!(first + second + draws, 4);
        let score = 100.0 * (first as f64 + draws as f64 / 2.0) / 4.0;
        assert!((row["score"].as_f64().unwrap() - score).abs() < 1e-9, "{row}");
    }
}

#[test]
fn a_knockout_shows_its_bracket_and_nobodys_name_if_that_is_asked() {
    let directory = scratch("bracket");
    let (out, report) = (directory.join("out"), directory.join("report.html"));
    let found = json(&[
        "tournament",
        "othello",
        "random",
        "engine:depth=2",
        "random",
        "--format",
        "knockout",
        "--games",
        "4",
        "--openings",
        "random:6",
        "--seed",
        "3",
        "--anonymous",
        "--json",
        "--out",
        out.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
    ]);
    let rounds = found["rounds"].as_array().unwrap();
    assert!(rounds.len() >= 2 && rounds[0][0]["a"].as_str().unwrap().starts_with("agent "), "{found:#}");
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains("Round 2") && page.contains("class=\"bracket\""));
    assert!(!page.contains("engine:depth") && !found.to_string().contains("engine:depth"));
    let names = fs::read_to_string(out.join("names.csv")).unwrap();
    assert!(names.contains("engine:depth=2") && names.lines().count() == 4, "{names}");
}

#[test]
fn submissions_that_share_code_are_told_with_the_places() {
    let directory = scratch("similar");
    let class = directory.join("class");
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/solve.rs")).unwrap();
    let other = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/load.rs")).unwrap();
    let renamed = source.replace("position", "stellung").replace("    ", "\t").replace("table", "tafel");
    for (name, text) in [("ann", &source), ("bob", &renamed), ("eve", &other)] {
        fs::create_dir_all(class.join(name)).unwrap();
        fs::write(class.join(name).join("homework.rs"), text).unwrap();
    }
    let report = directory.join("similar.html");
    let found = json(&["similar", class.to_str().unwrap(), "--json", "--report", report.to_str().unwrap()]);
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1, "{found:#}");
    assert_eq!((pairs[0]["a"].as_str(), pairs[0]["b"].as_str()), (Some("ann"), Some("bob")));
    assert!(pairs[0]["share"].as_f64().unwrap() > 0.9);
    assert!(pairs[0]["places"][0]["a"]["last_line"].as_u64().unwrap() > 50);
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains("stellung") && page.contains("homework.rs, lines"));
    let text = quincunx_in(Path::new("."), &["similar", class.to_str().unwrap(), "--threshold", "1"]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("for people to judge"));
    for wrong in [&["similar", "/nonexistent"][..], &["similar", class.to_str().unwrap(), "--threshold", "0"]] {
        assert_eq!(quincunx_in(Path::new("."), wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn our_own_step_agent_takes_the_step_and_says_score_and_move() {
    let directory = scratch("steps");
    let agent = directory.join("agent");
    shell_agent(&agent, "exec ./quincunx agent tessella \"$@\" > said.txt");
    fs::copy(env!("CARGO_BIN_EXE_quincunx"), agent.join("quincunx")).unwrap();
    let spec = format!("files:{}", agent.display());
    let found = json(&[
        "match",
        "tessella",
        &spec,
        "random",
        "--games",
        "1",
        "--limit",
        "cpu=60s",
        "--ruleset",
        "d5,plies=6",
        "--seed",
        "1",
        "--json",
        "--trust-programs",
    ]);
    assert_eq!(found["faults"].as_array().unwrap().len(), 0, "{found:#}");
    let state = "-0 -0 -0 -0 O2 -0 -0 -0 -0\n-0 -0 -0 O2 S0 O2 -0 -0 -0\n-0 -0 O2 S0 O0 S0 O2 -0 -0\n-0 O2 S0 O0 S0 O0 S0 O2 -0\nO0 S0 O0 S0 O0 S0 O0 S0 O0\n-0 O1 S0 O0 S0 O0 S0 O1 -0\n-0 -0 O1 S0 O0 S0 O1 -0 -0\n-0 -0 -0 O1 S0 O1 -0 -0 -0\n-0 -0 -0 -0 O1 -0 -0 -0 -0\n";
    for number in [0, 4] {
        fs::write(directory.join(format!("state_{number}.txt")), state).unwrap();
    }
    let output = quincunx_in(&directory, &["agent", "tessella", "1"]);
    assert!(output.status.success() && directory.join("decision_1.txt").exists());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.trim().contains('-') && said.split_whitespace().count() >= 2, "{said}");
    for (game, step) in [("tessella", "3"), ("pente", "1"), ("tessella", "x")] {
        assert_eq!(quincunx_in(&directory, &["agent", game, step]).status.code(), Some(2), "{game} {step}");
    }
}
