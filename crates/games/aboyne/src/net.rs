//! The net of Aboyne by the official rules: it sees each stone, and whether an enemy next to it blocks it.

use std::sync::{Arc, LazyLock};

use quincunx_game::{Side, bits::Bits};
use quincunx_search::{
    Tuning, embedded_weights,
    net::{Embedded, Featured, NetEvaluator},
};

use super::{
    Aboyne, OFFICIAL,
    board::{CELLS, LEFT_TO_RIGHT},
    moves::neighbours,
};

/// The hidden units.
pub(crate) const UNITS: usize = 64;

/// What judges positions under the official rules.
pub type NetEvaluation = NetEvaluator<Aboyne<OFFICIAL>, UNITS>;

/// The features of a stone on a cell: whose it is, whether it is blocked.
const KINDS: usize = 4;

impl Featured for Aboyne<OFFICIAL> {
    const FEATURES: usize = KINDS * CELLS;
    const SHAPE: &'static str = "stones-64";
    /// At 5000 nodes a move margins of 30 score 46.8 ± 5.5 % against these (200 games).
    const TUNING: Tuning = Tuning { scale: 200.0, reverse_futility: 60, futility: 60, ..Tuning::CAUTIOUS };
    const SCORE_SHARE: f32 = 0.35;
    const EPOCHS: u32 = 20;

    /// The second side sees the board from the other end, so that its goal lies where that of the first does.
    #[inline]
    fn for_each_feature(&self, mut visit: impl FnMut(usize)) {
        let (own, enemy) = (self.stones.own, self.stones.enemy);
        let turned = self.stones.to_move == Side::Second;
        let mut stones = |stones: u64, kind: usize| {
            for bit in Bits(stones) {
                let bit = if turned { usize::from(LEFT_TO_RIGHT[bit as usize]) } else { bit as usize };
                visit(kind * CELLS + bit);
            }
        };
        let (near_own, near_enemy) = (neighbours(own), neighbours(enemy));
        stones(own & !near_enemy, 0);
        stones(own & near_enemy, 1);
        stones(enemy & !near_own, 2);
        stones(enemy & near_own, 3);
    }
}

static EMBEDDED: LazyLock<Arc<NetEvaluation>> = LazyLock::new(embedded_weights!("weights.bin"));

impl Embedded<UNITS> for Aboyne<OFFICIAL> {
    fn embedded() -> Arc<NetEvaluation> {
        EMBEDDED.clone()
    }
}
