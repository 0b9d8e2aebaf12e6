//! Small nets: features of a position, one layer of hidden units with squared clipped `ReLU`, one output.
//!
//! The features of a position are numbers of rows in a table; the rows are added up to what the hidden units see. That is
//! made anew for each position: with at most some twenty rows of 64 small numbers it takes no longer than to keep it up
//! along the line of play. All is done in 16-bit integers, so every processor gives the same value.

mod curve;
mod fit;
mod samples;
mod sum;
mod train;

use std::sync::Arc;

use quincunx_game::TextError;

pub use curve::{picture, plot};
pub use fit::{Adam, Losses, Weights, chance, loss, shuffle};
pub use samples::{Sample, Samples, read};
pub use train::train;

use crate::{Evaluator, Tuning, encoding::Encoding, memory::large_list, packing, solver::Solver};

/// What 1.0 is for a hidden unit, which is clipped there.
const UNIT: i16 = 255;
/// What 1.0 is for an output weight.
const OUTPUT_UNIT: i16 = 64;
/// No output weight is larger: its product with a hidden unit has to fit into 16 bits.
const LARGEST_OUTPUT: i16 = 127;
/// What 1.0 is for the sum that comes out.
const RESULT_UNIT: i32 = UNIT as i32 * OUTPUT_UNIT as i32;
/// The most features of a position.
const MOST_FEATURES: usize = 32;

/// A game whose positions are judged by a net.
pub trait Featured: Encoding<Known = ()> {
    /// Features have numbers below this, which is 65536 at most.
    const FEATURES: usize;

    /// How many sets of output weights there are; [`bucket`](Self::bucket) chooses one.
    const BUCKETS: usize = 1;

    /// What its weights are for: another name for other features.
    const SHAPE: &'static str;

    /// The numbers of the search for a file of weights that says nothing of them.
    const TUNING: Tuning;

    /// The share of the search's score in what a position of self-play is said to be worth, if nothing else is said.
    const SCORE_SHARE: f32;

    /// Passes over the positions, if nothing else is said.
    const EPOCHS: u32;

    /// Calls `visit` with the numbers of the position's features, 32 at most, as the side to move sees it: positions
    /// that are the same but for the colours have the same.
    fn for_each_feature(&self, visit: impl FnMut(usize));

    /// Which output weights count.
    fn bucket(&self) -> usize {
        0
    }

    /// The game's own solver, as in [`Evaluator::solver`].
    fn solver(_mebibytes: usize, _threads: usize) -> Option<Box<dyn Solver<Self>>> {
        None
    }
}

/// A row of the table of features, or the weights of something else for each hidden unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct Row<const UNITS: usize>([i16; UNITS]);

/// The features of a position.
struct Features {
    numbers: [u16; MOST_FEATURES],
    count: usize,
}

impl Features {
    #[inline]
    fn of<P: Featured>(position: &P) -> Self {
        let mut features = Self { numbers: [0; MOST_FEATURES], count: 0 };
        position.for_each_feature(|number| {
            features.numbers[features.count] = number as u16;
            features.count += 1;
        });
        features
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

/// A net of whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Net<const UNITS: usize> {
    /// What each feature adds to the hidden units.
    rows: Vec<Row<UNITS>>,
    /// What the hidden units have without any.
    bias: Row<UNITS>,
    /// The output weights of each bucket.
    output: Vec<Row<UNITS>>,
    /// What the output has without any hidden unit, for each bucket.
    output_bias: Vec<i16>,
}

impl<const UNITS: usize> Net<UNITS> {
    /// The numbers of a net of this size.
    const fn count(features: usize, buckets: usize) -> usize {
        (features + 1 + buckets) * UNITS + buckets
    }

    /// All its numbers, which [`from_numbers`](Self::from_numbers) reads back.
    fn numbers(&self) -> Vec<i16> {
        let rows = self.rows.iter().chain([&self.bias]).chain(&self.output);
        rows.flat_map(|row| row.0).chain(self.output_bias.iter().copied()).collect()
    }

    /// The net of as many numbers as it has.
    fn from_numbers(numbers: &[i16], features: usize) -> Self {
        let (rows, _) = numbers.as_chunks::<UNITS>();
        let buckets = (numbers.len() - (features + 1) * UNITS) / (UNITS + 1);
        let mut table = large_list(features);
        table.extend(rows[..features].iter().map(|&row| Row(row)));
        let limited = |row: &[i16; UNITS]| Row(row.map(|weight| weight.clamp(-LARGEST_OUTPUT, LARGEST_OUTPUT)));
        Self {
            rows: table,
            bias: Row(rows[features]),
            output: rows[features + 1..][..buckets].iter().map(limited).collect(),
            output_bias: numbers[(features + 1 + buckets) * UNITS..].to_vec(),
        }
    }

    /// The logarithm of the odds that the side to move wins, in units of [`RESULT_UNIT`].
    #[inline]
    fn result(&self, features: &Features, bucket: usize) -> i32 {
        let output = &self.output[bucket];
        sum::sum(&self.rows, &self.bias, output, features.as_slice()) / i32::from(UNIT)
            + i32::from(self.output_bias[bucket])
    }
}

/// The evaluator of such a game, with this many hidden units, a multiple of 32.
#[derive(Debug)]
pub struct NetEvaluator<P, const UNITS: usize> {
    net: Net<UNITS>,
    tuning: Tuning,
    /// Hundredths of the game's unit for [`RESULT_UNIT`], times 65536.
    scale: i64,
    of: std::marker::PhantomData<fn() -> P>,
}

/// A game that has such an evaluator with it.
pub trait Embedded<const UNITS: usize>: Featured {
    /// The evaluator that comes with the program.
    fn embedded() -> Arc<NetEvaluator<Self, UNITS>>;
}

impl<P: Featured, const UNITS: usize> NetEvaluator<P, UNITS> {
    fn new(net: Net<UNITS>, tuning: Tuning) -> Self {
        // A score of one scale makes a win three times as likely as a loss.
        let scale = f64::from(tuning.scale) / 3f64.ln() / f64::from(RESULT_UNIT) * 65536.0;
        Self { net, tuning, scale: scale.round() as i64, of: std::marker::PhantomData }
    }
}

impl<P: Embedded<UNITS>, const UNITS: usize> Evaluator for NetEvaluator<P, UNITS> {
    type Position = P;
    type State = ();

    const SHAPE: &'static str = P::SHAPE;

    const TUNING: Tuning = P::TUNING;

    const CARRIED_BY_PAGES: bool = false;

    fn embedded() -> Arc<Self> {
        P::embedded()
    }

    fn from_weights(bytes: &[u8]) -> Result<Self, TextError> {
        let numbers = packing::unpack(bytes, Tuning::IN_NETS + Net::<UNITS>::count(P::FEATURES, P::BUCKETS))?;
        let (tuned, numbers) = numbers.split_at(Tuning::IN_NETS);
        Ok(Self::new(Net::from_numbers(numbers, P::FEATURES), P::TUNING.with_numbers(tuned)))
    }

    fn weights(&self) -> Vec<u8> {
        let mut numbers = self.tuning.in_nets().to_vec();
        numbers.extend(self.net.numbers());
        packing::pack(&numbers)
    }

    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn with_tuning(&self, tuning: Tuning) -> Self {
        Self::new(self.net.clone(), tuning)
    }

    fn state(&self, _position: &P) {}

    fn known(state: &()) -> &() {
        state
    }

    #[inline]
    fn evaluate(&self, position: &P, (): &()) -> i32 {
        let result = self.net.result(&Features::of(position), position.bucket());
        ((i64::from(result) * self.scale) >> 16).clamp(-20_000, 20_000) as i32
    }

    fn solver(self: &Arc<Self>, mebibytes: usize, threads: usize) -> Option<Box<dyn Solver<P>>> {
        P::solver(mebibytes, threads)
    }
}
