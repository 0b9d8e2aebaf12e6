//! Sets of cells in a machine word.

/// The positions of the set bits, lowest first.
#[derive(Clone, Debug)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

/// The position of the set bit with `rank` set bits below it; `rank` must be below the number of set bits.
#[inline]
pub fn nth_bit(mut set: u64, rank: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction is part of the target this is compiled for.
        #[allow(unsafe_code)]
        let bit = unsafe { std::arch::x86_64::_pdep_u64(1 << rank, set) };
        set = bit;
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    for _ in 0..rank {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros()
}

/// The set with every bit changed to its image.
pub fn mapped(set: u64, image: impl Fn(u32) -> u32) -> u64 {
    Bits(set).fold(0, |images, bit| images | 1 << image(bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_agrees_with_the_iterator() {
        let mut set = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..100 {
            for (rank, bit) in Bits(set).enumerate() {
                assert_eq!(nth_bit(set, rank as u32), bit);
            }
            set = set.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
    }
}
