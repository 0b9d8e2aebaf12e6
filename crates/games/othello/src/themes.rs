//! What a puzzle of Othello is about.

use quincunx_game::Position;

use super::{Move, Othello};

impl<const N: usize> Othello<N> {
    /// The themes of a line whose first move is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let placed = 1_u64.checked_shl(answer.0.into()).unwrap_or(0);
        let mut after = *self;
        after.play(*answer);
        let replies = after.placements().count_ones();
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("corner", placed & Self::CORNERS != 0);
        add("edge", placed & Self::EDGES != 0);
        add("pass", replies == 0 && after.outcome().is_none());
        add("mobility", (1..=3).contains(&replies) && self.count_empty() > LATE);
        add("parity", self.count_empty() <= LATE && self.is_odd_region(placed));
        add("endgame", self.count_empty() <= LATE);
        themes
    }

    /// Whether a square lies in a region of an odd number of empty squares while another region is even.
    fn is_odd_region(&self, square: u64) -> bool {
        let mut left = Self::BOARD & !self.stones.occupied();
        let (mut odd, mut even) = (false, false);
        while left != 0 {
            let mut region = left & left.wrapping_neg();
            loop {
                let sides = region | (region << 1) & 0xfefe_fefe_fefe_fefe | (region >> 1) & 0x7f7f_7f7f_7f7f_7f7f;
                let grown = (sides | sides << 8 | sides >> 8) & left;
                if grown == region {
                    break;
                }
                region = grown;
            }
            left &= !region;
            if region.count_ones().is_multiple_of(2) {
                even = true;
            } else {
                odd |= region & square != 0;
            }
        }
        odd && even
    }
}

/// With no more empty squares than this, who moves last where begins to matter.
const LATE: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn themes(text: &str, answer: &str) -> Vec<&'static str> {
        let position = Othello::<8>::parse("8x8", text).unwrap();
        position.themes_of(&[position.parse_move(answer).unwrap()])
    }

    #[test]
    fn themes_tell_corners_passes_and_parity() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(themes(start, "d3"), ["mobility"]);
        let corner = "-OOX---------------O-------OXO-----XO-------O------------------- X";
        assert!(themes(corner, "a1").contains(&"corner"));
        // White keeps a disc on e8, which can catch nothing; Black can catch it.
        let pass = format!("-OX{}XXXXO--- X", "-".repeat(53));
        assert_eq!(themes(&pass, "a1"), ["corner", "pass"]);
        // One empty square at a1, two at g8 and h8: the single one is odd.
        let parity = format!("-{}--  X", "O".repeat(6) + "X" + &"X".repeat(54)).replace("  ", " ");
        assert!(themes(&parity, "a1").contains(&"parity"), "{:?}", themes(&parity, "a1"));
        assert!(!themes(&parity, "a1").contains(&"edge"));
    }
}
