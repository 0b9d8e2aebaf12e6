//! The page of similar submissions: the places side by side.

use std::path::Path;

use super::Similarities;
use crate::{ContestError, error::write, report::Page};

/// Places that are shown side by side for each pair; the text lists more.
const SHOWN: usize = 12;

/// The most lines of a place.
const MOST_LINES: usize = 80;

impl Similarities {
    /// Writes a page with every pair, its places side by side.
    pub fn write_page(&self, path: &Path) -> Result<(), ContestError> {
        let mut page = Page::new("Similar submissions");
        page.paragraph(&format!(
            "{} submissions; pairs that share {:.0} % or more of the fingerprints of the smaller one, by winnowing. Names, \
             comments and layout do not count. Whether a pair was copied is for people to judge.",
            self.names.len(),
            100.0 * self.threshold
        ));
        let mut rows = vec![["share %", "a", "b", "places"].map(String::from).to_vec()];
        for pair in &self.pairs {
            let [a, b] = pair.seats.map(|seat| self.names[seat].clone());
            rows.push(vec![format!("{:.1}", 100.0 * pair.share), a, b, pair.places.len().to_string()]);
        }
        page.table(&rows);
        for pair in &self.pairs {
            let [a, b] = pair.seats.map(|seat| &self.names[seat]);
            page.heading(&format!("{a} and {b}: {:.1} %", 100.0 * pair.share));
            for place in pair.places.iter().take(SHOWN) {
                let [left, right] = [0, 1].map(|side| {
                    let (file, first, last) = place.sides[side];
                    let (name, text) = &self.sources[pair.seats[side]].files[file];
                    let lines =
                        text.lines().skip(first as usize - 1).take((last + 1 - first) as usize).take(MOST_LINES);
                    (format!("{name}, lines {first} to {last}"), lines.collect::<Vec<_>>().join("\n"))
                });
                page.side_by_side([&left, &right]);
            }
        }
        write(path, &page.finish())
    }
}
