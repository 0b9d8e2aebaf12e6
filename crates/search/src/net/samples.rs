//! Positions of self-play as samples: what is learnt of them, and what their scores mean.

use quincunx_game::{TextError, hash::mix};

use super::fit::chance;
use crate::{Score, Stop, Tactics, selfplay};

/// One game in this many is kept to check with.
const HELD_OUT: u64 = 40;

/// A position with the chance of the side to move to win.
#[derive(Clone, Copy, Debug)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// The chance.
    pub target: f32,
    /// The code of the move that the search found best; `None` if a random move was played instead.
    pub best: Option<u16>,
}

/// The positions of files of self-play whose score is no proven win or loss. Leaving out those that are not quiet made
/// weaker nets: 42 % in Shobu, 39 % in Tessella at 3000 nodes.
pub struct Samples<P> {
    /// Those to learn from.
    pub known: Vec<Sample<P>>,
    /// Those of games held out.
    pub held_out: Vec<Sample<P>>,
    /// For each file the score that makes a win three times as likely as a loss, in hundredths of the game's unit.
    pub scales: Vec<f64>,
}

/// A position before its scores are understood.
struct Raw<P> {
    position: P,
    /// In hundredths of the game's unit, or the chance to win if it is proven.
    score: Result<i32, f32>,
    /// How the game ended for the side to move: 1, 0.5 or 0. `None` if a random move was played after the position: the
    /// end says nothing of it.
    result: Option<f32>,
    best: Option<u16>,
    held_out: bool,
}

/// Reads the files; `share` is that of the score in a target, the rest is the result. Before a random move only the
/// score counts. Positions with a proven score are left out unless `proven` gives what they are worth: the chance of a
/// side that wins. `None` if it was stopped.
pub fn read<P: Tactics>(
    data: &[(String, Vec<u8>)],
    share: f32,
    proven: Option<f32>,
    stop: &Stop,
) -> Result<Option<Samples<P>>, TextError> {
    let mut samples = Samples { known: Vec::new(), held_out: Vec::new(), scales: Vec::new() };
    for (number, (name, file)) in data.iter().enumerate() {
        let mut raw = Vec::new();
        let whole = selfplay::read::<P>(name, file, stop, &mut |played| {
            let held_out = mix(number as u64, played.number).is_multiple_of(HELD_OUT);
            let strayed = played.labels.iter().rposition(|label| label.strayed).map_or(0, |last| last + 1);
            raw.extend(played.positions().enumerate().filter_map(|(ply, (position, mv, label))| {
                let score = match label.score {
                    Score::Estimate(score) | Score::Exact(score) => Ok(score),
                    Score::Win(_) => Err(proven?),
                    Score::Loss(_) => Err(1.0 - proven?),
                };
                let winner = played.winner.map(|side| f32::from(u8::from(side == position.to_move())));
                let result = (ply >= strayed).then_some(winner.unwrap_or(0.5));
                let best = (!label.strayed).then_some(P::code(mv));
                Some(Raw { position: *position, score, result, best, held_out })
            }));
        })?;
        if !whole {
            return Ok(None);
        }
        let slope = slope(&raw);
        samples.scales.push(3f64.ln() / slope);
        for Raw { position, score, result, best, held_out } in raw {
            let target = match score {
                Ok(score) => {
                    let expected = chance((slope * f64::from(score)) as f32);
                    result.map_or(expected, |result| share * expected + (1.0 - share) * result)
                }
                Err(proven) => proven,
            };
            let list = if held_out { &mut samples.held_out } else { &mut samples.known };
            list.push(Sample { position, target, best });
        }
    }
    if samples.known.is_empty() {
        return Err(TextError::new("there are no positions to learn from: give directories of selfplay with --data"));
    }
    Ok(Some(samples))
}

/// The logarithm of the odds to win for each hundredth of a score: logistic regression with one number. So data by
/// evaluators with different scales can be learnt from together.
fn slope<P>(raw: &[Raw<P>]) -> f64 {
    let mut slope = 1e-3;
    for _ in 0..30 {
        // A touch of ridge, in case that all scores are nothing.
        let (mut gradient, mut curvature) = (0.0, 1e-3);
        for sample in raw {
            let (Ok(score), Some(result)) = (sample.score.map(f64::from), sample.result.map(f64::from)) else {
                continue;
            };
            let chance = 1.0 / (1.0 + (-slope * score).exp());
            gradient += (result - chance) * score;
            curvature += chance * (1.0 - chance) * score * score;
        }
        let step = gradient / curvature;
        // A step of Newton's method may go too far if many scores are large.
        slope = (slope + step).clamp(slope / 2.0, 2.0 * slope);
        if step.abs() < 1e-7 {
            break;
        }
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meaning_of_scores_is_found_from_results() {
        for scale in [20.0f64, 300.0] {
            let raw: Vec<_> = (0..40_000u64)
                .map(|index| {
                    let score = (mix(1, index) % 801) as i32 - 400;
                    let chance = 1.0 / (1.0 + (-3f64.ln() * f64::from(score) / scale).exp());
                    let won = (mix(2, index) % 100_000) as f64 / 1e5 < chance;
                    let result = Some(f32::from(u8::from(won)));
                    Raw { position: (), score: Ok(score), result, best: None, held_out: false }
                })
                .collect();
            let found = 3f64.ln() / slope(&raw);
            assert!((found / scale - 1.0).abs() < 0.05, "{found} {scale}");
        }
        assert!(slope::<()>(&[]).is_finite());
    }
}
