//! What agents promise, whatever the game: they keep to their clocks, and use books as their specs say.

use std::{collections::BTreeSet, time::Duration};

use quincunx_agents::{Request, build};
use quincunx_game::Side;
use quincunx_games::{entries, open, register};
use quincunx_machine::thread_cpu_time;
use quincunx_search::Limits;

/// The CPU time that is left to an agent after a game against random moves.
fn left_after_a_game(game: &str, spec: &str, mut left: Duration) -> Duration {
    let mut table = open(game, None, None).unwrap();
    let mut agents = [spec, "random"].map(|spec| build(spec, table.rules(), 1).unwrap());
    while table.outcome().is_none() && !left.is_zero() {
        let side = table.to_move();
        let request = Request { limits: Limits { cpu: Some(left), ..Limits::default() }, ..Request::default() };
        let began = thread_cpu_time();
        let answer = agents[side.index()].choose(&*table, &request).unwrap();
        if side == Side::First {
            left = left.saturating_sub(thread_cpu_time().saturating_sub(began));
        }
        table.play(&answer.mv).unwrap();
    }
    left
}

#[test]
fn no_game_is_lost_on_time() {
    register(&quincunx_ring::ENTRY);
    for entry in entries() {
        let game = entry.about.name;
        let own = entry.agents.iter().flat_map(|agent| [50, 1000].map(|milliseconds| (agent.name, milliseconds)));
        for (spec, milliseconds) in own.chain([("mcts", 10), ("engine", 50)]) {
            let left = left_after_a_game(game, spec, Duration::from_millis(milliseconds));
            assert!(!left.is_zero(), "{game}: {spec} used up {milliseconds} ms");
        }
    }
}

/// Whether an agent answers the start of Othello from the book: without looking at any position.
fn reads(spec: &str, ruleset: &str) -> bool {
    let game = open("othello", Some(ruleset), None).unwrap();
    build(spec, game.rules(), 1).unwrap().choose(&*game, &Request::default()).unwrap().nodes == 0
}

#[test]
fn strong_engines_play_from_the_book_unless_told_not_to() {
    for spec in ["engine:nodes=1000", "engine:level=7", "engine:nodes=1000,book=on"] {
        assert!(reads(spec, "8x8"), "{spec}");
    }
    for spec in ["engine:nodes=1000,book=off", "engine:level=6", "engine:nodes=1000,overlook=5"] {
        assert!(!reads(spec, "8x8"), "{spec}");
    }
    assert!(!reads("engine:nodes=1000", "6x6"));
    let rules = *open("othello", None, None).unwrap().rules();
    assert!(build("engine:book=maybe", &rules, 1).is_err());
}

#[test]
fn weak_levels_do_not_begin_every_game_alike() {
    // Tessella's level 4 begins with one move or its mirror image.
    for (name, highest) in [("shobu", 4), ("tessella", 3), ("aboyne", 4)] {
        let game = open(name, None, None).unwrap();
        for level in 1..=highest {
            let begin = |seed| {
                let mut agent = build(&format!("engine:level={level}"), game.rules(), seed).unwrap();
                agent.choose(&*game, &Request::default()).unwrap().mv
            };
            let moves: BTreeSet<_> = (0..12).map(begin).collect();
            assert!(moves.len() >= 4, "{name}, level {level}: {moves:?}");
        }
    }
}

#[test]
fn cpu_time_of_its_own_is_shared_out_over_a_game() {
    let game = open("shobu", None, None).unwrap();
    let mut agent = build("engine:cpu=300ms", game.rules(), 1).unwrap();
    let mut nodes = || agent.choose(&*game, &Request::default()).unwrap().nodes;
    let first: u64 = (0..5).map(|_| nodes()).sum();
    let later: u64 = (0..95).map(|_| nodes()).skip(90).sum();
    assert!(later < first / 4, "{first} positions at first, {later} later");
    agent.new_game();
    let anew: u64 = (0..5).map(|_| agent.choose(&*game, &Request::default()).unwrap().nodes).sum();
    assert!(anew > 2 * later, "{later} positions at last, {anew} in the next game");
}
