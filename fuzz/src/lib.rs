//! What the fuzz targets share: a game and a text out of the fuzzer's bytes, and what an error must be like.

use quincunx_game::{About, Rules, Table, TextError};
use quincunx_games::{all, open};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The game a byte names, and the rest of the bytes.
pub fn game(data: &[u8]) -> Option<(&'static About, &[u8])> {
    let (&byte, rest) = data.split_first()?;
    let games = all();
    Some((games[byte as usize % games.len()], rest))
}

/// The ruleset two bytes name, and the rest of the bytes.
pub fn ruleset(data: &[u8]) -> Option<(Rules, &[u8])> {
    let (about, rest) = game(data)?;
    let (&byte, rest) = rest.split_first()?;
    let name = about.rulesets[byte as usize % about.rulesets.len()].name;
    Some((Rules::parse(about, name).expect("the name of a ruleset is a ruleset"), rest))
}

/// A game under these rules, from `position` or from the start.
pub fn table(rules: &Rules, position: Option<&str>) -> Result<Box<dyn Table>, TextError> {
    open(rules.about.name, Some(rules.ruleset.name), position)
}

/// Random numbers that depend on the fuzzer's bytes alone.
pub fn random(data: &[u8]) -> Xoshiro256PlusPlus {
    let seed = data.iter().fold(0_u64, |seed, &byte| seed.wrapping_mul(257).wrapping_add(u64::from(byte) + 1));
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Panics unless the error is one line of sensible length that says something.
pub fn must_explain(error: &TextError) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() <= 1000, "{} bytes", message.len());
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

/// Panics unless everything that can be asked of a game where it stands has an answer that fits the others.
pub fn must_answer(table: &dyn Table) {
    let choices = table.choices();
    assert_eq!(choices.is_empty(), table.outcome().is_some(), "{}", table.position_text());
    let cells = table.geometry().cells.len();
    assert_eq!(table.stones().len(), cells);
    assert!(choices.iter().flat_map(|choice| &choice.path).chain(&table.winning_cells()).all(|&cell| cell < cells));
    assert_eq!(table.perft(1), (choices.len() as u64).max(1));
    table.tallies();
}
