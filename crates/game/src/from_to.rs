//! Moves that take one stone from a cell to another.

/// The bits of the cell a stone leaves and of the one it goes to, on a board of at most 64 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FromTo {
    /// The cell it leaves.
    pub from: u8,
    /// The cell it goes to.
    pub to: u8,
}

impl FromTo {
    /// The forced pass, on a board of fewer than 64 cells: from and to a bit that is no cell.
    pub const PASS: Self = Self { from: 63, to: 63 };

    /// Codes lie below this.
    pub const CODES: usize = 64 * 64;

    /// The move between two cells.
    #[inline]
    pub fn new(from: u32, to: u32) -> Self {
        Self { from: from as u8, to: to as u8 }
    }

    /// The two cells as sets of one bit.
    #[inline]
    pub fn sets(self) -> (u64, u64) {
        (1 << (self.from % 64), 1 << (self.to % 64))
    }

    /// A small number for each move.
    #[inline]
    pub fn code(self) -> u16 {
        64 * u16::from(self.from) + u16::from(self.to)
    }

    /// The move of a [`code`](Self::code).
    #[inline]
    pub fn of_code(code: u16) -> Self {
        Self { from: (code / 64) as u8, to: (code % 64) as u8 }
    }

    /// The move with both cells changed to their images.
    #[must_use]
    pub fn mapped(self, image: impl Fn(u32) -> u32) -> Self {
        Self::new(image(u32::from(self.from)), image(u32::from(self.to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_code_of_its_own() {
        for (number, code) in (0..FromTo::CODES).zip(0..) {
            let mv = FromTo::of_code(code);
            assert_eq!((mv.from as usize, mv.to as usize), (number / 64, number % 64));
            assert_eq!(mv.code(), code);
        }
    }
}
