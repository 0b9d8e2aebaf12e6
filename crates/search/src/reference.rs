//! Test vectors from a slow and obvious implementation of a game, to compare the fast one with. For tests, behind the
//! feature `promises`.

use std::{collections::HashMap, env, fmt::Write as _, fs};

use quincunx_game::{About, position::random_below};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions from play in a file of vectors.
const POSITIONS: usize = 150;

/// A position of a game, written as plainly as its rules are and without any of the code that it is to check.
pub trait Reference: Clone {
    /// The start under the ruleset of this name; `None` if the reference does not play it.
    fn start(ruleset: &str) -> Option<Self>;

    /// The text of the position.
    fn text(&self) -> String;

    /// Whether the game is over by the rules of the position alone.
    fn is_over(&self) -> bool;

    /// The text of every legal move, with the position after it; a forced pass is one, and there are none after the end.
    fn moves(&self) -> Vec<(String, Self)>;
}

/// Compares `vectors.jsonl` in a folder with what the reference says, or writes it if `UPDATE_VECTORS` is set.
///
/// # Panics
/// If the file is not what it should be.
pub fn check<R: Reference>(about: &About, folder: &str, depth: u32) {
    let (path, expected) = (format!("{folder}/vectors.jsonl"), vectors::<R>(about, depth));
    if env::var_os("UPDATE_VECTORS").is_some() {
        fs::write(&path, &expected).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{path} is not what the reference says; set UPDATE_VECTORS=1 to write it");
}

/// A file of vectors: the start of every ruleset with counts down to `depth`, then positions of the default ruleset from
/// random games with counts of two plies.
fn vectors<R: Reference>(about: &About, depth: u32) -> String {
    let mut lines = String::new();
    for ruleset in about.rulesets {
        if let Some(start) = R::start(ruleset.name) {
            let named = if ruleset.name == about.rulesets[0].name { "" } else { ruleset.name };
            lines += &line(named, &[], &start, depth);
        }
    }
    let (rules, mut written) = (&about.rulesets[0], 0);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    while written < POSITIONS {
        let mut position = R::start(rules.name).expect("the reference plays the default ruleset");
        let (mut played, mut seen) = (Vec::new(), HashMap::new());
        loop {
            let occurrences = seen.entry(position.text()).or_insert(0);
            *occurrences += 1;
            // Draws that only the history shows end the game, too.
            let drawn = *occurrences == rules.repetition || played.len() == rules.plies as usize && rules.plies > 0;
            let moves = position.moves();
            if !played.is_empty() && (moves.is_empty() || random_below(&mut rng, 4) == 0) && written < POSITIONS {
                lines += &line("", &played, &position, 2);
                written += 1;
            }
            if drawn || moves.is_empty() {
                break;
            }
            let (mv, after) = moves[random_below(&mut rng, moves.len() as u64) as usize].clone();
            played.push(mv);
            position = after;
        }
    }
    lines
}

/// A line of the file.
fn line<R: Reference>(ruleset: &str, played: &[String], position: &R, depth: u32) -> String {
    let mut moves: Vec<String> = position.moves().into_iter().map(|(mv, _)| mv).collect();
    moves.sort();
    let mut line = String::from("{");
    if !ruleset.is_empty() {
        write!(line, "\"ruleset\": {ruleset:?}, ").expect("a string takes everything");
    }
    let counts: Vec<_> = (1..=depth).map(|depth| format!("\"{depth}\": {}", leaves(position, depth))).collect();
    let (played, text, over, counts) = (played.join(" "), position.text(), position.is_over(), counts.join(", "));
    line + &format!(
        "\"moves_from_start\": {played:?}, \"position\": {text:?}, \"over\": {over}, \"moves\": {moves:?}, \
         \"perft\": {{{counts}}}}}\n"
    )
}

/// The leaves of the tree cut at `depth`: lines of that many turns, and lines that ended sooner.
fn leaves<R: Reference>(position: &R, depth: u32) -> u64 {
    let moves = if depth == 0 { Vec::new() } else { position.moves() };
    if moves.is_empty() { 1 } else { moves.iter().map(|(_, after)| leaves(after, depth - 1)).sum() }
}
