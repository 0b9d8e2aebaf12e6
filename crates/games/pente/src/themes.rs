//! What a puzzle of Pente is about.

use quincunx_search::Tactics;

use super::{Move, Pente, patterns::flag};

impl Pente {
    /// The themes of a line whose first move is the answer.
    pub(super) fn themes_of(&self, line: &[Move]) -> Vec<&'static str> {
        let [answer, ..] = line else { return Vec::new() };
        let lines = self.known();
        let [own, enemy] = [self.to_move, !self.to_move].map(|side| lines.flags(side, answer.cell()));
        let has = |flags: [u32; 4], wanted: u32| flags.iter().any(|flags| flags & wanted != 0);
        let threats = own.iter().map(|flags| {
            let line = flags & (flag::OPEN_FOUR | flag::FOUR | flag::OPEN_THREE) != 0;
            u32::from(line) + u32::from(flags & (flag::CAPTURE | flag::FLANK) != 0)
        });
        let threats: u32 = threats.sum();
        let is_five = has(own, flag::FIVE);
        let mut themes = Vec::new();
        let mut add = |theme, holds: bool| themes.extend(holds.then_some(theme));
        add("five", is_five);
        add("fork", !is_five && threats >= 2);
        add("four", !is_five && has(own, flag::OPEN_FOUR | flag::FOUR));
        add("three", !is_five && has(own, flag::OPEN_THREE));
        add("capture", has(own, flag::CAPTURE));
        add("block", !is_five && has(enemy, flag::FIVE | flag::OPEN_FOUR | flag::FOUR));
        add("rescue", !is_five && has(enemy, flag::CAPTURE));
        themes
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;

    use super::*;

    /// The themes of an answer, with White to move and these stones.
    fn themes(white: &[&str], black: &[&str], answer: &str) -> Vec<&'static str> {
        let mut rows = vec![vec!['.'; 19]; 19];
        let empty = format!("{} w 0,0", vec![".".repeat(19); 19].join("/"));
        let place = |name: &str| Pente::parse("free", &empty).unwrap().parse_move(name).unwrap();
        for (names, stone) in [(white, 'w'), (black, 'b')] {
            for mv in names.iter().map(|name| place(name)) {
                rows[mv.row()][mv.column()] = stone;
            }
        }
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let position = Pente::parse("free", &format!("{} w 0,0", rows.join("/"))).unwrap();
        position.themes_of(&[position.parse_move(answer).unwrap()])
    }

    #[test]
    fn themes_tell_fives_forks_captures_and_blocks() {
        assert_eq!(themes(&["10F", "10G", "10H", "10J"], &["5A"], "10K"), ["five"]);
        assert_eq!(themes(&["10F"], &["10G", "10H"], "10J"), ["capture"]);
        assert_eq!(themes(&["1A"], &["10F", "10G", "10H", "10J"], "10K"), ["block"]);
        // Two lines of two that meet become two open threes.
        assert_eq!(themes(&["10G", "10H", "9J", "8J"], &["1A"], "10J"), ["fork", "three"]);
    }
}
