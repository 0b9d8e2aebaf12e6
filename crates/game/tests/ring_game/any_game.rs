//! The type-erased interface.

use quincunx_game::{AnyGame, Game, Side, any_game::PlayoutTally};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use quincunx_ring::Ring;

use crate::game;

fn any_game(rules: &str) -> Box<dyn AnyGame> {
    Box::new(game(rules))
}

#[test]
fn choices_are_sorted_texts_with_their_paths_until_the_end() {
    let mut game = any_game("plain,plies=2");
    let choices: Vec<_> = game.choices().into_iter().map(|choice| (choice.text, choice.paths)).collect();
    assert_eq!(choices, [("+".to_string(), vec![vec![0, 1], vec![1]]), ("-".to_string(), vec![vec![0, 5], vec![5]])]);
    game.play("+").unwrap();
    game.play("+").unwrap();
    assert!(game.choices().is_empty(), "a drawn game has no moves");
    assert!(game.play_random(&mut Xoshiro256PlusPlus::seed_from_u64(1)).is_none());
}

#[test]
fn played_moves_and_marks_follow_play_and_undo() {
    let mut game = any_game("plain");
    assert!(game.last_marks().is_empty());
    game.play("+").unwrap();
    game.play("-").unwrap();
    assert_eq!((game.played(), game.ply(), game.last_marks()), (vec!["+".into(), "-".into()], 2, vec![3, 2]));
    assert!(game.undo());
    assert_eq!((game.played(), game.last_marks(), game.to_move()), (vec!["+".into()], vec![0, 1], Side::Second));
    assert!(game.undo() && !game.undo());
    assert_eq!(game.position_text(), game.start_text());
}

#[test]
fn refused_move_changes_nothing() {
    let mut game = any_game("plain");
    assert_eq!(game.play("?").unwrap_err().to_string(), "\"?\" is neither + nor -");
    assert_eq!((game.ply(), game.position_text().as_str()), (0, "0 3 0"));
}

#[test]
fn copy_goes_its_own_way() {
    let game = any_game("plain");
    let mut copy = game.boxed_clone();
    copy.play("+").unwrap();
    assert_eq!((game.ply(), copy.ply()), (0, 1));
    assert!(copy.as_any().downcast_ref::<Game<Ring>>().is_some());
}

#[test]
fn lot_falls_on_either_side_and_only_where_the_rules_ask_for_it() {
    let beginner = |rules: &str, seed: u64| {
        let mut game = any_game(rules);
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        assert_eq!(game.ply(), 0);
        game.to_move().index()
    };
    let drawn: usize = (0..100).map(|seed| beginner("lot", seed)).sum();
    assert!((30..70).contains(&drawn), "the second side began {drawn} of 100 games");
    assert!((0..100).all(|seed| beginner("plain", seed) == 0));
}

#[test]
fn counts_agree_whether_the_last_ply_is_counted_made_or_divided() {
    let game = any_game("fixed");
    assert_eq!(game.perft(0), 1);
    assert_eq!(game.perft(2), 4);
    // Of the four lines of two turns two bring the stones next to each other, and one move of two then catches.
    assert_eq!(game.perft(3), 8);
    assert_eq!(game.perft(4), 2 + 6 * 2, "a line that ended sooner is a leaf");
    assert_eq!(game.perft_unfinished(3), 8, "a line that ends with its last turn is of full length");
    assert_eq!(game.perft_unfinished(4), 6 * 2);
    for depth in 1..10 {
        assert_eq!(game.perft_made(depth), game.perft(depth));
        for (unfinished, whole) in [(false, game.perft(depth)), (true, game.perft_unfinished(depth))] {
            let parts = game.divide(depth, unfinished);
            assert_eq!(parts.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>(), ["+", "-"]);
            assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), whole);
        }
    }
}

#[test]
fn playouts_add_up_and_include_draws_by_repetition_and_length() {
    let tally = |rules: &str| {
        let mut tally = PlayoutTally::default();
        any_game(rules).playouts(1000, &mut Xoshiro256PlusPlus::seed_from_u64(2), &mut tally);
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
