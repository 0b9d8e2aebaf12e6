//! `play`, through a pipe.

use crate::binary::{every_ruleset, quincunx_reading};

/// White has no move where this leads: found by playing random games.
const TO_A_FORCED_PASS: [&str; 6] = ["play", "othello", "--ruleset", "4x4", "--moves", "b1 c1 d1 a1 a3"];

#[test]
fn two_people_play_and_every_move_is_reported() {
    let run = quincunx_reading("d3\nc5\n", &["play", "othello"]);
    assert_eq!(run.stderr, "");
    let text = run.done();
    let moves: Vec<_> = text.lines().filter(|line| line.contains(": ") && !line.starts_with("discs")).collect();
    assert_eq!(moves, ["Black: d3", "White: c5"], "the end of the input ends the game without a result");
    assert!(text.contains("[○]"), "the last move is marked:\n{text}");
}

#[test]
fn illegal_move_is_explained_and_the_game_goes_on() {
    let run = quincunx_reading("a1\nd3\nd3\nrubbish\nc5\n", &["play", "othello"]);
    let messages: Vec<_> = run.stderr.lines().collect();
    assert_eq!(messages[0], "a1 flips nothing for Black");
    assert_eq!(messages[1], "d3 is occupied");
    assert!(messages[2].starts_with("\"rubbish\" is not a square"));
    assert_eq!(messages.len(), 3);
    let text = run.done();
    assert!(text.contains("Black: d3") && text.contains("White: c5"));
}

#[test]
fn moves_lists_what_is_legal() {
    let text = quincunx_reading("moves\nquit\n", &["play", "othello"]).done();
    assert!(text.ends_with("\nc4 d3 e6 f5\n"), "{text}");
}

#[test]
fn moves_can_be_narrowed_down_and_long_lists_are_wrapped() {
    let run = quincunx_reading("moves d\nmoves x\nmoves\nquit\n", &["play", "othello"]);
    assert_eq!(run.stderr, "no legal move begins with \"x\"\n");
    assert!(run.done().ends_with("\nd3\nc4 d3 e6 f5\n"));
    for (game, ruleset, _) in every_ruleset() {
        let text = quincunx_reading("moves\n", &["play", &game, "--ruleset", &ruleset]).done();
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn lot_is_announced_where_it_decides_who_begins() {
    for seed in ["1", "2", "3", "4"] {
        let run = quincunx_reading("", &["play", "aboyne", "--ruleset", "seed", "--seed", seed]);
        assert!(run.stderr == "Blue begins, by lot\n" || run.stderr == "Red begins, by lot\n", "{}", run.stderr);
        let run = quincunx_reading("", &["play", "aboyne", "--seed", seed]);
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn undo_takes_one_move_back_between_people() {
    let run = quincunx_reading("d3\nundo\nf5\nundo\nundo\n", &["play", "othello"]);
    assert_eq!(run.stderr, "there is no move of yours to take back\n");
    let text = run.done();
    assert!(text.contains("Black: d3") && text.contains("Black: f5"), "Black is to move again:\n{text}");
}

#[test]
fn undo_against_an_agent_takes_its_answer_back_too() {
    let arguments = ["play", "othello", "--second", "random", "--seed", "4"];
    let text = quincunx_reading("d3\nundo\nc4\nquit\n", &arguments).done();
    let moves: Vec<_> = text.lines().filter(|line| line.starts_with("Black: ")).collect();
    assert_eq!(moves, ["Black: d3", "Black: c4"]);
}

#[test]
fn resigning_gives_the_game_to_the_other_side() {
    let text = quincunx_reading("d3\nresign\nc5\n", &["play", "othello"]).done();
    assert!(text.ends_with("\nBlack wins: White resigned\n"), "{text}");
}

#[test]
fn quit_and_the_end_of_the_input_end_without_a_result() {
    for input in ["d3\nquit\nc5\n", "d3\n", "", "quit", "\n\n  \n"] {
        let text = quincunx_reading(input, &["play", "othello"]).done();
        assert!(!text.contains("wins") && !text.contains("White: c5"), "{text}");
    }
}

#[test]
fn help_says_what_may_be_typed() {
    let run = quincunx_reading("help\n", &["play", "othello"]);
    for word in ["such as c4", "moves", "board", "undo", "resign", "quit"] {
        assert!(run.stderr.contains(word), "{}", run.stderr);
    }
}

#[test]
fn forced_pass_is_announced_and_played() {
    let text = quincunx_reading("", &TO_A_FORCED_PASS).done();
    assert!(text.starts_with("White has no move and must pass\n"), "{text}");
    let text = quincunx_reading("moves\n", &TO_A_FORCED_PASS).done();
    assert!(!text.lines().last().unwrap().contains("pass"), "Black is asked, not White:\n{text}");
}

#[test]
fn finished_game_is_shown_with_its_result() {
    for (game, ruleset, _) in every_ruleset() {
        let arguments =
            ["play", &game, "--ruleset", &ruleset, "--first", "random", "--second", "random", "--seed", "11"];
        let text = quincunx_reading("", &arguments).done();
        let result = text.lines().last().unwrap();
        assert!(result.contains(" wins: ") || result.starts_with("draw: "), "{game} {ruleset}: {result}");
        assert_eq!(text, quincunx_reading("", &arguments).done(), "the same seed gives the same game");
    }
}

#[test]
fn game_that_is_over_already_shows_its_result() {
    let arguments = ["play", "othello", "--ruleset", "4x4", "--position", "XXXX------------ O"];
    assert!(quincunx_reading("d4\n", &arguments).done().ends_with("Black wins: most discs\n"));
}

#[test]
fn endless_line_is_refused_as_one() {
    let long = format!("{}\nd3\n", "x".repeat(1_000_000));
    let run = quincunx_reading(&long, &["play", "othello"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.len() < 300);
    assert!(run.done().contains("Black: d3"), "the line after it is read");
}
