//! Monte Carlo tree search with a real game.

use std::time::Duration;

use quincunx_game::{Game, Position, Rules, Side};
use quincunx_games::othello::Othello;
use quincunx_search::{Limits, Stop, mcts::Mcts};

/// The final score for Black with perfect play.
fn score(position: &Othello<4>) -> i32 {
    let scores = position.moves().into_iter().map(|mv| {
        let mut child = *position;
        child.play(mv);
        score(&child)
    });
    let best = if position.to_move() == Side::First { scores.max() } else { scores.min() };
    best.unwrap_or_else(|| position.final_score())
}

#[test]
fn the_four_by_four_game_is_proven_lost_for_black() {
    let rules = Rules::parse(Othello::<4>::about(), "4x4").unwrap();
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let mut game = Game::<Othello<4>>::new(rules).unwrap();
    for text in ["b1", "a1", "a2"] {
        game.play_text(text).unwrap();
    }
    // Near the end the tree is small enough to be proven to the last leaf: won with White to move, then lost with
    // Black.
    for expected in [1.0, 0.0] {
        assert!(score(game.position()) < 0);
        let choice = Mcts::new(1).search(&game, &limits, &Stop::default());
        assert!(choice.proven && choice.playouts < 200_000, "{choice:?}");
        assert!((choice.win_probability - expected).abs() < 1e-9, "{choice:?}");
        game.play(choice.mv);
    }
}

#[test]
fn without_time_a_move_is_chosen_all_the_same() {
    let game = Game::<Othello<8>>::new(Rules::of(Othello::<8>::about())).unwrap();
    let limits = Limits { cpu: Some(Duration::ZERO), ..Limits::default() };
    let choice = Mcts::new(1).search(&game, &limits, &Stop::default());
    assert!(game.position().moves().contains(&choice.mv));
    assert_eq!((choice.playouts, choice.line.len(), choice.proven), (0, 1, false));
    assert!((choice.win_probability - 0.5).abs() < 1e-9);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let rules = Rules::of(Othello::<8>::about());
    let mut game = Game::<Othello<8>>::new(rules).unwrap();
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    let mut mcts = Mcts::new(1);
    let choice = mcts.search(&game, &limits, &Stop::default());
    game.play(choice.line[0]);
    game.play(choice.line[1]);
    // A tree that is kept knows the next two plies at least, without a further playout.
    let limits = Limits { cpu: Some(Duration::ZERO), ..Limits::default() };
    let kept = mcts.search(&game, &limits, &Stop::default());
    assert_eq!(kept.playouts, 0);
    assert!(kept.line.len() >= 2, "{kept:?}");
}
