//! What is asked wrongly: one line that says what and where, exit code 2, nothing on standard output.

#[cfg(unix)]
use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use crate::binary::{every_ruleset, quincunx};

#[test]
fn wrong_words_are_named_with_what_would_be_right() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["show", "chess"], &["\"chess\"", "othello"]),
        (&["show", "othello", "--ruleset", "9x9"], &["\"9x9\"", "8x8, 6x6, 4x4"]),
        (&["show", "othello", "--ruleset", "8x8,plies=many"], &["plies=\"many\"", "whole number"]),
        (&["show", "othello", "--position", "XO X"], &["2 squares", "64"]),
        (&["show", "othello", "--moves", "d3 d3"], &["move 2", "d3 is occupied"]),
        (&["show", "othello", "--moves", "d3 a1"], &["move 2", "a1", "White"]),
        (&["perft", "othello", "4", "--moves", "zz"], &["move 1", "\"zz\""]),
        (&["play", "othello", "--first", "nobody"], &["\"nobody\"", "random"]),
        (&["play", "othello", "--second", "random:skill=3"], &["\"skill\""]),
    ];
    for (arguments, parts) in cases {
        let message = quincunx(arguments).refused(2);
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    let cases: [(&[&str], &str); 8] = [
        (&["shwo"], "did you mean show?"),
        (&["show", "othelo"], "did you mean othello?"),
        (&["show", "othello", "--jsno"], "did you mean --json?"),
        (&["show", "aboyne", "--ruleset", "oficial"], "did you mean official?"),
        (&["play", "othello", "--first", "randon"], "did you mean random?"),
        (&["play", "othello", "--first", "engine:leve=3"], "did you mean level?"),
        (&["convert", "x", "y", "--write", "wther"], "did you mean wthor?"),
        (&["completions", "bsh"], "did you mean bash?"),
    ];
    for (arguments, part) in cases {
        let message = quincunx(arguments).refused(2);
        assert!(message.contains(part), "{message}");
    }
    assert!(!quincunx(&["show", "chess"]).refused(2).contains("did you mean"));
}

#[test]
fn a_time_without_a_unit_is_refused() {
    for arguments in [
        &["think", "othello", "--agent", "engine:movetime=2"][..],
        &["analyse", "othello", "--movetime", "2"],
        &["match", "othello", "random", "random", "--limit", "movetime=100"],
        &["match", "othello", "random", "random", "--limit", "clock=60+1"],
    ] {
        let message = quincunx(arguments).refused(2);
        assert!(message.contains("has no unit: write"), "{message}");
    }
}

#[test]
fn wrong_use_of_the_command_line_is_one_line_too() {
    let cases: [(&[&str], &str); 7] = [
        (&["shwo"], "shwo"),
        (&["show"], "GAME"),
        (&["perft", "othello"], "DEPTH"),
        (&["perft", "othello", "61"], "61"),
        (&["perft", "othello", "-1"], "-1"),
        (&["playouts", "othello", "--seconds", "0"], "--seconds"),
        (&["games", "--colour"], "--colour"),
    ];
    for (arguments, part) in cases {
        let message = quincunx(arguments).refused(2);
        assert!(message.contains(part) && message.contains("--help"), "{message}");
    }
}

#[test]
fn long_and_strange_texts_are_refused_in_one_short_line() {
    // As long as Linux lets one argument be, and a little less.
    let long = "x".repeat(100_000);
    for (game, ruleset, _) in every_ruleset() {
        let start = quincunx(&["show", &game, "--ruleset", &ruleset, "--json"]).json();
        let is_one = |text: &str| start["moves"].as_array().unwrap().iter().any(|mv| mv == text);
        // Moves of one letter, written without blanks, are a transcript.
        let is_move = |text: &str| is_one(text) || text.chars().all(|letter| is_one(&letter.to_string()));
        for text in [&*long, "", "\n", "\u{1b}[31m", "🦀", "a\nb", "/", "////////////////////", ",", "-", "--", "0"] {
            quincunx(&["show", &game, "--ruleset", &ruleset, "--position", text]).refused(2);
            if !text.trim_matches(|c: char| c.is_whitespace() || c == ',').is_empty() && !is_move(text) {
                quincunx(&["show", &game, "--ruleset", &ruleset, "--moves", text]).refused(2);
            }
        }
        quincunx(&["show", &game, "--ruleset", &long]).refused(2);
    }
    quincunx(&["show", &long]).refused(2);
    quincunx(&[&long]).refused(2);
    quincunx(&["perft", "othello", &long]).refused(2);
    quincunx(&["play", "othello", "--first", &long]).refused(2);
}

#[test]
fn a_site_is_not_written_over_other_files() {
    // Where this test runs there are sources, and no site of the program.
    let before = std::fs::read_dir(".").unwrap().count();
    quincunx(&["site", "."]).refused(2);
    assert_eq!(std::fs::read_dir(".").unwrap().count(), before);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text_are_refused() {
    for place in 1..4 {
        let mut arguments = ["show", "othello", "--moves", "d3"].map(OsStr::new);
        arguments[place] = OsStr::from_bytes(b"\xff\xfe");
        quincunx(&arguments).refused(2);
    }
}
