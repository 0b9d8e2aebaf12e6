//! Readers that have seen enough: `quincunx … | head -1` ends quietly.

use std::io::{BufRead, BufReader, Read};

use crate::binary::command;

#[test]
fn reader_that_leaves_ends_the_program_quietly() {
    let cases: [&[&str]; 8] = [
        &["games"],
        &["games", "--json"],
        &["show", "othello"],
        &["perft", "othello", "9"],
        &["play", "othello", "--first", "random", "--second", "random", "--seed", "1"],
        &["--help"],
        &["completions", "bash"],
        &["man"],
    ];
    for arguments in cases {
        // After the first line, and before any.
        for lines in [1, 0] {
            let mut child = command(arguments).spawn().unwrap();
            let mut reader = BufReader::with_capacity(1, child.stdout.take().unwrap());
            for _ in 0..lines {
                reader.read_line(&mut String::new()).unwrap();
            }
            drop(reader);
            let mut stderr = String::new();
            child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}: {stderr}");
            assert_eq!(stderr, "", "{arguments:?}");
        }
    }
}

#[test]
fn nobody_reading_the_messages_is_no_reason_to_panic() {
    for arguments in [&["show", "chess"][..], &["shwo"], &["playouts", "othello", "--seconds", "0.01"]] {
        let mut child = command(arguments).spawn().unwrap();
        drop(child.stderr.take());
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(0 | 2)), "{arguments:?}: {code:?}");
    }
}
