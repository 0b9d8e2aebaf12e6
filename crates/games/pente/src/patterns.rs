//! What a stone on an empty intersection would do along one line, for either side: looked up by the eight cells around
//! it.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

/// The cells of one line as seen from the place between them: a digit to the base 3 for each step, from the last one
/// back (0) to the last one on (7), that is 0 for an empty cell and 1 or 2 for a stone; [`LINES`] times the number of
/// the way in which the board ends there; and [`TAKEN`] if a stone stands on the place. So most of what is looked up
/// lies close together.
pub(super) type Key = u32;

/// What a stone of the first side on each step adds to a key; one of the second side adds twice as much.
pub(super) const STONES: [Key; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];
/// All lines of eight cells.
pub(super) const LINES: Key = 3 * STONES[7];
/// What a stone on the place itself adds to a key: nothing can be done there any more.
pub(super) const TAKEN: Key = 25 * LINES;
/// All keys there can be.
const KEYS: usize = 2 * TAKEN as usize;

/// The key of a line of empty cells, of which `back` and `on` are on the board.
pub(super) const fn empty_line(back: usize, on: usize) -> Key {
    ((4 - back) * 5 + (4 - on)) as Key * LINES
}

/// What a stone of one side would do along a line: bits of a word of which the second side has the upper half.
pub(super) mod flag {
    /// It makes five.
    pub(in super::super) const FIVE: u32 = 1 << 0;
    /// It makes four that two cells complete.
    pub(in super::super) const OPEN_FOUR: u32 = 1 << 1;
    /// It makes four that one cell completes.
    pub(in super::super) const FOUR: u32 = 1 << 2;
    /// It makes three that can become an open four.
    pub(in super::super) const OPEN_THREE: u32 = 1 << 3;
    /// It captures a pair.
    pub(in super::super) const CAPTURE: u32 = 1 << 4;
    /// It flanks a pair whose other end is empty.
    pub(in super::super) const FLANK: u32 = 1 << 5;
    /// Those above are kept as sets of cells.
    pub(in super::super) const SETS: usize = 6;
    /// It makes three that can become four only.
    pub(in super::super) const THREE: u32 = 1 << 6;
    /// It makes two that can become an open three.
    pub(in super::super) const OPEN_TWO: u32 = 1 << 7;
    /// It makes two that can become three.
    pub(in super::super) const TWO: u32 = 1 << 8;
    /// It captures both ways.
    pub(in super::super) const SECOND_CAPTURE: u32 = 1 << 9;
    /// It flanks pairs both ways.
    pub(in super::super) const SECOND_FLANK: u32 = 1 << 10;
    /// It makes a pair that can be captured.
    pub(in super::super) const LIABLE: u32 = 1 << 11;
    /// Where the second side's bits begin.
    pub(in super::super) const SIDE_SHIFT: u32 = 16;
    /// The bits of both sides that are kept as sets.
    pub(in super::super) const ALL_SETS: u32 = ((1 << SETS) - 1) * (1 + (1 << SIDE_SHIFT));
}

/// How urgent own shapes make a place if nothing must be played at once.
const OWN_URGENCY: [(u32, i32); 7] = [
    (flag::FOUR, 800),
    (flag::OPEN_THREE, 3000),
    (flag::THREE, 700),
    (flag::OPEN_TWO, 500),
    (flag::TWO, 100),
    (flag::FLANK, 1500),
    (flag::LIABLE, -1200),
];
/// The same for shapes of the other side.
const OTHER_URGENCY: [(u32, i32); 6] = [
    (flag::FOUR, 800),
    (flag::OPEN_THREE, 2200),
    (flag::THREE, 400),
    (flag::OPEN_TWO, 350),
    (flag::TWO, 80),
    (flag::FLANK, 500),
];

/// What is known of a line.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    /// What a stone of either side would do.
    pub(super) flags: u32,
    /// How urgent it makes the place, by the side to move.
    pub(super) urgency: [i16; 2],
}

/// The number of a pattern: there are far fewer than keys, since different lines may have the same effect. Nothing
/// can be done on lines of pattern 0.
pub(super) type Class = u16;

/// The table of all patterns.
pub(super) struct Patterns {
    classes: Box<[Class; KEYS]>,
    patterns: Vec<Pattern>,
}

impl Patterns {
    /// The table with the weights that come with the program, made when it is first asked for.
    pub(super) fn embedded() -> Arc<Self> {
        static PATTERNS: LazyLock<Arc<Patterns>> = LazyLock::new(|| Arc::new(Patterns::new()));
        PATTERNS.clone()
    }

    #[inline]
    pub(super) fn class(&self, key: Key) -> Class {
        self.classes[key as usize]
    }

    #[inline]
    pub(super) fn of(&self, class: Class) -> &Pattern {
        &self.patterns[class as usize]
    }

    fn new() -> Self {
        let shapes = Shapes::new();
        // A size known to the compiler spares a check at each look-up.
        let classes = vec![0; KEYS].into_boxed_slice();
        let mut classes: Box<[Class; KEYS]> = classes.try_into().unwrap_or_else(|_| unreachable!("a class a key"));
        let mut patterns = vec![Pattern::new([0, 0])];
        let mut known = HashMap::from([([0, 0], 0)]);
        for (back, on) in (0..=4).flat_map(|back| (0..=4).map(move |on| (back, on))) {
            let walls = 0xf_u8 >> back | !(0xff >> (4 - on));
            for line in 0..LINES {
                let [first, second] = [1, 2].map(|stone| {
                    (0..8).fold(0, |cells, step| cells | u8::from(line / STONES[step] % 3 == stone) << step)
                });
                if (first | second) & walls != 0 {
                    continue;
                }
                let flags = [shapes.flags(first, second, walls), shapes.flags(second, first, walls)];
                let class = *known.entry(flags).or_insert_with(|| {
                    patterns.push(Pattern::new(flags));
                    patterns.len() as Class - 1
                });
                classes[(empty_line(back, on) + line) as usize] = class;
            }
        }
        Self { classes, patterns }
    }
}

impl Pattern {
    /// The pattern of the two sides' flags.
    fn new(flags: [u32; 2]) -> Self {
        let sum = |urgencies: &[(u32, i32)], flags: u32| -> i32 {
            urgencies.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, urgency)| urgency).sum()
        };
        let urgency = |mover: usize| sum(&OWN_URGENCY, flags[mover]) + sum(&OTHER_URGENCY, flags[1 - mover]);
        Self { flags: flags[0] | flags[1] << flag::SIDE_SHIFT, urgency: [0, 1].map(|mover| urgency(mover) as i16) }
    }
}

/// The best a side can make of a line, by `own | blocked << 8`: what it has on the eight cells, and what it cannot
/// have.
struct Shapes(Box<[u32]>);

impl Shapes {
    fn new() -> Self {
        let mut shapes = vec![0; 1 << 16].into_boxed_slice();
        let lines = || (0..1 << 16_usize).filter(|line| (line & 0xff) & (line >> 8) == 0);
        let fills = |line: usize| {
            let empty = !(line | line >> 8) & 0xff;
            (0..8).filter(move |cell| empty >> cell & 1 != 0).map(move |cell| line | 1 << cell)
        };
        for line in lines().filter(|&line| has_five(line)) {
            shapes[line] = flag::FIVE;
        }
        for line in lines() {
            if shapes[line] == 0 {
                shapes[line] = match fills(line).filter(|&fill| has_five(fill)).count() {
                    0 => 0,
                    1 => flag::FOUR,
                    _ => flag::OPEN_FOUR,
                };
            }
        }
        for (better, shape) in [
            (flag::OPEN_FOUR, flag::OPEN_THREE),
            (flag::FOUR, flag::THREE),
            (flag::OPEN_THREE, flag::OPEN_TWO),
            (flag::THREE, flag::TWO),
        ] {
            for line in lines() {
                if shapes[line] == 0 && fills(line).any(|fill| shapes[fill] == better) {
                    shapes[line] = shape;
                }
            }
        }
        Self(shapes)
    }

    fn flags(&self, own: u8, enemy: u8, walls: u8) -> u32 {
        let mut flags = self.0[usize::from(own) | usize::from(enemy | walls) << 8];
        let empty = !(own | enemy | walls);
        // Steps 3, 2, 1, 0 lead back from the place; 4, 5, 6, 7 lead on.
        let (mut captures, mut flanks) = (0, 0);
        for [near, next, far, behind] in [[3, 2, 1, 4], [4, 5, 6, 3]] {
            let is = |cells: u8, step: u8| cells >> step & 1 != 0;
            if is(enemy, near) && is(enemy, next) {
                captures += u32::from(is(own, far));
                flanks += u32::from(is(empty, far));
            }
            let flanked = is(enemy, behind) && is(empty, next) || is(empty, behind) && is(enemy, next);
            if is(own, near) && flanked {
                flags |= flag::LIABLE;
            }
        }
        flags |= [0, flag::CAPTURE, flag::CAPTURE | flag::SECOND_CAPTURE][captures as usize];
        flags | [0, flag::FLANK, flag::FLANK | flag::SECOND_FLANK][flanks as usize]
    }
}

/// Whether a stone between the eight cells completes five of them.
fn has_five(line: usize) -> bool {
    let own = (line & 0xf) | 0x10 | (line & 0xf0) << 1;
    own & own >> 1 & own >> 2 & own >> 3 & own >> 4 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags of both sides for a line of nine cells, the place `_` in the middle: `x`, `o`, `.` and `#` off the
    /// board.
    fn flags(line: &str) -> [u32; 2] {
        let (back, on) = line.split_once('_').unwrap();
        let on_board = |cells: &str| cells.chars().filter(|&cell| cell != '#').count();
        let mut key = empty_line(on_board(back), on_board(on));
        for (step, cell) in line.chars().filter(|&cell| cell != '_').enumerate() {
            key += match cell {
                'x' => STONES[step],
                'o' => 2 * STONES[step],
                _ => 0,
            };
        }
        let patterns = Patterns::embedded();
        let flags = patterns.of(patterns.class(key)).flags;
        [flags & 0xffff, flags >> flag::SIDE_SHIFT]
    }

    #[test]
    fn lines_are_named_as_players_name_them() {
        for (line, expected) in [
            ("xxxx_....", flag::FIVE),
            ("..xx_xx..", flag::FIVE),
            ("xxxx_xxxx", flag::FIVE),
            ("...._xxx.", flag::OPEN_FOUR),
            ("...x_xx..", flag::OPEN_FOUR),
            ("x.xx_x.x.", flag::OPEN_FOUR),
            ("...._xxxo", flag::FOUR),
            ("####_xxx.", flag::FOUR),
            ("...._xx.x", flag::FOUR),
            ("...._xx..", flag::OPEN_THREE),
            ("..x._x...", flag::OPEN_THREE),
            ("...._x.x.", flag::OPEN_THREE),
            ("...o_xx..", flag::THREE),
            ("...._.xxo", flag::THREE),
            ("...._.x..", flag::OPEN_TWO),
            ("...._x...", flag::OPEN_TWO),
            ("...._...x", flag::TWO),
            ("...._....", 0),
            ("...o_...o", 0),
            ("...o_..##", 0),
        ] {
            assert_eq!(flags(line)[0], expected, "{line}");
        }
    }

    #[test]
    fn captures_flanks_and_liabilities_are_seen_both_ways() {
        for (line, expected) in [
            ("...._oox.", flag::CAPTURE),
            (".xoo_....", flag::CAPTURE),
            (".xoo_oox.", flag::CAPTURE | flag::SECOND_CAPTURE),
            ("...._oo..", flag::FLANK),
            ("..oo_oo..", flag::FLANK | flag::SECOND_FLANK),
            ("..oo_oox.", flag::FLANK | flag::CAPTURE),
            ("...._ooo.", 0),
            ("...._oo##", 0),
            ("...o_x.##", flag::LIABLE),
            ("..ox_o...", 0),
            ("..ox_....", flag::LIABLE),
            ("###x_....", 0),
        ] {
            let seen = flag::CAPTURE | flag::SECOND_CAPTURE | flag::FLANK | flag::SECOND_FLANK | flag::LIABLE;
            assert_eq!(flags(line)[0] & seen, expected, "{line}");
        }
    }
}
