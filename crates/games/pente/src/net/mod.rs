//! The net of Pente: every empty intersection is judged by its four lines, and the board by all of them.
//!
//! A line has a small vector, learnt, for each side; those of an intersection are added up and clipped, so that it can
//! tell two threes that cross from two that do not. The sum over the board goes through a layer of hidden units, whose
//! bias depends on the pairs that both sides have captured. The clipped vector of an intersection also says how good a
//! move there looks. All is done in whole numbers, so every processor gives the same value.

mod codes;
mod fit;
mod sums;
mod train;

use std::sync::Arc;

use quincunx_game::{Side, TextError};
use quincunx_search::memory::large_list;

pub(super) use sums::Sums;
pub(super) use train::train;

use codes::Codes;

/// The numbers of a line's vector for one side.
const CHANNELS: usize = 16;
/// Those for both sides.
const WIDTH: usize = 2 * CHANNELS;
/// The hidden units.
const HIDDEN: usize = 32;
/// The pairs that a side can have captured before the last, for both sides.
const BUCKETS: usize = 25;

/// What 1.0 is in a line's vector.
const UNIT: i32 = 64;
/// What an intersection adds to the sum is clipped here: so the sum of all fits into 16 bits without sign.
const CLIP: i16 = 181;
/// The hidden units see the sum in units of 64, a quarter of it as a whole number.
const SUM_UNIT: i32 = 64;
const SUM_SHIFT: u32 = 2;
/// What 1.0 is for a weight of the hidden layer, and no such weight is larger.
const HIDDEN_UNIT: i32 = 128;
const LARGEST_HIDDEN: i16 = 2047;
/// What 1.0 is for a sum of the hidden layer.
const HIDDEN_SUM_UNIT: i32 = SUM_UNIT * UNIT / (1 << SUM_SHIFT) * HIDDEN_UNIT;
/// Hidden units are rounded to 1/256 and clipped at 4.
const HIDDEN_SHIFT: u32 = HIDDEN_SUM_UNIT.trailing_zeros() - 8;
const LARGEST_ACTIVE: i32 = 1023;
/// What 1.0 is for an output weight.
const OUTPUT_UNIT: i32 = 64;
/// What 1.0 is for the result.
pub(super) const RESULT_UNIT: i32 = 256 * OUTPUT_UNIT;
/// What 1.0 is for a weight of the order of moves, and for their sums.
const ORDER_WEIGHT_UNIT: i32 = 64;
const ORDER_SHIFT: u32 = (ORDER_WEIGHT_UNIT * UNIT).trailing_zeros() - 10;

/// A number for every channel of both sides: the first side's, then the second's; or the mover's, then the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct Row([i16; WIDTH]);

impl Row {
    const NONE: Self = Self([0; WIDTH]);

    /// The same with its halves exchanged.
    fn turned(&self) -> Self {
        Self(std::array::from_fn(|channel| self.0[(channel + CHANNELS) % WIDTH]))
    }
}

/// A net of whole numbers.
#[derive(Clone)]
pub(super) struct Net {
    codes: Arc<Codes>,
    /// The vector of each feature.
    features: Vec<[i16; CHANNELS]>,
    /// The vectors of a line, by its number.
    rows: Vec<Row>,
    /// The weights of each hidden unit.
    hidden: [Row; HIDDEN],
    /// What each hidden unit has without any sum, by bucket.
    hidden_bias: Vec<[i16; HIDDEN]>,
    output: [i16; HIDDEN],
    /// What the sums add to the result past the hidden units, by bucket.
    direct: Vec<Row>,
    output_bias: Vec<i16>,
    /// What makes a move look good to the first side and to the second.
    order: [Row; 2],
}

impl Net {
    /// How many numbers it has.
    fn count(codes: &Codes) -> usize {
        codes.count * CHANNELS + HIDDEN * WIDTH + BUCKETS * (HIDDEN + WIDTH + 1) + HIDDEN + WIDTH
    }

    /// How many numbers a net has.
    pub(super) fn size() -> usize {
        Self::count(&Codes::get())
    }

    /// All its numbers, which [`from_numbers`](Self::from_numbers) reads back.
    pub(super) fn numbers(&self) -> Vec<i16> {
        let mut numbers: Vec<i16> = self.features.iter().flatten().copied().collect();
        numbers.extend(self.hidden.iter().flat_map(|row| row.0));
        numbers.extend(self.hidden_bias.iter().flatten());
        numbers.extend(self.output);
        numbers.extend(self.direct.iter().flat_map(|row| row.0));
        numbers.extend(&self.output_bias);
        numbers.extend(self.order[0].0);
        numbers
    }

    /// The net of as many numbers as it has.
    pub(super) fn from_numbers(numbers: &[i16]) -> Result<Self, TextError> {
        /// No number of a feature is larger: the sum of four fits into 16 bits.
        const LARGEST: i16 = 8191;
        let codes = Codes::get();
        if numbers.len() != Self::count(&codes) {
            let expected = Self::count(&codes);
            return Err(TextError::new(format!("these are {} numbers; the net has {expected}", numbers.len())));
        }
        let mut rest = numbers;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count);
            rest = left;
            taken
        };
        let rows = |numbers: &[i16], largest: i16| -> Vec<Row> {
            let (rows, _) = numbers.as_chunks::<WIDTH>();
            rows.iter().map(|row| Row(row.map(|weight| weight.clamp(-largest, largest)))).collect()
        };
        let mut features: Vec<[i16; CHANNELS]> = take(codes.count * CHANNELS).as_chunks().0.to_vec();
        features.iter_mut().flatten().for_each(|weight| *weight = (*weight).clamp(-LARGEST, LARGEST));
        // A line without stones says nothing.
        features[0] = [0; CHANNELS];
        let hidden = rows(take(HIDDEN * WIDTH), LARGEST_HIDDEN);
        let hidden_bias = take(BUCKETS * HIDDEN).as_chunks().0.to_vec();
        let output = take(HIDDEN).try_into().expect("as many as were taken");
        let direct = rows(take(BUCKETS * WIDTH), LARGEST_HIDDEN);
        let output_bias = take(BUCKETS).to_vec();
        let order = rows(take(WIDTH), i16::MAX)[0];
        let mut table = large_list(codes.features.len());
        table.extend(codes.features.iter().map(|sides| {
            let [first, second] = sides.map(|feature| &features[usize::from(feature)]);
            Row(std::array::from_fn(|channel| first.iter().chain(second).copied().nth(channel).unwrap_or(0)))
        }));
        Ok(Self {
            codes,
            features,
            rows: table,
            hidden: hidden.try_into().expect("as many as were taken"),
            hidden_bias,
            output,
            direct,
            output_bias,
            order: [order, order.turned()],
        })
    }

    /// The logarithm of the odds that the side to move wins, in units of [`RESULT_UNIT`].
    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn result_of(&self, total: &Row, to_move: Side, bucket: usize) -> i32 {
        let total = if to_move == Side::First { *total } else { total.turned() };
        let inputs = total.0.map(|sum| (sum.cast_unsigned() >> SUM_SHIFT) as i16);
        let product = |weights: &Row| -> i32 {
            let products = inputs.iter().zip(&weights.0).map(|(&input, &weight)| i32::from(input) * i32::from(weight));
            products.fold(0, i32::wrapping_add)
        };
        let mut result = i32::from(self.output_bias[bucket]) << 3;
        result += product(&self.direct[bucket]) >> (HIDDEN_SUM_UNIT.trailing_zeros() - RESULT_UNIT.trailing_zeros());
        for (unit, weights) in self.hidden.iter().enumerate() {
            let active = (product(weights) >> HIDDEN_SHIFT).wrapping_add(self.hidden_bias[bucket][unit].into());
            result += active.clamp(0, LARGEST_ACTIVE) * i32::from(self.output[unit]);
        }
        result
    }
}
