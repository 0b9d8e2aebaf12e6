//! What a puzzle of Shobu is about.

use quincunx_game::Position;

use super::{Move, Shobu, on_board, vectors::SHIFTS};

impl Shobu {
    /// The themes of a line whose first turn is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let shift = SHIFTS[answer.vector().0][answer.aggressive() % 16];
        let board = answer.aggressive() / 16;
        let pushes = self.stones.enemy & u64::from(shift.path) << (16 * board) != 0;
        let captures = pushes && shift.beyond == 0;
        let left = on_board(self.stones.enemy, board).count_ones() - u32::from(captures);
        let mut after = *self;
        after.play(*answer);
        let is_over = after.outcome().is_some();
        // What either side would take if it were to move, before the answer and after it.
        let passed = |position: &Self| {
            let mut passed = *position;
            passed.hand_over();
            passed
        };
        let (in_danger, threatens) = (passed(self).last_stones_to_take(), passed(&after).last_stones_to_take());
        let is_defence = !is_over && in_danger != 0 && after.last_stones_to_take() == 0;
        let moved = 1_u64 << answer.passive() | 1 << answer.aggressive();
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("push off", captures && left > 1);
        add("one left", captures && left == 1);
        add("last stone", is_over && left == 0);
        add("double threat", !is_over && threatens.count_ones() >= 2);
        add("escape", is_defence && in_danger & moved != 0);
        add("disarm", is_defence && in_danger & moved == 0 && pushes);
        add("block", is_defence && in_danger & moved == 0 && !pushes);
        add("threat", !is_over && !is_defence && !captures && threatens.is_power_of_two());
        add("quiet", !is_over && !is_defence && !pushes && threatens == 0);
        themes
    }

    /// The last enemy stones on their boards that the side to move can push off, which wins.
    fn last_stones_to_take(&self) -> u64 {
        let capturers = self.movers().capturers(self.stones.enemy).into_iter().fold(0, |all, stones| all | stones);
        let boards = (0..4).filter(|&board| on_board(capturers, board) != 0);
        let lonely = boards.map(|board| on_board(self.stones.enemy, board)).filter(|stones| stones.is_power_of_two());
        lonely.fold(0, |all, stone| all | stone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn themes(text: &str, answer: &str) -> Vec<&'static str> {
        let position = Shobu::parse("standard", text).unwrap();
        position.themes_of(&[position.parse_move(answer).unwrap()])
    }

    #[test]
    fn themes_tell_captures_by_what_is_left() {
        let start = "wwww........bbbb/wwww........bbbb/wwww........bbbb/wwww........bbbb b";
        assert_eq!(themes(start, "ab1:db1:N1"), ["quiet"]);
        let full = "wwww........bbbb/wwww........bbbb/ww..b..........b/wwww........bbbb b";
        assert_eq!(themes(full, "ba1:ca3:N1"), ["one left"]);
        let last = "wwww........bbbb/wwww........bbbb/w...b..........b/wwww........bbbb b";
        assert_eq!(themes(last, "ba1:ca3:N1"), ["last stone"]);
        let many = "wwww........bbbb/wwww........bbbb/wwwwb..........b/wwww........bbbb b";
        assert_eq!(themes(many, "ba1:ca3:N1"), ["push off"]);
    }

    #[test]
    fn themes_tell_threats_and_ways_to_parry_them() {
        // Each is a puzzle of the game: what the answer threatens, or how it meets a threat to a last stone.
        for (position, answer, expected) in [
            ("b...bw..b......./.w......w....wbw/w......w....b..b/w..bbb......b... w", "ca4:ba2:E1", &["threat"][..]),
            ("....b..w....w.../wbbw.b.......b../.b...w....b.b.../.......w.bww.... w", "dd3:ad3:W2", &["double threat"]),
            (".....bb.....w.../.b...b...w...w../....ww...bw.w.../..w.........b..b b", "bb3:cb2:NE1", &["escape"]),
            ("b..w.b.b.....b../wb...bw.......w./....ww.w.b.....w/ww...bbww....bb. b", "aa4:dc1:E1", &["block"]),
            (
                ".....bb.....w.../.bb...w......w../....w.ww.b..w.../..w.........b..b w",
                "ca1:bc3:N1",
                &["one left", "disarm"],
            ),
        ] {
            assert_eq!(themes(position, answer), expected, "{position}");
        }
    }
}
