//! Fitting a net: Adam over small batches, touching only the rows of the features that a batch has.
//!
//! By hand: candle and burn have no sparse first layer with sparse updates on a CPU (a dense one is some hundred times the
//! work here) and bring hundreds of crates; bullet trains on GPUs.

use quincunx_game::position::random_below;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Features, LARGEST_OUTPUT, Net, OUTPUT_UNIT, RESULT_UNIT, Row, UNIT};

/// How a net is fitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Passes over the examples.
    pub(super) epochs: u32,
    /// Examples between two steps.
    pub(super) batch: usize,
    /// The length of the first steps; it falls to a hundredth.
    pub(super) rate: f32,
    /// The seed of weights, order and symmetries.
    pub(super) seed: u64,
}

impl Plan {
    /// What every game learns with.
    pub(super) const USUAL: Self = Self { epochs: 20, batch: 128, rate: 2e-3, seed: 1 };
}

/// A position to learn from: its features, its bucket, and the chance of the side to move to win.
pub(super) struct Example {
    pub(super) features: Features,
    pub(super) bucket: usize,
    pub(super) target: f32,
}

/// The losses after one pass: of the examples learnt from, on the way, and of those held out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Of the examples learnt from.
    pub learnt: f64,
    /// Of those held out.
    pub held_out: f64,
}

/// Weights, such as one for each hidden unit, with the moments of their gradients.
#[derive(Clone, Debug)]
pub struct Weights<const UNITS: usize> {
    /// What they are.
    pub value: [f32; UNITS],
    mean: [f32; UNITS],
    square: [f32; UNITS],
}

impl<const UNITS: usize> Weights<UNITS> {
    /// Weights that have learnt nothing yet.
    pub fn new(value: [f32; UNITS]) -> Self {
        Self { value, mean: [0.0; UNITS], square: [0.0; UNITS] }
    }

    /// A step of Adam along the gradient of a batch; no weight goes beyond `largest`.
    #[inline]
    pub fn step(&mut self, gradient: &[f32; UNITS], adam: &Adam, largest: f32) {
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((value, (mean, square)), slope) in self.value.iter_mut().zip(moments).zip(gradient) {
            let slope = slope * adam.share;
            *mean = FIRST * *mean + (1.0 - FIRST) * slope;
            *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
            *value = (*value - adam.rate * *mean / (square.sqrt() * adam.root + 1e-8)).clamp(-largest, largest);
        }
    }
}

/// How slowly the moments of gradients forget.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
/// No weight of a feature is larger: the sum of all must fit into 16 bits.
const LARGEST_ROW: f32 = 3.9;

/// The numbers of one step of Adam.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    /// The share of one example in the gradient.
    share: f32,
    /// The length of the step, corrected for moments that began at nothing.
    rate: f32,
    /// The same correction for the second moment.
    root: f32,
}

impl Adam {
    /// Step number `step`, counted from 1, of so many: `rate` is the length of the first ones, which falls to a
    /// hundredth; `batch` is how many examples the gradient is the sum of.
    pub fn new(rate: f32, (step, steps): (u32, u32), batch: usize) -> Self {
        let passed = f64::from(step) / f64::from(steps);
        Self {
            share: 1.0 / batch as f32,
            rate: rate * 0.01f64.powf(passed) as f32 / (1.0 - FIRST.powi(step.min(10_000) as i32)),
            root: (1.0 - SECOND.powi(step.min(100_000) as i32)).sqrt().recip(),
        }
    }
}

/// A net of floating-point numbers while it is fitted.
pub(super) struct Model<const UNITS: usize> {
    rows: Vec<Weights<UNITS>>,
    bias: Weights<UNITS>,
    output: Vec<Weights<UNITS>>,
    output_bias: Vec<Weights<1>>,
}

/// The gradients of a batch.
struct Gradients<const UNITS: usize> {
    /// The features that were met, each with the gradient of its row.
    rows: Vec<(u16, [f32; UNITS])>,
    /// The place of each feature in there, and the batch that put it there.
    places: Vec<(u32, u32)>,
    bias: [f32; UNITS],
    output: Vec<[f32; UNITS]>,
    output_bias: Vec<f32>,
}

impl<const UNITS: usize> Model<UNITS> {
    /// Small random weights.
    fn new(features: usize, buckets: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut random = |range: f32| {
            let draw = random_below(rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0;
            draw * range
        };
        let mut weights = |range: f32| Weights::new(std::array::from_fn(|_| random(range)));
        let rows = (0..features).map(|_| weights(0.2)).collect();
        let output = (0..buckets).map(|_| weights(1.0 / (UNITS as f32).sqrt())).collect();
        Self { rows, bias: Weights::new([0.2; UNITS]), output, output_bias: vec![Weights::new([0.0]); buckets] }
    }

    /// What the hidden units see.
    #[inline]
    fn hidden(&self, features: &[u16]) -> [f32; UNITS] {
        let mut hidden = self.bias.value;
        for &feature in features {
            for (sum, weight) in hidden.iter_mut().zip(&self.rows[usize::from(feature)].value) {
                *sum += weight;
            }
        }
        hidden
    }

    /// The logarithm of the odds to win.
    #[inline]
    fn result(&self, hidden: &[f32; UNITS], bucket: usize) -> f32 {
        let units = hidden.iter().zip(&self.output[bucket].value);
        let sum: f32 = units.map(|(hidden, weight)| hidden.clamp(0.0, 1.0).powi(2) * weight).sum();
        sum + self.output_bias[bucket].value[0]
    }

    /// Adds the gradient of one example; returns its loss.
    #[inline]
    fn learn(&self, example: &Example, gradients: &mut Gradients<UNITS>, batch: u32) -> f64 {
        let features = example.features.as_slice();
        let hidden = self.hidden(features);
        let result = self.result(&hidden, example.bucket);
        let slope = chance(result) - example.target;
        let output = &self.output[example.bucket].value;
        let mut back = [0.0; UNITS];
        for unit in 0..UNITS {
            let clipped = hidden[unit].clamp(0.0, 1.0);
            gradients.output[example.bucket][unit] += slope * clipped * clipped;
            let inside = if hidden[unit] > 0.0 && hidden[unit] < 1.0 { 2.0 * slope } else { 0.0 };
            back[unit] = inside * clipped * output[unit];
            gradients.bias[unit] += back[unit];
        }
        gradients.output_bias[example.bucket] += slope;
        for &feature in features {
            let (place, of) = &mut gradients.places[usize::from(feature)];
            if *of == batch {
                for (sum, slope) in gradients.rows[*place as usize].1.iter_mut().zip(&back) {
                    *sum += slope;
                }
            } else {
                (*place, *of) = (gradients.rows.len() as u32, batch);
                gradients.rows.push((feature, back));
            }
        }
        loss(result, example.target)
    }

    /// A step along the gradients, which are cleared.
    fn step(&mut self, gradients: &mut Gradients<UNITS>, adam: &Adam) {
        const LARGEST: f32 = LARGEST_OUTPUT as f32 / OUTPUT_UNIT as f32;
        for (feature, gradient) in gradients.rows.drain(..) {
            self.rows[usize::from(feature)].step(&gradient, adam, LARGEST_ROW);
        }
        self.bias.step(&std::mem::replace(&mut gradients.bias, [0.0; UNITS]), adam, LARGEST_ROW);
        for (weights, gradient) in self.output.iter_mut().zip(&mut gradients.output) {
            weights.step(&std::mem::replace(gradient, [0.0; UNITS]), adam, LARGEST);
        }
        for (weights, gradient) in self.output_bias.iter_mut().zip(&mut gradients.output_bias) {
            weights.step(&[std::mem::take(gradient)], adam, LARGEST);
        }
    }

    /// The nearest net of whole numbers.
    pub(super) fn quantised(&self) -> Net<UNITS> {
        let whole = |value: f32, unit: i32| (value * unit as f32).round().clamp(-32_767.0, 32_767.0) as i16;
        let row = |weights: &Weights<UNITS>, unit: i16| Row(weights.value.map(|value| whole(value, unit.into())));
        Net {
            // A feature that was never met has no weights.
            rows: self
                .rows
                .iter()
                .map(|weights| if weights.is_met() { row(weights, UNIT) } else { Row([0; UNITS]) })
                .collect(),
            bias: row(&self.bias, UNIT),
            output: self.output.iter().map(|weights| row(weights, OUTPUT_UNIT)).collect(),
            output_bias: self.output_bias.iter().map(|weights| whole(weights.value[0], RESULT_UNIT)).collect(),
        }
    }
}

impl<const UNITS: usize> Weights<UNITS> {
    /// Whether a step has ever changed them.
    pub fn is_met(&self) -> bool {
        self.square.iter().any(|&square| square > 0.0)
    }
}

/// Fits a net to `count` examples, which `example` gives by number; the other argument is a random number to choose one
/// of the symmetries of the game by. Those that `held_out` gives are not learnt from. `tell` hears the losses of each
/// pass, and says whether to go on; `None` if not.
pub(super) fn fit<const UNITS: usize>(
    (features, buckets): (usize, usize),
    (count, example): (usize, &dyn Fn(usize, u64) -> Example),
    (held_count, held_out): (usize, &dyn Fn(usize) -> Example),
    plan: Plan,
    tell: &mut dyn FnMut(Losses) -> bool,
) -> Option<Model<UNITS>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let mut model = Model::<UNITS>::new(features, buckets, &mut rng);
    let mut gradients = Gradients {
        rows: Vec::new(),
        places: vec![(0, 0); features],
        bias: [0.0; UNITS],
        output: vec![[0.0; UNITS]; buckets],
        output_bias: vec![0.0; buckets],
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    let batches = count.div_ceil(plan.batch) as u32;
    let mut steps = 0;
    for _ in 0..plan.epochs {
        shuffle(&mut order, &mut rng);
        let mut learnt = 0.0;
        for batch in order.chunks(plan.batch) {
            steps += 1;
            for &index in batch {
                let example = example(index as usize, random_below(&mut rng, 1 << 32));
                learnt += model.learn(&example, &mut gradients, steps);
            }
            let adam = Adam::new(plan.rate, (steps, plan.epochs * batches), batch.len());
            model.step(&mut gradients, &adam);
        }
        let held: f64 = (0..held_count)
            .map(|index| {
                let example = held_out(index);
                loss(model.result(&model.hidden(example.features.as_slice()), example.bucket), example.target)
            })
            .sum();
        let losses = Losses { learnt: learnt / count.max(1) as f64, held_out: held / held_count.max(1) as f64 };
        if !tell(losses) {
            return None;
        }
    }
    Some(model)
}

/// The chance to win with this logarithm of the odds.
#[inline]
pub fn chance(result: f32) -> f32 {
    1.0 / (1.0 + (-result).exp())
}

/// The surprise about a target: its cross entropy.
#[inline]
pub fn loss(result: f32, target: f32) -> f64 {
    // ln(1 + e^x) without overflow.
    let softplus = result.max(0.0) + (-result.abs()).exp().ln_1p();
    f64::from(softplus - target * result)
}

/// Puts a list into a random order.
pub fn shuffle(order: &mut [u32], rng: &mut Xoshiro256PlusPlus) {
    for last in (1..order.len()).rev() {
        order.swap(last, random_below(rng, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::*;
    use crate::net::MOST_FEATURES;

    const FEATURES: usize = 40;

    /// Ten places, each with one of four features; a function with a pair that a sum of rows alone cannot tell.
    fn example(index: u64) -> Example {
        let mut features = Features { numbers: [0; MOST_FEATURES], count: 10 };
        let mut worth = 0.0;
        let mut kinds = [0; 10];
        for (place, kind) in kinds.iter_mut().enumerate() {
            *kind = mix(index, place as u64) % 4;
            features.numbers[place] = 4 * place as u16 + *kind as u16;
            worth += [0.3, -0.2, 0.1, -0.2][*kind as usize];
        }
        worth += if (kinds[0] == 1) == (kinds[1] == 2) { 1.0 } else { -1.0 };
        let bucket = (index % 2) as usize;
        Example { features, bucket, target: chance(worth + bucket as f32) }
    }

    fn fitted(seed: u64) -> (Model<32>, Vec<Losses>) {
        let mut told = Vec::new();
        let held_out = |index: usize| example(1_000_000 + index as u64);
        let plan = Plan { epochs: 12, seed, ..Plan::USUAL };
        let of = (20_000, &(|index: usize, _: u64| example(index as u64)) as &dyn Fn(usize, u64) -> Example);
        let model = fit::<32>((FEATURES, 2), of, (2000, &held_out), plan, &mut |losses| {
            told.push(losses);
            true
        });
        (model.unwrap(), told)
    }

    #[test]
    fn a_known_function_is_learnt_and_survives_rounding() {
        let (model, told) = fitted(1);
        assert_eq!(told.len(), 12);
        assert!(told[11].held_out < told[0].held_out, "{told:?}");
        let net = model.quantised();
        let again = Net::<32>::from_numbers(&net.numbers(), FEATURES);
        assert!(again == net);
        let (mut worst, mut rounded) = (0f32, 0f32);
        for index in 0..500 {
            let example = example(2_000_000 + index);
            let exact = model.result(&model.hidden(example.features.as_slice()), example.bucket);
            let whole = net.result(&example.features, example.bucket) as f32 / RESULT_UNIT as f32;
            worst = worst.max((chance(whole) - example.target).abs());
            rounded = rounded.max((whole - exact).abs());
        }
        assert!(worst < 0.08, "{worst}");
        assert!(rounded < 0.1, "{rounded}");
    }

    #[test]
    fn the_same_seed_gives_the_same_net_and_another_one_another() {
        let (first, again, other) = (fitted(3).0.quantised(), fitted(3).0.quantised(), fitted(4).0.quantised());
        assert!(first == again && first != other);
    }

    #[test]
    fn a_feature_that_was_never_met_has_no_weights() {
        let of = (100, &(|index: usize, _: u64| example(index as u64)) as &dyn Fn(usize, u64) -> Example);
        let held_out = |index: usize| example(index as u64);
        let plan = Plan { epochs: 1, ..Plan::USUAL };
        let net = fit::<32>((FEATURES + 1, 2), of, (0, &held_out), plan, &mut |_| true).unwrap().quantised();
        assert_eq!(net.rows[FEATURES], Row([0; 32]));
        assert!(fit::<32>((FEATURES, 2), of, (0, &held_out), plan, &mut |_| false).is_none());
    }
}
