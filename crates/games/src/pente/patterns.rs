//! What a stone on an empty intersection would do along one line, for either side: looked up by the eight cells around it.

use std::sync::LazyLock;

use super::insight::{Urgency, Weights};

/// The cells of one line as seen from the place between them: bit `s` where the first side stands on step `s` (from the last
/// one back, 0, to the last one on, 7), bit `8 + s` where the second does, both where the board has ended.
pub(super) type Key = u16;

/// All keys there can be.
const KEYS: usize = 1 << 16;

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
}

/// What the table tells of a line.
#[derive(Clone, Copy, Default)]
pub(super) struct Pattern {
    /// What a stone of either side would do.
    pub(super) flags: u32,
    /// What that is worth for the first side, by the side to move.
    pub(super) worth: [i16; 2],
}

/// The table of all patterns.
pub(super) struct Patterns {
    patterns: Box<[Pattern; KEYS]>,
    /// How urgent the place is, by the side to move.
    urgencies: Box<[[i16; 2]; KEYS]>,
}

impl Patterns {
    /// The table, made when it is first asked for.
    pub(super) fn get() -> &'static Self {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);
        &PATTERNS
    }

    #[inline]
    pub(super) fn of(&self, key: Key) -> Pattern {
        self.patterns[key as usize]
    }

    #[inline]
    pub(super) fn urgency(&self, key: Key) -> [i16; 2] {
        self.urgencies[key as usize]
    }

    fn new() -> Self {
        let shapes = Shapes::new();
        // Sizes known to the compiler spare a check at each look-up.
        let mut patterns: Box<[Pattern; KEYS]> = table();
        let mut urgencies: Box<[[i16; 2]; KEYS]> = table();
        for key in 0..KEYS {
            let (first, second) = (key as u8, (key >> 8) as u8);
            if !ends_outside(first & second) {
                continue;
            }
            let flags = [shapes.flags(first & !second, second & !first, first & second), {
                shapes.flags(second & !first, first & !second, first & second)
            }];
            let worth = |mover: usize| {
                let [own, other] = [Weights::MOVER, Weights::OTHER];
                let sides = if mover == 0 { [own, other] } else { [other, own] };
                sides[0].worth(flags[0]) - sides[1].worth(flags[1])
            };
            patterns[key] = Pattern {
                flags: flags[0] | flags[1] << flag::SIDE_SHIFT,
                worth: [0, 1].map(|mover| worth(mover) as i16),
            };
            urgencies[key] =
                [0, 1].map(|mover: usize| (Urgency::OWN.of(flags[mover]) + Urgency::OTHER.of(flags[1 - mover])) as i16);
        }
        Self { patterns, urgencies }
    }
}

/// A table with an entry a key, made where it stays: it is larger than a stack should hold.
#[expect(clippy::unnecessary_box_returns, reason = "without the box it would pass over the stack")]
fn table<T: Clone + Default>() -> Box<[T; KEYS]> {
    let entries = vec![T::default(); KEYS].into_boxed_slice();
    entries.try_into().unwrap_or_else(|_| unreachable!("an entry a key"))
}

/// Whether the cells off the board are the outermost ones, as on every board.
fn ends_outside(walls: u8) -> bool {
    let (back, on) = (walls & 0xf, walls >> 4);
    matches!(back, 0 | 1 | 3 | 7 | 15) && matches!(on, 0 | 8 | 12 | 14 | 15)
}

/// The best a side can make of a line, by `own | blocked << 8`: what it has on the eight cells, and what it cannot have.
struct Shapes(Box<[u32]>);

impl Shapes {
    fn new() -> Self {
        let mut shapes = vec![0; KEYS].into_boxed_slice();
        let lines = || (0..KEYS).filter(|line| (line & 0xff) & (line >> 8) == 0);
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

    /// The flags of both sides for a line of nine cells, the place `_` in the middle: `x`, `o`, `.` and `#` off the board.
    fn flags(line: &str) -> [u32; 2] {
        let mut key = 0;
        for (step, cell) in line.chars().filter(|&cell| cell != '_').enumerate() {
            key |= match cell {
                'x' => 1 << step,
                'o' => 1 << (8 + step),
                '#' => 0x101 << step,
                _ => 0,
            };
        }
        let flags = Patterns::get().of(key).flags;
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
