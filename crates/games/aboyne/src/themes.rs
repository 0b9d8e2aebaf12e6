//! What a puzzle of Aboyne is about.

use quincunx_game::Position;
use quincunx_search::Tactics;

use super::{
    Aboyne, Move,
    board::{GOALS, NEIGHBOURS},
};

impl<const RULESET: usize> Aboyne<RULESET> {
    /// The themes of a line whose first move is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let (from, to) = answer.sets();
        let (mover, enemy) = (self.stones.to_move, !self.stones.to_move);
        let mut after = *self;
        after.play(*answer);
        let is_over = after.outcome().is_some();
        let mut threatened = *self;
        threatened.hand_over();
        let mut threatens = after;
        threatens.hand_over();
        let is_step = NEIGHBOURS[from.trailing_zeros() as usize % 64] & to != 0;
        let captures = to & self.stones.enemy != 0;
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("goal", to & GOALS[mover.index()] != 0);
        add("race", !is_over && threatens.verdict(&(), 0).is_some());
        add("capture", captures);
        add("fork", !is_over && after.count_captures(mover) >= 2);
        add("jump", !is_step && !captures);
        add("block", after.blocked(enemy).count_ones() > self.blocked(enemy).count_ones());
        add("release", after.blocked(mover).count_ones() < self.blocked(mover).count_ones());
        add("defence", !is_over && threatened.verdict(&(), 0).is_some());
        themes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn themes(text: &str, answer: &str) -> Vec<&'static str> {
        let position = Aboyne::<0>::parse("official", text).unwrap();
        position.themes_of(&[position.parse_move(answer).unwrap()])
    }

    #[test]
    fn themes_tell_goals_captures_and_blocks() {
        let near = "b..../....../......./......../.......b./......../......./....../r.... b";
        assert_eq!(themes(near, "e8-e9"), ["goal"]);
        let capture = "b...r/b....r/b.....r/......../..bbr..../......../b.....r/b....r/b...r b";
        assert!(themes(capture, "e3xe5").contains(&"capture"));
        let block = "b..../....../......./......../...b.r.../......../......./....../b.... b";
        assert!(themes(block, "e4-e5").contains(&"block"));
        assert!(!themes(block, "e4-e3").contains(&"block"));
    }
}
