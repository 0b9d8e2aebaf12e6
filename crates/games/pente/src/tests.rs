//! The special rules of the page, one by one.

use quincunx_game::Game;
use rand::{SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

/// The text of a position by the names of its stones, and what follows the board.
fn text_of(white: &str, black: &str, rest: &str) -> String {
    let mut stones = Stones::NONE;
    for (side, names) in Side::BOTH.into_iter().zip([white, black]) {
        for name in names.split_whitespace() {
            let place = (0..SIZE * SIZE).map(Move::of_cell).find(|&place| text::name(place) == name).unwrap();
            stones.toggle(side, place);
        }
    }
    let board = text::write(&Pente::set_up(stones, Side::First, [0, 0], false));
    format!("{} {rest}", board.split_once(' ').unwrap().0)
}

pub(super) fn position(white: &str, black: &str, rest: &str) -> Pente {
    Pente::parse("free", &text_of(white, black, rest)).unwrap()
}

fn after(mut position: Pente, moves: &str) -> Pente {
    for name in moves.split_whitespace() {
        position.play(position.parse_move(name).unwrap());
    }
    position
}

fn names(position: &Pente, cells: &[usize]) -> String {
    let names: Vec<_> = cells.iter().map(|&cell| position.geometry().cells[cell].name.clone()).collect();
    names.join(" ")
}

fn refusal(ruleset: &str, text: &str) -> String {
    Pente::parse(ruleset, text).unwrap_err().to_string()
}

#[test]
fn a_pair_is_captured_in_each_of_eight_directions() {
    for (first, second, flank) in [
        ("10L", "10M", "10N"),
        ("10J", "10H", "10G"),
        ("11K", "12K", "13K"),
        ("9K", "8K", "7K"),
        ("11L", "12M", "13N"),
        ("9J", "8H", "7G"),
        ("11J", "12H", "13G"),
        ("9L", "8M", "7N"),
    ] {
        let played = after(position(flank, &format!("{first} {second}"), "w 0,0"), "10K");
        assert_eq!(played, position(&format!("{flank} 10K"), "", "b 2,0"), "{first} {second}");
        let played = after(position(&format!("{first} {second}"), flank, "b 0,0"), "10K");
        assert_eq!(played, position("", &format!("{flank} 10K"), "w 0,2"), "{first} {second}");
    }
}

#[test]
fn one_stone_captures_in_all_directions_at_once() {
    let flanks = "10N 10G 13K 7K 13N 7G 13G 7N";
    let pairs = "10L 10M 10J 10H 11K 12K 9K 8K 11L 12M 9J 8H 11J 12H 9L 8M";
    let mut played = position(flanks, pairs, "w 8,0");
    let before = played;
    let centre = played.parse_move("10K").unwrap();
    let undo = played.play(centre);
    assert_eq!(played, position(&format!("{flanks} 10K"), "", "b 24,0"));
    assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_CAPTURES)));
    played.undo(centre, undo);
    assert_eq!(played, before);
}

#[test]
fn one_stone_or_three_or_a_gap_are_not_captured() {
    for (black, flank) in [
        ("10L", "10M"),
        ("10J", "10H"),
        ("10L 10M 10N", "10O"),
        ("10J 10H 10G", "10F"),
        ("10L 10N", "10O"),
        ("10J 10G", "10F"),
        ("10M", "10N"),
        ("10H", "10G"),
        ("10L 10M", "10O"),
        ("10J 10H", "10F"),
    ] {
        let played = after(position(flank, black, "w 0,0"), "10K");
        assert_eq!(played, position(&format!("{flank} 10K"), black, "b 0,0"), "{black}");
    }
}

#[test]
fn a_pair_is_not_captured_against_the_edge_nor_around_it() {
    for (black, white) in
        [("10S 10T", "9A"), ("10S 10T", "11A"), ("18K 19K", "1K"), ("18S 19T", "1A"), ("2B 1A", "19T")]
    {
        let next_to_pair = ["10R", "17K", "17R", "3C"];
        for name in next_to_pair {
            let played = after(position(white, black, "w 0,0"), name);
            assert_eq!(played, position(&format!("{white} {name}"), black, "b 0,0"), "{black} {name}");
        }
    }
}

#[test]
fn a_stone_may_complete_a_flanked_pair_unharmed() {
    let played = after(position("10L", "10K 10N", "w 0,0"), "10M");
    assert_eq!(played, position("10L 10M", "10K 10N", "b 0,0"));
}

#[test]
fn five_or_more_in_a_row_win_in_each_line_direction_whichever_stone_is_last() {
    for line in [
        "10K 10L 10M 10N 10O",
        "10K 11K 12K 13K 14K",
        "10K 11L 12M 13N 14O",
        "10K 11J 12H 13G 14F",
        "19P 19Q 19R 19S 19T",
        "1A 2A 3A 4A 5A",
        "15A 16B 17C 18D 19E",
    ] {
        for last in line.split(' ') {
            let before = position(&line.replace(last, ""), "1T 3T", "w 0,0");
            assert_eq!(before.outcome(), None);
            let played = after(before, last);
            assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_IN_A_ROW)), "{last} of {line}");
            assert_eq!(played.moves(), []);
        }
        let black = position("1T 3T", line, "w 0,0");
        assert_eq!(black.outcome(), Some(Outcome::win(Side::Second, FIVE_IN_A_ROW)), "{line}");
    }
    for (stones, last) in [("10K 10L 10N 10O 10P", "10M"), ("10A 10B 10C 10D 10F 10G 10H 10J", "10E")] {
        let played = after(position(stones, "1T 3T", "w 0,0"), last);
        assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_IN_A_ROW)), "{stones}");
    }
}

#[test]
fn four_in_a_row_and_lines_around_the_edge_do_not_win() {
    for stones in
        ["10K 10L 10M 10N", "10Q 10R 10S 10T 9A 9B", "10S 10T 11A 11B 11C", "17K 18K 19K 1K 2K", "1A 19A 18A 17A 16A"]
    {
        assert_eq!(position(stones, "", "b 0,0").outcome(), None, "{stones}");
    }
}

#[test]
fn capture_resolves_before_five_is_checked() {
    // 10O makes five and takes a pair: both stand on the board afterwards.
    let played = after(position("10K 10L 10M 10N 7O", "9O 8O", "w 0,0"), "10O");
    assert_eq!(played, position("10K 10L 10M 10N 10O 7O", "", "b 2,0"));
    assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_IN_A_ROW)));
    // Where that pair is the fifth, the captures have already won.
    let played = after(position("10K 10L 10M 10N 7O", "9O 8O", "w 8,0"), "10O");
    assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_CAPTURES)));
}

#[test]
fn a_line_of_five_wins_even_if_a_capture_could_break_it() {
    // Black on 12O would take 11N and 10M, stones of the line's own diagonal.
    let played = after(position("10K 10L 10N 10O 11N", "9L", "w 0,0"), "10M");
    assert_eq!(played.outcome(), Some(Outcome::win(Side::First, FIVE_IN_A_ROW)));
    assert_eq!(played.parse_move("12O").unwrap_err().to_string(), "the game is over: no move can follow");
}

#[test]
fn the_fifth_capture_wins_and_the_fourth_does_not() {
    let fourth = after(position("10N", "10L 10M", "w 6,8"), "10K");
    assert_eq!((fourth.outcome(), fourth.captured(Side::First)), (None, 8));
    let fifth = after(position("10N", "10L 10M", "w 8,8"), "10K");
    assert_eq!(fifth.outcome(), Some(Outcome::win(Side::First, FIVE_CAPTURES)));
    assert_eq!(fifth.moves(), []);
    assert_eq!(fifth.tallies(), [Tally { name: "captures", values: [5, 4] }]);
}

/// A full board without five in a row: runs of four along the rows, at most two elsewhere.
fn full_board() -> String {
    let colour = |cell: usize| if (cell % SIZE + 4 * (cell / SIZE)) % 8 < 4 { 'w' } else { 'b' };
    let rows: Vec<String> = (0..SIZE).map(|row| (row * SIZE..(row + 1) * SIZE).map(colour).collect()).collect();
    rows.join("/")
}

#[test]
fn a_full_board_is_a_draw() {
    let draw = Some(Outcome::draw(BOARD_FULL));
    let full = Pente::parse("tournament", &format!("{} w 0,0", full_board())).unwrap();
    assert_eq!((full.outcome(), full.count_moves()), (draw, 0));

    let mut last_gap = full_board();
    let gap = 9 * (SIZE + 1) + 4;
    last_gap.replace_range(gap..=gap, ".");
    let last_gap = Pente::parse("tournament", &format!("{last_gap} w 0,0")).unwrap();
    assert_eq!((last_gap.outcome(), last_gap.count_moves()), (None, 1));
    assert_eq!(after(last_gap, "10E"), Pente { to_move: Side::Second, ..full });
}

#[test]
fn a_random_move_finds_the_only_empty_place_whatever_the_generator_gives() {
    struct Stuck;
    impl TryRng for Stuck {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            bytes.fill(0);
            Ok(())
        }
    }
    let board = full_board();
    let one_gap = format!("{}. w 0,0", &board[..board.len() - 1]);
    let position = Pente::parse("tournament", &one_gap).unwrap();
    assert_eq!(position.random_move(&mut Stuck), Some(Move::at(18, 18)));
}

#[test]
fn white_begins_on_the_centre_and_goes_on_outside_the_central_5x5() {
    let start = Pente::start("tournament").unwrap();
    assert_eq!(start.moves(), [Move::CENTRE]);
    assert_eq!(start.parse_move("10L").unwrap_err().to_string(), "White's first stone goes on the centre, 10K");

    let second = after(start, "10K 1A");
    for near in ["8H", "12M", "10M", "12H", "11L"] {
        assert_eq!(
            second.parse_move(near).unwrap_err().to_string(),
            format!("{near} is too near: White's second stone goes at least 3 intersections away from the centre, 10K")
        );
    }
    for far in ["10N", "13K", "7G", "13N", "10G"] {
        assert!(second.parse_move(far).is_ok());
    }
    assert_eq!(second.count_moves(), 361 - 25 - 1);
    assert_eq!(after(second, "10N").count_moves(), 361 - 3);
    assert_eq!(after(second, "10N 11L").count_moves(), 361 - 4);
}

#[test]
fn black_may_play_anywhere_in_the_opening() {
    let start = Pente::start("tournament").unwrap();
    assert_eq!(after(start, "10K").count_moves(), 360);
    assert!(after(start, "10K").parse_move("11L").is_ok());
    assert!(after(start, "10K 1A 10N").parse_move("11L").is_ok());
}

#[test]
fn the_opening_is_read_off_the_stones() {
    let restricted =
        |white, black, rest| Pente::parse("tournament", &text_of(white, black, rest)).unwrap().count_moves();
    assert_eq!(restricted("", "", "w 0,0"), 1);
    assert_eq!(restricted("10K", "", "b 0,0"), 360);
    assert_eq!(restricted("10K", "1A", "w 0,0"), 335);
    assert_eq!(restricted("10K", "11L", "w 0,0"), 336);
    // Two stones were captured from White, so this is not the second one.
    assert_eq!(restricted("10K", "1A 1D", "w 0,2"), 358);
    assert_eq!(restricted("10K 10N", "1A 1D", "w 0,0"), 357);
}

#[test]
fn free_has_no_restriction() {
    let start = Pente::start("free").unwrap();
    assert_eq!(start.count_moves(), 361);
    assert_eq!(after(start, "1A 10K").count_moves(), 359);
    assert!(after(start, "1A 2B").parse_move("10L").is_ok());
}

#[test]
fn the_sample_of_the_assignment_threatens_a_capture() {
    let sample = position("10K 10N 12K", "11L 10M", "b 0,0");
    let mut white = sample;
    white.hand_over();
    assert_eq!(after(white, "9N"), position("10K 10N 12K 9N", "", "b 2,0"));
    assert_eq!(after(sample, "9N 8O"), position("10K 10N 12K 8O", "11L 10M 9N", "b 0,0"));
}

#[test]
fn moves_are_read_row_first_or_column_first() {
    let start = Pente::start("free").unwrap();
    for text in ["10K", "K10", "10k", "k10", " 10K\n"] {
        assert_eq!(start.parse_move(text), Ok(Move::CENTRE), "{text}");
    }
    assert_eq!(start.move_text(Move::at(0, 0)), "19A");
    assert_eq!(start.move_text(Move::at(18, 18)), "1T");
    assert_eq!(start.parse_move("J1"), Ok(Move::at(18, 8)));
}

#[test]
fn refused_moves_are_told_why() {
    let position = position("10K", "", "b 0,0");
    for (text, expected) in [
        ("10K", "10K is occupied"),
        ("k10", "10K is occupied"),
        ("", "\"\" is not an intersection from 1A to 19T"),
        ("20A", "\"20A\" is not an intersection from 1A to 19T"),
        ("0A", "\"0A\" is not an intersection from 1A to 19T"),
        ("01A", "\"01A\" is not an intersection from 1A to 19T"),
        ("A", "\"A\" is not an intersection from 1A to 19T"),
        ("A1A", "\"A1A\" is not an intersection from 1A to 19T"),
        ("é1", "\"é1\" is not an intersection from 1A to 19T"),
        ("10I", "\"10I\": there is no column I: the columns are A-H and J-T"),
        ("U7", "\"U7\": there is no column U: the columns are A-H and J-T"),
    ] {
        assert_eq!(position.parse_move(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn refused_positions_name_the_place() {
    let empty = text_of("", "", "");
    let board = empty.trim();
    for (text, expected) in [
        (String::new(), "the board has 1 rows, expected 19"),
        (format!("{board}/ w 0,0"), "the board has 20 rows, expected 19"),
        (board.replacen("./.", "/.", 1), "row 1 from the top has 18 characters, expected 19"),
        (format!("{board}. w 0,0"), "row 19 from the top has 20 characters, expected 19"),
        (board.replacen('.', "x", 1), "cell 19A is \"x\", expected w, b or ."),
        (board.into(), "after the board stands the side to move, w or b"),
        (format!("{board} é 0,0"), "after the board stands the side to move, w or b"),
        (format!("{board} w"), "at the end stand the stones captured by White and by Black, such as 2,0"),
        (format!("{board} w 2,"), "at the end stand the stones captured by White and by Black, such as 2,0"),
        (format!("{board} w 0,-2"), "\"-2\" is no number of stones captured by Black"),
        (format!("{board} w 99999999999,0"), "\"99999999999\" is no number of stones captured by White"),
        (format!("{board} w 0,0 1"), "\"1\" after the captured stones: nothing belongs there"),
    ] {
        assert_eq!(refusal("tournament", &text), expected);
    }
}

#[test]
fn impossible_positions_are_refused() {
    for (white, black, rest, expected) in [
        ("1A 1C", "", "b 3,0", "White cannot have captured 3 stones: they are taken in pairs"),
        ("", "1A 1C", "w 0,26", "Black cannot have captured 26 stones: 10 win, and no last move makes it more than 24"),
        ("10K", "", "b 2,0", "White captured 2 stones but placed 1: a capture needs a stone at either end"),
        ("1A 1C", "2A 2C", "w 10,10", "both sides have won: each has five in a row or five captures"),
        ("1A 1B 1C 1D 1E", "3A 3B 3C 3D 3E", "w 0,0", "both sides have won: each has five in a row or five captures"),
    ] {
        assert_eq!(refusal("tournament", &text_of(white, black, rest)), expected);
    }
}

#[test]
fn winning_cells_are_the_whole_line() {
    let won = after(position("10K 10L 10N 10O 10P 3A", "1T", "w 0,0"), "10M");
    assert_eq!(names(&won, &won.winning_cells()), "10K 10L 10M 10N 10O 10P");
    let by_captures = after(position("10N 3A", "10L 10M", "w 8,0"), "10K");
    assert_eq!(by_captures.winning_cells(), []);
}

#[test]
fn moves_that_are_not_legal_never_panic() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut position = Pente::start("tournament").unwrap();
    for _ in 0..100_000 {
        position.play(Move::of_cell(random_below(&mut rng, 361) as usize));
        let _ = (position.count_moves(), position.random_move(&mut rng), position.outcome());
    }
}

#[test]
fn a_record_refuses_moves_after_the_end() {
    let rules = quincunx_game::Rules::of(Pente::about());
    let mut game = Game::from_position(rules, position("10K 10L 10M 10N", "1A", "w 0,0"));
    game.play_text("10O").unwrap();
    assert_eq!(game.play_text("1B").unwrap_err().to_string(), "the game is over (five in a row): no move can follow");
}
