//! Records: history, and the draws that only a history shows.

use quincunx_game::{Game, Outcome, Position as _, Side, outcome};

use quincunx_ring::Ring;

use crate::game;

fn play(game: &mut Game<Ring>, moves: &str) {
    for mv in moves.split(' ') {
        game.play_text(mv).unwrap();
    }
}

#[test]
fn third_occurrence_is_a_draw() {
    let mut game = game("plain");
    play(&mut game, "+ + - - + + -");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "-");
    assert_eq!(game.occurrences(), 3, "the start counts as the first occurrence");
    assert_eq!(game.outcome(), Some(Outcome::draw(outcome::REPETITION)));
}

#[test]
fn occurrence_that_draws_is_a_setting() {
    let mut game = game("plain,repetition=2");
    play(&mut game, "+ + - -");
    assert_eq!(game.outcome(), Some(Outcome::draw(outcome::REPETITION)));
    let mut game = crate::game("plain,repetition=0");
    play(&mut game, "+ + - - + + - - + + - -");
    assert_eq!((game.occurrences(), game.outcome()), (4, None));
}

#[test]
fn reaching_the_ply_limit_is_a_draw() {
    let mut game = game("plain,plies=3");
    play(&mut game, "+ +");
    assert_eq!(game.outcome(), None);
    play(&mut game, "+");
    assert_eq!(game.outcome(), Some(Outcome::draw(outcome::PLY_LIMIT)));
}

#[test]
fn win_on_the_last_ply_is_a_win() {
    let mut game = game("plain,plies=3");
    play(&mut game, "+ - +");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, "caught")));
}

#[test]
fn nothing_can_follow_the_end() {
    let mut game = game("plain,plies=1");
    play(&mut game, "+");
    let error = game.play_text("+").unwrap_err().to_string();
    assert_eq!(error, "the game is over (ply limit): no move can follow");
    assert_eq!(game.moves().len(), 1);
}

#[test]
fn undo_takes_back_one_move_at_a_time_down_to_the_start() {
    let mut game = game("plain");
    play(&mut game, "+ + -");
    let positions = game.positions().to_vec();
    for count in (0..3).rev() {
        assert!(game.undo().is_some());
        assert_eq!(game.moves().len(), count);
        assert_eq!(*game.position(), positions[count]);
    }
    assert_eq!(game.undo(), None);
    assert_eq!(game.position(), game.start());
}

#[test]
fn second_side_begins_where_the_rules_say_so() {
    assert_eq!(game("plain,first=blue").position().to_move(), Side::Second);
    assert_eq!(game("plain").position().to_move(), Side::First);
    assert_eq!(game("lot").position().to_move(), Side::First, "a lot not drawn yet is the first side");
}
