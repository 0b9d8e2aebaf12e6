//! `puzzles`: positions with one clear answer, the same ones for the same seed.

use std::fs;

use serde_json::Value;

use crate::binary::{directory, quincunx};

const SMALL: [&str; 8] = ["puzzles", "tessella", "--games", "3", "--nodes", "4000", "--seed", "3"];

#[test]
fn a_puzzle_has_a_legal_answer_a_level_and_themes_and_the_same_seed_gives_it_again() {
    let text = quincunx(&SMALL).done();
    assert_eq!(quincunx(&SMALL).done(), text);
    let found: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!found.is_empty());
    // One a line, so that a change of the file can be read.
    assert_eq!(text.lines().count(), found.len() + 2);
    for puzzle in found {
        let position = puzzle["position"].as_str().unwrap();
        let line: Vec<_> = puzzle["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        quincunx(&["show", "tessella", "--position", position, "--moves", &line.join(" ")]).done();
        assert!((1..=10).contains(&puzzle["level"].as_u64().unwrap()), "{puzzle}");
        assert!(["win", "save", "gain"].contains(&puzzle["themes"][0].as_str().unwrap()), "{puzzle}");
    }
}

#[test]
fn no_more_of_a_level_are_kept_than_wanted_and_they_go_to_a_file() {
    let file = directory("puzzles-out").join("puzzles.json");
    let out = ["--each", "1", "--out", file.to_str().unwrap()];
    assert_eq!(quincunx(&[&SMALL[..], &out].concat()).done(), "");
    let found: Vec<Value> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let mut levels: Vec<_> = found.iter().map(|puzzle| puzzle["level"].as_u64()).collect();
    levels.sort_unstable();
    levels.dedup();
    assert!(!found.is_empty() && levels.len() == found.len(), "{found:?}");
    let beside: Value = serde_json::from_str(&fs::read_to_string(file.with_extension("json.json")).unwrap()).unwrap();
    assert!(beside["seed"] == 3 && beside["command"][0] == "puzzles" && beside["machine"].is_string(), "{beside}");
    assert_eq!(beside["evaluator"].as_str().map(str::len), Some(16), "{beside}");
}

#[test]
fn what_cannot_be_made_is_refused_in_one_line() {
    assert!(quincunx(&["puzzles", "chess"]).refused(2).contains("chess"));
    assert_eq!(quincunx(&["puzzles", "othello", "--nodes", "5"]).code, Some(2));
    let nowhere = [&SMALL[..], &["--out", "/no/such/directory/puzzles.json"]].concat();
    assert!(quincunx(&nowhere).refused(1).contains("/no/such/directory"));
}
