//! What the fuzz targets share: a game and a text out of the fuzzer's bytes, and what an error must be like.

pub mod dialogue;
pub mod server;

use std::{fs, path::PathBuf};

use quincunx_formats::{Output, check};
use quincunx_game::{About, AnyGame, Record, Rules, TextError, format::Format};
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

/// What the fuzzer gives as text: its bytes as they are, or `valid` edited as the bytes say, so that deep checks are reached too.
pub fn text(data: &[u8], valid: impl FnOnce() -> String) -> String {
    let Some((&way, rest)) = data.split_first() else { return String::new() };
    if way % 2 == 0 {
        return String::from_utf8_lossy(rest).into_owned();
    }
    let mut characters: Vec<char> = valid().chars().collect();
    for edit in rest.chunks_exact(3) {
        let (at, new) = (edit[1] as usize * 256 + edit[2] as usize, char::from(edit[0] & 0x7f));
        let length = characters.len();
        match edit[0] >> 7 {
            0 if length > 0 => characters[at % length] = new,
            _ if at % 3 == 0 && length > 0 => drop(characters.remove(at % length)),
            _ => characters.insert(at % (length + 1), new),
        }
    }
    characters.into_iter().collect()
}

/// What the fuzzer gives as a file: its bytes as they are, or `valid` edited as the bytes say.
pub fn file(data: &[u8], valid: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let Some((&way, rest)) = data.split_first() else { return Vec::new() };
    if way % 2 == 0 {
        return rest.to_vec();
    }
    let mut bytes = valid();
    for edit in rest.chunks_exact(4) {
        let (at, length) = (usize::from(edit[2]) * 256 + usize::from(edit[3]), bytes.len());
        match edit[0] % 4 {
            0 | 1 if length > 0 => bytes[at % length] = edit[1],
            2 if length > 0 => bytes.truncate(length.max(1) - at % length.min(16)),
            3 if length > 0 => drop(bytes.remove(at % length)),
            _ => bytes.insert(at % (length + 1), edit[1]),
        }
    }
    bytes
}

/// A file of a format as the fuzzer gives it: its bytes as they are, or a file of two random games, edited.
pub fn file_of_games(data: &[u8], format: &dyn Format, rules: &Rules, seed: u8) -> Vec<u8> {
    file(data, || {
        let Ok(mut output) = Output::new(format) else { return Vec::new() };
        for number in 0..2 {
            let game = after_random_turns(rules, u8::MAX, seed.wrapping_add(number));
            let record = Record { moves: game.played().join(" "), ..Record::new(*rules) };
            // Some formats hold one game or one ruleset only.
            _ = check(record, false).and_then(|checked| output.add(&checked));
        }
        output.finish().map_or(Vec::new(), |written| written.contents)
    })
}

/// A folder of this process, in memory if the system has such a place.
pub fn folder(name: &str) -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("quincunx-fuzz-{}", std::process::id())).join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// A game under these rules, from `position` or from the start.
pub fn table(rules: &Rules, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
    open(rules.about.name, Some(rules.ruleset.name), position)
}

/// A game under these rules after some random turns, or fewer where it ends.
pub fn after_random_turns(rules: &Rules, plies: u8, seed: u8) -> Box<dyn AnyGame> {
    let mut game = table(rules, None).expect("every ruleset has a start");
    let mut rng = random(&[seed]);
    while game.ply() < usize::from(plies) && game.play_random(&mut rng).is_some() {}
    game
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
///
/// `cells` is the number of cells of its board. It does not change in a game, and to describe a board takes longer than
/// everything else here together.
pub fn must_answer(table: &dyn AnyGame, cells: usize) {
    let choices = table.choices();
    assert_eq!(choices.is_empty(), table.outcome().is_some(), "{}", table.position_text());
    assert_eq!(table.stones().len(), cells);
    assert!(
        choices
            .iter()
            .flat_map(|choice| choice.paths.iter().flatten())
            .chain(&table.winning_cells())
            .all(|&cell| cell < cells)
    );
    // A game drawn by its history has no choices, though its position has moves.
    if !choices.is_empty() {
        assert_eq!(table.perft(1), choices.len() as u64);
    }
    table.tallies();
}
