//! ProbCut: how well shallow searches predict deep ones, and how that is fitted to the program's own searches.

use std::{collections::BTreeMap, fmt, sync::Arc};

use quincunx_game::{Game, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Engine, Evaluator, Limits, Score, Stop};

/// Plies of a game that share a row of a table.
const PHASE: usize = 8;
/// Values beyond this say that a position is decided: how far beyond is chance.
const LARGEST: i32 = 5000;
/// The selectivity of the searches that a table is fitted to: cuts at 3.3 standard deviations are all but never wrong,
/// and make searches of 14 plies affordable.
const CAREFUL: u8 = 1;
/// Fewer positions tell nothing.
const FEWEST: f64 = 30.0;

/// How well a shallow search predicts a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// The depth of the shallow search.
    pub depth: i32,
    /// By how much the deep value lies above the shallow one on average, in hundredths.
    pub bias: i32,
    /// The standard deviation of the deep value around that, in hundredths.
    pub error: i32,
}

/// Predictions by the phase of a game and the depth of the deep search, each with the positions it was fitted to.
/// Written as text it has a line each, which [`parse`](Self::parse) reads back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbCut(Vec<Vec<Option<(Prediction, u32)>>>);

impl ProbCut {
    /// The table that a text holds; `None` if it is damaged.
    pub fn parse(text: &str) -> Option<Self> {
        let mut table = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Option<Vec<i32>> = line.split_whitespace().map(|number| number.parse().ok()).collect();
            let &[phase, deep, depth, bias, error, positions] = &numbers?[..] else { return None };
            let (phase, deep) = (usize::try_from(phase).ok()?, usize::try_from(deep).ok()?);
            let sane = [bias, error].iter().all(|value| value.unsigned_abs() <= 2 * LARGEST.unsigned_abs());
            if phase > 64 || deep > 64 || !(1..deep as i32).contains(&depth) || !sane {
                return None;
            }
            put(&mut table, phase, deep, (Prediction { depth, bias, error }, u32::try_from(positions).ok()?));
        }
        (!table.is_empty()).then_some(Self(table))
    }

    /// Whether nothing was fitted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What predicts a search of `depth` plies after so many plies of a game.
    pub fn prediction(&self, plies: usize, depth: i32) -> Option<Prediction> {
        let phase = plies / PHASE;
        // Phases with too few positions have no row: the next one speaks for them.
        let row = self.0[phase.min(self.0.len() - 1)..].iter().find(|row| !row.is_empty())?;
        let depth = usize::try_from(depth).ok()?;
        if let Some(found) = row.get(depth) {
            return found.map(|(found, _)| found);
        }
        // Deeper than fitted: what holds for the deepest one of the same parity, the shallow search so much deeper.
        let deepest = row.len().checked_sub(1)?;
        let fitted = deepest - (depth - deepest) % 2;
        let (found, _) = (*row.get(fitted)?)?;
        Some(Prediction { depth: found.depth + ((depth - fitted) / 4 * 2) as i32, ..found })
    }
}

fn put(table: &mut Vec<Vec<Option<(Prediction, u32)>>>, phase: usize, deep: usize, prediction: (Prediction, u32)) {
    table.resize_with(table.len().max(phase + 1), Vec::new);
    let row = &mut table[phase];
    row.resize(row.len().max(deep + 1), None);
    row[deep] = Some(prediction);
}

impl fmt::Display for ProbCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# phase depth shallow bias error positions")?;
        for (phase, row) in self.0.iter().enumerate() {
            for (deep, fitted) in row.iter().enumerate() {
                if let Some((Prediction { depth, bias, error }, positions)) = fitted {
                    writeln!(f, "{phase} {deep} {depth} {bias} {error} {positions}")?;
                }
            }
        }
        Ok(())
    }
}

/// What is searched to fit a table.
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

/// Searches positions of games that the engine plays against itself after random moves, for how far the values of deep
/// searches lie from those of shallow ones: by phase and depth the mean and the standard deviation. `None` if it was
/// stopped.
pub fn fit<E: Evaluator>(evaluator: &Arc<E>, rules: Rules, sampling: Sampling, stop: &Stop) -> Option<ProbCut> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(sampling.seed);
    let mut engine = Engine::new(evaluator.clone(), 16, 1);
    engine.selectivity = CAREFUL;
    // By phase and depth: how many, their sum, the sum of their squares.
    let mut sums: BTreeMap<(usize, u32), (f64, f64, f64)> = BTreeMap::new();
    let mut searched = 0;
    while searched < sampling.positions {
        let mut game = Game::<E::Position>::new(rules)?;
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
    let mut table = Vec::new();
    for ((phase, deep), (count, sum, squares)) in sums {
        if count >= FEWEST {
            let mean = sum / count;
            let deviation = (squares / count - mean * mean).max(0.0).sqrt();
            let (bias, error) = (mean.round() as i32, deviation.round() as i32);
            let prediction = Prediction { depth: shallow_depth(deep) as i32, bias, error };
            put(&mut table, phase, deep as usize, (prediction, count as u32));
        }
    }
    Some(ProbCut(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_back_and_damaged_ones_refused() {
        let table = ProbCut::parse("1 4 2 -7 300 99\n3 5 3 0 250 40\n").unwrap();
        assert_eq!(ProbCut::parse(&table.to_string()), Some(table));
        for text in ["", "1 4 2 0", "1 4 5 0 300 9", "1 x 2 0 300 9", "99 4 2 0 300 9", "1 4 2 0 99999 9"] {
            assert!(ProbCut::parse(text).is_none(), "{text}");
        }
    }
}
