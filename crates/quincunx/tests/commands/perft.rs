//! `perft`.

use crate::binary::{every_ruleset, quincunx};

/// Depth and leaves of each line; the third word is the seconds.
fn counts(output: &str) -> Vec<(u32, u64)> {
    let line = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        let [depth, leaves, seconds] = words[..] else { panic!("{line}") };
        assert!(seconds.parse::<f64>().unwrap() >= 0.0);
        (depth.parse().unwrap(), leaves.parse().unwrap())
    };
    output.lines().map(line).collect()
}

#[test]
fn perft_prints_a_line_a_depth() {
    let counted = counts(&quincunx(&["perft", "othello", "5"]).done());
    assert_eq!(counted, [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)]);
    assert_eq!(counts(&quincunx(&["perft", "othello", "0"]).done()), [(0, 1)]);
    let behind = counts(&quincunx(&["perft", "othello", "3", "--moves", "d3"]).done());
    assert_eq!(behind.last(), Some(&(3, 61)));
}

#[test]
fn perft_tells_the_same_in_json() {
    let told = quincunx(&["perft", "othello", "3", "--divide", "--json"]).json();
    let leaves: Vec<_> =
        told["depths"].as_array().unwrap().iter().map(|depth| depth["leaves"].as_u64().unwrap()).collect();
    assert_eq!((leaves, told["moves"]["d3"].as_u64()), (vec![4, 12, 56], Some(14)));
    assert_eq!(told["game"], "othello");
}

#[test]
fn made_turns_are_as_many_as_counted_ones() {
    for (game, ruleset, _) in every_ruleset() {
        let arguments = ["perft", &game, "2", "--ruleset", &ruleset];
        let made = quincunx(&[&arguments[..], &["--made"]].concat()).done();
        assert_eq!(counts(&made), counts(&quincunx(&arguments).done()), "{game} {ruleset}");
    }
}

#[test]
fn unfinished_leaves_out_the_lines_that_ended_sooner() {
    let deep = |options: &[&str]| counts(&quincunx(&[&["perft", "othello", "14"], options].concat()).done());
    let small = ["--ruleset", "4x4"];
    let (all, unfinished) = (deep(&small), deep(&[&small[..], &["--unfinished"]].concat()));
    // No game on 4x4 is shorter than seven turns; the first to end is a leaf of its own depth in both counts.
    assert_eq!(all[..7], unfinished[..7]);
    let ended = |depth: usize| all[depth].1 - unfinished[depth].1;
    assert!((7..13).all(|depth| ended(depth) < ended(depth + 1)), "{all:?} {unfinished:?}");
    let parts = quincunx(&["perft", "othello", "9", "--unfinished", "--divide", "--ruleset", "4x4"]).done();
    let parts = parts.lines().skip(9).map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(parts.sum::<u64>(), unfinished[8].1);
    quincunx(&["perft", "othello", "2", "--unfinished", "--made"]).refused(2);
}

#[test]
fn divide_adds_up_to_the_count() {
    for (game, ruleset, _) in every_ruleset() {
        let output = quincunx(&["perft", &game, "2", "--divide", "--ruleset", &ruleset]).done();
        let (head, list): (Vec<_>, Vec<_>) = output.lines().partition(|line| line.split(' ').count() == 3);
        let whole = counts(&head.join("\n"))[1].1;
        assert!(list.is_sorted());
        let parts = list.iter().map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap());
        assert_eq!(parts.sum::<u64>(), whole, "{game} {ruleset}");
        assert_eq!(list.len() as u64, counts(&head.join("\n"))[0].1);
    }
}
