//! The evaluation of 8x8 positions: discs the side to move will win by, from patterns trained on games.

mod indices;
mod packing;
mod patterns;
pub mod train;

use std::sync::LazyLock;

use quincunx_search::memory::large_list;

pub(crate) use self::indices::Indices;
use self::patterns::{TABLE, TABLES, weights_of_places};

/// One disc, in units of the weights.
pub(crate) const UNIT: i32 = 128;

/// The number of discs on the board decides which weights count.
const PHASES: usize = 15;

/// The numbers of discs there can be on the board, none included.
const COUNTS: usize = 65;

#[inline]
fn phase(discs: u32) -> usize {
    (discs.saturating_sub(5) as usize / 4).min(PHASES - 1)
}

/// The weights of all patterns in all phases.
#[derive(Debug)]
pub struct Evaluation {
    /// By phase, then by place in the tables of the patterns.
    weights: Vec<i16>,
    /// What it is worth to be to move, by the number of discs on the board: who makes the last move of a game has an advantage, which the
    /// patterns do not see.
    turn: [i32; COUNTS],
}

static EMBEDDED: LazyLock<Evaluation> = LazyLock::new(|| {
    Evaluation::unpack(include_bytes!("weights.bin")).expect("the weights in the repository are whole")
});

impl Evaluation {
    /// The evaluation that comes with the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// The score expected for the side to move, in units of the weights.
    #[inline]
    pub(crate) fn units(&self, own: u64, enemy: u64) -> i32 {
        self.units_of(&Indices::of(own, enemy), (own | enemy).count_ones())
    }

    /// The score expected for the side that sees these numbers and is to move, with so many discs on the board, in units of the weights.
    #[inline]
    pub(crate) fn units_of(&self, indices: &Indices, discs: u32) -> i32 {
        let begin = TABLES * TABLE * phase(discs);
        indices.look_up(&self.weights[begin..begin + TABLES * TABLE]) + self.turn[discs as usize % COUNTS]
    }

    /// The score expected for the side to move, in hundredths of a disc, within what a game can end with.
    #[inline]
    pub(crate) fn hundredths_of(&self, indices: &Indices, discs: u32) -> i32 {
        (self.units_of(indices, discs) * 100 / UNIT).clamp(-6400, 6400)
    }

    /// The evaluation a file holds; the error says what is wrong with it.
    pub fn unpack(bytes: &[u8]) -> Result<Self, packing::Damaged> {
        let (places, count) = weights_of_places();
        let packed = packing::unpack(bytes, count * PHASES + COUNTS)?;
        let (packed, turn) = packed.split_at(count * PHASES);
        let phases = packed.chunks(count);
        let mut weights = large_list(PHASES * places.len());
        weights.extend(phases.flat_map(|phase| places.iter().map(|&place| phase[place as usize])));
        Ok(Self { weights, turn: std::array::from_fn(|discs| i32::from(turn[discs])) })
    }
}
