//! Fitting the net: backpropagation by hand through the intersections of a position, with sparse steps of Adam.
//!
//! The trainer of the other games sums rows before anything is clipped; this one clips at each intersection.

use quincunx_game::{Position, Side, position::random_below};
use quincunx_search::net::{Adam, Weights, chance, loss};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    BUCKETS, CHANNELS, CLIP, HIDDEN, HIDDEN_UNIT, LARGEST_ACTIVE, LARGEST_HIDDEN, Net, ORDER_WEIGHT_UNIT, OUTPUT_UNIT,
    RESULT_UNIT, SUM_UNIT, UNIT, WIDTH, codes::Codes,
};
use crate::{
    Pente, SIZE,
    lines::{EMPTY_KEYS, for_each_seeing},
    patterns::Key,
};

/// The share of the order of moves in the loss.
const ORDER_SHARE: f32 = 0.2;
/// The largest numbers of a line's vector, of hidden and output weights.
const LARGEST_FEATURE: f32 = 8191.0 / UNIT as f32;
const LARGEST_WEIGHT: f32 = LARGEST_HIDDEN as f32 / HIDDEN_UNIT as f32;
const LARGEST_OUTPUT: f32 = 31.0;
/// What is clipped, as the net of whole numbers does.
const MOST_SEEN: f32 = CLIP as f32 / UNIT as f32;
const MOST_ACTIVE: f32 = LARGEST_ACTIVE as f32 / 256.0;

type Wide = [f32; WIDTH];

/// An empty intersection with a stone in sight: the cell and the numbers of its lines.
#[derive(Clone, Copy)]
struct Seen {
    cell: u16,
    lines: [u16; 4],
}

/// A position to learn from.
pub(super) struct Example {
    seen: Vec<Seen>,
    mover: usize,
    bucket: usize,
    /// The chance of the side to move to win.
    target: f32,
    /// The best move, as an index of what is seen, if a stone is in sight of it.
    best: Option<usize>,
}

impl Example {
    pub(super) fn new(codes: &Codes, position: &Pente, target: f32, best: Option<u16>) -> Self {
        let mut keys = EMPTY_KEYS;
        let mut taken = [false; SIZE * SIZE];
        for (side, place) in position.stones.iter() {
            taken[place.cell()] = true;
            let stone = side.index() as Key + 1;
            for_each_seeing(place.cell(), |cell, line, weight| keys[cell][line] += stone * weight);
        }
        let mut seen = Vec::with_capacity(256);
        for (cell, keys) in keys.iter().enumerate().filter(|&(cell, _)| !taken[cell]) {
            let lines = keys.map(|key| codes.number(key) as u16);
            if lines != [0; 4] {
                seen.push(Seen { cell: cell as u16, lines });
            }
        }
        let best = best.and_then(|best| seen.iter().position(|seen| seen.cell == best));
        let mover = usize::from(position.to_move() == Side::Second);
        Self { seen, mover, bucket: position.bucket(), target, best }
    }
}

/// The losses of examples: of the result, and of the order of moves.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Loss {
    pub(super) result: f64,
    pub(super) order: f64,
}

impl Loss {
    /// The mean of so many.
    pub(super) fn mean(self, count: usize) -> Self {
        let count = count.max(1) as f64;
        Self { result: self.result / count, order: self.order / count }
    }
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, other: Self) {
        self.result += other.result;
        self.order += other.order;
    }
}

/// What a model makes of an example.
#[derive(Default)]
struct Pass {
    /// Of each intersection, mover's channels first, before they are clipped.
    seen: Vec<Wide>,
    /// The odds of each move, but for a factor; their logarithms at first.
    odds: Vec<f32>,
    sum: [f32; WIDTH],
    hidden: Vec<f32>,
    result: f32,
}

/// A net of floating-point numbers while it is fitted.
pub(super) struct Model {
    codes: std::sync::Arc<Codes>,
    features: Vec<Weights<CHANNELS>>,
    hidden: Vec<Weights<WIDTH>>,
    hidden_bias: Vec<Weights<HIDDEN>>,
    output: Weights<HIDDEN>,
    direct: Vec<Weights<WIDTH>>,
    output_bias: Weights<BUCKETS>,
    order: Weights<WIDTH>,
}

/// The gradients of a batch.
pub(super) struct Gradients {
    features: Vec<[f32; CHANNELS]>,
    /// The features that were met, and whether each was.
    met: Vec<u16>,
    is_met: Vec<bool>,
    hidden: Vec<[f32; WIDTH]>,
    hidden_bias: Vec<[f32; HIDDEN]>,
    output: [f32; HIDDEN],
    direct: Vec<[f32; WIDTH]>,
    output_bias: [f32; BUCKETS],
    buckets: [bool; BUCKETS],
    order: [f32; WIDTH],
    pass: Pass,
}

impl Gradients {
    pub(super) fn new(codes: &Codes) -> Self {
        Self {
            features: vec![[0.0; CHANNELS]; codes.count],
            met: Vec::new(),
            is_met: vec![false; codes.count],
            hidden: vec![[0.0; WIDTH]; HIDDEN],
            hidden_bias: vec![[0.0; HIDDEN]; BUCKETS],
            output: [0.0; HIDDEN],
            direct: vec![[0.0; WIDTH]; BUCKETS],
            output_bias: [0.0; BUCKETS],
            buckets: [false; BUCKETS],
            order: [0.0; WIDTH],
            pass: Pass::default(),
        }
    }
}

impl Model {
    /// Small random weights.
    pub(super) fn new(rng: &mut Xoshiro256PlusPlus) -> Self {
        let codes = Codes::get();
        let mut random = |range: f32| (random_below(rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * range;
        let mut features: Vec<_> =
            (0..codes.count).map(|_| Weights::new(std::array::from_fn(|_| random(0.1)))).collect();
        features[0] = Weights::new([0.0; CHANNELS]);
        let hidden = (0..HIDDEN).map(|_| Weights::new(std::array::from_fn(|_| random(0.5)))).collect();
        Self {
            codes,
            features,
            hidden,
            hidden_bias: vec![Weights::new([0.3; HIDDEN]); BUCKETS],
            output: Weights::new(std::array::from_fn(|_| random(0.3))),
            direct: vec![Weights::new([0.0; WIDTH]); BUCKETS],
            output_bias: Weights::new([0.0; BUCKETS]),
            order: Weights::new(std::array::from_fn(|_| random(0.3))),
        }
    }

    /// The features that the mover and the other side see in a line.
    #[inline]
    fn sides(&self, line: u16, mover: usize) -> [usize; 2] {
        let sides = self.codes.features[usize::from(line)];
        [usize::from(sides[mover]), usize::from(sides[1 - mover])]
    }

    fn forward(&self, example: &Example, pass: &mut Pass) {
        pass.seen.clear();
        pass.odds.clear();
        let mut sum = [0.0; WIDTH];
        for seen in &example.seen {
            let mut here = [0.0; WIDTH];
            for &line in seen.lines.iter().filter(|&&line| line != 0) {
                let [mover, other] = self.sides(line, example.mover).map(|feature| &self.features[feature].value);
                for channel in 0..CHANNELS {
                    here[channel] += mover[channel];
                    here[CHANNELS + channel] += other[channel];
                }
            }
            let mut odds = 0.0;
            for channel in 0..WIDTH {
                let clipped = here[channel].clamp(0.0, MOST_SEEN);
                sum[channel] += clipped;
                odds += clipped * self.order.value[channel];
            }
            pass.seen.push(here);
            pass.odds.push(odds);
        }
        pass.sum = sum.map(|sum| sum / SUM_UNIT as f32);
        let product = |weights: &[f32; WIDTH]| -> f32 { pass.sum.iter().zip(weights).map(|(a, b)| a * b).sum() };
        let bias = &self.hidden_bias[example.bucket].value;
        pass.hidden = self.hidden.iter().zip(bias).map(|(weights, bias)| product(&weights.value) + bias).collect();
        let units: f32 =
            pass.hidden.iter().zip(&self.output.value).map(|(hidden, out)| hidden.clamp(0.0, MOST_ACTIVE) * out).sum();
        pass.result = units + product(&self.direct[example.bucket].value) + self.output_bias.value[example.bucket];
    }

    /// Turns the logarithms of odds into chances; returns the surprise about the best move.
    fn surprise(odds: &mut [f32], best: usize) -> f64 {
        let most = odds.iter().copied().fold(f32::MIN, f32::max);
        let of_best = odds[best] - most;
        for odds in odds.iter_mut() {
            *odds = (*odds - most).exp();
        }
        let sum: f32 = odds.iter().sum();
        for odds in odds.iter_mut() {
            *odds /= sum;
        }
        f64::from(sum.ln() - of_best)
    }

    /// The loss of an example.
    pub(super) fn loss(&self, example: &Example, gradients: &mut Gradients) -> Loss {
        let pass = &mut gradients.pass;
        self.forward(example, pass);
        let order = example.best.map_or(0.0, |best| Self::surprise(&mut pass.odds, best));
        Loss { result: loss(pass.result, example.target), order }
    }

    /// Adds the gradient of an example; returns its loss.
    #[expect(clippy::needless_range_loop, reason = "several lists are indexed alike")]
    pub(super) fn learn(&self, example: &Example, gradients: &mut Gradients) -> Loss {
        let found = self.loss(example, gradients);
        let Gradients { pass, features, met, is_met, hidden, .. } = gradients;
        let (bucket, slope) = (example.bucket, chance(pass.result) - example.target);
        gradients.buckets[bucket] = true;
        gradients.output_bias[bucket] += slope;
        let mut back = [0.0; WIDTH];
        for channel in 0..WIDTH {
            gradients.direct[bucket][channel] += slope * pass.sum[channel];
            back[channel] = slope * self.direct[bucket].value[channel];
        }
        for unit in 0..HIDDEN {
            let active = pass.hidden[unit].clamp(0.0, MOST_ACTIVE);
            gradients.output[unit] += slope * active;
            if active > 0.0 && active < MOST_ACTIVE {
                let slope = slope * self.output.value[unit];
                gradients.hidden_bias[bucket][unit] += slope;
                for channel in 0..WIDTH {
                    hidden[unit][channel] += slope * pass.sum[channel];
                    back[channel] += slope * self.hidden[unit].value[channel];
                }
            }
        }
        back = back.map(|slope| slope / SUM_UNIT as f32);
        let order = &self.order.value;
        for (index, (seen, here)) in example.seen.iter().zip(&pass.seen).enumerate() {
            let mut slopes = back;
            if let Some(best) = example.best {
                let slope = ORDER_SHARE * (pass.odds[index] - f32::from(u8::from(index == best)));
                for channel in 0..WIDTH {
                    gradients.order[channel] += slope * here[channel].clamp(0.0, MOST_SEEN);
                    slopes[channel] += slope * order[channel];
                }
            }
            for channel in 0..WIDTH {
                let inside = here[channel] > 0.0 && here[channel] < MOST_SEEN;
                slopes[channel] = if inside { slopes[channel] } else { 0.0 };
            }
            for &line in seen.lines.iter().filter(|&&line| line != 0) {
                for (feature, half) in self.sides(line, example.mover).into_iter().zip([0, CHANNELS]) {
                    if !is_met[feature] {
                        is_met[feature] = true;
                        met.push(feature as u16);
                    }
                    let gradient = &mut features[feature];
                    for channel in 0..CHANNELS {
                        gradient[channel] += slopes[half + channel];
                    }
                }
            }
        }
        found
    }

    /// A step along the gradients, which are cleared.
    pub(super) fn step(&mut self, gradients: &mut Gradients, adam: &Adam) {
        for feature in gradients.met.drain(..).map(usize::from) {
            gradients.is_met[feature] = false;
            let gradient = std::mem::replace(&mut gradients.features[feature], [0.0; CHANNELS]);
            self.features[feature].step(&gradient, adam, LARGEST_FEATURE);
        }
        for (weights, gradient) in self.hidden.iter_mut().zip(&mut gradients.hidden) {
            weights.step(&std::mem::replace(gradient, [0.0; WIDTH]), adam, LARGEST_WEIGHT);
        }
        self.output.step(&std::mem::replace(&mut gradients.output, [0.0; HIDDEN]), adam, LARGEST_OUTPUT);
        self.output_bias.step(&std::mem::replace(&mut gradients.output_bias, [0.0; BUCKETS]), adam, LARGEST_OUTPUT);
        self.order.step(&std::mem::replace(&mut gradients.order, [0.0; WIDTH]), adam, LARGEST_WEIGHT);
        for bucket in 0..BUCKETS {
            if std::mem::take(&mut gradients.buckets[bucket]) {
                let direct = std::mem::replace(&mut gradients.direct[bucket], [0.0; WIDTH]);
                self.direct[bucket].step(&direct, adam, LARGEST_WEIGHT);
                let bias = std::mem::replace(&mut gradients.hidden_bias[bucket], [0.0; HIDDEN]);
                self.hidden_bias[bucket].step(&bias, adam, LARGEST_OUTPUT);
            }
        }
    }

    /// The nearest net of whole numbers.
    pub(super) fn quantised(&self) -> Net {
        let mut numbers: Vec<i16> = Vec::with_capacity(Net::count(&self.codes));
        let mut put = |values: &[f32], unit: i32| {
            let whole = |value: &f32| (value * unit as f32).round().clamp(-32_767.0, 32_767.0) as i16;
            numbers.extend(values.iter().map(whole));
        };
        for weights in &self.features {
            // A feature that was never met has no weights.
            put(if weights.is_met() { &weights.value } else { &[0.0; CHANNELS] }, UNIT);
        }
        self.hidden.iter().for_each(|weights| put(&weights.value, HIDDEN_UNIT));
        self.hidden_bias.iter().for_each(|weights| put(&weights.value, 256));
        put(&self.output.value, OUTPUT_UNIT);
        self.direct.iter().for_each(|weights| put(&weights.value, HIDDEN_UNIT));
        put(&self.output_bias.value, RESULT_UNIT >> 3);
        put(&self.order.value, ORDER_WEIGHT_UNIT);
        Net::from_numbers(&numbers).expect("as many numbers as a net has")
    }
}

#[cfg(test)]
mod tests {
    use quincunx_search::{Tactics, net::shuffle};
    use rand::SeedableRng;

    use super::*;

    /// Random positions, worth more the more crossings of two open pairs the mover has; the best move is the first of
    /// them.
    fn positions(count: usize) -> Vec<(Pente, f32, u16)> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let near = |position: &Pente| {
            let mut places = Vec::new();
            position.for_each_candidate(&position.known(), |mv| places.push(mv));
            places
        };
        let mut found = Vec::new();
        while found.len() < count {
            let mut position = Pente::start("free").unwrap();
            for _ in 0..6 + random_below(&mut rng, 10) {
                let places = near(&position);
                if !places.is_empty() && position.outcome().is_none() {
                    position.play(places[random_below(&mut rng, places.len() as u64) as usize]);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let lines = position.known();
            let crossings = |side| {
                let twos = |cell: usize| lines.flags(side, cell).iter().filter(|&flags| flags & 0x88 != 0).count();
                (0..SIZE * SIZE).filter(|&cell| twos(cell) >= 2).map(|cell| cell as u16).collect::<Vec<_>>()
            };
            let (own, enemy) = (crossings(position.to_move()), crossings(!position.to_move()));
            let worth = 0.3 * (own.len() as f32 - enemy.len() as f32);
            found.push((position, chance(worth), own.first().copied().unwrap_or(u16::MAX)));
        }
        found
    }

    #[test]
    fn a_known_function_is_learnt_and_survives_rounding() {
        let data = positions(1500);
        let codes = Codes::get();
        let examples: Vec<_> =
            data.iter().map(|(position, target, best)| Example::new(&codes, position, *target, Some(*best))).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut model = Model::new(&mut rng);
        let mut gradients = Gradients::new(&codes);
        let mut order: Vec<u32> = (0..data.len() as u32).collect();
        let mean = |model: &Model, gradients: &mut Gradients| {
            let mut sum = Loss::default();
            for example in &examples {
                sum += model.loss(example, gradients);
            }
            sum.mean(examples.len())
        };
        let before = mean(&model, &mut gradients);
        for pass in 0..30 {
            shuffle(&mut order, &mut rng);
            for (number, batch) in order.chunks(50).enumerate() {
                for &index in batch {
                    model.learn(&examples[index as usize], &mut gradients);
                }
                model.step(&mut gradients, &Adam::new(5e-3, (pass * 30 + number as u32 + 1, 900), batch.len()));
            }
        }
        let after = mean(&model, &mut gradients);
        let best: f64 = data.iter().map(|(_, target, _)| loss((target / (1.0 - target)).ln(), *target)).sum();
        let excess = |found: f64| found - best / data.len() as f64;
        assert!(
            excess(after.result) < excess(before.result) / 3.0,
            "{before:?} {after:?} {}",
            best / data.len() as f64
        );
        assert!(after.order < before.order / 2.0, "{before:?} {after:?}");

        let net = model.quantised();
        let mut pass = Pass::default();
        for ((position, ..), example) in data.iter().zip(&examples).take(300) {
            model.forward(example, &mut pass);
            let sums = net.sums(&position.known());
            let whole = net.result(&sums, position.to_move(), position.bucket()) as f32 / RESULT_UNIT as f32;
            assert!((whole - pass.result).abs() < 0.15, "{whole} {}", pass.result);
            for (seen, odds) in example.seen.iter().zip(&pass.odds) {
                let whole = net.order(&sums, position.to_move(), usize::from(seen.cell)) as f32 / 1024.0;
                assert!((whole - odds).abs() < 0.3, "{whole} {odds}");
            }
        }
    }
}
