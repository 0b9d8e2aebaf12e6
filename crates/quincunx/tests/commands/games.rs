//! `games`.

use crate::binary::quincunx;

#[test]
fn games_lists_names_rulesets_sides_and_agents() {
    let list = quincunx(&["games", "--json"]).json();
    let text = quincunx(&["games"]).done();
    let games = list["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        assert!(text.contains(game["name"].as_str().unwrap()));
        assert!(text.contains(game["summary"].as_str().unwrap()));
        assert_eq!(game["sides"].as_array().unwrap().len(), 2);
        for ruleset in game["rulesets"].as_array().unwrap() {
            assert!(text.contains(&format!("--ruleset {}", ruleset["name"].as_str().unwrap())));
            assert!(ruleset["repetition"].is_u64() && ruleset["plies"].is_u64());
        }
        for agent in ["human", "random"] {
            assert!(game["agents"].as_array().unwrap().contains(&agent.into()));
        }
        for agent in game["agents"].as_array().unwrap() {
            assert!(text.contains(&format!("agent {} ", agent.as_str().unwrap())), "{agent}");
        }
    }
}

#[test]
fn help_and_version_are_results() {
    assert!(quincunx(&["--help"]).done().contains("Usage: quincunx"));
    assert!(quincunx(&["play", "--help"]).done().contains("--first"));
    assert_eq!(quincunx(&["--version"]).done(), format!("quincunx {}\n", quincunx_version::VERSION));
}
