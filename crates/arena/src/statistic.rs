//! What the results of pairs of games say: Elo with its interval, likelihood of superiority, sequential test.
//!
//! A pair is two games over the same opening with the colours swapped. The two are not independent, so the unit of
//! every formula is the pair, with its five possible scores (the pentanomial), never the single game.

use quincunx_game::{TextError, text::quoted};

/// The two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Pairs of games by the points one player made in them: 0, 1/2, 1, 3/2 or 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs(pub [u64; 5]);

/// An estimate of the strength of one player against the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// The 95 % interval of that.
    pub interval: [f64; 2],
    /// The probability that the player is the stronger one, given the results.
    pub los: f64,
}

impl Pairs {
    /// Adds a pair by its points in half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// What the pairs say of the player; `None` if there are none.
    ///
    /// If all pairs ended alike, their spread says nothing, and the interval is the exact one of the chance that a pair
    /// ends so, the other pairs taken at their worst.
    pub fn estimate(&self) -> Option<Estimate> {
        let count = self.count() as f64;
        if count == 0.0 {
            return None;
        }
        let (score, variance) = moments(&self.frequencies());
        if variance < 1e-12 {
            let sure = 0.025_f64.powf(1.0 / count);
            let los = if (score - 0.5).abs() < 1e-12 {
                0.5
            } else {
                let doubt = 0.5_f64.powf(count + 1.0);
                if score > 0.5 { 1.0 - doubt } else { doubt }
            };
            return Some(Estimate { score, interval: [score * sure, 1.0 - (1.0 - score) * sure], los });
        }
        let error = (variance / count).sqrt();
        let interval = [(score - Z95 * error).max(0.0), (score + Z95 * error).min(1.0)];
        Some(Estimate { score, interval, los: normal_cdf((score - 0.5) / error) })
    }

    fn frequencies(&self) -> [f64; 5] {
        let count = self.count().max(1) as f64;
        self.0.map(|number| number as f64 / count)
    }
}

/// Elo of a score; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that an Elo difference predicts.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn moments(frequencies: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = POINTS.iter().zip(frequencies).map(|(points, share)| points * share).sum();
    let variance = POINTS.iter().zip(frequencies).map(|(points, share)| (points - mean).powi(2) * share).sum();
    (mean, variance)
}

/// The normal distribution function, to about 1e-9 or better.
///
/// Series near the middle, continued fraction in the tails.
pub fn normal_cdf(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let size = x.abs();
    let upper_tail = if size < 3.0 {
        let (mut term, mut sum) = (size, size);
        for k in 1..60 {
            term *= size * size / f64::from(2 * k + 1);
            sum += term;
        }
        0.5 - density * sum
    } else {
        let mut fraction = size;
        for k in (1..60).rev() {
            fraction = size + f64::from(k) / fraction;
        }
        density / fraction
    };
    if x > 0.0 { 1.0 - upper_tail } else { upper_tail }
}

/// A sequential test of "the player is worth `elo0`" against "it is worth `elo1`", both errors 5 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The first hypothesis.
    pub elo0: f64,
    /// The second one, above the first.
    pub elo1: f64,
}

/// What a sequential test has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The player is not worth `elo1`.
    Rejected,
    /// The player is worth more than `elo0`.
    Accepted,
}

impl Sprt {
    /// The chance of either wrong decision.
    pub const ERROR: f64 = 0.05;

    /// Reads `ELO0,ELO1`.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[elo0, elo1]) if elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0 => Ok(Self { elo0, elo1 }),
            _ => Err(TextError::new(format!(
                "{} is not a pair of Elo values ELO0,ELO1, the first below the second, such as 0,5",
                quoted(text)
            ))),
        }
    }

    /// The log-likelihood ratio at which the second hypothesis is accepted; at its negative it is rejected.
    pub fn bound() -> f64 {
        ((1.0 - Self::ERROR) / Self::ERROR).ln()
    }

    /// The generalised log-likelihood ratio: how much likelier the pairs are under the likeliest distribution worth
    /// `elo1` than under the likeliest one worth `elo0`.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        // An outcome that was never seen has a small weight all the same, so that both hypotheses stay possible.
        let weights = pairs.0.map(|number| if number == 0 { 1e-3 } else { number as f64 });
        let total: f64 = weights.iter().sum();
        let frequencies = weights.map(|weight| weight / total);
        let at = |elo| likeliest_with_mean(&frequencies, score_of_elo(elo));
        let (null, alternative) = (at(self.elo0), at(self.elo1));
        (0..5).map(|i| weights[i] * (alternative[i] / null[i]).ln()).sum()
    }

    /// The decision, once there is one.
    pub fn decide(&self, pairs: &Pairs) -> Option<Decision> {
        let ratio = self.ratio(pairs);
        match () {
            () if ratio >= Self::bound() => Some(Decision::Accepted),
            () if ratio <= -Self::bound() => Some(Decision::Rejected),
            () => None,
        }
    }
}

/// The distribution with this mean under which the frequencies are likeliest: `p = f / (1 + t (points - mean))`, where
/// `t` makes the mean right. The left side of that condition falls with `t`, so bisection finds it.
fn likeliest_with_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let t = f64::midpoint(low, high);
        let excess: f64 = POINTS
            .iter()
            .zip(frequencies)
            .map(|(points, share)| share * (points - mean) / (1.0 + t * (points - mean)))
            .sum();
        if excess > 0.0 { low = t } else { high = t }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| frequencies[i] / (1.0 + t * (POINTS[i] - mean)))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "found {found}, expected {expected}");
    }

    // The expected numbers of the next two tests come from a separate program in another language: moments and `erfc`
    // of its standard library for the first, and for the second the likelihoods maximised by Newton's method on the two
    // Lagrange multipliers instead of bisection on the reduced equation.
    #[test]
    fn elo_and_its_interval_agree_with_an_independent_computation() {
        let cases = [
            ([50, 3242, 7781, 3481, 70], [3.314328, 1.338983, 5.289888, 0.999497]),
            ([3, 20, 50, 40, 7], [40.719573, 13.109503, 68.852419, 0.998111]),
            ([0, 1, 4, 9, 6], [190.848502, 113.935552, 290.230048, 1.0]),
            ([10, 0, 0, 0, 30], [190.848502, 81.960595, 353.119070, 0.999870]),
            ([100, 200, 300, 200, 100], [0.0, -13.111326, 13.111326, 0.5]),
        ];
        for (counts, [middle, low, high, los]) in cases {
            let found = Pairs(counts).estimate().unwrap();
            near(elo(found.score), middle, 1e-5);
            near(elo(found.interval[0]), low, 1e-5);
            near(elo(found.interval[1]), high, 1e-5);
            near(found.los, los, 1e-6);
        }
    }

    #[test]
    fn the_likelihood_ratio_agrees_with_an_independent_computation() {
        let cases = [
            ([50, 3242, 7781, 3481, 70], 0.0, 2.0, 4.555974),
            ([3, 20, 50, 40, 7], 0.0, 5.0, 0.886429),
            ([0, 1, 4, 9, 6], 0.0, 10.0, 0.567273),
            ([10, 0, 0, 0, 30], -5.0, 5.0, 0.575684),
            ([100, 200, 300, 200, 100], 0.0, 10.0, -1.117406),
        ];
        for (counts, elo0, elo1, expected) in cases {
            near(Sprt { elo0, elo1 }.ratio(&Pairs(counts)), expected, 1e-5);
        }
    }

    #[test]
    fn the_normal_distribution_is_right_in_the_middle_and_in_the_tails() {
        let known = [
            (-5.0, 2.866515718791946e-07),
            (-3.5, 0.00023262907903552504),
            (-2.0, 0.02275013194817922),
            (0.0, 0.5),
            (1.0, 0.8413447460685429),
            (2.9, 0.998134186699616),
            (3.1, 0.9990323967867817),
            (6.0, 0.9999999990134123),
        ];
        for (x, expected) in known {
            near(normal_cdf(x), expected, 1e-9);
        }
    }

    #[test]
    fn pairs_that_all_ended_alike_leave_room_for_doubt() {
        let ten_wins = Pairs([0, 0, 0, 0, 10]).estimate().unwrap();
        assert!(ten_wins.interval[0] > 0.65 && ten_wins.interval[0] < 0.75);
        assert!(elo(ten_wins.interval[1]).is_infinite());
        assert!(ten_wins.los > 0.999 && ten_wins.los < 1.0);
        let level = Pairs([0, 0, 10, 0, 0]).estimate().unwrap();
        near(level.interval[0] + level.interval[1], 1.0, 1e-12);
        assert!(level.interval[0] < 0.5);
        near(level.los, 0.5, 1e-12);
        assert_eq!(Pairs::default().estimate(), None);
    }

    /// A pair as two players would play it whose games depend on the opening, worth `elo` to the first.
    fn simulated_pair(rng: &mut Xoshiro256PlusPlus, elo: f64) -> usize {
        let opening: f64 = rng.random::<f64>() * 0.5 - 0.25;
        let mut half_points = 0;
        for sign in [1.0, -1.0] {
            let drawn = 0.3;
            let win = score_of_elo(elo) - drawn / 2.0 + sign * opening;
            let lot: f64 = rng.random();
            half_points += if lot < win { 2 } else { usize::from(lot < win + drawn) };
        }
        half_points
    }

    #[test]
    fn the_interval_holds_the_truth_in_95_of_100_matches() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for truth in [0.0, 40.0] {
            let mut holds = 0;
            for _ in 0..2000 {
                let mut pairs = Pairs::default();
                (0..200).for_each(|_| pairs.add(simulated_pair(&mut rng, truth)));
                let [low, high] = pairs.estimate().unwrap().interval;
                holds += u32::from((low..=high).contains(&score_of_elo(truth)));
            }
            // 1900 expected, standard deviation 9.7.
            assert!((1860..=1940).contains(&holds), "{holds} of 2000 at {truth}");
        }
    }

    #[test]
    fn the_sequential_test_errs_in_5_of_100_matches_at_most() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let sprt = Sprt { elo0: 0.0, elo1: 30.0 };
        for (truth, wrong) in [(0.0, Decision::Accepted), (30.0, Decision::Rejected)] {
            let mut errors = 0;
            for _ in 0..1000 {
                let mut pairs = Pairs::default();
                let decision = loop {
                    pairs.add(simulated_pair(&mut rng, truth));
                    if let Some(decision) = sprt.decide(&pairs) {
                        break decision;
                    }
                };
                errors += u32::from(decision == wrong);
            }
            // 50 expected, standard deviation 6.9; the bounds are kept rather than reached.
            assert!((15..=70).contains(&errors), "{errors} of 1000 at {truth}");
        }
    }

    #[test]
    fn a_wrong_pair_of_hypotheses_is_refused() {
        for text in ["", "5", "5,0", "a,b", "0,nan", "0,5,6", "0,1e9"] {
            assert!(Sprt::parse(text).is_err(), "{text}");
        }
        assert_eq!(Sprt::parse("-1.5, 4").unwrap(), Sprt { elo0: -1.5, elo1: 4.0 });
    }
}
