//! The net of Tessella on the diamond of size 5: it sees each piece, whether the other side aims at it, and whether its
//! own side does.

use std::sync::{Arc, LazyLock};

use quincunx_game::bits::Bits;
use quincunx_search::{
    Tuning, embedded_weights,
    net::{Embedded, Featured, NetEvaluator},
};

use super::{
    Tessella,
    board::Board,
    moves::{self, Destinations},
};

/// The hidden units.
pub(crate) const UNITS: usize = 64;

/// What judges positions on the diamond of size 5.
pub type NetEvaluation = NetEvaluator<Tessella<5>, UNITS>;

/// The cells of the diamond.
const CELLS: usize = Board::<5>::CELLS;

/// The features of a piece on a cell: whose it is, whether the other side aims at it, whether its own side does.
const KINDS: usize = 8;

impl Featured for Tessella<5> {
    const FEATURES: usize = KINDS * CELLS;
    /// By the pieces that each side may still lose.
    const BUCKETS: usize = 16;
    const SHAPE: &'static str = "pieces-64";
    /// At 5000 nodes a move these margins score 55.0 ± 5.4 % against 60 and 80, which score 54.0 ± 5.2 % against 30 and
    /// 40 and 57.5 ± 5.1 % against 120 and 160 (200 games each).
    const TUNING: Tuning =
        Tuning { scale: 220.0, aspiration: 60, reverse_futility: 80, futility: 110, pace: 0.4, ..Tuning::CAUTIOUS };
    const SCORE_SHARE: f32 = 0.35;
    const EPOCHS: u32 = 20;

    #[inline]
    fn for_each_feature(&self, mut visit: impl FnMut(usize)) {
        let (own, enemy) = (self.stones.own, self.stones.enemy);
        let united = |sets: Destinations| sets.into_iter().fold(0, |all, set| all | set);
        let own_aims = united(moves::reach::<5>(own, enemy).aims);
        let enemy_aims = united(moves::reach::<5>(enemy, own).aims);
        let mut pieces = |pieces: u64, first: usize, threats: u64, covers: u64| {
            for cell in Bits(pieces) {
                let kind = first + 2 * (threats >> cell & 1) as usize + (covers >> cell & 1) as usize;
                visit(kind * CELLS + cell as usize);
            }
        };
        pieces(own, 0, enemy_aims, own_aims);
        pieces(enemy, 4, own_aims, enemy_aims);
    }

    #[inline]
    fn bucket(&self) -> usize {
        let left = |pieces: u64| (pieces.count_ones() as usize).clamp(4, 7) - 4;
        4 * left(self.stones.own) + left(self.stones.enemy)
    }
}

static EMBEDDED: LazyLock<Arc<NetEvaluation>> = LazyLock::new(embedded_weights!("weights.bin"));

impl Embedded<UNITS> for Tessella<5> {
    fn embedded() -> Arc<NetEvaluation> {
        EMBEDDED.clone()
    }
}
