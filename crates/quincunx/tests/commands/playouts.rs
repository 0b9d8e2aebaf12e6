//! `playouts`.

use crate::binary::{every_ruleset, quincunx};

#[test]
fn playouts_of_every_ruleset_add_up() {
    for (game, ruleset, _) in every_ruleset() {
        let run = quincunx(&["playouts", &game, "--ruleset", &ruleset, "--seconds", "0.01", "--seed", "7", "--json"]);
        assert_eq!(run.stderr, "", "a seed that was asked for is not announced");
        let played = run.json();
        let count = |name: &str| played[name].as_u64().unwrap();
        assert!(count("playouts") > 0);
        assert!(count("turns") >= count("playouts"));
        assert_eq!(count("first_wins") + count("second_wins") + count("draws"), count("playouts"));
        assert!(played["cpu_seconds"].as_f64().unwrap() >= 0.01);
        assert_eq!(count("seed"), 7);
    }
}

#[test]
fn drawn_seed_is_announced_beside_the_results() {
    let run = quincunx(&["playouts", "othello", "--seconds", "0.01", "--json"]);
    let announced: u64 = run.stderr.trim_end().strip_prefix("seed ").unwrap().parse().unwrap();
    assert_eq!(run.json()["seed"], announced);
}

#[test]
fn text_tells_speed_length_and_shares() {
    let text = quincunx(&["playouts", "othello", "--seconds", "0.01", "--seed", "1"]).done();
    for part in ["random games in", "turns a game", "Black", "White", "draw"] {
        assert!(text.contains(part), "{text}");
    }
}
