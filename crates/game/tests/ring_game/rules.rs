//! Rules from text and back.

use quincunx_game::{FirstMove, Position, Rules, Side};

use quincunx_ring::Ring;

fn parse(text: &str) -> Result<Rules, String> {
    Rules::parse(Ring::about(), text).map_err(|error| error.to_string())
}

#[test]
fn name_gives_the_settings_of_the_ruleset() {
    let rules = parse("lot").unwrap();
    assert_eq!((rules.ruleset.name, rules.repetition, rules.plies, rules.first), ("lot", 3, 20, FirstMove::Random));
    assert_eq!(Rules::of(Ring::about()).ruleset.name, "plain", "the first ruleset is the default");
}

#[test]
fn settings_change_the_named_or_the_default_ruleset() {
    let rules = parse("lot,plies=7,repetition=5,first=blue").unwrap();
    assert_eq!((rules.ruleset.name, rules.repetition, rules.plies), ("lot", 5, 7));
    assert_eq!(rules.first, FirstMove::Default(Side::Second));
    let rules = parse("plies=7, first=random").unwrap();
    assert_eq!((rules.ruleset.name, rules.plies, rules.first), ("plain", 7, FirstMove::Random));
}

#[test]
fn text_of_rules_tells_what_differs_and_reads_back() {
    for text in
        ["plain", "lot", "fixed", "plain,first=blue", "lot,first=red", "plain,first=random,repetition=0,plies=9"]
    {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    assert_eq!(parse("plain,first=red,plies=20,repetition=3").unwrap().to_string(), "plain");
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let cases = [
        ("wild", "Ring has no ruleset \"wild\"; it has plain, lot, fixed"),
        ("", "Ring has no ruleset \"\"; it has plain, lot, fixed"),
        ("plain,lot", "\"lot\" is not a setting of a ruleset; the settings are first=, repetition= and plies="),
        ("plain,speed=3", "\"speed=3\" is not a setting of a ruleset; the settings are first=, repetition= and plies="),
        ("plies=-1", "plies=\"-1\" is not a whole number from 0 to 100000"),
        ("plies=100001", "plies=\"100001\" is not a whole number from 0 to 100000"),
        ("repetition=", "repetition=\"\" is not a whole number from 0 to 100000"),
        ("first=green", "first=\"green\" is none of first=red, first=blue, first=random"),
        ("fixed,first=blue", "in Ring Red always begins"),
        ("plies=0,repetition=0", "a game without repetition and ply limit need not end; leave one of them on"),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap_err(), message);
    }
}

#[test]
fn quoted_text_is_cut_and_made_visible() {
    let message = parse(&format!("a\nb\u{1b}{}", "x".repeat(100_000))).unwrap_err();
    assert!(message.contains("\"a\\nb\\u{1b}xxx") && message.contains('…'), "{message}");
    assert!(message.len() < 200);
}
