//! The evaluation of Pente: what either side could do along each line of each empty intersection, and what was
//! captured.

use std::sync::{Arc, LazyLock};

use quincunx_game::{Side, TextError};
use quincunx_search::{Evaluator, Tuning, evaluator::Term, solver::Solver};

use super::{
    Move, Pente, SIZE, STONES_TO_WIN,
    lines::Lines,
    patterns::{Patterns, flag},
    threats::ThreatSolver,
};

/// The number of shapes.
const COUNT: usize = 10;

/// What can be done along a line, as terms of the evaluation: name, flag.
pub(super) const SHAPES: [(&str, u32); COUNT] = [
    ("five", flag::FIVE),
    ("open four", flag::OPEN_FOUR),
    ("four", flag::FOUR),
    ("open three", flag::OPEN_THREE),
    ("three", flag::THREE),
    ("open two", flag::OPEN_TWO),
    ("two", flag::TWO),
    ("capture", flag::CAPTURE),
    ("flank", flag::FLANK),
    ("liable", flag::LIABLE),
];

/// Something that each shape has, in the order of [`SHAPES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByShape(pub(super) [i32; COUNT]);

impl ByShape {
    /// What the flags of one side come to.
    pub(super) fn of(&self, flags: u32) -> i32 {
        SHAPES.iter().zip(self.0).filter(|((_, flag), _)| flags & flag != 0).map(|(_, weight)| weight).sum()
    }
}

/// What positions are worth, in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Weights {
    /// What each shape is worth to the side to move along each line of each empty intersection.
    pub(super) mover: ByShape,
    /// The same for the other side.
    pub(super) other: ByShape,
    /// What the captures so far are worth, by pairs: each brings the fifth nearer.
    captured: [i32; 5],
}

impl Weights {
    /// By `quincunx tune pente --games 6000 --nodes 1500 --random-plies 4 --seed 7` (71,070 positions) as far as that
    /// says anything: fives and own open fours are nearly always settled before a position is evaluated.
    pub(super) const FITTED: Self = Self {
        mover: ByShape([3000, 1500, 306, 144, 48, 11, 5, 687, 197, 6]),
        other: ByShape([1200, 573, 334, 138, 50, 9, -8, 776, 27, 23]),
        captured: [0, 24, 299, 455, 1420],
    };

    /// No weight lies beyond this: a line with several shapes must fit into 16 bits.
    const LARGEST: i32 = 4000;
    /// How many there are in all.
    const ALL: usize = 2 * COUNT + 5;

    fn numbers(&self) -> impl Iterator<Item = i32> {
        self.mover.0.into_iter().chain(self.other.0).chain(self.captured)
    }

    fn from_numbers(numbers: [i32; Self::ALL]) -> Self {
        let number = |at: usize| numbers[at].clamp(-Self::LARGEST, Self::LARGEST);
        Self {
            mover: ByShape(std::array::from_fn(number)),
            other: ByShape(std::array::from_fn(|shape| number(COUNT + shape))),
            captured: std::array::from_fn(|pairs| number(2 * COUNT + pairs)),
        }
    }
}

/// How urgent own shapes make a place if nothing must be played at once.
pub(super) const OWN_URGENCY: ByShape = ByShape([0, 0, 800, 3000, 700, 500, 100, 0, 1500, -1200]);
/// The same for shapes of the other side.
pub(super) const OTHER_URGENCY: ByShape = ByShape([0, 0, 800, 2200, 400, 350, 80, 0, 500, 0]);

/// What judges positions of Pente.
pub struct Evaluation {
    weights: Weights,
    patterns: Arc<Patterns>,
}

static EMBEDDED: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation { weights: Weights::FITTED, patterns: Patterns::embedded() }));

impl Evaluation {
    fn new(weights: Weights) -> Self {
        Self { weights, patterns: Arc::new(Patterns::embedded().with_weights(&weights)) }
    }
}

impl Evaluator for Evaluation {
    type Position = Pente;
    type State = Lines;

    const SHAPE: &'static str = "lines";

    fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    fn from_weights(bytes: &[u8]) -> Result<Self, TextError> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let numbers: Result<[_; Weights::ALL], _> = numbers.try_into();
        let wrong =
            || TextError::new(format!("these are {} weights; the evaluation has {}", bytes.len() / 4, Weights::ALL));
        let numbers = numbers.ok().filter(|_| rest.is_empty()).ok_or_else(wrong)?;
        Ok(Self::new(Weights::from_numbers(numbers.map(i32::from_le_bytes))))
    }

    fn weights(&self) -> Vec<u8> {
        self.weights.numbers().flat_map(i32::to_le_bytes).collect()
    }

    fn tuning(&self) -> &Tuning {
        const TUNING: Tuning =
            Tuning { scale: 600.0, aspiration: 160, futility: 300, reduction: 2.0, ..Tuning::CAUTIOUS };
        &TUNING
    }

    fn state(&self, position: &Pente) -> Lines {
        Lines::new(position, self.patterns.clone())
    }

    fn known(lines: &Lines) -> &Lines {
        lines
    }

    #[inline]
    fn advance(&self, lines: &mut Lines, before: &Pente, mv: Move, after: &Pente) {
        lines.advance(before, mv, after);
    }

    #[inline]
    fn retreat(&self, lines: &mut Lines, before: &Pente, mv: Move, after: &Pente) {
        lines.retreat(before, mv, after);
    }

    #[inline]
    fn evaluate(&self, position: &Pente, lines: &Lines) -> i32 {
        let [own, enemy] =
            [position.to_move, !position.to_move].map(|side| self.weights.captured[position.pairs_captured(side)]);
        (lines.worth(position.to_move) + own - enemy).clamp(-20_000, 20_000)
    }

    fn terms(&self, position: &Pente, lines: &Lines) -> Vec<Term> {
        let [own, enemy] = [position.to_move, !position.to_move].map(|side| lines.counts(side));
        let [pairs, enemy_pairs] = [position.to_move, !position.to_move].map(|side| position.pairs_captured(side));
        let captured = |number| i32::from(pairs >= number) - i32::from(enemy_pairs >= number);
        let mut terms = Vec::new();
        for (index, (name, _)) in SHAPES.into_iter().enumerate() {
            terms.push((name, own[index]));
            terms.push(("  of the other", -enemy[index]));
        }
        terms.extend([("pairs 1", captured(1)), ("pairs 2", captured(2))]);
        terms.extend([("pairs 3", captured(3)), ("pairs 4", captured(4))]);
        terms
    }

    fn with_terms(&self, weights: &[f64]) -> Option<Self> {
        let (shapes, captured) = weights.split_at_checked(2 * COUNT)?;
        let &[one, two, three, four] = captured else { return None };
        let own = shapes.iter().step_by(2);
        let other = shapes.iter().skip(1).step_by(2);
        // A term says what the last of so many pairs adds.
        let captured = [0.0, one, one + two, one + two + three, one + two + three + four];
        let numbers: Vec<i32> = own.chain(other).chain(&captured).map(|weight| weight.round() as i32).collect();
        Some(Self::new(Weights::from_numbers(numbers.try_into().ok()?)))
    }

    fn solver(self: &Arc<Self>, _mebibytes: usize, _threads: usize) -> Option<Box<dyn Solver<Pente>>> {
        Some(Box::new(ThreatSolver))
    }
}

impl Pente {
    #[inline]
    fn pairs_captured(&self, side: Side) -> usize {
        (self.captured(side).min(STONES_TO_WIN - 2) / 2) as usize
    }
}

impl Lines {
    /// How often `side` can make each of the shapes.
    fn counts(&self, side: Side) -> [i32; COUNT] {
        let mut counts = [0; COUNT];
        for cell in 0..SIZE * SIZE {
            for flags in self.flags(side, cell) {
                for (count, (_, flag)) in counts.iter_mut().zip(SHAPES) {
                    *count += i32::from(flags & flag != 0);
                }
            }
        }
        counts
    }
}
