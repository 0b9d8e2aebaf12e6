//! Ratings of many players from their games: Bradley-Terry by maximum likelihood, with errors.

use quincunx_search::matrix::{inverse, product};

use crate::CrossTable;

/// Elo a unit of natural log-strength.
const ELO: f64 = 173.717_792_761_3;

/// Drawn games against an average player, added for everybody: they keep the rating finite of a player that won or lost
/// everything.
const PRIOR_GAMES: f64 = 1.0;

/// Why the information always has an inverse.
const DEFINITE: &str = "the prior makes the information positive definite";

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

impl CrossTable {
    /// The ratings under which the results are likeliest, each with the error that the curvature of the likelihood
    /// tells.
    pub fn ratings(&self) -> Vec<Rating> {
        let players = self.players();
        let points: Vec<Vec<f64>> =
            (0..players).map(|i| (0..players).map(|j| self.between(i, j).points()).collect()).collect();
        let mut strength = vec![0.0f64; players];
        // Newton's method; the likelihood is concave, and the prior makes its maximum unique.
        for _ in 0..100 {
            let (gradient, information) = derivatives(&points, &strength);
            let step = product(&inverse(information).expect(DEFINITE), &gradient);
            let largest = step.iter().fold(0.0f64, |most, value| most.max(value.abs()));
            let damping = if largest > 1.0 { 1.0 / largest } else { 1.0 };
            for (value, change) in strength.iter_mut().zip(&step) {
                *value += damping * change;
            }
            if largest < 1e-10 {
                break;
            }
        }
        let mean = strength.iter().sum::<f64>() / players as f64;
        let covariance = inverse(derivatives(&points, &strength).1).expect(DEFINITE);
        let count = players as f64;
        let all = covariance.iter().flatten().sum::<f64>() / (count * count);
        (0..players)
            .map(|i| {
                let shared = covariance[i].iter().sum::<f64>() / count;
                let variance = (covariance[i][i] - 2.0 * shared + all).max(0.0);
                Rating { elo: ELO * (strength[i] - mean), error: 1.96 * ELO * variance.sqrt() }
            })
            .collect()
    }
}

/// Of the logarithm of the likelihood: its gradient, and its curvature with the sign turned.
fn derivatives(points: &[Vec<f64>], strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strength.len();
    let mut gradient = vec![0.0; players];
    let mut information = vec![vec![0.0; players]; players];
    for i in 0..players {
        let chance = 1.0 / (1.0 + (-strength[i]).exp());
        gradient[i] += PRIOR_GAMES * (0.5 - chance);
        information[i][i] += PRIOR_GAMES * chance * (1.0 - chance);
        for j in 0..players {
            let games = points[i][j] + points[j][i];
            if i == j || games == 0.0 {
                continue;
            }
            let chance = 1.0 / (1.0 + (strength[j] - strength[i]).exp());
            gradient[i] += points[i][j] - games * chance;
            information[i][i] += games * chance * (1.0 - chance);
            information[i][j] -= games * chance * (1.0 - chance);
        }
    }
    (gradient, information)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::Results;

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let mut table = CrossTable::new(2);
        table.add_results(0, 1, Results { wins: 750_000, draws: 0, losses: 250_000 });
        let [a, b] = table.ratings()[..] else { panic!() };
        // 400 log10(3)
        assert!((a.elo - b.elo - 190.848_5).abs() < 0.01, "{a:?} {b:?}");
        // The error of the difference is 1.96 * 173.7 / sqrt(n p q), each player's half of it.
        let expected = 1.96 * 173.717_79 / (1_000_000.0f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((a.error / expected - 1.0).abs() < 0.01, "{} for {expected}", a.error);
    }

    #[test]
    fn who_won_everything_has_a_finite_rating() {
        let mut table = CrossTable::new(3);
        table.add_results(0, 1, Results { wins: 10, ..Results::default() });
        table.add_results(0, 2, Results { wins: 10, ..Results::default() });
        table.add_results(1, 2, Results { draws: 10, ..Results::default() });
        let ratings = table.ratings();
        assert!(ratings[0].elo > 200.0 && ratings[0].elo < 2000.0 && ratings[0].error.is_finite());
        assert!((ratings[1].elo - ratings[2].elo).abs() < 1e-6);
    }

    #[test]
    fn true_strengths_lie_within_the_errors_in_95_of_100_tournaments() {
        let truth = [150.0, 50.0, -50.0, -150.0];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut within, mut all) = (0, 0);
        for _ in 0..400 {
            let mut table = CrossTable::new(4);
            for i in 0..4 {
                for j in 0..i {
                    for _ in 0..60 {
                        let chance = crate::statistic::score_of_elo(truth[i] - truth[j]);
                        let wins = u64::from(rng.random::<f64>() < chance);
                        table.add_results(i, j, Results { wins, draws: 0, losses: 1 - wins });
                    }
                }
            }
            for (rating, truth) in table.ratings().iter().zip(truth) {
                within += u32::from((rating.elo - truth).abs() <= rating.error);
                all += 1;
            }
        }
        let share = f64::from(within) / f64::from(all);
        assert!((0.92..=0.98).contains(&share), "{share}");
    }
}
