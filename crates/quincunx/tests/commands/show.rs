//! `show`, for every ruleset of every game.

use crate::binary::{directory, every_ruleset, quincunx};

#[test]
fn json_of_every_start_has_the_documented_fields() {
    for (game, ruleset, sides) in every_ruleset() {
        let shown = quincunx(&["show", &game, "--ruleset", &ruleset, "--json"]).json();
        let fields: Vec<_> = shown.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["game", "ruleset", "position", "ply", "to_move", "over", "winner", "reason", "moves"],
            "scripts read these"
        );
        assert_eq!((shown["game"].as_str().unwrap(), shown["ruleset"].as_str().unwrap()), (&*game, &*ruleset));
        assert!(sides.contains(&shown["to_move"].as_str().unwrap().to_string()));
        assert_eq!(shown["ply"], 0);
        assert_eq!(shown["over"], false);
        assert!(shown["winner"].is_null() && shown["reason"].is_null());
        let moves: Vec<_> = shown["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(!moves.is_empty() && moves.is_sorted(), "{game} {ruleset}");
    }
}

#[test]
fn position_and_moves_lead_to_the_same_place() {
    for (game, ruleset, _) in every_ruleset() {
        let show = |option: &str, value: &str| {
            quincunx(&["show", &game, "--ruleset", &ruleset, "--json", option, value]).json()
        };
        let mut moves = String::new();
        for ply in 0..6 {
            let by_moves = show("--moves", &moves);
            assert_eq!(by_moves["ply"], ply);
            let by_position = show("--position", by_moves["position"].as_str().unwrap());
            assert_eq!(by_position["position"], by_moves["position"]);
            assert_eq!(by_position["moves"], by_moves["moves"]);
            let choices = by_moves["moves"].as_array().unwrap();
            moves = format!("{moves} {}", choices[choices.len() / 3].as_str().unwrap());
        }
    }
}

#[test]
fn moves_may_be_separated_by_spaces_or_commas() {
    let by_spaces = quincunx(&["show", "othello", "--moves", "d3 c5  d6"]).done();
    assert_eq!(quincunx(&["show", "othello", "--moves", "d3,c5, d6"]).done(), by_spaces);
}

#[test]
fn text_shows_board_coordinates_last_move_side_and_moves() {
    let shown = quincunx(&["show", "othello", "--moves", "d3 c5"]).done();
    let expected = "\
Othello (8x8), ply 2

    a  b  c  d  e  f  g  h
 1  ·  ·  ·  ·  ·  ·  ·  ·
 2  ·  ·  ·  ·  ·  ·  ·  ·
 3  ·  ·  ·  ●  ·  ·  ·  ·
 4  ·  ·  ·  ●  ●  ·  ·  ·
 5  ·  · [○] ○  ○  ·  ·  ·
 6  ·  ·  ·  ·  ·  ·  ·  ·
 7  ·  ·  ·  ·  ·  ·  ·  ·
 8  ·  ·  ·  ·  ·  ·  ·  ·

discs: Black 3, White 3
Black to move, legal moves (5): b6 c6 d6 e6 f6
position: -------------------X-------XX-----OOO--------------------------- X
";
    assert_eq!(shown, expected);
}

#[test]
fn finished_game_shows_winner_and_reason() {
    let wiped_out = ["show", "othello", "--ruleset", "4x4", "--position", "XXXX------------ O"];
    let json = quincunx(&[&wiped_out[..], &["--json"]].concat()).json();
    assert_eq!(json["over"], true);
    assert_eq!(json["winner"], "black");
    assert_eq!(json["reason"], "most discs");
    assert_eq!(json["moves"].as_array().unwrap().len(), 0);
    assert!(quincunx(&wiped_out).done().contains("Black wins: most discs"));

    let level = ["show", "othello", "--ruleset", "4x4", "--position", "XXXXXXXXOOOOOOOO X", "--json"];
    assert_eq!(quincunx(&level).json()["winner"], "draw");
}

#[test]
fn draw_by_a_setting_of_the_ruleset_is_shown() {
    let json = quincunx(&["show", "othello", "--ruleset", "8x8,plies=2", "--moves", "d3 c5", "--json"]).json();
    assert_eq!(json["ruleset"], "8x8,plies=2");
    assert_eq!(json["winner"], "draw");
    assert_eq!(json["reason"], "ply limit");
    let message = quincunx(&["show", "othello", "--ruleset", "8x8,plies=2", "--moves", "d3 c5 d6"]).refused(2);
    assert!(message.contains("move 3") && message.contains("over (ply limit)"), "{message}");
}

#[test]
fn svg_is_written_to_the_file_and_nothing_else_is_printed() {
    let directory = directory("svg_is_written");
    for (game, ruleset, _) in every_ruleset() {
        let file = directory.join(format!("{game}-{ruleset}.svg"));
        let path = file.to_str().unwrap();
        assert_eq!(quincunx(&["show", &game, "--ruleset", &ruleset, "--svg", path]).done(), "");
        let picture = std::fs::read_to_string(&file).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{game}");
    }
    let file = directory.join("both.svg");
    let run = quincunx(&["show", "othello", "--json", "--svg", file.to_str().unwrap()]);
    assert_eq!(run.json()["ply"], 0);
    assert!(file.exists());
}

#[test]
fn svg_that_cannot_be_written_is_one_line_and_exit_1() {
    let directory = directory("svg_cannot_be_written");
    let path = directory.join("no").join("such").join("board.svg");
    let message = quincunx(&["show", "othello", "--svg", path.to_str().unwrap()]).refused(1);
    assert!(message.contains("board.svg"), "{message}");
    let message = quincunx(&["show", "othello", "--svg", directory.to_str().unwrap()]).refused(1);
    assert!(message.contains("cannot write"), "{message}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "nothing half-written is left");
}

#[test]
fn a_picture_goes_to_standard_output_if_that_is_asked() {
    let picture = quincunx(&["show", "othello", "--svg", "-"]).done();
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    quincunx(&["show", "othello", "--svg", "-", "--json"]).refused(2);
}

#[test]
fn who_begins_is_drawn_if_the_rules_leave_it_to_chance() {
    let shown =
        || quincunx(&["show", "aboyne", "--ruleset", "official,first=random", "--json"]).json()["to_move"].clone();
    let first = shown();
    assert!((0..40).any(|_| shown() != first));
}
