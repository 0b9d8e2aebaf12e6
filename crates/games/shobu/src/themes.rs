//! What a puzzle of Shobu is about.

use quincunx_game::Position;
use quincunx_search::Tactics;

use super::{Move, Shobu, on_board, vectors::SHIFTS};

impl Shobu {
    /// The themes of a line whose first turn is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let shift = SHIFTS[answer.vector().0][answer.aggressive() % 16];
        let pushes = self.stones.enemy & u64::from(shift.path) << (answer.aggressive() & 0x30) != 0;
        let captures = pushes && shift.beyond == 0;
        let mut after = *self;
        after.play(*answer);
        let is_over = after.outcome().is_some();
        let weakest = |stones: u64| (0..4).map(|board| on_board(stones, board).count_ones()).min();
        let mut threatened = *self;
        threatened.hand_over();
        let mut threatens = after;
        threatens.hand_over();
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("capture", captures);
        add("push", pushes && !captures);
        add("last stone", weakest(self.stones.enemy) == Some(1) || weakest(after.stones.own) == Some(1));
        add("fork", !is_over && threatens.count_capturable_boards() >= 2);
        add("defence", !is_over && threatened.verdict(&(), 0).is_some());
        add("two cells", answer.vector().distance() == 2);
        add("quiet", !pushes);
        themes
    }

    /// The boards on which the side to move can push a stone off.
    fn count_capturable_boards(&self) -> usize {
        let capturers = self.movers().capturers(self.stones.enemy).into_iter().fold(0, |all, stones| all | stones);
        (0..4).filter(|&board| on_board(capturers, board) != 0).count()
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
    fn themes_tell_pushes_captures_and_quiet_turns() {
        let start = "wwww........bbbb/wwww........bbbb/wwww........bbbb/wwww........bbbb b";
        // Both stones can push one of the white row off with their next turn.
        assert_eq!(themes(start, "ab1:db1:N1"), ["fork", "quiet"]);
        assert_eq!(themes(start, "ab1:db1:N2"), ["fork", "two cells", "quiet"]);
        let last = "wwww........bbbb/wwww........bbbb/w...b..........b/wwww........bbbb b";
        assert_eq!(themes(last, "ba1:ca3:N1"), ["capture", "last stone"]);
    }
}
