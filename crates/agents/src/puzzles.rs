//! Puzzles: positions from games of the engine in which one move is clearly best, rated by the levels that find it.

use quincunx_game::{AnyGame, Rules, TextError};
use quincunx_games::{NO_MOVES, set_up, variant};
use quincunx_search::{
    Limits, Score, Stop,
    agent::{Analysis, Line},
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{AnyEngine, HIGHEST_LEVEL, Request, Resources, analyst, build, level::Level};

/// How puzzles are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleRecipe {
    /// Games to look for them in.
    pub games: u32,
    /// Positions that a search visits before a move is believed to be the only good one; a first look visits a
    /// twentieth.
    pub nodes: u64,
    /// The most puzzles of one level that are kept, so that easy ones do not crowd out the rest.
    pub each: usize,
    /// Makes what is random.
    pub seed: u64,
}

/// A position to solve with one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Its text.
    pub position: String,
    /// The answer, and what is expected to follow.
    pub solution: Vec<String>,
    /// The lowest level from which on all find the answer more often than not.
    pub level: u64,
    /// What is to be done, [`WIN`], [`SAVE`] or [`GAIN`], and then what the game says that it is about.
    pub themes: Vec<&'static str>,
}

/// A forced win.
pub const WIN: &str = "win";
/// All other moves lose.
pub const SAVE: &str = "save";
/// A clear advantage.
pub const GAIN: &str = "gain";

/// The level that plays the games: good enough for sensible positions, weak enough for mistakes.
const PLAYERS: &str = "engine:level=4,book=off";
/// The longest game that is looked at.
const LONGEST: usize = 120;
/// By how much the answer must be better than the second best move, as a share of the winning chances.
const GAP: f64 = 0.25;
/// The chances that an answer must give at least: a puzzle wins something, or saves what is left.
const WORTH: f64 = 0.45;
/// Other moves may keep no more than this if the answer only saves.
const LOST: f64 = 0.2;
/// Plies between two puzzles of one game, so that they are not one puzzle twice.
const APART: usize = 4;
/// How often a level that misjudges moves is asked.
const TRIES: u64 = 5;
/// The first look at a position visits this share of the positions of the last one.
const FIRST_LOOK: u64 = 20;

/// Puzzles under `rules`, in the order they were found; `tell` hears of every game. Those found before it was stopped are
/// kept.
pub fn make_puzzles(
    rules: Rules,
    recipe: &PuzzleRecipe,
    stop: &Stop,
    tell: &mut dyn FnMut(u32),
) -> Result<Vec<Puzzle>, TextError> {
    let mut engine = analyst(&rules, Resources { megabytes: 16, threads: 1 }, None);
    let mut found: Vec<Puzzle> = Vec::new();
    for number in 0..recipe.games {
        tell(number);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(recipe.seed.wrapping_add(u64::from(number)));
        let mut game = set_up(rules, None, NO_MOVES)?;
        for _ in 0..rng.random_range(2..8) {
            game.play_random(&mut rng);
        }
        let mut player = build(PLAYERS, &rules, rng.random())?;
        let mut next = game.ply();
        while game.outcome().is_none() && game.ply() < LONGEST {
            if stop.is_stopped() {
                return Ok(found);
            }
            if game.ply() >= next
                && let Some(puzzle) = puzzle_in(&*game, &mut *engine, recipe.nodes, stop)?
                && found.iter().all(|known| known.position != puzzle.position)
            {
                next = game.ply() + APART;
                if found.iter().filter(|known| known.level == puzzle.level).count() < recipe.each {
                    found.push(puzzle);
                }
            }
            let request = Request { limits: Limits::default(), stop: stop.clone() };
            let Ok(answer) = player.choose(&*game, &request) else { break };
            game.play(&answer.mv)?;
        }
    }
    Ok(found)
}

/// The puzzle in a position, if there is one.
fn puzzle_in(
    game: &dyn AnyGame,
    engine: &mut dyn AnyEngine,
    nodes: u64,
    stop: &Stop,
) -> Result<Option<Puzzle>, TextError> {
    let choices = game.choices();
    if choices.len() < 3 {
        return Ok(None);
    }
    // A position without its past, as the puzzle will be set.
    let game = set_up(*game.rules(), Some(&game.position_text()), NO_MOVES)?;
    let mut look = |nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        engine.analyse(&*game, 2, &Request { limits, stop: stop.clone() }, &mut |_| {}).ok()
    };
    let Some(first) = look(nodes / FIRST_LOOK).filter(is_clear) else { return Ok(None) };
    let Some(deep) = look(nodes).filter(is_clear) else { return Ok(None) };
    if first.lines[0].mv != deep.lines[0].mv || stop.is_stopped() {
        return Ok(None);
    }
    let best = &deep.lines[0];
    let solution: Vec<_> = best.pv.iter().take(5).cloned().collect();
    let level = level_of(&*game, &best.mv, stop)?;
    if stop.is_stopped() {
        return Ok(None);
    }
    let position = game.position_text();
    let mut themes = vec![aim_of(best)];
    themes.extend(variant(game.rules()).themes(game.rules(), &position, &solution)?);
    Ok(Some(Puzzle { position, solution, level, themes }))
}

/// Whether the first line is clearly better than the second.
fn is_clear(found: &Analysis) -> bool {
    let [best, second] = &found.lines[..] else { return false };
    let (best, second) = (best.win_probability, second.win_probability);
    best - second >= GAP && (best >= WORTH && (best >= 0.7 || second <= LOST))
}

/// What the best line is for.
fn aim_of(best: &Line) -> &'static str {
    match best.score {
        Score::Win(_) => WIN,
        _ if best.win_probability < 0.7 => SAVE,
        _ => GAIN,
    }
}

/// The lowest level from which on all levels play the move more often than not; the highest if no other does.
fn level_of(game: &dyn AnyGame, answer: &str, stop: &Stop) -> Result<u64, TextError> {
    let evaluator = variant(game.rules()).evaluator();
    let solves = |level| -> Result<bool, TextError> {
        let is_certain = Level::new(evaluator.tuning(), level, 0).handicap == Level::FULL.handicap;
        let tries = if is_certain { 1 } else { TRIES };
        let mut right = 0;
        for seed in 0..tries {
            let mut agent = build(&format!("engine:level={level},book=off"), game.rules(), seed)?;
            let request = Request { limits: Limits::default(), stop: stop.clone() };
            right += u64::from(agent.choose(game, &request).is_ok_and(|found| found.mv == answer));
        }
        Ok(right * 2 > tries)
    };
    // The highest level counts time and not positions, and the one below it takes long: what no other finds is theirs.
    let (last, slow) = (HIGHEST_LEVEL - 2, HIGHEST_LEVEL - 1);
    if !solves(last)? {
        return Ok(if solves(slow)? { slow } else { HIGHEST_LEVEL });
    }
    let mut lowest = last;
    while lowest > 1 && solves(lowest - 1)? {
        lowest -= 1;
    }
    Ok(lowest)
}

#[cfg(test)]
mod tests {
    use quincunx_games::rules;

    use super::*;

    #[test]
    fn a_puzzle_has_one_answer_and_the_same_seed_gives_the_same_puzzles() {
        let rules = rules("tessella", None).unwrap();
        let recipe = PuzzleRecipe { games: 2, nodes: 4_000, each: 2, seed: 3 };
        let make = || make_puzzles(rules, &recipe, &Stop::default(), &mut |_| {}).unwrap();
        let found = make();
        assert!(!found.is_empty());
        for puzzle in &found {
            let game = set_up(rules, Some(&puzzle.position), NO_MOVES).unwrap();
            assert!(game.choices().iter().any(|choice| choice.text == puzzle.solution[0]), "{puzzle:?}");
            assert!((1..=HIGHEST_LEVEL).contains(&puzzle.level));
        }
        assert_eq!(make(), found);
    }
}
