//! Each special rule of the game, and where the rulesets differ.

use quincunx_game::{Outcome, Position, Side, outcome::NO_LEGAL_MOVE};

use super::{ALL_BLOCKED, Aboyne, GOAL_REACHED, Move, NO_STONES, OFFICIAL, SEED, SEED_PROGRAM, board::cell_name};

const BLUE: Side = Side::First;
const RED: Side = Side::Second;

/// The position with stones on the cells of these names.
fn position<const RULESET: usize>(blue: &str, red: &str, to_move: Side) -> Aboyne<RULESET> {
    let mut text = String::new();
    for cell in 0..61 {
        let name = cell_name(cell);
        if cell > 0 && name.ends_with('1') {
            text.push('/');
        }
        let holds = |stones: &str| stones.split_whitespace().any(|stone| stone == name);
        text.push(if holds(blue) {
            'b'
        } else if holds(red) {
            'r'
        } else {
            '.'
        });
    }
    text.push_str(if to_move == BLUE { " b" } else { " r" });
    Aboyne::parse("", &text).unwrap()
}

fn official(blue: &str, red: &str, to_move: Side) -> Aboyne<OFFICIAL> {
    position(blue, red, to_move)
}

/// The moves of a stone, sorted.
fn moves_from<const RULESET: usize>(position: &Aboyne<RULESET>, from: &str) -> Vec<String> {
    let mut texts: Vec<_> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    texts.retain(|text| text.starts_with(from));
    texts.sort();
    texts
}

fn after<const RULESET: usize>(mut position: Aboyne<RULESET>, mv: &str) -> Aboyne<RULESET> {
    position.play(position.parse_move(mv).unwrap());
    position
}

fn refusal<const RULESET: usize>(position: &Aboyne<RULESET>, mv: &str) -> String {
    position.parse_move(mv).unwrap_err().to_string()
}

#[test]
fn a_stone_steps_to_its_empty_neighbours() {
    let lone = official("e5", "a1", BLUE);
    assert_eq!(moves_from(&lone, "e5"), ["e5-d4", "e5-d5", "e5-e4", "e5-e6", "e5-f4", "e5-f5"]);
    let corner = official("i5", "a1", BLUE);
    assert_eq!(moves_from(&corner, "i5"), ["i5-h5", "i5-h6", "i5-i4"]);
}

#[test]
fn a_stone_next_to_an_enemy_may_not_move() {
    let touching = official("e5 a1", "e6 i1", BLUE);
    assert!(moves_from(&touching, "e5").is_empty());
    assert!(!moves_from(&touching, "a1").is_empty());
    assert_eq!(refusal(&touching, "e5-e4"), "e5 is blocked by the stone on e6");
}

#[test]
fn a_jump_crosses_a_whole_line_of_friends_and_lands_right_behind_it() {
    let line = official("c1 c2 c3", "i5", BLUE);
    assert_eq!(moves_from(&line, "c1"), ["c1-b1", "c1-d1", "c1-d2", "c1^c4"]);
    assert_eq!(moves_from(&line, "c2"), ["c2-b1", "c2-b2", "c2-d2", "c2-d3", "c2^c4"]);
    assert_eq!(refusal(&line, "c1^c5"), "no stone of Blue to jump over on c4");
    assert_eq!(refusal(&line, "c1^d4"), "c1 and d4 are not on one line");
    assert_eq!(refusal(&line, "c1-c3"), "c3 is occupied by Blue");
}

#[test]
fn lines_go_on_straight_across_the_middle_row() {
    let slanting = official("d3 e4", "a1", BLUE);
    assert_eq!(moves_from(&slanting, "d3^"), ["d3^f4"]);
    let other = official("d3 e3", "i5", BLUE);
    assert_eq!(moves_from(&other, "d3^"), ["d3^f2"]);
}

#[test]
fn lines_end_at_the_edge_of_the_board() {
    let edge = official("b5 b6 a5", "i1", BLUE);
    assert!(moves_from(&edge, "b5^").is_empty());
    assert_eq!(moves_from(&edge, "b6^"), ["b6^b4"]);
}

#[test]
fn a_jump_captures_the_enemy_behind_the_line_even_over_a_blocked_friend() {
    let ready = official("c3 c4", "c5 i1", BLUE);
    assert!(moves_from(&ready, "c4").is_empty());
    assert!(moves_from(&ready, "c3").contains(&"c3xc5".to_string()));
    let done = after(ready, "c3xc5");
    assert_eq!(done, official("c4 c5", "i1", RED));
    assert_eq!(done.tallies()[0].values, [2, 1]);
}

#[test]
fn captures_are_not_compulsory() {
    let ready = official("c3 c4", "c5 i1", BLUE);
    assert!(ready.parse_move("c3-c2").is_ok());
}

#[test]
fn no_stone_enters_the_goal_of_the_other_side_by_step_or_jump() {
    let near = official("e2 e3", "i5", BLUE);
    assert_eq!(refusal(&near, "e2-e1"), "e1 is the goal of Red, which Blue may not enter");
    assert_eq!(refusal(&near, "e3^e1"), "e1 is the goal of Red, which Blue may not enter");
    let near = official("a1", "e8 e7", RED);
    assert_eq!(refusal(&near, "e8-e9"), "e9 is the goal of Blue, which Red may not enter");
    assert_eq!(refusal(&near, "e7^e9"), "e9 is the goal of Blue, which Red may not enter");
}

#[test]
fn a_stone_on_its_own_goal_wins_by_step_or_jump() {
    for (near, mv) in [("e8 a1", "e8-e9"), ("e7 e8", "e7^e9"), ("f8 a1", "f8-e9")] {
        let won = after(official(near, "i1", BLUE), mv);
        assert_eq!(won.outcome(), Some(Outcome::win(BLUE, GOAL_REACHED)));
        assert_eq!((won.winning_cells(), won.moves()), (vec![34], Vec::new()));
        assert_eq!(refusal(&won, "i1-i2"), "the game is over (goal reached): no move can follow");
    }
    let won = after(position::<SEED_PROGRAM>("i5", "e2", RED), "e2-e1");
    assert_eq!(won.outcome(), Some(Outcome::win(RED, GOAL_REACHED)));
}

#[test]
fn officially_a_side_without_a_move_loses_and_so_whoever_moved_last_wins_a_mutual_block() {
    let block = after(official("e5", "e7 a1", RED), "a1-a2");
    assert_eq!(block.outcome(), None);
    let mutual = after(official("e4", "e6", BLUE), "e4-e5");
    assert_eq!(mutual.outcome(), Some(Outcome::win(BLUE, NO_LEGAL_MOVE)));
    let captured = after(official("c3 c4", "c5", BLUE), "c3xc5");
    assert_eq!(captured.outcome(), Some(Outcome::win(BLUE, NO_LEGAL_MOVE)));
}

#[test]
fn by_the_report_a_side_without_a_move_passes() {
    let blocked = after(position::<SEED>("e4", "e6 a1", BLUE), "e4-e5");
    let passing = after(blocked, "a1-a2");
    assert_eq!((passing.outcome(), passing.moves()), (None, vec![Move::PASS]));
    assert_eq!(refusal(&passing, "e5-e4"), "e5 is blocked by the stone on e6; the only move is pass");
    assert_eq!(refusal(&blocked, "pass"), "Red may not pass: there is a legal move");
    let passed = after(passing, "pass");
    assert_eq!(passed, position("e5", "e6 a2", RED));
    assert!(Aboyne::<SEED>::is_pass(Move::PASS) && passing.path(Move::PASS).is_empty());
}

#[test]
fn by_the_report_most_stones_win_where_all_are_blocked() {
    let outcome = |blue: &str, red: &str| position::<SEED>(blue, red, BLUE).outcome();
    assert_eq!(outcome("e5", "e6"), Some(Outcome::draw(ALL_BLOCKED)));
    assert_eq!(outcome("e5 d5", "e6"), Some(Outcome::win(BLUE, ALL_BLOCKED)));
    assert_eq!(outcome("e5", "e6 e4"), Some(Outcome::win(RED, ALL_BLOCKED)));
    assert_eq!(outcome("e5", "e6 a1"), None);
}

#[test]
fn by_the_report_a_side_without_stones_has_lost() {
    let captured = after(position::<SEED>("c3 c4", "c5", BLUE), "c3xc5");
    assert_eq!(captured.outcome(), Some(Outcome::win(BLUE, NO_STONES)));
    assert!(captured.moves().is_empty());
}

#[test]
fn the_program_jumps_bent_over_one_friend_and_only_to_capture() {
    let stones = ("c3 c4", "b5 d5 c5 i1");
    let program = position::<SEED_PROGRAM>(stones.0, stones.1, BLUE);
    assert_eq!(moves_from(&program, "c3x"), ["c3xc5", "c3xd5"]);
    assert_eq!(moves_from(&official(stones.0, stones.1, BLUE), "c3x"), ["c3xc5"]);
    assert_eq!(refusal(&program, "c3xi1"), "no stone of Blue stands next to both c3 and i1");

    let empty_behind = position::<SEED_PROGRAM>("c3 c4", "i1", BLUE);
    assert!(moves_from(&empty_behind, "c3^").is_empty());
    assert_eq!(refusal(&empty_behind, "c3^c5"), "c3 and c5 are not neighbours, and a jump has to capture");

    let two_friends = ("c2 c3 c4", "c5 i1");
    assert!(moves_from(&position::<SEED_PROGRAM>(two_friends.0, two_friends.1, BLUE), "c2x").is_empty());
    assert_eq!(moves_from(&position::<SEED>(two_friends.0, two_friends.1, BLUE), "c2x"), ["c2xc5"]);
}

#[test]
fn the_program_captures_only_over_a_friend() {
    let none_between = position::<SEED_PROGRAM>("c3 a1", "c5 d5", BLUE);
    assert!(moves_from(&none_between, "c3x").is_empty());
    assert_eq!(refusal(&none_between, "c3xc5"), "no stone of Blue stands next to both c3 and c5");
}

#[test]
fn a_bent_capture_over_either_of_two_friends_is_one_move() {
    let either = position::<SEED_PROGRAM>("e4 d4 e5", "d5 i1", BLUE);
    assert_eq!(moves_from(&either, "e4x"), ["e4xd5"]);
}

#[test]
fn each_type_starts_only_its_own_ruleset() {
    let starts = |ruleset| {
        (
            Aboyne::<OFFICIAL>::start(ruleset).is_some(),
            Aboyne::<SEED>::start(ruleset).is_some(),
            Aboyne::<SEED_PROGRAM>::start(ruleset).is_some(),
        )
    };
    assert_eq!(starts("official"), (true, false, false));
    assert_eq!(starts("seed"), (false, true, false));
    assert_eq!(starts("seed-program"), (false, false, true));
    assert_eq!(starts("other"), (false, false, false));
    assert_eq!(
        Aboyne::<OFFICIAL>::start("official").unwrap().text(),
        "b...r/b....r/b.....r/b......r/.b.....r./b......r/b.....r/b....r/b...r b"
    );
}

#[test]
fn cells_are_read_by_name_and_by_number() {
    let start = Aboyne::<OFFICIAL>::start("official").unwrap();
    let named = start.parse_move("b1-c2").unwrap();
    assert_eq!(start.parse_move("5-12"), Ok(named));
    assert_eq!(start.parse_move(" B1-C2 "), Ok(named));
    assert_eq!(start.move_text(named), "b1-c2");
}

#[test]
fn a_refused_move_is_explained() {
    let start = Aboyne::<OFFICIAL>::start("official").unwrap();
    for (mv, why) in [
        ("a2-a3", "a2 is empty"),
        ("a5-a4", "the stone on a5 is not Blue's"),
        ("a1-j1", "\"j1\" is not a cell: these are a1 to i5, or 0 to 60"),
        ("a1-a6", "there is no cell a6: row a has 5"),
        ("a1-61", "\"61\" is not a cell: these are a1 to i5, or 0 to 60"),
        ("a1-99999999999999999999", "\"99999999999999999999\" is not a cell: these are a1 to i5, or 0 to 60"),
        ("a1", "\"a1\" is not a move such as b1-c2, b1^d3, b1xd3 or pass"),
        ("", "\"\" is not a move such as b1-c2, b1^d3, b1xd3 or pass"),
        ("a1^a2", "\"a1^a2\" is a step: write a1-a2"),
        ("a1-a1", "a1 is occupied by Blue"),
        ("a1-a3", "no stone of Blue to jump over on a2"),
        ("pass", "Blue may not pass: there is a legal move"),
    ] {
        assert_eq!(refusal(&start, mv), why);
    }
    let ready = official("c3 c4 a1 a2", "c5 i1", BLUE);
    assert_eq!(refusal(&ready, "c3^c5"), "\"c3^c5\" is a capture: write c3xc5");
    assert_eq!(refusal(&ready, "a1xa3"), "\"a1xa3\" is a jump that captures nothing: write a1^a3");
}

#[test]
fn a_refused_position_is_explained() {
    let empty = "...../....../......./......../........./......../......./....../.....";
    let with = |row: usize, cells: &str| {
        let mut rows: Vec<_> = empty.split('/').collect();
        rows[row] = cells;
        rows.join("/") + " b"
    };
    for (text, why) in [
        (String::new(), "the board has 1 rows, expected 9"),
        (with(2, "........"), "row 3 from the top has 8 characters, expected 7"),
        (with(2, "..x...."), "cell c3 is \"x\", expected b, r or ."),
        (empty.into(), "after the board stands the side to move, b or r"),
        (format!("{empty} w"), "after the board stands the side to move, b or r"),
        (format!("{empty} b 3"), "\"3\" after the side to move: nothing belongs there"),
        (format!("{empty} b"), "no stone stands on the board"),
        (with(0, "bbbbb").replacen("......", "bbbbb.", 1), "Blue has 10 stones, at most 9 can be"),
        (with(4, "b........"), "a stone of Blue stands on e1, the goal of Red, which it may not enter"),
        (with(4, "........r"), "a stone of Red stands on e9, the goal of Blue, which it may not enter"),
        (with(4, "r.......b"), "both goals are reached, but the first one ends the game"),
    ] {
        assert_eq!(Aboyne::<OFFICIAL>::parse("official", &text).unwrap_err().to_string(), why, "{text}");
    }
}
