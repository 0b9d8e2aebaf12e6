//! Fitting the weights of an evaluation: games of the engine against itself, and logistic regression on how they ended.

use std::sync::Arc;

use quincunx_game::{Game, Position, Rules, hash::mix};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Engine, Evaluator, Limits, Stop, Tactics, matrix, tactics::TACTICAL};

/// How the data are made.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Games of self-play.
    pub games: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// Random plies before each game, so that all are different.
    pub random_plies: u32,
    /// The seed of the random plies.
    pub seed: u64,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The names of the terms, the weights that predict the results best and their standard errors, in hundredths.
    pub weights: Vec<(&'static str, f64, f64)>,
    /// The positions used.
    pub positions: usize,
    /// The mean log-likelihood loss a position, with these weights, and with none.
    pub loss: (f64, f64),
}

/// A quiet position of a game and how the game ended for the side to move: 1, 0.5 or 0.
struct Sample {
    terms: Vec<f64>,
    result: f64,
}

/// Plays the games and fits the weights of the evaluator's terms; `None` if it is not a weighted sum.
pub fn tune<E: Evaluator>(evaluator: &Arc<E>, rules: Rules, recipe: &Recipe, tell: &mut dyn FnMut(u32)) -> Option<Fit> {
    let start = *Game::<E::Position>::new(rules)?.position();
    let terms = evaluator.terms(&start, &evaluator.state(&start));
    let names: Vec<_> = terms.into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        return None;
    }
    let mut samples = Vec::new();
    let engine = Engine::new(evaluator.clone(), 4, 1);
    for game in 0..recipe.games {
        engine.clear();
        play(&engine, rules, recipe, u64::from(game), &mut samples);
        tell(game + 1);
    }
    let (coefficients, errors, loss) = regress(&samples, names.len())?;
    // A score of one scale makes a win three times as likely as a loss.
    let scale = f64::from(evaluator.tuning().scale) / 3f64.ln();
    let weights = names.into_iter().zip(coefficients.iter().zip(&errors));
    Some(Fit {
        weights: weights.map(|(name, (weight, error))| (name, weight * scale, error * scale)).collect(),
        positions: samples.len(),
        loss: (loss, std::f64::consts::LN_2),
    })
}

/// One game of self-play; its quiet positions become samples.
fn play<E: Evaluator>(engine: &Engine<E>, rules: Rules, recipe: &Recipe, number: u64, samples: &mut Vec<Sample>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix(recipe.seed, number));
    let mut game = Game::<E::Position>::new(rules).expect("the rules are those of the game");
    for _ in 0..recipe.random_plies {
        if let (None, Some(mv)) = (game.outcome(), game.position().random_move(&mut rng)) {
            game.play(mv);
        }
    }
    let limits = Limits { nodes: Some(recipe.nodes), ..Limits::default() };
    let mut quiet = Vec::new();
    let winner = loop {
        if let Some(end) = game.outcome() {
            break end.winner;
        }
        let report = engine.search(&game, &limits, &Stop::default(), 1, &mut |_| {});
        let position = *game.position();
        let (state, mv) = (engine.evaluator().state(&position), report.lines[0].moves[0]);
        if position.order(E::known(&state), mv) < TACTICAL {
            quiet.push((position.to_move(), engine.evaluator().terms(&position, &state)));
        }
        game.play(mv);
    };
    samples.extend(quiet.into_iter().map(|(side, terms)| Sample {
        terms: terms.into_iter().map(|(_, value)| f64::from(value)).collect(),
        result: winner.map_or(0.5, |winner| f64::from(u8::from(winner == side))),
    }));
}

/// Logistic regression by Newton's method with a touch of ridge: coefficients, standard errors and the loss.
fn regress(samples: &[Sample], terms: usize) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    const RIDGE: f64 = 1e-2;
    const STEPS: usize = 30;
    let mut weights = vec![0.0; terms];
    let mut inverse = vec![vec![0.0; terms]; terms];
    let mut loss = 0.0;
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
        let mut curvature = vec![vec![0.0; terms]; terms];
        for (index, row) in curvature.iter_mut().enumerate() {
            row[index] = RIDGE;
        }
        loss = 0.0;
        for sample in samples {
            let sum: f64 = weights.iter().zip(&sample.terms).map(|(weight, term)| weight * term).sum();
            let chance = (1.0 / (1.0 + (-sum).exp())).clamp(1e-9, 1.0 - 1e-9);
            loss -= sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln();
            for (i, a) in sample.terms.iter().enumerate() {
                gradient[i] += (sample.result - chance) * a;
                for (j, b) in sample.terms.iter().enumerate() {
                    curvature[i][j] += chance * (1.0 - chance) * a * b;
                }
            }
        }
        inverse = matrix::inverse(curvature)?;
        let mut largest: f64 = 0.0;
        for (weight, step) in weights.iter_mut().zip(matrix::product(&inverse, &gradient)) {
            *weight += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let errors = (0..terms).map(|index| inverse[index][index].max(0.0).sqrt()).collect();
    Some((weights, errors, loss / samples.len().max(1) as f64))
}

#[cfg(test)]
mod tests {
    use quincunx_game::position::random_below;

    use super::*;

    #[test]
    fn regression_finds_the_weights_that_made_the_data() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut uniform = || random_below(&mut rng, 1 << 30) as f64 / f64::from(1u32 << 30);
        let samples: Vec<Sample> = (0..40_000)
            .map(|_| {
                let terms = vec![4.0 * uniform() - 2.0, 4.0 * uniform() - 2.0];
                let chance = 1.0 / (1.0 + (-(0.8 * terms[0] - 0.3 * terms[1])).exp());
                Sample { terms, result: f64::from(u8::from(uniform() < chance)) }
            })
            .collect();
        let (weights, errors, loss) = regress(&samples, 2).unwrap();
        assert!((weights[0] - 0.8).abs() < 5.0 * errors[0] && errors[0] < 0.02, "{weights:?} {errors:?}");
        assert!((weights[1] + 0.3).abs() < 5.0 * errors[1], "{weights:?} {errors:?}");
        assert!(loss < std::f64::consts::LN_2);
    }
}
