//! Playing weaker than one can.

use quincunx_game::hash::mix;

use crate::value::Value;

/// How a weaker player differs from a strong one: it overlooks moves and misjudges positions, each always in the same
/// way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap {
    /// The percentage of moves that are overlooked, in every position of the tree.
    pub overlook: u32,
    /// By how much evaluations may be off, as a percentage of the difference that makes a win three times as likely as
    /// a loss.
    pub noise: u32,
    /// Which moves and positions that concerns.
    pub seed: u64,
}

impl Handicap {
    /// Whether nothing is overlooked and nothing misjudged.
    pub fn is_none(&self) -> bool {
        self.overlook == 0 && self.noise == 0
    }

    /// Whether a move is overlooked in the position with this hash.
    #[inline]
    pub(crate) fn overlooks(&self, hash: u64, code: u16) -> bool {
        self.overlook > 0 && mix(hash, self.seed ^ u64::from(code)) % 100 < u64::from(self.overlook)
    }

    /// By how much a move is liked for no reason, to be tried before others that look as good.
    #[inline]
    pub(crate) fn jitter(&self, code: u16) -> i32 {
        if self.is_none() { 0 } else { (mix(u64::from(code), self.seed) % 8) as i32 }
    }

    /// Whether forced wins are known at a glance.
    #[inline]
    pub(crate) fn sees_tactics(&self) -> bool {
        self.overlook == 0
    }

    /// An evaluation as a less experienced player would give it.
    #[inline]
    pub(crate) fn noisy(&self, value: Value, hash: u64, scale: f32) -> Value {
        if self.noise == 0 {
            return value;
        }
        let most = (scale * self.noise as f32 / 100.0) as u64;
        value + (mix(hash, self.seed) % (2 * most + 1)) as Value - most as Value
    }
}
