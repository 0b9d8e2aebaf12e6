//! Fitting how well shallow searches foretell deep ones, from the program's own searches.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::Insight;
use quincunx_game::{Game, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Engine, Limits, Score, Stop};

/// Plies of a game that are looked at together.
const PHASE: usize = 8;
/// Values beyond this say that a position is decided: how far beyond is chance.
const LARGEST: i32 = 5000;

/// Fewer positions tell nothing.
const FEWEST: f64 = 30.0;

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Positions searched.
    pub positions: u32,
    /// The plies of each search.
    pub depth: u32,
    /// The seed of the games the positions are taken from.
    pub seed: u64,
}

/// The depth of the shallow search before one of `deep` plies: about half, and as odd or even.
pub fn shallow_depth(deep: u32) -> u32 {
    deep / 4 * 2 + deep % 2
}

/// Searches positions of games that the engine plays against itself after random moves, and writes how far the values of
/// deep searches lie from those of shallow ones: by phase and depth the mean and the standard deviation.
pub fn foretell<P: Insight>(rules: Rules, sampling: Sampling, stop: &Stop) -> Option<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(sampling.seed);
    let mut engine = Engine::new(16, 1);
    engine.selectivity = 0;
    // By phase and depth: how many, their sum, the sum of their squares.
    let mut sums: BTreeMap<(usize, u32), (f64, f64, f64)> = BTreeMap::new();
    let mut searched = 0;
    while searched < sampling.positions {
        let mut game = Game::<P>::new(rules)?;
        let random = 6 + rng.next_u64() % 6;
        for ply in 0.. {
            if game.outcome().is_some() || stop.is_stopped() {
                break;
            }
            let mv = if ply < random {
                game.position().random_move(&mut rng)?
            } else {
                let limits = Limits { nodes: Some(300), ..Limits::default() };
                engine.search(&game, &limits, stop, 1, &mut |_| {}).lines[0].moves[0]
            };
            if ply >= random && rng.next_u64().is_multiple_of(8) {
                engine.clear();
                let limits = Limits { depth: Some(sampling.depth), ..Limits::default() };
                let mut values = vec![None; sampling.depth as usize + 1];
                engine.search(&game, &limits, stop, 1, &mut |report| {
                    if let Score::Estimate(value) = report.lines[0].score {
                        values[report.depth as usize] = Some(value).filter(|value| value.abs() < LARGEST);
                    }
                });
                for deep in 3..=sampling.depth {
                    let (found, guess) = (values[deep as usize], values[shallow_depth(deep) as usize]);
                    if let (Some(found), Some(guess)) = (found, guess) {
                        let off = f64::from(found - guess);
                        let sum = sums.entry((game.moves().len() / PHASE, deep)).or_default();
                        *sum = (sum.0 + 1.0, sum.1 + off, sum.2 + off * off);
                    }
                }
                searched += 1;
            }
            game.play(mv);
        }
        if stop.is_stopped() {
            return None;
        }
    }
    let mut text = String::from("# phase depth shallow bias error positions\n");
    for ((phase, deep), (count, sum, squares)) in sums {
        if count < FEWEST {
            continue;
        }
        let mean = sum / count;
        let deviation = (squares / count - mean * mean).max(0.0).sqrt();
        _ = writeln!(text, "{phase} {deep} {} {mean:.0} {deviation:.0} {count}", shallow_depth(deep));
    }
    Some(text)
}
