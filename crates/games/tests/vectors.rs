//! The rules against counts and positions made by independent implementations (`vectors/`).

use quincunx_game::{AnyGame, Rules};
use quincunx_games::{all, open, variant};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    moves_from_start: String,
    position: String,
    over: bool,
    count: usize,
    moves: Vec<String>,
    perft: std::collections::BTreeMap<u32, u64>,
}

fn texts(game: &dyn AnyGame) -> Vec<String> {
    game.choices().into_iter().map(|choice| choice.text).collect()
}

#[test]
fn start_counts_are_the_published_ones() {
    let counts: serde_json::Value = serde_json::from_str(include_str!("vectors/perft.json")).unwrap();
    for about in all() {
        for ruleset in about.rulesets {
            let key = match (about.name, ruleset.name) {
                (name, ruleset) if ruleset == about.rulesets[0].name => name,
                ("aboyne", "seed-program") => "aboyne_seed_program",
                _ => continue,
            };
            let game = open(about.name, Some(ruleset.name), None).unwrap();
            let expected = counts[key].as_array().unwrap_or_else(|| panic!("no counts for {key}"));
            for (depth, count) in (1..).zip(expected) {
                assert_eq!(game.perft(depth), count.as_u64().unwrap(), "{key} at depth {depth}");
            }
        }
    }
}

#[test]
fn positions_from_play_have_the_expected_moves_ends_and_counts() {
    for about in all() {
        let path = format!("{}/tests/vectors/{}.jsonl", env!("CARGO_MANIFEST_DIR"), about.name);
        let vectors = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(vectors.lines().count() >= 150);
        for line in vectors.lines() {
            let vector: Vector = serde_json::from_str(line).unwrap();
            let mut game = open(about.name, None, None).unwrap();
            for mv in vector.moves_from_start.split_whitespace() {
                game.play(mv).unwrap_or_else(|error| panic!("{} {mv}: {error}", vector.position));
            }
            assert_eq!(game.position_text(), vector.position);
            let parsed = open(about.name, None, Some(&vector.position)).unwrap();
            assert_eq!(parsed.hash(), game.hash(), "{}", vector.position);
            assert_eq!(parsed.outcome().is_some(), vector.over, "{}", vector.position);
            assert_eq!(texts(&*parsed), vector.moves, "{}", vector.position);
            assert_eq!(parsed.choices().len(), vector.count, "{}", vector.position);
            for (&depth, &count) in &vector.perft {
                assert_eq!(parsed.perft(depth), count, "{} at depth {depth}", vector.position);
                assert_eq!(parsed.perft_made(depth), count, "{} at depth {depth}", vector.position);
            }
        }
    }
}

#[test]
fn different_positions_after_some_turns_are_as_many_as_published() {
    let counts: serde_json::Value = serde_json::from_str(include_str!("vectors/perft.json")).unwrap();
    for about in all() {
        let Some(expected) = counts[format!("{}_different_positions", about.name)].as_array() else { continue };
        let found = variant(&Rules::of(about)).different_positions(about.rulesets[0].name, expected.len());
        assert_eq!(found, expected.iter().map(|count| count.as_u64().unwrap()).collect::<Vec<_>>(), "{}", about.name);
    }
}
