//! The patterns: sets of squares whose discs together make a number, looked up for its worth.
//!
//! Each pattern is seen on the board turned four ways, so all its instances share one table; and what lies mirrored in
//! a pattern that is its own mirror image shares one weight.

use super::super::transformed_bits;

/// The squares of the patterns, on the board as it lies.
pub(super) const PATTERNS: [u64; 12] = [
    0x0000_0000_0007_0707, // corner of 3 x 3
    0x0000_0001_0101_031f, // corner with five squares of each edge, and the square within
    0x0000_0000_0000_42ff, // edge with the two squares diagonal to its corners
    0x0000_0000_0000_3cbd, // edge without the squares beside its corners, with the four squares behind its middle
    0x0000_0000_0000_ff00, // second row
    0x0000_0000_00ff_0000, // third row
    0x0000_0000_ff00_0000, // fourth row
    0x8040_2010_0804_0201, // long diagonal
    0x0080_4020_1008_0402, // diagonals of seven squares, six, five, four
    0x0000_8040_2010_0804,
    0x0000_0080_4020_1008,
    0x0000_0000_8040_2010,
];

/// The symmetries of the square that are turns, by a quarter each.
const TURNS: [usize; 4] = [0, 5, 3, 6];

/// The long diagonal is the same after half a turn, so it has two instances; the others have four.
const INSTANCES: [usize; 12] = [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4];

/// Instances of all patterns together.
pub(super) const FEATURES: usize = 46;

/// A whole number of vectors holds the numbers of all instances.
pub(super) const LANES: usize = 48;

/// The places of one table: as many as 16 bits tell apart, so that no number lies outside of it.
pub(super) const TABLE: usize = 1 << 16;

/// Patterns of ten squares fill a table each, the others share the last.
pub(super) const TABLES: usize = 4;

/// The patterns in the order of their tables.
const BY_TABLE: [usize; 12] = [1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11];

/// The instances that look into each of the tables.
pub(super) const LOOKS: [std::ops::Range<usize>; TABLES] = [0..4, 4..8, 8..12, 12..FEATURES];

const fn states(pattern: usize) -> usize {
    3usize.pow(PATTERNS[pattern].count_ones())
}

/// The table of a pattern, and the place in it where the pattern has only empty squares: own discs lie behind it, enemy
/// discs before.
const fn centre(pattern: usize) -> (usize, usize) {
    let (mut table, mut begin, mut number) = (0, 0, 0);
    while BY_TABLE[number] != pattern {
        if table < TABLES - 1 {
            table += 1;
        } else {
            begin += states(BY_TABLE[number]);
        }
        number += 1;
    }
    (table, begin + states(pattern) / 2)
}

/// The numbers of all instances on the empty board.
pub(super) const CENTRES: [u16; LANES] = {
    let mut centres = [0; LANES];
    let (mut feature, mut number) = (0, 0);
    while number < PATTERNS.len() {
        let pattern = BY_TABLE[number];
        let mut turn = 0;
        while turn < INSTANCES[pattern] {
            centres[feature] = centre(pattern).1 as u16;
            feature += 1;
            turn += 1;
        }
        number += 1;
    }
    assert!(feature == FEATURES);
    centres
};

/// One number for each instance; no vector of them lies across two lines of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

/// By how much an own disc on a square changes the number of each instance; an enemy disc changes it back as much.
/// After the last square comes one that is not on the board and changes nothing.
pub(super) static CHANGES: [Lanes; 65] = {
    let mut changes = [Lanes([0; LANES]); 65];
    let (mut feature, mut number) = (0, 0);
    while number < PATTERNS.len() {
        let pattern = BY_TABLE[number];
        let mask = PATTERNS[pattern];
        let mut turn = 0;
        while turn < INSTANCES[pattern] {
            let mut square = 0;
            while square < 64 {
                let image = transformed_bits(1 << square, TURNS[turn]);
                if image & mask != 0 {
                    changes[square].0[feature] = 3u16.pow((mask & (image - 1)).count_ones());
                }
                square += 1;
            }
            feature += 1;
            turn += 1;
        }
        number += 1;
    }
    changes
};

/// For every place in all tables the number of its weight, and how many weights there are: mirror images share one.
pub(super) fn weights_of_places() -> (Vec<u32>, usize) {
    let mut shared = vec![0; TABLES * TABLE];
    let mut weights = 0;
    for (pattern, &mask) in PATTERNS.iter().enumerate() {
        let mirror = mirror_places(mask);
        let (table, centre) = centre(pattern);
        // Weights are numbered by states: numbers in base three in which an own disc is a one and an enemy disc a two.
        // A state is one with fewer digits and one digit before them, so its place and its mirror image are, too.
        let mut images = vec![(TABLE * table + centre, 0)];
        for (digit, &image) in mirror.iter().enumerate() {
            let (power, image) = (3usize.pow(digit as u32), 3usize.pow(image));
            let fewer = images.len();
            images.extend_from_within(..);
            images.extend_from_within(..fewer);
            for (place, mirrored) in &mut images[fewer..2 * fewer] {
                (*place, *mirrored) = (*place + power, *mirrored + image);
            }
            for (place, mirrored) in &mut images[2 * fewer..] {
                (*place, *mirrored) = (*place - power, *mirrored + 2 * image);
            }
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(images.len());
        for (state, (place, mirrored)) in images.into_iter().enumerate() {
            let number = if mirrored < state {
                numbers[mirrored]
            } else {
                weights += 1;
                weights - 1
            };
            numbers.push(number);
            shared[place] = number;
        }
    }
    (shared, weights as usize)
}

/// For each square of a pattern the place of its mirror image within the pattern.
fn mirror_places(mask: u64) -> Vec<u32> {
    let places = |symmetry: usize| -> Option<Vec<u32>> {
        let squares = quincunx_game::bits::Bits(mask);
        squares
            .map(|square| {
                let image = transformed_bits(1 << square, symmetry);
                (image & mask != 0).then(|| (mask & (image - 1)).count_ones())
            })
            .collect()
    };
    // Mirrors that are no turns; one that leaves every square of the pattern in its place says nothing.
    let identity: Vec<u32> = (0..mask.count_ones()).collect();
    [2, 4, 7, 1].into_iter().filter_map(places).find(|places| *places != identity).unwrap_or(identity)
}

#[cfg(test)]
mod tests {
    use super::{super::indices::Indices, *};

    fn features(shared: &[u32], own: u64, enemy: u64) -> Vec<u32> {
        let mut features = Vec::new();
        Indices::of(own, enemy).for_each_place(|place| features.push(shared[place]));
        features.sort_unstable();
        features
    }

    #[test]
    fn all_symmetric_positions_have_the_same_weights() {
        let (shared, _) = weights_of_places();
        for seed in 0..200 {
            let own = quincunx_game::hash::mix(seed, 1);
            let enemy = quincunx_game::hash::mix(seed, 2) & !own;
            let expected = features(&shared, own, enemy);
            assert_eq!(expected.len(), FEATURES);
            for symmetry in 1..8 {
                assert_eq!(
                    features(&shared, transformed_bits(own, symmetry), transformed_bits(enemy, symmetry)),
                    expected
                );
            }
        }
    }

    #[test]
    fn every_pattern_is_its_own_mirror_image() {
        for mask in PATTERNS {
            let identity: Vec<u32> = (0..mask.count_ones()).collect();
            assert_ne!(mirror_places(mask), identity, "{mask:x}");
        }
    }
}
