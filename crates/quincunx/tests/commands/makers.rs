//! `probcut`, `book` and `train`: the commands that make what comes with the program, in tiny runs.

use std::fs;

use crate::binary::{directory, quincunx};

#[test]
fn probcut_writes_a_table_of_errors_by_phase_and_depth_and_the_same_one_again() {
    let arguments = ["probcut", "othello", "--positions", "250", "--depth", "4", "--seed", "3"];
    let table = quincunx(&arguments).done();
    assert_eq!(quincunx(&arguments).done(), table);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("# phase depth shallow bias error positions"));
    let mut rows = 0;
    for line in lines {
        let numbers: Vec<i32> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let &[phase, deep, shallow, bias, error, positions] = &numbers[..] else { panic!("{line}") };
        assert!((0..8).contains(&phase) && (3..=4).contains(&deep) && shallow == deep - 2, "{line}");
        assert!(bias.abs() < 1000 && (50..2000).contains(&error) && positions >= 30, "{line}");
        rows += 1;
    }
    assert!(rows >= 4, "{table}");
    // The old name of the command still works.
    assert!(quincunx(&["foretell", "chess"]).refused(2).contains("chess"));
}

#[test]
fn book_writes_a_book_and_the_same_one_again() {
    let directory = directory("book");
    let run = |name: &str| {
        let out = directory.join(name);
        let arguments = ["book", "othello", "--positions", "4", "--nodes", "500", "--out", out.to_str().unwrap()];
        assert!(quincunx(&arguments).done().contains("positions, "));
        fs::read(out).unwrap()
    };
    let book = run("first");
    assert_eq!(run("second"), book);
    assert!(quincunx_search::book::Book::read(&book).unwrap().len() > 4);
    let nowhere = directory.join("missing/book");
    let arguments = ["book", "othello", "--positions", "1", "--nodes", "9", "--out", nowhere.to_str().unwrap()];
    assert!(quincunx(&arguments).refused(1).contains("cannot write"));
}

#[test]
fn train_writes_weights_and_wants_games() {
    let directory = directory("weights");
    let out = directory.join("weights.bin");
    let out = out.to_str().unwrap();
    let made = quincunx(&["train", "othello", "--games", "40", "--epochs", "1", "--out", out]).done();
    assert!(made.contains("bytes of weights") && made.lines().count() == 17, "{made}");
    let bytes = fs::read(out).unwrap();
    assert!(quincunx_games::othello::evaluation::Evaluation::unpack(&bytes).is_ok());
    assert!(quincunx(&["train", "othello", "--games", "0", "--out", out]).refused(2).contains("--wthor"));
    assert_eq!(fs::read(out).unwrap(), bytes);
}
