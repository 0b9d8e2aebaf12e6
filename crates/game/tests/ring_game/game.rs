//! Records: history, and the draws that only a history shows.

use quincunx_game::{Game, Outcome, Position as _, Side, outcome};

use crate::ring::{Ring, record};

fn play(record: &mut Game<Ring>, moves: &str) {
    for mv in moves.split(' ') {
        record.play_text(mv).unwrap();
    }
}

#[test]
fn third_occurrence_is_a_draw() {
    let mut record = record("plain");
    play(&mut record, "+ + - - + + -");
    assert_eq!((record.occurrences(), record.outcome()), (2, None));
    play(&mut record, "-");
    assert_eq!(record.occurrences(), 3, "the start counts as the first occurrence");
    assert_eq!(record.outcome(), Some(Outcome::draw(outcome::REPETITION)));
}

#[test]
fn occurrence_that_draws_is_a_setting() {
    let mut record = record("plain,repetition=2");
    play(&mut record, "+ + - -");
    assert_eq!(record.outcome(), Some(Outcome::draw(outcome::REPETITION)));
    let mut record = crate::ring::record("plain,repetition=0");
    play(&mut record, "+ + - - + + - - + + - -");
    assert_eq!((record.occurrences(), record.outcome()), (4, None));
}

#[test]
fn reaching_the_ply_limit_is_a_draw() {
    let mut record = record("plain,plies=3");
    play(&mut record, "+ +");
    assert_eq!(record.outcome(), None);
    play(&mut record, "+");
    assert_eq!(record.outcome(), Some(Outcome::draw(outcome::PLY_LIMIT)));
}

#[test]
fn win_on_the_last_ply_is_a_win() {
    let mut record = record("plain,plies=3");
    play(&mut record, "+ - +");
    assert_eq!(record.outcome(), Some(Outcome::win(Side::First, "caught")));
}

#[test]
fn nothing_can_follow_the_end() {
    let mut record = record("plain,plies=1");
    play(&mut record, "+");
    let error = record.play_text("+").unwrap_err().to_string();
    assert_eq!(error, "the game is over (ply limit): no move can follow");
    assert_eq!(record.moves().len(), 1);
}

#[test]
fn undo_takes_back_one_move_at_a_time_down_to_the_start() {
    let mut record = record("plain");
    play(&mut record, "+ + -");
    let positions = record.positions().to_vec();
    for count in (0..3).rev() {
        assert!(record.undo().is_some());
        assert_eq!(record.moves().len(), count);
        assert_eq!(*record.position(), positions[count]);
    }
    assert_eq!(record.undo(), None);
    assert_eq!(record.position(), record.start());
}

#[test]
fn second_side_begins_where_the_rules_say_so() {
    assert_eq!(record("plain,first=blue").position().to_move(), Side::Second);
    assert_eq!(record("plain").position().to_move(), Side::First);
    assert_eq!(record("lot").position().to_move(), Side::First, "a lot not drawn yet is the first side");
}
