//! Simultaneous perturbation stochastic approximation: several numbers are moved at once, towards the side that wins.
//!
//! In each iteration every number is raised or lowered by its spread, by lot; the setting this makes meets the opposite
//! one, and all numbers move a little towards the winner. Spreads and steps shrink as Spall proposed: `c / k^0.101` and
//! `a / (A + k)^0.602` in iteration `k`, with `A` a tenth of all. As in fishtest, a spread is given by what it is in the
//! last iteration, and whole numbers are rounded by lot.

use quincunx_game::hash::mix;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of all iterations that keeps the first steps short.
const STABILITY: f64 = 0.1;

/// A number on its way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Knob {
    /// Where it is.
    pub value: f64,
    /// It stays within these.
    pub least: f64,
    /// The most it may be.
    pub most: f64,
    /// By how much it is raised and lowered in the last iteration; in the first ones by about twice that.
    pub spread: f64,
}

/// Several numbers on their way.
#[derive(Clone, PartialEq, Debug)]
pub struct Walk {
    /// The numbers.
    pub knobs: Vec<Knob>,
    /// How many iterations there will be.
    pub iterations: u64,
    /// The step of the last iteration for a game won more than lost, in spreads.
    pub rate: f64,
    /// The seed of everything drawn.
    pub seed: u64,
    /// The iterations done.
    pub done: u64,
}

impl Walk {
    /// The two settings that meet in the next iteration.
    pub fn settings(&self) -> [Vec<i32>; 2] {
        let moved = |sign: f64| {
            let draws = self.draws().zip(&self.knobs);
            draws.map(move |((flip, round), knob)| {
                let value = knob.value + sign * flip * self.spread(knob);
                (value.clamp(knob.least, knob.most) + round).floor() as i32
            })
        };
        [moved(1.0).collect(), moved(-1.0).collect()]
    }

    /// Ends an iteration in which the first setting has won so many games more than it lost.
    pub fn step(&mut self, ahead: f64) {
        let (k, all) = ((self.done + 1) as f64, self.iterations as f64);
        let shrunk = ((STABILITY * all + all) / (STABILITY * all + k)).powf(ALPHA);
        let steps: Vec<f64> = self
            .draws()
            .zip(&self.knobs)
            .map(|((flip, _), knob)| {
                // The step a_k over the spread c_k, whose last ones make the rate.
                let slope = flip * ahead * knob.spread / self.spread(knob);
                self.rate * shrunk * knob.spread * slope
            })
            .collect();
        for (knob, step) in self.knobs.iter_mut().zip(steps) {
            knob.value = (knob.value + step).clamp(knob.least, knob.most);
        }
        self.done += 1;
    }

    /// By how much a number is raised and lowered in the next iteration.
    fn spread(&self, knob: &Knob) -> f64 {
        knob.spread * (self.iterations as f64 / (self.done + 1) as f64).powf(GAMMA)
    }

    /// For each number whether it is raised in the first setting, 1 or -1, and what it is rounded up from, in the next
    /// iteration.
    fn draws(&self) -> impl Iterator<Item = (f64, f64)> {
        let seed = mix(self.seed, self.done);
        (0..).map(move |index| {
            let drawn = mix(seed, index);
            let flip = if drawn & 1 == 0 { 1.0 } else { -1.0 };
            (flip, (drawn >> 11) as f64 / (1u64 << 53) as f64)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The optimum that [`strength`] has.
    const BEST: [f64; 3] = [60.0, 220.0, 5.0];

    /// What a setting is worth, in Elo: 40 less for each number that is off by a quarter, nearly a parabola.
    fn strength(setting: &[i32]) -> f64 {
        let off = setting.iter().zip(BEST).map(|(&value, best)| (f64::from(value) - best) / (0.25 * best));
        -40.0 * off.map(|off| off * off).sum::<f64>()
    }

    /// Games won more than lost in four pairs, drawn with the chances that the strengths give.
    fn ahead([first, second]: &[Vec<i32>; 2], seed: u64) -> f64 {
        let chance = 1.0 / (1.0 + 10f64.powf((strength(second) - strength(first)) / 400.0));
        let won = |game| (mix(seed, game) >> 11) as f64 / (1u64 << 53) as f64 <= chance;
        (0..8).map(|game| if won(game) { 1.0 } else { -1.0 }).sum()
    }

    fn walk(seed: u64) -> Walk {
        let knob = |value: f64, most| Knob { value, least: 1.0, most, spread: (0.15 * value).max(1.0) };
        let knobs = vec![knob(110.0, 500.0), knob(150.0, 2000.0), knob(8.0, 20.0)];
        let mut walk = Walk { knobs, iterations: 3000, rate: 0.01, seed, done: 0 };
        while walk.done < walk.iterations {
            let outcome = ahead(&walk.settings(), mix(seed, walk.done + 1_000_000));
            walk.step(outcome);
        }
        walk
    }

    #[test]
    fn the_optimum_of_a_known_function_is_found() {
        for seed in 0..5 {
            let found = walk(seed);
            for (knob, best) in found.knobs.iter().zip(BEST) {
                assert!((knob.value / best - 1.0).abs() < 0.2, "seed {seed}: {} for {best}", knob.value);
            }
        }
    }

    #[test]
    fn the_same_seed_walks_the_same_way_and_no_number_leaves_its_range() {
        assert_eq!(walk(9), walk(9));
        assert_ne!(walk(9), walk(10));
        let knob = Knob { value: 2.0, least: 1.0, most: 3.0, spread: 1.0 };
        let mut walk = Walk { knobs: vec![knob; 3], iterations: 50, rate: 5.0, seed: 1, done: 0 };
        for _ in 0..50 {
            let settings = walk.settings();
            assert!(settings.iter().flatten().all(|value| (1..=3).contains(value)), "{settings:?}");
            walk.step(2.0);
            assert!(walk.knobs.iter().all(|knob| (1.0..=3.0).contains(&knob.value)));
        }
    }

    #[test]
    fn the_two_settings_lie_on_either_side_of_the_value() {
        let knob = Knob { value: 100.0, least: 0.0, most: 500.0, spread: 10.0 };
        let mut walk = Walk { knobs: vec![knob; 4], iterations: 100, rate: 0.1, seed: 3, done: 0 };
        let [up, down] = walk.settings();
        // In the first of 100 iterations the spread is 10 * 100^0.101, which is 15.9.
        let is_spread = |(up, down): (&i32, &i32)| (up + down - 200).abs() <= 1 && ((up - down).abs() - 32).abs() <= 1;
        assert!(up.iter().zip(&down).all(is_spread), "{up:?} {down:?}");
        assert!(up.iter().any(|&value| value > 100) && up.iter().any(|&value| value < 100));
        let before = walk.clone();
        walk.step(1.0);
        for ((knob, old), up) in walk.knobs.iter().zip(&before.knobs).zip(up) {
            assert_eq!(knob.value > old.value, up > 100, "a win moves towards the winner");
        }
    }
}
