//! What holds for every game and every ruleset, along random games.

use std::collections::{HashMap, HashSet};

use quincunx_game::{Game, Playouts, Position, Rules, perft::perft, position::random_below};
use quincunx_games::{Visitor, all, visit};
use quincunx_search::Insight;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Runs a check for every ruleset of every game.
fn for_every_ruleset(check: &impl Check) {
    for about in all() {
        for ruleset in about.rulesets {
            let rules = Rules::parse(about, ruleset.name).unwrap();
            visit(&rules, OneRuleset { rules, check });
        }
    }
}

/// A property of a game under some rules.
trait Check {
    fn check<P: Position>(&self, rules: Rules);
}

struct OneRuleset<'a, C> {
    rules: Rules,
    check: &'a C,
}

impl<C: Check> Visitor for OneRuleset<'_, C> {
    type Output = ();
    fn visit<P: Insight>(self) {
        self.check.check::<P>(self.rules);
    }
}

/// Calls `check` with the records of random games, at every turn.
fn along_random_games<P: Position>(rules: Rules, games: u64, mut check: impl FnMut(&Game<P>, &mut Xoshiro256PlusPlus)) {
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::<P>::new(rules).unwrap();
        loop {
            check(&game, &mut rng);
            if game.outcome().is_some() {
                break;
            }
            let mv = game.position().random_move(&mut rng).unwrap();
            game.play(mv);
        }
    }
}

macro_rules! property {
    ($name:ident, $games:literal, |$game:ident, $rng:ident| $body:block) => {
        #[test]
        fn $name() {
            struct Property;
            impl Check for Property {
                fn check<P: Position>(&self, rules: Rules) {
                    along_random_games::<P>(rules, $games, |$game, $rng| $body);
                }
            }
            for_every_ruleset(&Property);
        }
    };
}

property!(moves_are_distinct_counted_and_there_exactly_until_the_end, 20, |game, _rng| {
    let position = game.position();
    let moves = position.moves();
    assert_eq!(moves.len(), moves.iter().collect::<HashSet<_>>().len());
    assert_eq!(moves.len() as u64, position.count_moves());
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{}", position.text());
});

property!(undo_restores_every_bit, 20, |game, _rng| {
    let mut position = *game.position();
    for mv in game.position().moves() {
        let undo = position.play(mv);
        assert_ne!(position, *game.position());
        position.undo(mv, undo);
        assert_eq!(position, *game.position());
    }
});

/// The hash of a position set up anew from its text, which carries nothing along from play.
fn hash_from_scratch<P: Position>(position: &P, rules: &Rules) -> u64 {
    let text = position.text();
    P::parse(rules.ruleset.name, &text).unwrap_or_else(|error| panic!("{text}: {error}")).hash()
}

property!(hash_kept_in_play_equals_the_hash_from_scratch, 20, |game, _rng| {
    let position = game.position();
    assert_eq!(position.hash(), hash_from_scratch(position, game.rules()), "{}", position.text());
    for mv in position.moves() {
        let mut child = *position;
        child.play(mv);
        assert_eq!(child.hash(), hash_from_scratch(&child, game.rules()), "{}", child.text());
    }
    let mut handed_over = *position;
    handed_over.hand_over();
    assert_ne!(handed_over.hash(), position.hash());
    assert_eq!(handed_over.to_move(), !position.to_move());
});

#[test]
fn different_positions_have_different_hashes() {
    struct Distinct;
    impl Check for Distinct {
        fn check<P: Position>(&self, rules: Rules) {
            let mut seen = HashMap::new();
            along_random_games::<P>(rules, 10, |game, _| {
                let position = game.position();
                for mv in position.moves() {
                    let mut child = *position;
                    child.play(mv);
                    let earlier = seen.entry(child.hash()).or_insert(child);
                    assert_eq!(*earlier, child, "{} has the hash of {}", child.text(), earlier.text());
                }
            });
        }
    }
    for_every_ruleset(&Distinct);
}

property!(positions_and_moves_round_trip_through_their_texts, 20, |game, _rng| {
    let position = game.position();
    let ruleset = game.rules().ruleset.name;
    let parsed = P::parse(ruleset, &position.text());
    assert_eq!(parsed.as_ref(), Ok(position), "{}", position.text());
    let mut texts = HashSet::new();
    for mv in position.moves() {
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
        assert!(texts.insert(text));
    }
});

property!(only_legal_moves_are_accepted, 6, |game, rng| {
    // The texts of moves of other positions of the game, and mutilated ones: each is refused, or names a legal move.
    let position = game.position();
    let legal: HashSet<_> = position.moves().into_iter().collect();
    let other = game.positions()[random_below(rng, game.positions().len() as u64) as usize];
    for mv in other.moves().into_iter().chain(other.colours_swapped().moves()) {
        let mut text = other.move_text(mv);
        for _ in 0..3 {
            match position.parse_move(&text) {
                Ok(mv) => assert!(legal.contains(&mv), "{text} in {}", position.text()),
                Err(error) => assert!(!error.to_string().contains('\n')),
            }
            let at = random_below(rng, text.len() as u64) as usize;
            let swap = b"abcdefghijklmnopqrstABCDEFGHJKLMNOPQRST0123456789:-x^NSWE~ "[random_below(rng, 58) as usize];
            let mut bytes = text.into_bytes();
            bytes[at] = swap;
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
});

property!(symmetries_keep_counts_and_carry_moves_along, 6, |game, _rng| {
    let position = game.position();
    let count = perft(position, 1);
    for symmetry in 0..P::SYMMETRIES {
        let image = position.transformed(symmetry);
        assert_eq!(perft(&image, 1), count, "symmetry {symmetry} of {}", position.text());
        assert_eq!(image.hash(), hash_from_scratch(&image, game.rules()));
        assert_eq!(image.outcome(), position.outcome());
        let legal: HashSet<_> = image.moves().into_iter().collect();
        for mv in position.moves() {
            let moved = position.transformed_move(mv, symmetry);
            assert!(legal.contains(&moved), "symmetry {symmetry} of {mv:?} in {}", position.text());
            let (mut there, mut back) = (image, *position);
            there.play(moved);
            back.play(mv);
            assert_eq!(there, back.transformed(symmetry));
        }
    }
    assert_eq!(position.transformed(0), *position);
});

property!(colour_swap_keeps_counts, 20, |game, _rng| {
    let position = game.position();
    let swapped = position.colours_swapped();
    assert_eq!(perft(&swapped, 1), perft(position, 1), "{}", position.text());
    assert_eq!(swapped.hash(), hash_from_scratch(&swapped, game.rules()));
    assert_eq!(swapped.to_move(), !position.to_move());
    assert_eq!(swapped.colours_swapped(), *position);
    let flipped = |winner: Option<quincunx_game::Side>| winner.map(|side| !side);
    assert_eq!(swapped.outcome().map(|end| end.winner), position.outcome().map(|end| flipped(end.winner)));
});

property!(paths_are_cells_of_the_board_and_tell_the_moves_apart, 10, |game, _rng| {
    let position = game.position();
    let cells = position.geometry().cells.len();
    assert_eq!(position.cells(), cells);
    let mut paths = HashSet::new();
    for mv in position.moves() {
        let path = position.path(mv);
        assert!(path.iter().chain(&position.marks(mv)).all(|&cell| cell < cells));
        assert_eq!(path.is_empty(), P::is_pass(mv));
        assert!(paths.insert(path), "two moves with the path of {}", position.move_text(mv));
    }
    assert!(position.winning_cells().iter().all(|&cell| cell < cells));
});

/// Everything an engine reads from the state of a position.
fn opinions<P: Insight>(position: &P, state: &P::State) -> impl PartialEq + std::fmt::Debug + use<P> {
    let (mut candidates, mut forcing) = (Vec::new(), Vec::new());
    if position.outcome().is_none() {
        position.for_each_candidate(state, |mv| candidates.push((mv, position.order(state, mv))));
        position.for_each_forcing(state, |mv| forcing.push(mv));
    }
    let verdict = position.outcome().is_none().then(|| position.verdict(state, 0));
    (position.evaluate(state), position.features(state), candidates, forcing, verdict, position.is_threatened(state))
}

#[test]
fn the_state_kept_up_along_a_game_equals_the_state_from_scratch() {
    struct KeptUp {
        rules: Rules,
    }
    impl Visitor for KeptUp {
        type Output = ();
        fn visit<P: Insight>(self) {
            for seed in 0..3 {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut game = Game::<P>::new(self.rules).unwrap();
                let mut state = game.position().state();
                while game.outcome().is_none() {
                    let mv = game.position().random_move(&mut rng).unwrap();
                    let before = *game.position();
                    game.play(mv);
                    P::advance(&mut state, &before, mv, game.position());
                    let after = game.position();
                    assert_eq!(opinions(after, &state), opinions(after, &after.state()), "{}", after.text());
                }
                let (moves, positions) = (game.moves(), game.positions());
                for (index, &mv) in moves.iter().enumerate().rev() {
                    let before = &positions[index];
                    P::retreat(&mut state, before, mv, &positions[index + 1]);
                    assert_eq!(opinions(before, &state), opinions(before, &before.state()), "{}", before.text());
                }
            }
        }
    }
    for about in all() {
        for ruleset in about.rulesets {
            let rules = Rules::parse(about, ruleset.name).unwrap();
            visit(&rules, KeptUp { rules });
        }
    }
}

#[test]
fn playouts_end_and_draw_as_the_rules_say() {
    struct PlayoutsEnd;
    impl Check for PlayoutsEnd {
        fn check<P: Position>(&self, rules: Rules) {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
            let start = P::start(rules.ruleset.name).unwrap();
            let mut playouts = Playouts::new(&rules);
            for seed in 0..200 {
                let playout = playouts.run(start, &mut rng);
                assert!(rules.plies == 0 || playout.plies <= rules.plies);
                // The referee's own game of the same random game ends in the same way.
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut same = rng.clone();
                let playout = playouts.run(start, &mut same);
                let mut game = Game::from_position(rules, start);
                while game.outcome().is_none() {
                    let mv = game.position().random_move(&mut rng).unwrap();
                    game.play(mv);
                }
                assert_eq!(Some(playout.outcome), game.outcome());
                assert_eq!(playout.plies as usize, game.moves().len());
            }
        }
    }
    for_every_ruleset(&PlayoutsEnd);
}

#[test]
fn random_moves_are_uniform_over_the_legal_ones() {
    struct Uniform;
    impl Check for Uniform {
        fn check<P: Position>(&self, rules: Rules) {
            along_random_games::<P>(rules, 3, |game, rng| {
                let position = game.position();
                if game.moves().len() % 10 != 3 || position.outcome().is_some() {
                    return;
                }
                let mut moves = position.moves();
                moves.sort();
                let draws = 60 * moves.len();
                let mut counts = vec![0u32; moves.len()];
                for _ in 0..draws {
                    let mv = position.random_move(rng).unwrap();
                    counts[moves.binary_search(&mv).expect("a random move is legal")] += 1;
                }
                // Chi-square against the uniform distribution, six standard deviations from its mean.
                let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 60.0).powi(2) / 60.0).sum();
                let freedom = (moves.len() - 1) as f64;
                assert!(
                    chi <= freedom + 6.0 * (2.0 * freedom).sqrt() + 12.0,
                    "{chi} for {freedom}: {}",
                    position.text()
                );
            });
        }
    }
    for_every_ruleset(&Uniform);
}

#[test]
fn no_text_makes_a_parser_panic() {
    struct Hostile;
    impl Check for Hostile {
        fn check<P: Position>(&self, rules: Rules) {
            let mut seed = 0;
            along_random_games::<P>(rules, 2, |game, _| {
                seed += 1;
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let text = game.position().text();
                for _ in 0..20 {
                    let mutilated = mutilate(&text, &mut rng);
                    // What is accepted must be a position like any other.
                    if let Ok(position) = P::parse(rules.ruleset.name, &mutilated) {
                        assert_eq!(P::parse(rules.ruleset.name, &position.text()), Ok(position));
                        assert_eq!(position.count_moves() == 0, position.outcome().is_some(), "{mutilated}");
                        let _ = game.position().parse_move(&mutilated);
                    }
                }
            });
        }
    }
    for_every_ruleset(&Hostile);
}

/// `text` with something inserted, removed, replaced, doubled or cut off.
fn mutilate(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random_below(rng, 4) {
        let at = random_below(rng, characters.len() as u64 + 1) as usize;
        let odd = ['X', 'O', '-', '.', 'w', 'b', 'r', 'o', 'x', '~', '/', ' ', ',', '9', '\0', '\n', 'é', '🦀'];
        let odd = odd[random_below(rng, odd.len() as u64) as usize];
        match random_below(rng, 6) {
            0 => characters.insert(at, odd),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 => characters.truncate(at),
            3 => characters.extend_from_within(..at),
            _ if at < characters.len() => characters[at] = odd,
            _ => {}
        }
    }
    characters.into_iter().collect()
}
