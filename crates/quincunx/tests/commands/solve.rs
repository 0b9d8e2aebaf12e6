//! `solve` and `train`.

use std::fs;

use crate::binary::{directory, quincunx};

#[test]
fn solve_tells_score_and_move_of_a_position() {
    let solved = quincunx(&["solve", "othello", "--ruleset", "4x4", "--json", "--hash", "4"]).json();
    let position = &solved["positions"][0];
    assert_eq!(position["score"], -10);
    assert_eq!(position["expected"], serde_json::Value::Null);
    assert!(position["nodes"].as_u64().unwrap() > 0 && position["seconds"].as_f64().unwrap() >= 0.0);
    let mv = position["move"].as_str().unwrap();
    let after = ["solve", "othello", "--ruleset", "4x4", "--moves", mv, "--json", "--hash", "4", "--threads", "2"];
    assert_eq!(quincunx(&after).json()["positions"][0]["score"], 10);
    let winner = quincunx(&["solve", "othello", "--ruleset", "4x4", "--winner", "--hash", "4"]).done();
    assert!(winner.starts_with(" -1 "), "{winner}");
    let short = quincunx(&["solve", "othello", "--ruleset", "4x4,plies=2", "--hash", "4"]);
    assert!(short.refused(2).contains("plies="));
}

#[test]
fn solve_checks_the_scores_of_a_file() {
    let file = directory("solve").join("positions.obf");
    let path = file.to_str().unwrap();
    let run = |text: &str| {
        fs::write(&file, text).unwrap();
        quincunx(&["solve", "othello", "--ruleset", "4x4", "--hash", "4", "--file", path])
    };
    let start = "-----OX--XO----- X";
    let output = run(&format!("{start}; B1:-10; A2:-10;\n\n% a comment\n{start}\n")).done();
    let lines: Vec<_> = output.lines().collect();
    assert!(lines[0].starts_with("-10 ") && lines[0].ends_with("as expected"), "{output}");
    assert!(!lines[1].ends_with("as expected") && lines[2].starts_with("2 solved: "), "{output}");

    let wrong = run(&format!("{start}; B1:+2;\n"));
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stdout.contains("WRONG, expected +2") && wrong.stderr.contains("1 of 1 scores differ"));
    assert!(run(&format!("{start}\n-----OX--XO----- Z\n")).refused(2).contains("line 2 of "));
    assert!(run(&format!("{start}; B1\n")).refused(2).contains("line 1 of "));
    assert!(run(&"-".repeat(5000)).refused(2).contains("longer than"));
}

#[test]
fn solve_and_train_refuse_what_they_cannot_do_and_files_they_cannot_read() {
    assert!(quincunx(&["solve", "shobu"]).refused(2).contains("no solver for shobu"));
    assert!(quincunx(&["train", "pente", "--out", "weights"]).refused(2).contains("--data"));
    let directory = directory("train");
    let (games, out) = (directory.join("games.wtb"), directory.join("weights.bin"));
    fs::write(&games, "no games").unwrap();
    let arguments = ["train", "othello", "--out", out.to_str().unwrap(), "--wthor", games.to_str().unwrap()];
    assert!(quincunx(&arguments).refused(2).contains("no WTHOR file"));
    assert!(!out.exists());
}

#[test]
fn solve_finds_a_win_of_fifteen_plies_by_threats_in_pente_and_says_where_there_is_none() {
    let position = ".................../.................../.................../.................../....w...b...b....../......w..w.b.wb..../....wwb..w..b....../.......bw........../....w...b.b.w....../.......w...w.b...../....b..w..w..b...../.........bbb..w..../....b..b.........../............w....../........w..bb....../.................../.................../.................../................... w 0,2";
    let solved = quincunx(&["solve", "pente", "--position", position, "--json"]).json();
    assert_eq!(solved["positions"][0]["score"], 1);
    assert_eq!(solved["positions"][0]["move"], "14E");
    let none = quincunx(&["solve", "pente", "--moves", "10K 11L"]);
    assert_eq!(none.code, Some(1));
    assert!(none.stderr.contains("no value was found"), "{}", none.stderr);
}
