//! Whatever text is given as a game, a ruleset, a position or a move: no panic, and an error of one short line.

use proptest::{collection::vec, prelude::*, sample::Index};
use quincunx_game::{About, AnyGame, Rules, TextError};
use quincunx_games::{about, open, register};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// All games, and one that is only a test crate.
fn all() -> Vec<&'static About> {
    register(&quincunx_ring::ENTRY);
    quincunx_games::all()
}

/// Panics unless the error is one line of sensible length that says something.
fn must_explain(error: &TextError) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() <= 1000, "{} bytes: {message:.200}", message.len());
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

/// A ruleset of a game, the position after some random turns of it, and the moves on the way.
#[derive(Debug)]
struct Situation {
    game: &'static str,
    ruleset: &'static str,
    position: String,
    moves: Vec<String>,
}

impl Situation {
    fn table(&self) -> Box<dyn AnyGame> {
        let mut table = open(self.game, Some(self.ruleset), None).unwrap();
        for mv in &self.moves {
            table.play(mv).unwrap();
        }
        table
    }
}

fn situations() -> impl Strategy<Value = Situation> {
    (any::<Index>(), any::<u64>(), 0_usize..80).prop_map(|(index, seed, plies)| {
        let rulesets: Vec<_> = all()
            .into_iter()
            .flat_map(|about| about.rulesets.iter().map(|ruleset| (about.name, ruleset.name)))
            .collect();
        let &(game, ruleset) = index.get(&rulesets);
        let mut table = open(game, Some(ruleset), None).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        while table.ply() < plies && table.play_random(&mut rng).is_some() {}
        if table.outcome().is_some() {
            table.undo();
        }
        Situation { game, ruleset, position: table.position_text(), moves: table.played() }
    })
}

/// A change to a text.
#[derive(Clone, Debug)]
enum Edit {
    Insert(Index, char),
    Replace(Index, char),
    Remove(Index),
    Swap(Index, Index),
    CutAt(Index),
    Double(Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let character = || {
        prop_oneof![
            proptest::sample::select("XOxo*wbr.-~/ ,:^=0123456789abcdefghiABCDKTNSEW".chars().collect::<Vec<_>>()),
            any::<char>()
        ]
    };
    let edit = prop_oneof![
        (any::<Index>(), character()).prop_map(|(at, new)| Edit::Insert(at, new)),
        (any::<Index>(), character()).prop_map(|(at, new)| Edit::Replace(at, new)),
        any::<Index>().prop_map(Edit::Remove),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Edit::Swap(one, other)),
        any::<Index>().prop_map(Edit::CutAt),
        any::<Index>().prop_map(Edit::Double),
    ];
    vec(edit, 1..5)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for edit in edits {
        let length = characters.len();
        match edit {
            Edit::Insert(at, new) => characters.insert(at.index(length + 1), *new),
            _ if length == 0 => {}
            Edit::Replace(at, new) => characters[at.index(length)] = *new,
            Edit::Remove(at) => drop(characters.remove(at.index(length))),
            Edit::Swap(one, other) => characters.swap(one.index(length), other.index(length)),
            Edit::CutAt(at) => characters.truncate(at.index(length)),
            Edit::Double(at) => characters.extend_from_within(at.index(length)..),
        }
    }
    characters.into_iter().collect()
}

/// The position is refused, or is one like any other.
fn try_position(game: &str, ruleset: &str, text: &str) {
    match open(game, Some(ruleset), Some(text)) {
        Err(error) => must_explain(&error),
        Ok(mut table) => {
            let position = table.position_text();
            let again = open(game, Some(ruleset), Some(&position)).unwrap();
            assert_eq!(again.position_text(), position);
            assert_eq!(again.hash(), table.hash());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(table.hash());
            for _ in 0..6 {
                assert_eq!(table.choices().is_empty(), table.outcome().is_some(), "{}", table.position_text());
                if table.play_random(&mut rng).is_none() {
                    break;
                }
            }
        }
    }
}

/// The move is refused and nothing changed, or it is one of the legal ones.
fn try_move(table: &mut dyn AnyGame, text: &str) {
    let (choices, before) = (table.choices(), table.position_text());
    if let Err(error) = table.play(text) {
        must_explain(&error);
    } else {
        let played = table.played().pop().unwrap();
        assert!(choices.iter().any(|choice| choice.text == played), "{text:?} was taken for {played} in {before}");
        table.undo();
    }
    assert_eq!(table.position_text(), before);
}

fn try_ruleset(game: &str, text: &str) {
    let about = about(game).unwrap();
    match Rules::parse(about, text) {
        Err(error) => must_explain(&error),
        Ok(rules) => assert_eq!(Rules::parse(about, &rules.to_string()).unwrap().to_string(), rules.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_is_refused_or_understood(situation in situations(), text in "\\PC{0,60}|(?s:.{0,60})") {
        if let Err(error) = about(&text) {
            must_explain(&error);
        }
        try_ruleset(situation.game, &text);
        try_position(situation.game, situation.ruleset, &text);
        try_move(&mut *situation.table(), &text);
    }

    #[test]
    fn edited_positions_are_refused_or_positions(situation in situations(), edits in edits()) {
        try_position(situation.game, situation.ruleset, &edited(&situation.position, &edits));
    }

    #[test]
    fn edited_moves_are_refused_or_legal(situation in situations(), edits in edits(), chosen in any::<Index>()) {
        let mut table = situation.table();
        let choices = table.choices();
        prop_assume!(!choices.is_empty());
        try_move(&mut *table, &edited(&chosen.get(&choices).text, &edits));
    }

    #[test]
    fn edited_rulesets_are_refused_or_rules(situation in situations(), edits in edits(), settings in vec(any::<Index>(), 0..4)) {
        let parts = ["plies=300", "repetition=4", "first=random", "plies=0", "repetition=0", "first=red"];
        let mut text = situation.ruleset.to_string();
        for setting in settings {
            text.push(',');
            text.push_str(setting.get::<&str>(&parts));
        }
        try_ruleset(situation.game, &text);
        try_ruleset(situation.game, &edited(&text, &edits));
    }
}

#[test]
fn megabytes_are_refused_in_one_short_line() {
    const LENGTH: usize = 1 << 20;
    for about in all() {
        for ruleset in about.rulesets {
            let mut table = open(about.name, Some(ruleset.name), None).unwrap();
            let (position, mv) = (table.position_text(), table.choices()[0].text.clone());
            let units =
                ["x", "X", ".", "-", "/", "9", " ", ",", "\n", "é", "🦀", "\u{0}", "a=", "plies=1,", &position, &mv];
            for unit in units {
                let long = unit.repeat(LENGTH / unit.len() + 1);
                let hidden = format!("{position}{long}");
                for text in [&long, &hidden] {
                    try_position(about.name, ruleset.name, text);
                    try_move(&mut *table, text);
                    try_ruleset(about.name, text);
                }
                must_explain(&quincunx_games::about(&long).unwrap_err());
            }
        }
    }
}
