//! The type-erased interface.

use quincunx_game::{AnyGame, Game, Side, table::PlayoutTally};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::ring::{Ring, record};

fn table(rules: &str) -> Box<dyn AnyGame> {
    Box::new(record(rules))
}

#[test]
fn choices_are_sorted_texts_with_their_paths_until_the_end() {
    let mut table = table("plain,plies=2");
    let choices: Vec<_> = table.choices().into_iter().map(|choice| (choice.text, choice.path)).collect();
    assert_eq!(choices, [("+".to_string(), vec![0, 1]), ("-".to_string(), vec![0, 5])]);
    table.play("+").unwrap();
    table.play("+").unwrap();
    assert!(table.choices().is_empty(), "a drawn game has no moves");
    assert!(table.play_random(&mut Xoshiro256PlusPlus::seed_from_u64(1)).is_none());
}

#[test]
fn played_moves_and_marks_follow_play_and_undo() {
    let mut table = table("plain");
    assert!(table.last_marks().is_empty());
    table.play("+").unwrap();
    table.play("-").unwrap();
    assert_eq!((table.played(), table.ply(), table.last_marks()), (vec!["+".into(), "-".into()], 2, vec![3, 2]));
    assert!(table.undo());
    assert_eq!((table.played(), table.last_marks(), table.to_move()), (vec!["+".into()], vec![0, 1], Side::Second));
    assert!(table.undo() && !table.undo());
    assert_eq!(table.position_text(), table.start_text());
}

#[test]
fn refused_move_changes_nothing() {
    let mut table = table("plain");
    assert_eq!(table.play("?").unwrap_err().to_string(), "\"?\" is neither + nor -");
    assert_eq!((table.ply(), table.position_text().as_str()), (0, "0 3 0"));
}

#[test]
fn copy_goes_its_own_way() {
    let table = table("plain");
    let mut copy = table.boxed_clone();
    copy.play("+").unwrap();
    assert_eq!((table.ply(), copy.ply()), (0, 1));
    assert!(copy.as_any().downcast_ref::<Game<Ring>>().is_some());
}

#[test]
fn lot_falls_on_either_side_and_only_where_the_rules_ask_for_it() {
    let beginner = |rules: &str, seed: u64| {
        let mut table = table(rules);
        table.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        assert_eq!(table.ply(), 0);
        table.to_move().index()
    };
    let drawn: usize = (0..100).map(|seed| beginner("lot", seed)).sum();
    assert!((30..70).contains(&drawn), "the second side began {drawn} of 100 games");
    assert!((0..100).all(|seed| beginner("plain", seed) == 0));
}

#[test]
fn counts_agree_whether_the_last_ply_is_counted_made_or_divided() {
    let table = table("fixed");
    assert_eq!(table.perft(0), 1);
    assert_eq!(table.perft(2), 4);
    // Of the four lines of two turns two bring the stones next to each other, and one move of two then catches.
    assert_eq!(table.perft(3), 8);
    assert_eq!(table.perft(4), 2 + 6 * 2, "a line that ended sooner is a leaf");
    for depth in 1..10 {
        assert_eq!(table.perft_made(depth), table.perft(depth));
        let parts = table.divide(depth);
        assert_eq!(parts.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>(), ["+", "-"]);
        assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), table.perft(depth));
    }
}

#[test]
fn playouts_add_up_and_include_draws_by_repetition_and_length() {
    let tally = |rules: &str| {
        let mut tally = PlayoutTally::default();
        table(rules).playouts(1000, &mut Xoshiro256PlusPlus::seed_from_u64(2), &mut tally);
        assert_eq!(tally.wins[0] + tally.wins[1] + tally.draws, 1000);
        tally
    };
    let unbounded = tally("fixed");
    assert_eq!(unbounded.draws, 0);
    assert_eq!(unbounded.wins[1], 0, "the distance is odd whenever the first side is to move: only it can catch");
    assert!(tally("plain,repetition=0,plies=3").draws > 500);
    assert!(tally("plain,plies=0").draws > 0);
    assert!(tally("lot").wins[1] > 300, "drawn by lot, the second side begins half of the games");
}
