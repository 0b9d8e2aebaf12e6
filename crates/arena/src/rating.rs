//! Ratings of many players from their games: Bradley-Terry by maximum likelihood, with errors.

/// Elo a unit of natural log-strength.
const ELO: f64 = 173.717_792_761_3;

/// A game drawn against an average player that everybody is given: it keeps the rating of who won or lost everything finite.
const PRIOR_GAMES: f64 = 1.0;

/// The results of players against each other.
#[derive(Clone, Debug)]
pub struct Results {
    /// Points of one player (first index) against another, a draw counting half.
    pub points: Vec<Vec<f64>>,
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo, where the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

impl Results {
    /// No games yet between this many players.
    pub fn new(players: usize) -> Self {
        Self { points: vec![vec![0.0; players]; players] }
    }

    /// Counts a game: the points of the first player are 0, 0.5 or 1.
    pub fn add(&mut self, first: usize, second: usize, points: f64) {
        self.points[first][second] += points;
        self.points[second][first] += 1.0 - points;
    }

    /// The games between two players.
    pub fn games(&self, a: usize, b: usize) -> f64 {
        self.points[a][b] + self.points[b][a]
    }

    /// The ratings under which the results are likeliest, each with the error that the curvature of the likelihood tells.
    pub fn ratings(&self) -> Vec<Rating> {
        let players = self.points.len();
        let mut strength = vec![0.0f64; players];
        // Newton's method; the likelihood is concave, and the prior makes its maximum unique.
        for _ in 0..100 {
            let (gradient, information) = self.derivatives(&strength);
            let step = multiply(&inverse(information), &gradient);
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
        let covariance = inverse(self.derivatives(&strength).1);
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

    fn derivatives(&self, strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let players = strength.len();
        let mut gradient = vec![0.0; players];
        let mut information = vec![vec![0.0; players]; players];
        for i in 0..players {
            let chance = 1.0 / (1.0 + (-strength[i]).exp());
            gradient[i] += PRIOR_GAMES * (0.5 - chance);
            information[i][i] += PRIOR_GAMES * chance * (1.0 - chance);
            for j in 0..players {
                let games = self.games(i, j);
                if i == j || games == 0.0 {
                    continue;
                }
                let chance = 1.0 / (1.0 + (strength[j] - strength[i]).exp());
                gradient[i] += self.points[i][j] - games * chance;
                information[i][i] += games * chance * (1.0 - chance);
                information[i][j] -= games * chance * (1.0 - chance);
            }
        }
        (gradient, information)
    }
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut result: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for pivot in 0..size {
        let best = (pivot..size).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()));
        let best = best.unwrap_or(pivot);
        matrix.swap(pivot, best);
        result.swap(pivot, best);
        let scale = 1.0 / matrix[pivot][pivot];
        for row in [&mut matrix, &mut result] {
            row[pivot].iter_mut().for_each(|value| *value *= scale);
        }
        for other in (0..size).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot];
            for column in 0..size {
                matrix[other][column] -= factor * matrix[pivot][column];
                result[other][column] -= factor * result[pivot][column];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let mut results = Results::new(2);
        results.points = vec![vec![0.0, 750_000.0], vec![250_000.0, 0.0]];
        let [a, b] = results.ratings()[..] else { panic!() };
        // 400 log10(3)
        assert!((a.elo - b.elo - 190.848_5).abs() < 0.01, "{a:?} {b:?}");
        // The error of the difference is 1.96 * 173.7 / sqrt(n p q), each player's half of it.
        let expected = 1.96 * 173.717_79 / (1_000_000.0f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((a.error / expected - 1.0).abs() < 0.01, "{} for {expected}", a.error);
    }

    #[test]
    fn who_won_everything_has_a_finite_rating() {
        let mut results = Results::new(3);
        for _ in 0..10 {
            results.add(0, 1, 1.0);
            results.add(0, 2, 1.0);
            results.add(1, 2, 0.5);
        }
        let ratings = results.ratings();
        assert!(ratings[0].elo > 200.0 && ratings[0].elo < 2000.0 && ratings[0].error.is_finite());
        assert!((ratings[1].elo - ratings[2].elo).abs() < 1e-6);
    }

    #[test]
    fn true_strengths_lie_within_the_errors_in_95_of_100_tournaments() {
        let truth = [150.0, 50.0, -50.0, -150.0];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut within, mut all) = (0, 0);
        for _ in 0..400 {
            let mut results = Results::new(4);
            for i in 0..4 {
                for j in 0..i {
                    for _ in 0..60 {
                        let chance = crate::statistic::score_of_elo(truth[i] - truth[j]);
                        results.add(i, j, f64::from(u8::from(rng.random::<f64>() < chance)));
                    }
                }
            }
            for (rating, truth) in results.ratings().iter().zip(truth) {
                within += u32::from((rating.elo - truth).abs() <= rating.error);
                all += 1;
            }
        }
        let share = f64::from(within) / f64::from(all);
        assert!((0.92..=0.98).contains(&share), "{share}");
    }
}
