//! The rules against counts and positions made by independent implementations: `perft.json` and `vectors.jsonl` of each game.

use std::collections::BTreeMap;

use quincunx_game::{AnyGame, Rules};
use quincunx_games::{entries, open, variant};
use quincunx_search::{Entry, content::Vectors};
use serde::{Deserialize, de::DeserializeOwned};

/// Counts from the start after 1, 2, … turns, by ruleset.
type Counts = BTreeMap<String, Vec<u64>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    leaves: Counts,
    #[serde(default)]
    different_positions: Counts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    moves_from_start: String,
    position: String,
    over: bool,
    moves: Vec<String>,
    perft: BTreeMap<u32, u64>,
}

fn vectors(entry: &Entry) -> Vectors {
    entry.content.vectors.expect("tests have the feature `promises`")
}

fn read<T: DeserializeOwned>(entry: &Entry, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}: {text:.200}", entry.about.name))
}

fn texts(game: &dyn AnyGame) -> Vec<String> {
    game.choices().into_iter().map(|choice| choice.text).collect()
}

#[test]
fn start_counts_are_the_published_ones() {
    for entry in entries() {
        let Perft { leaves, .. } = read(entry, vectors(entry).perft);
        let (name, default) = (entry.about.name, entry.about.rulesets[0].name);
        assert!(leaves.contains_key(default), "{name}: no counts of {default}");
        for (ruleset, counts) in leaves {
            let game = open(name, Some(&ruleset), None).unwrap();
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(game.perft(depth), count, "{name} {ruleset} at depth {depth}");
            }
        }
    }
}

#[test]
fn positions_from_play_have_the_expected_moves_ends_and_counts() {
    for entry in entries() {
        let (name, lines) = (entry.about.name, vectors(entry).positions);
        assert!(lines.lines().count() >= 150, "{name}");
        for line in lines.lines() {
            let vector: Vector = read(entry, line);
            let mut game = open(name, None, None).unwrap();
            for mv in vector.moves_from_start.split_whitespace() {
                game.play(mv).unwrap_or_else(|error| panic!("{} {mv}: {error}", vector.position));
            }
            assert_eq!(game.position_text(), vector.position);
            let parsed = open(name, None, Some(&vector.position)).unwrap();
            assert_eq!(parsed.hash(), game.hash(), "{}", vector.position);
            assert_eq!(parsed.outcome().is_some(), vector.over, "{}", vector.position);
            assert_eq!(texts(&*parsed), vector.moves, "{}", vector.position);
            for (&depth, &count) in &vector.perft {
                assert_eq!(parsed.perft(depth), count, "{} at depth {depth}", vector.position);
                assert_eq!(parsed.perft_made(depth), count, "{} at depth {depth}", vector.position);
            }
        }
    }
}

#[test]
fn different_positions_after_some_turns_are_as_many_as_published() {
    for entry in entries() {
        let Perft { different_positions, .. } = read(entry, vectors(entry).perft);
        for (ruleset, counts) in different_positions {
            let rules = Rules::parse(entry.about, &ruleset).unwrap();
            let found = variant(&rules).different_positions(&ruleset, counts.len());
            assert_eq!(found, counts, "{} {ruleset}", entry.about.name);
        }
    }
}
