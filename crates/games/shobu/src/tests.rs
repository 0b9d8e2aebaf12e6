//! The special rules of Shobu, one test each, and what the messages say.

use std::collections::HashSet;

use quincunx_game::{Outcome, Position, Side, Stones, geometry::Tone, hash::mix, outcome::NO_LEGAL_MOVE};
use quincunx_search::Tactics;

use super::{
    BOARD_EMPTIED, LOWER, Shobu,
    movers::Movers,
    text::{check_aggressive, check_passive},
    vectors::{VECTORS, Vector},
};

/// A board as it stands at the start.
const START: &str = "wwww........bbbb";

fn parse(text: &str) -> Shobu {
    Shobu::parse("standard", text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Black to move, all boards as at the start but the lower light one.
fn with_board_b(board: &str) -> Shobu {
    parse(&format!("{START}/{board}/{START}/{START} b"))
}

/// Board b after a turn from [`with_board_b`], or why the turn is refused.
fn board_b_after(board: &str, turn: &str) -> Result<String, String> {
    let mut position = with_board_b(board);
    let mv = position.parse_move(turn).map_err(|error| error.to_string())?;
    assert!(position.moves().contains(&mv), "{turn} is accepted but not listed");
    position.play(mv);
    Ok(position.text().split('/').nth(1).unwrap().to_string())
}

fn refusal(position: &Shobu, turn: &str) -> String {
    position.parse_move(turn).expect_err(turn).to_string()
}

fn texts(position: &Shobu) -> Vec<String> {
    position.moves().into_iter().map(|mv| position.move_text(mv)).collect()
}

#[test]
fn a_turn_moves_two_stones_alike() {
    let mut position = Shobu::start("standard").unwrap();
    position.play(position.parse_move("ab1:db1:NE2").unwrap());
    assert_eq!(position.text(), format!("wwww...b....b.bb/{START}/{START}/wwww...b....b.bb w"));
}

#[test]
fn two_steps_push_a_stone_from_the_first_or_the_second_cell_to_beyond_the_destination() {
    assert_eq!(board_b_after(".www....w...bbbb", "aa1:ba1:N2").unwrap(), "wwwwb........bbb");
    assert_eq!(board_b_after(".wwww.......bbbb", "aa1:ba1:N2").unwrap(), "wwwwb........bbb");
}

#[test]
fn one_step_pushes_a_stone_one_cell() {
    assert_eq!(board_b_after("www.....w...bbbb", "aa1:ba1:N1").unwrap(), "www.w...b....bbb");
}

#[test]
fn a_stone_pushed_off_the_board_is_out_of_the_game() {
    assert_eq!(board_b_after("w.ww....b....bbb", "aa1:ba2:N2").unwrap(), "b.ww.........bbb");
    assert_eq!(board_b_after("w.wwb........bbb", "aa1:ba3:N1").unwrap(), "b.ww.........bbb");
}

#[test]
fn two_stones_are_never_pushed() {
    let message = |first: &str, second: &str| {
        format!(
            "{first} and {second} are both occupied: only one stone can be pushed, into an empty cell or off the board"
        )
    };
    assert_eq!(board_b_after("..www...w...bbbb", "aa1:ba1:N2"), Err(message("ba2", "ba3")));
    assert_eq!(board_b_after("w.ww....w...bbbb", "aa1:ba1:N2"), Err(message("ba2", "ba4")));
    assert_eq!(board_b_after("w.www.......bbbb", "aa1:ba1:N2"), Err(message("ba3", "ba4")));
    assert_eq!(board_b_after("..www...w...bbbb", "aa1:ba1:N1"), Err(message("ba2", "ba3")));
    // One's own stone beyond is in the way like any other.
    assert_eq!(board_b_after("..wwb...w...bb..", "aa1:ba1:N1"), Err(message("ba2", "ba3")));
}

#[test]
fn own_stones_are_neither_pushed_nor_passed() {
    let message = "ba2 holds a stone of Black, which cannot be pushed".to_string();
    assert_eq!(board_b_after("wwww....b...bb..", "aa1:ba1:N1"), Err(message.clone()));
    assert_eq!(board_b_after("wwww....b...bb..", "aa1:ba1:N2"), Err(message));
    let message = "ba3 holds a stone of Black, which cannot be pushed".to_string();
    assert_eq!(board_b_after("wwwwb.......bb..", "aa1:ba1:N2"), Err(message));
}

#[test]
fn an_aggressive_move_stays_on_its_board() {
    assert_eq!(board_b_after("wwwwb........bbb", "aa1:ba3:N2"), Err("N2 from ba3 leads off the board".into()));
    // East of column d lies no cell, also where the next row's first one is empty.
    let position = with_board_b("wwww...b....bbb.");
    assert_eq!(refusal(&position, "ba1:ad1:E1"), "bb1 is occupied: a passive move needs empty cells");
    assert_eq!(refusal(&position, "bc1:ad1:E1"), "E1 from ad1 leads off the board");
}

#[test]
fn a_passive_move_needs_empty_cells() {
    let position = parse(&format!("www.....w...bbbb/{START}/{START}/{START} b"));
    assert_eq!(refusal(&position, "aa1:ba1:N1"), "aa2 is occupied: a passive move needs empty cells");
    assert_eq!(refusal(&position, "aa1:ba1:N2"), "aa2 is occupied: a passive move needs empty cells");
    let position = parse(&format!("www.w.......bbbb/{START}/{START}/{START} b"));
    assert!(position.parse_move("aa1:ba1:N1").is_ok());
    assert_eq!(refusal(&position, "aa1:ba1:N2"), "aa3 is occupied: a passive move needs empty cells");
    assert_eq!(refusal(&position, "ba1:aa1:W1"), "W1 from ba1 leads off the board");
}

#[test]
fn passive_moves_are_made_on_homeboards_alone() {
    let mut position = Shobu::start("standard").unwrap();
    assert_eq!(refusal(&position, "ca1:ba1:N1"), "ca1 is not on a homeboard: Black moves passively on a and b");
    assert!(texts(&position).iter().all(|turn| turn.starts_with(['a', 'b'])));
    position.hand_over();
    assert_eq!(refusal(&position, "aa4:ba4:S1"), "aa4 is not on a homeboard: White moves passively on c and d");
    assert!(texts(&position).iter().all(|turn| turn.starts_with(['c', 'd'])));
}

#[test]
fn the_aggressive_board_has_the_other_colour_on_either_side() {
    let position = Shobu::start("standard").unwrap();
    let mut pairs: Vec<_> = texts(&position).iter().map(|turn| [&turn[..1], &turn[4..5]].concat()).collect();
    pairs.sort();
    pairs.dedup();
    assert_eq!(pairs, ["ab", "ad", "ba", "bc"]);
    let message = "are both dark: the aggressive move is made on a board of the other colour";
    assert_eq!(refusal(&position, "aa1:ca1:N1"), format!("boards a and c {message}"));
    assert_eq!(refusal(&position, "aa1:ab1:N1"), format!("boards a and a {message}"));
    assert!(refusal(&position, "ba1:da1:N1").contains("are both light"));
}

#[test]
fn a_passive_move_without_its_aggressive_move_is_not_legal() {
    // Only board a has black stones that can go south.
    let position = parse(&format!("..wwb........bbb/{START}/{START}/{START} b"));
    assert!(position.parse_move("aa3:ba1:N1").is_ok());
    assert!(texts(&position).iter().all(|turn| !turn.contains('S')));
}

#[test]
fn whoever_has_no_legal_turn_loses() {
    let locked = "........ww..bw..";
    let position = parse(&format!("{locked}/{locked}/{START}/{START} b"));
    assert_eq!(position.outcome(), Some(Outcome::win(Side::Second, NO_LEGAL_MOVE)));
    assert_eq!(position.count_moves(), 0);
    assert_eq!(refusal(&position, "aa1:ba1:N1"), "the game is over (no legal move): no move can follow");
}

#[test]
fn whoever_empties_a_board_wins() {
    let mut position = with_board_b("w.......b....bbb");
    assert_eq!(position.outcome(), None);
    position.play(position.parse_move("aa1:ba2:N2").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::win(Side::First, BOARD_EMPTIED)));
    assert_eq!(position.count_moves(), 0);
    let names: Vec<_> =
        position.winning_cells().into_iter().map(|cell| position.geometry().cells[cell].name.clone()).collect();
    assert_eq!(names, ["ba4", "bb1", "bc1", "bd1"]);
    assert_eq!(refusal(&position, "ca4:ba4:S1"), "the game is over (board emptied): no move can follow");
}

#[test]
fn sets_of_movers_agree_with_the_rules_told_cell_by_cell() {
    let mut state = 3;
    let mut next = || {
        state = mix(state, 99);
        state
    };
    for round in 0..600 {
        let occupied = if round % 2 == 0 { next() } else { next() & next() };
        let own = occupied & next();
        let (enemy, to_move) = (occupied & !own, Side::BOTH[round % 2]);
        let position = Shobu { stones: Stones { own, enemy, to_move } };
        let movers = Movers::new(own, enemy, if to_move == Side::First { LOWER } else { !LOWER });
        for vector in 0..VECTORS {
            let accepted = |check: &dyn Fn(usize) -> bool| {
                (0..64).filter(|&cell| check(cell)).fold(0, |cells, cell| cells | 1u64 << cell)
            };
            let passive = accepted(&|cell| check_passive(&position, cell, Vector(vector)).is_ok());
            let aggressive = accepted(&|cell| check_aggressive(&position, cell, Vector(vector)).is_ok());
            assert_eq!(movers.passive[vector], passive, "{:?} in {position:?}", Vector(vector));
            assert_eq!(movers.aggressive[vector], aggressive, "{:?} in {position:?}", Vector(vector));
        }
    }
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_place() {
    for (text, message) in [
        ("", "the position has 1 boards, expected 4 joined by /"),
        ("S/S/S b", "the position has 3 boards, expected 4 joined by /"),
        ("S/S/S/S/S b", "the position has 5 boards, expected 4 joined by /"),
        ("S/S/wwww.......bbbb/S b", "board c has 15 cells, expected 16"),
        ("S/wwww...x....bbbb/S/S b", "cell bd3 is \"x\", expected b, w or ."),
        ("S/S/S/wwww....b...bbbb b", "board d has 5 black stones, at most 4 stand there"),
        ("S/wwwww.......bbbb/S/S b", "board b has 5 white stones, at most 4 stand there"),
        ("S/S/S/S", "after the board stands the side to move, b or w"),
        ("S/S/S/S x", "after the board stands the side to move, b or w"),
        ("S/S/S/S b 7", "\"7\" after the side to move: nothing belongs there"),
        ("S/............bbbb/S/S b", "White has no stone on board b and has lost: the turn cannot have come to Black"),
        (
            "............bbbb/............bbbb/S/S w",
            "White has no stone on boards a and b: the game ended with the first of them",
        ),
        ("S/................/S/S w", "Black has no stone on board b and has lost: the turn cannot have come to White"),
    ] {
        let text = text.replace('S', START);
        assert_eq!(Shobu::parse("standard", &text).expect_err(&text).to_string(), message, "{text}");
    }
}

#[test]
fn texts_that_are_no_turn_are_refused_with_the_place() {
    let position = Shobu::start("standard").unwrap();
    for (turn, message) in [
        ("ab1", "\"ab1\" is not a turn: passive origin, aggressive origin and vector, such as ab1:db1:NE2"),
        (
            "ab1:db1:N1:x",
            "\"ab1:db1:N1:x\" is not a turn: passive origin, aggressive origin and vector, such as ab1:db1:NE2",
        ),
        ("ab5:db1:N1", "\"ab5\" is not a cell: board a to d, column a to d and row 1 to 4, such as ab1"),
        ("ab1:de1:N1", "\"de1\" is not a cell: board a to d, column a to d and row 1 to 4, such as ab1"),
        ("ab1:é1:N1", "\"é1\" is not a cell: board a to d, column a to d and row 1 to 4, such as ab1"),
        ("ab1:db1:N3", "\"N3\" is not a vector: N, NE, E, SE, S, SW, W or NW, and 1 or 2 cells"),
        ("ab1:db4:N1", "db4 holds no stone of Black"),
        ("ab2:db1:N1", "ab2 holds no stone of Black"),
    ] {
        assert_eq!(refusal(&position, turn), message);
    }
    assert_eq!(position.parse_move(" AB1:DB1:ne2 "), position.parse_move("ab1:db1:NE2"));
}

#[test]
fn both_destinations_of_a_turn_are_marked() {
    let position = Shobu::start("standard").unwrap();
    let marks = position.marks(position.parse_move("ab1:db1:NE2").unwrap());
    let cells = position.geometry().cells;
    assert_eq!(marks.iter().map(|&cell| cells[cell].name.as_str()).collect::<Vec<_>>(), ["ab1", "ad3", "db1", "dd3"]);
}

#[test]
fn boards_stand_as_black_sees_them() {
    let geometry = Shobu::start("standard").unwrap().geometry();
    let cell = |name: &str| geometry.cells.iter().find(|cell| cell.name == name).unwrap();
    for (left, right) in [("aa1", "ad1"), ("ad1", "ba1"), ("cd4", "da4")] {
        assert!(cell(left).centre.0 < cell(right).centre.0 && cell(left).grid.1 < cell(right).grid.1);
    }
    for (upper, lower) in [("aa4", "aa1"), ("ca1", "aa4"), ("da1", "ba4")] {
        assert!(cell(upper).centre.1 < cell(lower).centre.1 && cell(upper).grid.0 < cell(lower).grid.0);
    }
    let dark = |name: &str| cell(name).tone == Tone::Alternate;
    assert!(dark("ab2") && dark("cb2") && !dark("bb2") && !dark("db2"));
}

#[test]
fn candidates_reach_every_position_once_and_codes_are_read_back() {
    let (mut boards, mut counts) = (vec![Shobu::start("standard").unwrap()], Vec::new());
    for _ in 0..2 {
        let mut reached = HashSet::new();
        for board in &boards {
            let (mut all, mut some) = (HashSet::new(), 0);
            let after = |mv| {
                assert_eq!(Shobu::decode(Shobu::code(mv)), mv);
                let mut child = *board;
                child.play(mv);
                child.stones()
            };
            all.extend(board.moves().into_iter().map(after));
            board.for_each_candidate(&(), |mv| {
                assert!(all.contains(&after(mv)));
                some += 1;
            });
            assert_eq!(some, all.len());
            reached.extend(all);
        }
        counts.push(reached.len());
        let to_move = !boards[0].to_move();
        boards = reached.into_iter().map(|(own, enemy)| Shobu { stones: Stones { own, enemy, to_move } }).collect();
    }
    assert_eq!(counts, [174, 28360]);
}
