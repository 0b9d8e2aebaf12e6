//! `think` and `analyse`.

use crate::binary::quincunx;

#[test]
fn analysis_without_any_time_still_names_a_move() {
    let lines = quincunx(&["analyse", "shobu", "--movetime", "0ms"]).done();
    assert!(lines.starts_with("depth ") && lines.contains(':'), "{lines}");
}

#[test]
fn finished_games_are_refused() {
    for command in ["think", "analyse"] {
        let message =
            quincunx(&[command, "othello", "--ruleset", "4x4", "--position", "XXXXXXXXXXXXXXOO X"]).refused(2);
        assert!(message.contains("the game is over"), "{message}");
    }
}
