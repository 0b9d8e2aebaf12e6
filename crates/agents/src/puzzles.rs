//! Puzzles: positions from games of the engine in which one move is clearly best, rated by the levels that find it.

use quincunx_game::{AnyGame, Rules, Side, TextError};
use quincunx_games::{NO_MOVES, set_up};
use quincunx_search::{Limits, Score, Stop, agent::Analysis};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{AnyEngine, HIGHEST_LEVEL, Request, Resources, analyst, build};

/// How puzzles are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleRecipe {
    /// Games to look for them in.
    pub games: u32,
    /// Positions that a search visits before a move is believed to be the only good one; a first look visits a tenth.
    pub nodes: u64,
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
    /// The lowest level that finds the answer more often than not.
    pub level: u64,
    /// What it is about.
    pub theme: Theme,
}

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// A forced win.
    Win,
    /// Something is taken or counted at once.
    Capture,
    /// All other moves lose.
    Save,
    /// A clear advantage.
    Gain,
}

impl Theme {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Capture => "capture",
            Self::Save => "save",
            Self::Gain => "gain",
        }
    }
}

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
/// How often a level is asked.
const TRIES: u64 = 3;

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
                found.push(puzzle);
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
    let Some(first) = look(nodes / 10).filter(is_clear) else { return Ok(None) };
    let Some(deep) = look(nodes).filter(is_clear) else { return Ok(None) };
    if first.lines[0].mv != deep.lines[0].mv || stop.is_stopped() {
        return Ok(None);
    }
    let best = &deep.lines[0];
    let solution: Vec<_> = best.pv.iter().take(5).cloned().collect();
    let level = level_of(&*game, &best.mv, stop)?;
    let theme = theme_of(&*game, &deep);
    Ok(Some(Puzzle { position: game.position_text(), solution, level, theme }))
}

/// Whether the first line is clearly better than the second.
fn is_clear(found: &Analysis) -> bool {
    let [best, second] = &found.lines[..] else { return false };
    let (best, second) = (best.win_probability, second.win_probability);
    best - second >= GAP && (best >= WORTH && (best >= 0.7 || second <= LOST))
}

fn theme_of(game: &dyn AnyGame, found: &Analysis) -> Theme {
    let best = &found.lines[0];
    if matches!(best.score, Score::Win(_)) {
        return Theme::Win;
    }
    let mover = game.to_move();
    let mut after = game.boxed_clone();
    if after.play(&best.mv).is_ok() && takes(game, &*after, mover) {
        return Theme::Capture;
    }
    if best.win_probability < 0.7 { Theme::Save } else { Theme::Gain }
}

/// Whether a move left the opponent with fewer stones on the board.
fn takes(before: &dyn AnyGame, after: &dyn AnyGame, mover: Side) -> bool {
    let count = |game: &dyn AnyGame, side: Side| game.stones().into_iter().filter(|stone| *stone == Some(side)).count();
    let stones = |game: &dyn AnyGame| count(game, mover) + count(game, !mover);
    // Turned stones change their side: only those that leave the board are taken.
    count(after, !mover) < count(before, !mover) && stones(after) <= stones(before)
}

/// The lowest level that plays the move more often than not; one above the highest if none does.
fn level_of(game: &dyn AnyGame, answer: &str, stop: &Stop) -> Result<u64, TextError> {
    // The highest level counts time and not positions: what no other finds is its.
    for level in 1..HIGHEST_LEVEL {
        let mut right = 0;
        for seed in 0..TRIES {
            let mut agent = build(&format!("engine:level={level},book=off"), game.rules(), seed)?;
            let request = Request { limits: Limits::default(), stop: stop.clone() };
            right += u64::from(agent.choose(game, &request).is_ok_and(|found| found.mv == answer));
        }
        if right * 2 > TRIES {
            return Ok(level);
        }
    }
    Ok(HIGHEST_LEVEL)
}

#[cfg(test)]
mod tests {
    use quincunx_games::rules;

    use super::*;

    #[test]
    fn a_puzzle_has_one_answer_and_the_same_seed_gives_the_same_puzzles() {
        let rules = rules("tessella", None).unwrap();
        let recipe = PuzzleRecipe { games: 2, nodes: 4_000, seed: 3 };
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
