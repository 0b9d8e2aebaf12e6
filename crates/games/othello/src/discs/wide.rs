//! Sets of squares in the form in which flips are quickest found.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use vector::Wide;

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use single::Wide;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod single {
    use super::super::flips;

    /// A set of squares in the form that [`flips`](Self::flips) takes and gives.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(u64);

    impl Wide {
        #[inline]
        pub(crate) fn of(squares: u64) -> Self {
            Self(squares)
        }

        #[inline]
        pub(crate) fn squares(self) -> u64 {
            self.0
        }

        /// As the function [`flips`](super::super::flips), these being the own discs.
        #[inline]
        pub(crate) fn flips(self, enemy: Self, square: u32) -> Self {
            Self(flips(self.0, enemy.0, square))
        }
    }

    impl std::ops::BitXor for Wide {
        type Output = Self;

        #[inline]
        fn bitxor(self, other: Self) -> Self {
            Self(self.0 ^ other.0)
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod vector {
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm256_castsi256_si128, _mm256_or_si256, _mm256_permute2x128_si256,
        _mm256_set1_epi64x, _mm256_shuffle_epi32, _mm256_xor_si256,
    };

    use super::super::{avx2, avx512, has_avx512};

    /// A set of squares in the form that [`flips`](Self::flips) takes and gives: in each lane of a vector. So it
    /// stays in vector registers from one move to the next; near the end of a game everything would wait for a transfer.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(__m256i);

    impl Wide {
        #[inline]
        pub(crate) fn of(squares: u64) -> Self {
            // SAFETY: the instruction is part of the target this is compiled for.
            #[allow(unsafe_code)]
            Self(unsafe { _mm256_set1_epi64x(squares as i64) })
        }

        #[inline]
        pub(crate) fn squares(self) -> u64 {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) as u64
            }
        }

        /// As the function [`flips`](super::super::flips), these being the own discs.
        #[inline]
        pub(crate) fn flips(self, enemy: Self, square: u32) -> Self {
            // SAFETY: as above, and the processor was asked for more.
            #[allow(unsafe_code)]
            unsafe {
                let flips = if has_avx512() {
                    avx512::directions(self.0, enemy.0, square)
                } else {
                    avx2::directions(self.0, enemy.0, square)
                };
                let flips = _mm256_or_si256(flips, _mm256_permute2x128_si256::<1>(flips, flips));
                Self(_mm256_or_si256(flips, _mm256_shuffle_epi32::<0b01_00_11_10>(flips)))
            }
        }
    }

    impl std::ops::BitXor for Wide {
        type Output = Self;

        #[inline]
        fn bitxor(self, other: Self) -> Self {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Self(unsafe { _mm256_xor_si256(self.0, other.0) })
        }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::{super::flips, Wide, single};

    #[test]
    fn sets_in_either_form_flip_alike() {
        for seed in 0..1000 {
            let own = mix(seed, 1);
            let enemy = mix(seed, 2) & !own;
            for square in 0..64 {
                let (own, enemy) = (own & !(1 << square), enemy & !(1 << square));
                let expected = own ^ flips(own, enemy, square);
                let (wide, other) = (Wide::of(own), Wide::of(enemy));
                assert_eq!((wide ^ wide.flips(other, square)).squares(), expected);
                let (wide, other) = (single::Wide::of(own), single::Wide::of(enemy));
                assert_eq!((wide ^ wide.flips(other, square)).squares(), expected);
            }
        }
    }
}
