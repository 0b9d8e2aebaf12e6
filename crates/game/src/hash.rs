//! 64-bit hashes of positions.

/// Mixes two words into a 64-bit hash: a fold of two wide products, good in all bits and a few cycles long.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let fold = |x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        product as u64 ^ (product >> 64) as u64
    };
    fold(fold(a ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93) ^ b, 0xa076_1d64_78bd_642f)
}
