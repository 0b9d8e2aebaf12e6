//! The numbers of lines: what a net sees of an empty intersection along one line.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use crate::patterns::{Key, LINES, STONES, TAKEN, empty_line};

/// Lines by number, and the features that each side sees in them.
pub(super) struct Codes {
    /// The number of each key; 0 if there is no stone in the line, wherever the board ends.
    numbers: Box<[u16; TAKEN as usize]>,
    /// What the first and the second side see in a line. A line and its mirror image have the same feature, and a side
    /// sees its own stones as the other side sees its own.
    pub(super) features: Vec<[u16; 2]>,
    /// The number of features; feature 0 is a line without stones.
    pub(super) count: usize,
}

impl Codes {
    /// The numbers, made when they are first asked for.
    pub(super) fn get() -> Arc<Self> {
        static CODES: LazyLock<Arc<Codes>> = LazyLock::new(|| Arc::new(Codes::new()));
        CODES.clone()
    }

    /// The number of what is seen from a place; 0 if a stone stands on it.
    #[inline]
    pub(super) fn number(&self, key: Key) -> usize {
        // Without a branch: it could not be predicted.
        let empty = if key < TAKEN { key } else { 0 };
        usize::from(self.numbers[empty as usize])
    }

    fn new() -> Self {
        let numbers = vec![0; TAKEN as usize].into_boxed_slice();
        let mut numbers: Box<[u16; TAKEN as usize]> =
            numbers.try_into().unwrap_or_else(|_| unreachable!("a number a key"));
        let mut known: HashMap<Key, u16> = HashMap::new();
        let mut features = vec![[0, 0]];
        for (back, on) in (0..=4).flat_map(|back| (0..=4).map(move |on| (back, on))) {
            for line in (1..LINES).filter(|&line| is_on_board(line, back, on)) {
                let seen = [line, swapped(line)].map(|line| {
                    let key = empty_line(back, on) + line;
                    let mirrored = empty_line(on, back) + mirrored(line);
                    let next = known.len() as u16 + 1;
                    *known.entry(key.min(mirrored)).or_insert(next)
                });
                numbers[(empty_line(back, on) + line) as usize] = features.len() as u16;
                features.push(seen);
            }
        }
        Self { numbers, features, count: known.len() + 1 }
    }
}

/// The digit of a step.
fn digit(line: Key, step: usize) -> Key {
    line / STONES[step] % 3
}

/// Whether a line has no stones beyond the edges.
fn is_on_board(line: Key, back: usize, on: usize) -> bool {
    (0..8).all(|step| (4 - back..4 + on).contains(&step) || digit(line, step) == 0)
}

/// The line with its colours swapped.
fn swapped(line: Key) -> Key {
    (0..8).map(|step| [0, 2, 1][digit(line, step) as usize] * STONES[step]).sum()
}

/// The line seen from the other end.
fn mirrored(line: Key) -> Key {
    (0..8).map(|step| digit(line, step) * STONES[7 - step]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_its_mirror_image_are_one_feature_and_sides_see_alike() {
        let codes = Codes::get();
        let seen = |back, on, line| codes.features[codes.number(empty_line(back, on) + line)];
        for (line, back, on) in [(STONES[3], 4, 4), (STONES[3] + 2 * STONES[5], 4, 2), (2 * STONES[4], 0, 3)] {
            assert_eq!(seen(back, on, line), seen(on, back, mirrored(line)));
            let [first, second] = seen(back, on, line);
            assert_eq!(seen(back, on, swapped(line)), [second, first]);
            assert_ne!(first, second);
        }
        // Every line that fits into the board: the sum of 3^n over both ends of zero to four cells.
        assert_eq!(codes.features.len(), 121 * 121 - 25 + 1);
        assert_eq!(codes.number(empty_line(4, 1)), 0);
        assert_eq!(codes.number(STONES[2] + TAKEN), 0);
        assert!(codes.features.iter().flatten().all(|&feature| usize::from(feature) < codes.count));
    }
}
