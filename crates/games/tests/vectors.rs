//! The rules against positions and counts made by independent implementations: the `vectors.jsonl` of each game.

use std::collections::BTreeMap;

use quincunx_games::{entries, register, rules, variant};
use serde::Deserialize;

/// Counts below this many are also made move by move.
const FEW: u64 = 100_000;

/// A line of the file; CONTRIBUTING.md describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    ruleset: Option<String>,
    moves_from_start: String,
    position: String,
    over: bool,
    moves: Vec<String>,
    perft: BTreeMap<u32, u64>,
    #[serde(default)]
    different_positions: BTreeMap<usize, u64>,
}

#[test]
fn every_game_has_counts_from_its_start_and_150_positions_from_play() {
    register(&quincunx_ring::ENTRY);
    for entry in entries() {
        let vectors = read(entry.about.name);
        let is_start = |vector: &&Vector| vector.moves_from_start.is_empty();
        assert!(vectors.iter().filter(is_start).any(|vector| vector.ruleset.is_none() && vector.perft.len() >= 3));
        assert!(vectors.iter().filter(|vector| !is_start(vector)).count() >= 150, "{}", entry.about.name);
    }
}

#[test]
fn positions_from_play_have_the_expected_moves_ends_and_counts() {
    register(&quincunx_ring::ENTRY);
    for entry in entries() {
        for vector in read(entry.about.name) {
            let Vector { ruleset, position, .. } = &vector;
            let rules = rules(entry.about.name, ruleset.as_deref()).unwrap();
            let variant = variant(&rules);
            let mut game = variant.open(rules, None).unwrap();
            for mv in vector.moves_from_start.split_whitespace() {
                game.play(mv).unwrap_or_else(|error| panic!("{position} {mv}: {error}"));
            }
            assert_eq!(game.position_text(), *position);
            let parsed = variant.open(rules, Some(position)).unwrap();
            assert_eq!(parsed.hash(), game.hash(), "{position}");
            assert_eq!(parsed.outcome().is_some(), vector.over, "{position}");
            let texts: Vec<_> = parsed.choices().into_iter().map(|choice| choice.text).collect();
            assert_eq!(texts, vector.moves, "{position}");
            for (&depth, &count) in &vector.perft {
                assert_eq!(parsed.perft(depth), count, "{position} at depth {depth}");
                if count < FEW {
                    assert_eq!(parsed.perft_made(depth), count, "{position} at depth {depth}");
                }
            }
            if let Some((&turns, _)) = vector.different_positions.last_key_value() {
                assert_eq!(vector.moves_from_start, "", "different positions are counted from the start");
                let found = variant.different_positions(rules.ruleset.name, turns);
                assert_eq!((1..).zip(found).collect::<BTreeMap<_, _>>(), vector.different_positions, "{position}");
            }
        }
    }
}

fn read(game: &str) -> Vec<Vector> {
    let vectors = quincunx_games::entry(game).unwrap().content.vectors.expect("tests have the feature `promises`");
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{game}: {error}: {line:.200}"));
    vectors.lines().map(read).collect()
}
