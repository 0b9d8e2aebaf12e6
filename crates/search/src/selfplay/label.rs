//! What a search said of a position of self-play, in three bytes.

use crate::Score;

/// What is known of a position beside the move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// What the search said, for the side to move.
    pub score: Score,
    /// Whether an evaluation can be held against the score: no tactics decide the position.
    pub quiet: bool,
    /// Whether a random move was played here instead of the best one: what came of it says nothing of this position.
    pub strayed: bool,
}

/// No estimate lies beyond this.
const LARGEST: i32 = 20_000;
/// A win in no plies; a win in `n` is `n` less.
const WIN: i32 = 32_000;
/// No win is further away.
const LONGEST_WIN: i32 = 10_000;

const QUIET: u8 = 1;
const EXACT: u8 = 2;
const STRAYED: u8 = 4;

impl Label {
    /// The score as docs/LEARNING.md describes it: hundredths of the game's unit, or 32000 less the plies to a proven win.
    pub fn number(self) -> i16 {
        self.encode().0
    }

    /// The score as a number, and the flags.
    pub(super) fn encode(self) -> (i16, u8) {
        let (value, exact) = match self.score {
            Score::Estimate(value) => (value.clamp(-LARGEST, LARGEST), 0),
            Score::Exact(value) => (value.clamp(-LARGEST, LARGEST), EXACT),
            Score::Win(plies) => (WIN - plies.min(LONGEST_WIN as u32) as i32, 0),
            Score::Loss(plies) => (plies.min(LONGEST_WIN as u32) as i32 - WIN, 0),
        };
        (value as i16, exact | if self.quiet { QUIET } else { 0 } | if self.strayed { STRAYED } else { 0 })
    }

    /// What [`encode`](Self::encode) made, or `None` if it cannot have made it.
    pub(super) fn decode(value: i16, flags: u8) -> Option<Self> {
        let value = i32::from(value);
        let score = match (value.abs() <= LARGEST, flags & EXACT != 0) {
            (true, true) => Score::Exact(value),
            (true, false) => Score::Estimate(value),
            (false, false) if (WIN - LONGEST_WIN..=WIN).contains(&value.abs()) => {
                let plies = (WIN - value.abs()) as u32;
                if value > 0 { Score::Win(plies) } else { Score::Loss(plies) }
            }
            _ => return None,
        };
        let (quiet, strayed) = (flags & QUIET != 0, flags & STRAYED != 0);
        (flags & !(QUIET | EXACT | STRAYED) == 0).then_some(Self { score, quiet, strayed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_back_and_nothing_else_is() {
        let mut read = 0;
        for value in i16::MIN..=i16::MAX {
            for flags in 0..16 {
                if let Some(label) = Label::decode(value, flags) {
                    assert_eq!(label.encode(), (value, flags));
                    read += 1;
                }
            }
        }
        assert_eq!(read, 8 * 40_001 + 2 * 4 * 10_001);
    }
}
