//! What the search promises, whatever the game.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use quincunx_game::{AnyGame, Game, Position, Rules};
use quincunx_games::{
    aboyne, all, open,
    othello::{self, Counts, Othello},
    pente::{self, Pente},
    register, variant,
};
use quincunx_search::{
    Clock, Engine, Evaluator, Handicap, Limits, MOST_SELECTIVE, Report, Score, Stop, Tactics,
    agent::{Analysis, AnyEngine, EngineSettings, Request},
    probcut::{self, Sampling},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Unfinished games of every ruleset of every game after some random moves.
fn unfinished_games() -> Vec<Box<dyn AnyGame>> {
    let mut games = Vec::new();
    register(&quincunx_ring::ENTRY);
    for about in all() {
        for ruleset in about.rulesets {
            for plies in [0, 5, 12, 25] {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(plies);
                let mut game = open(about.name, Some(ruleset.name), None).unwrap();
                for _ in 0..plies {
                    game.play_random(&mut rng);
                }
                while game.outcome().is_some() {
                    game.undo();
                }
                games.push(game);
            }
        }
    }
    games
}

fn engine(game: &dyn AnyGame, threads: usize) -> Box<dyn AnyEngine> {
    variant(game.rules()).evaluator().engine(EngineSettings {
        megabytes: 1,
        threads,
        limits: Limits::default(),
        handicap: Handicap::default(),
        selectivity: MOST_SELECTIVE,
        book: None,
    })
}

fn analyse(game: &dyn AnyGame, limits: Limits, threads: usize, lines: usize) -> Analysis {
    let request = Request { limits, ..Request::default() };
    engine(game, threads).analyse(game, lines, &request, &mut |_| {}).unwrap()
}

fn search<E: Evaluator>(
    game: &Game<E::Position>,
    limits: Limits,
    threads: usize,
) -> Report<<E::Position as Position>::Move> {
    Engine::new(E::embedded(), 1, threads).search(game, &limits, &Stop::default(), 1, &mut |_| {})
}

#[test]
fn a_legal_move_is_answered_whatever_the_limit() {
    let clock = |micros| Some(Clock { left: Duration::from_micros(micros), increment: Duration::ZERO });
    let limits = [
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { nodes: Some(300), ..Limits::default() },
        Limits { depth: Some(1), ..Limits::default() },
        Limits { movetime: Some(Duration::ZERO), ..Limits::default() },
        Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() },
        Limits { clock: clock(0), ..Limits::default() },
        Limits { clock: clock(500), ..Limits::default() },
        Limits { cpu: Some(Duration::from_millis(10)), ..Limits::default() },
    ];
    for game in unfinished_games() {
        for limits in limits {
            for threads in [1, 2] {
                let mut line = game.boxed_clone();
                for mv in &analyse(&*game, limits, threads, 1).lines[0].pv {
                    line.play(mv).unwrap_or_else(|error| panic!("{limits:?} in {}: {error}", game.position_text()));
                }
            }
        }
    }
}

#[test]
fn a_search_of_fixed_nodes_on_one_thread_is_the_same_every_time() {
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    for game in unfinished_games() {
        let [first, second] = [(), ()].map(|()| analyse(&*game, limits, 1, 1));
        assert_eq!(first.lines, second.lines);
        assert_eq!((first.depth, first.nodes), (second.depth, second.nodes));
    }
}

#[test]
fn several_lines_begin_with_different_moves_in_order_of_their_scores() {
    for game in unfinished_games() {
        // An iteration that is cut short must not mix with the one before.
        let cut_short = (1..=4).map(|times| Limits { nodes: Some(700 * times), ..Limits::default() });
        for limits in cut_short.chain([Limits { depth: Some(3), ..Limits::default() }]) {
            let lines = analyse(&*game, limits, 1, 3).lines;
            let numbers: Vec<_> = lines.iter().map(|line| line.score.number()).collect();
            assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
            let mut firsts: Vec<_> = lines.iter().map(|line| &line.mv).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), lines.len());
        }
    }
}

#[test]
fn a_stop_from_outside_ends_an_endless_search() {
    let game = Game::<Othello<8>>::new(Rules::of(Othello::<8>::about())).unwrap();
    let stop = Stop::default();
    let other = stop.clone();
    let began = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.stop();
    });
    let report =
        Engine::new(othello::Evaluation::embedded(), 1, 2).search(&game, &Limits::default(), &stop, 1, &mut |_| {});
    assert!(report.depth >= 1);
    // Far more than it needs, far less than for ever.
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_whole_game_on_four_by_four_is_lost_for_black() {
    let rules = Rules::parse(Othello::<4>::about(), "4x4").unwrap();
    let game = Game::<Othello<4>>::new(rules).unwrap();
    // Searched to the end, and solved: White wins by ten discs.
    let deep = search::<Counts<4>>(&game, Limits { depth: Some(30), ..Limits::default() }, 1);
    assert!((deep.lines[0].score.number() + 10.0).abs() < 0.01, "{:?}", deep.lines[0]);
    let solved = search::<Counts<4>>(&game, Limits { nodes: Some(5_000_000), ..Limits::default() }, 1);
    assert_eq!(solved.lines[0].score, Score::Exact(-1000), "{:?}", solved.lines[0]);
}

#[test]
fn iterations_beyond_the_end_of_the_game_are_certain() {
    let rules = Rules::of(Othello::<8>::about());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..12 {
        let mut game = Game::<Othello<8>>::new(rules).unwrap();
        while game.outcome().is_none() && game.position().longest() > Some(13) {
            let mv = game.position().random_move(&mut rng).unwrap();
            game.play(mv);
        }
        if game.outcome().is_some() {
            continue;
        }
        let solved = search::<othello::Evaluation>(&game, Limits { nodes: Some(10_000_000), ..Limits::default() }, 1);
        let Score::Exact(score) = solved.lines[0].score else { panic!("13 squares are solved: {:?}", solved.lines[0]) };
        let depth = 13 + u32::from(MOST_SELECTIVE) + 6;
        let searched = search::<othello::Evaluation>(&game, Limits { depth: Some(depth), ..Limits::default() }, 1);
        assert_eq!(searched.lines[0].score, Score::Estimate(score), "{:?}", game.position());
    }
}

#[test]
fn the_shortest_win_is_played() {
    // Blue wins by stepping into the goal at once, or slowly otherwise.
    let text = "b...r/....../......./......../.......b./......../......./....../....r b";
    let position = aboyne::Aboyne::<0>::parse("official", text).unwrap();
    let game = Game::from_position(Rules::of(aboyne::Aboyne::<0>::about()), position);
    let report = search::<aboyne::Evaluation<0>>(&game, Limits { depth: Some(5), ..Limits::default() }, 1);
    assert_eq!(report.lines[0].score, Score::Win(1));
    assert_eq!(position.move_text(report.lines[0].moves[0]), "e8-e9");
}

#[test]
fn what_lies_beyond_the_ply_limit_is_not_known() {
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    // A race won at a glance in five plies.
    let text = "...../....../......./......../.....b.../......../......./....../....r b";
    for (ruleset, score) in [("official,plies=3", Score::Estimate(0)), ("official,plies=5", Score::Win(5))] {
        let rules = Rules::parse(aboyne::Aboyne::<0>::about(), ruleset).unwrap();
        let game = Game::from_position(rules, aboyne::Aboyne::<0>::parse("official", text).unwrap());
        assert_eq!(search::<aboyne::Evaluation<0>>(&game, limits, 1).lines[0].score, score, "{ruleset}");
    }
    // A game that its solver would play to the end.
    let rules = Rules::parse(Othello::<4>::about(), "4x4,plies=2").unwrap();
    let game = Game::<Othello<4>>::new(rules).unwrap();
    let score = search::<Counts<4>>(&game, Limits { nodes: Some(1_000_000), ..limits }, 1).lines[0].score;
    assert_eq!(score, Score::Estimate(0));
    // An open three: a win by threats of the solver.
    for (ruleset, wins) in [("free,plies=2", false), ("free,plies=30", true)] {
        let rules = Rules::parse(Pente::about(), ruleset).unwrap();
        let rows = [".........bbb.......", "..................."];
        let text = (0..19).map(|row| rows[usize::from(row != 9)]).collect::<Vec<_>>().join("/") + " b 0,0";
        let game = Game::from_position(rules, Pente::parse("free", &text).unwrap());
        let score = search::<pente::Evaluation>(&game, limits, 1).lines[0].score;
        assert_eq!(matches!(score, Score::Win(_)), wins, "{ruleset}: {score:?}");
    }
}

#[test]
fn no_five_and_no_fifth_capture_in_pente_is_left_unanswered_where_an_answer_exists() {
    let won = |game: &Game<Pente>, mv| {
        let mut next = game.clone();
        next.play(mv);
        next.outcome().is_some_and(|end| end.winner == Some(game.position().to_move()))
    };
    let wins = |game: &Game<Pente>| game.position().moves().into_iter().any(|mv| won(game, mv));
    let after = |game: &Game<Pente>, mv| {
        let mut next = game.clone();
        next.play(mv);
        next
    };
    let rules = Rules::parse(Pente::about(), "free").unwrap();
    let mut answered = 0;
    for seed in 0..400 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // Stones crowded into a corner of the board, where threats come about by chance.
        let mut game = Game::<Pente>::new(rules).unwrap();
        for _ in 0..22 {
            let Some(mv) = (0..50).find_map(|_| {
                let mv = game.position().random_move(&mut rng)?;
                (mv.row() < 7 && mv.column() < 7).then_some(mv)
            }) else {
                continue;
            };
            game.play(mv);
            if game.outcome().is_some() {
                break;
            }
        }
        if game.outcome().is_some() || wins(&game) {
            continue;
        }
        let answers = game.position().moves().into_iter().filter(|&mv| !wins(&after(&game, mv))).count();
        if answers == 0 || answers == game.position().moves().len() {
            continue;
        }
        answered += 1;
        for nodes in [1, 3, 10, 300, 2000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mv = search::<pente::Evaluation>(&game, limits, 1).lines[0].moves[0];
            assert!(!wins(&after(&game, mv)), "{nodes} nodes in {}", game.position().text());
        }
    }
    assert!(answered > 20, "{answered} of them tell little");
}

#[test]
fn probcut_is_fitted_the_same_way_every_time() {
    let rules = Rules::of(Othello::<8>::about());
    let sampling = Sampling { positions: 300, depth: 4, seed: 2 };
    let evaluator: Arc<othello::Evaluation> = othello::Evaluation::embedded();
    let fit = || probcut::fit(&evaluator, rules, sampling, &Stop::default()).unwrap().to_string();
    let table = fit();
    assert_eq!(table, fit());
    let rows: Vec<Vec<i32>> =
        table.lines().skip(1).map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    assert!(rows.len() >= 6, "{table}");
    for row in rows {
        assert!((1..row[1]).contains(&row[2]) && row[4] > 0 && row[5] >= 30, "{row:?}");
    }
    let stop = Stop::default();
    stop.stop();
    assert_eq!(probcut::fit(&evaluator, rules, sampling, &stop), None);
}
