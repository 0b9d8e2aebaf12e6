//! The evaluation of Aboyne: stones, which of them can move, and how far they are from their goal.

use quincunx_game::Side;
use quincunx_search::{
    Tuning,
    terms::{Terms, Weighted},
};

use super::{Aboyne, board::WITHIN};

/// What judges positions of Aboyne.
pub type Evaluation<const RULESET: usize> = Terms<Aboyne<RULESET>>;

impl<const RULESET: usize> Weighted for Aboyne<RULESET> {
    type Values = [i32; 5];

    const NAMES: &'static [&'static str] =
        &["stones", "free stones", "nearest to the goal", "captures of the mover", "captures of the other"];

    /// In thousandths of a stone: fitted by
    /// `quincunx tune aboyne --games 1500 --nodes 1500 --random-plies 8 --seed 2` to 62,365 quiet positions.
    const WEIGHTS: Self::Values = [1000, 546, -66, 506, -461];

    const TUNING: Tuning = Tuning { scale: 103.0, ..Tuning::CAUTIOUS };

    #[expect(clippy::inline_always, reason = "inside the sum nothing is stored, and every leaf makes one")]
    #[inline(always)]
    fn terms(&self) -> Self::Values {
        let of_side = |side: Side| {
            let (stones, free) = (self.stones.of(side), self.movable_of(side));
            let rings = &WITHIN[side.index()];
            let nearest = rings.iter().position(|ring| free & ring != 0).unwrap_or(rings.len());
            [stones.count_ones(), free.count_ones(), nearest as u32, self.count_captures(side)].map(|term| term as i32)
        };
        let (own, enemy) = (of_side(self.stones.to_move), of_side(!self.stones.to_move));
        let [stones, free, nearest, _] = std::array::from_fn(|term| own[term] - enemy[term]);
        [stones, free, nearest, own[3], enemy[3]]
    }
}
