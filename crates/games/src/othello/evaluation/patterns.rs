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

const fn states(pattern: usize) -> usize {
    3usize.pow(PATTERNS[pattern].count_ones())
}

/// Where the table of each pattern begins, and behind the last the size of all.
pub(super) const BEGINS: [usize; 13] = {
    let mut begins = [0; 13];
    let mut pattern = 0;
    while pattern < 12 {
        begins[pattern + 1] = begins[pattern] + states(pattern);
        pattern += 1;
    }
    begins
};

/// The size of the tables of all patterns.
pub(super) const STATES: usize = BEGINS[12];

/// The number in base three whose digits are the bits of a byte and more.
static TERNARY: [u16; 1024] = {
    let mut ternary = [0; 1024];
    let mut bits = 1;
    while bits < 1024 {
        let low = bits & (bits - 1);
        ternary[bits] = ternary[low] + 3u16.pow((bits as u32).trailing_zeros());
        bits += 1;
    }
    ternary
};

/// The bits of `word` on `mask`, packed together.
#[inline]
fn packed(word: u64, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction is part of the target this is compiled for.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pext_u64(word, mask) as usize
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    quincunx_game::bits::Bits(mask).enumerate().map(|(place, bit)| ((word >> bit & 1) as usize) << place).sum()
}

/// Calls `visit` with the place of every instance in the tables: own discs count one, enemy discs two.
#[inline]
pub(super) fn for_each_feature(own: u64, enemy: u64, mut visit: impl FnMut(usize)) {
    for (turn, symmetry) in TURNS.into_iter().enumerate() {
        let (own, enemy) = (transformed_bits(own, symmetry), transformed_bits(enemy, symmetry));
        for pattern in 0..PATTERNS.len() {
            if turn < INSTANCES[pattern] {
                let mask = PATTERNS[pattern];
                let (ours, theirs) = (packed(own, mask) % 1024, packed(enemy, mask) % 1024);
                visit(BEGINS[pattern] + usize::from(TERNARY[ours]) + 2 * usize::from(TERNARY[theirs]));
            }
        }
    }
}

/// For every place in the tables the number of its weight, and how many weights there are: mirror images share one.
pub(super) fn weights_of_places() -> (Vec<u32>, usize) {
    let mut shared = vec![u32::MAX; STATES];
    let mut weights = 0;
    for (pattern, &mask) in PATTERNS.iter().enumerate() {
        let mirror = mirror_places(mask);
        for state in 0..states(pattern) {
            let mut mirrored = 0;
            let mut rest = state;
            for &place in &mirror {
                mirrored += rest % 3 * 3usize.pow(place);
                rest /= 3;
            }
            let begin = BEGINS[pattern];
            shared[begin + state] = if mirrored < state {
                shared[begin + mirrored]
            } else {
                weights += 1;
                weights - 1
            };
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
    use super::*;

    fn features(own: u64, enemy: u64) -> Vec<usize> {
        let (shared, _) = weights_of_places();
        let mut features = Vec::new();
        for_each_feature(own, enemy, |place| features.push(shared[place] as usize));
        features.sort_unstable();
        features
    }

    #[test]
    fn all_symmetric_positions_have_the_same_weights() {
        for seed in 0..200 {
            let own = quincunx_game::game::mix(seed, 1);
            let enemy = quincunx_game::game::mix(seed, 2) & !own;
            let expected = features(own, enemy);
            assert_eq!(expected.len(), FEATURES);
            for symmetry in 1..8 {
                assert_eq!(features(transformed_bits(own, symmetry), transformed_bits(enemy, symmetry)), expected);
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
