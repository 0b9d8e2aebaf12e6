//! What a puzzle of Tessella is about.

use quincunx_game::Position;

use super::{Move, Tessella};

impl<const D: usize> Tessella<D> {
    /// The themes of a line whose first move is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let captures = self.stones.enemy >> answer.to & 1 == 1;
        let mut after = *self;
        after.play(*answer);
        let is_over = after.outcome().is_some();
        let mut threatened = *self;
        threatened.hand_over();
        let mut threatens = after;
        threatens.hand_over();
        let retaken = line.get(1).is_some_and(|reply| after.stones.enemy >> reply.to & 1 == 1);
        let in_danger = threatened.targets();
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("capture", captures);
        add("last capture", captures && is_over);
        add("trade", captures && retaken);
        add("fork", !is_over && threatens.targets().count_ones() >= 2);
        add("defence", !captures && in_danger.count_ones() > after.targets().count_ones());
        add("sacrifice", !captures && retaken);
        themes
    }

    /// The pieces that the side to move can capture.
    fn targets(&self) -> u64 {
        self.destinations().into_iter().fold(0, |all, set| all | set) & self.stones.enemy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn themes(text: &str, line: &[&str]) -> Vec<&'static str> {
        let position = Tessella::<5>::parse("d5", text).unwrap();
        let mut at = position;
        let moves: Vec<_> = line
            .iter()
            .map(|text| {
                let mv = at.parse_move(text).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        position.themes_of(&moves)
    }

    #[test]
    fn themes_tell_captures_and_the_last_one() {
        let start = "~~~~x~~~~/~~~x.x~~~/~~x...x~~/~x.....x~/........./~o.....o~/~~o...o~~/~~~o.o~~~/~~~~o~~~~ o";
        assert!(!themes(start, &["e1-e2"]).contains(&"capture"));
        let last = "~~~~x~~~~/~~~...~~~/~~x.x..~~/~......x~/........./~o..o..o~/~~o.o.o~~/~~~o..~~~/~~~~.~~~~ o";
        assert_eq!(themes(last, &["e4xe7"]), ["capture", "last capture"]);
    }
}
