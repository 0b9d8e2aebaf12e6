//! Mobility and flips on the 8x8 bitboard: bit 8 x row + column, row 0 at the top.
//!
//! Smaller boards lie in its middle; their rim is never occupied, so runs end there as they end at an empty square.
//!
//! A program built for a processor with AVX2 or AVX-512 has that form inlined where it is used; one built for any
//! processor asks the one it runs on.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod wide;

pub(crate) use wide::Wide;

/// The squares beyond a square in four directions of rising bits and the four opposite ones, the nearest first.
/// All of them lie on one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    rising: [u64; 4],
    falling: [u64; 4],
}

/// The bit distance of a step in each of the four directions: east, south, south-west, south-east (or their opposites).
#[cfg(any(test, target_arch = "x86_64"))]
const STEPS: [i64; 4] = [1, 8, 7, 9];

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];
    let mut rays = [Rays { rising: [0; 4], falling: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (down, right) = DIRECTIONS[direction];
            rays[square].rising[direction] = ray(square, down, right);
            rays[square].falling[direction] = ray(square, -down, -right);
            direction += 1;
        }
        square += 1;
    }
    rays
}

const fn ray(square: usize, down: i32, right: i32) -> u64 {
    let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
    let mut ray = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        ray |= 1 << (8 * row + column);
        row += down;
        column += right;
    }
    ray
}

/// The squares that a run in an east-west or diagonal direction may lie on.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The enemy discs that a disc of `own` on the empty `square` (below 64) flips.
#[inline]
pub(crate) fn flips(own: u64, enemy: u64, square: u32) -> u64 {
    // SAFETY: the processor was asked.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    if has_avx512() {
        return unsafe { avx512::flips(own, enemy, square) };
    } else if has_avx2() {
        return unsafe { avx2::flips(own, enemy, square) };
    }
    portable::flips(own, enemy, square)
}

/// The squares, occupied ones excepted, where a disc of `own` flips something.
#[inline]
pub(crate) fn mobility(own: u64, enemy: u64) -> u64 {
    // SAFETY: the processor was asked.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    if has_avx512() {
        return unsafe { avx512::mobility(own, enemy) };
    } else if has_avx2() {
        return unsafe { avx2::mobility(own, enemy) };
    }
    portable::mobility(own, enemy)
}

/// Whether the processor has what [`avx2`] is written in: known at compile time if the program is built for one that
/// has.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// Whether the processor has what [`avx512`] is written in. A program built for one with AVX2 and without that does not
/// ask.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx512() -> bool {
    (cfg!(target_feature = "avx512vl") || !cfg!(target_feature = "avx2"))
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks from `square` cell by cell, as the rules say it.
    fn flips_by_walking(own: u64, enemy: u64, square: u32) -> u64 {
        let rays = &RAYS[square as usize];
        let mut flips = 0;
        let walk = |ray: u64, step: i64| {
            let (mut at, mut run) = (i64::from(square) + step, 0);
            while (0..64).contains(&at) && ray & (1 << at) != 0 {
                match 1 << at {
                    bit if enemy & bit != 0 => run |= bit,
                    bit if own & bit != 0 => return run,
                    _ => return 0,
                }
                at += step;
            }
            0
        };
        for ((step, rising), falling) in STEPS.into_iter().zip(rays.rising).zip(rays.falling) {
            flips |= walk(rising, step) | walk(falling, -step);
        }
        flips
    }

    type Flips = fn(u64, u64, u32) -> u64;
    type Mobility = fn(u64, u64) -> u64;

    /// The forms this processor can run, whatever the tests are built for.
    fn forms() -> Vec<(&'static str, Flips, Mobility)> {
        let mut forms: Vec<(_, Flips, Mobility)> = vec![("portable", portable::flips, portable::mobility)];
        // SAFETY: the processor was asked.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        {
            if has_avx2() {
                forms.push((
                    "AVX2",
                    |own, enemy, square| unsafe { avx2::flips(own, enemy, square) },
                    |own, enemy| unsafe { avx2::mobility(own, enemy) },
                ));
            }
            if is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512cd") {
                forms.push((
                    "AVX-512",
                    |own, enemy, square| unsafe { avx512::flips(own, enemy, square) },
                    |own, enemy| unsafe { avx512::mobility(own, enemy) },
                ));
            }
        }
        forms
    }

    #[test]
    fn all_ways_to_flip_agree_with_walking() {
        let mut state = 1u64;
        let mut next = || {
            state = quincunx_game::hash::mix(state, 77);
            state
        };
        for round in 0..20_000 {
            // From crowded boards to sparse ones.
            let occupied = if round % 3 == 0 { next() } else { next() | next() };
            let own = occupied & next();
            let enemy = occupied & !own;
            let mut found = 0;
            for square in (0..64).filter(|square| occupied & (1 << square) == 0) {
                let expected = flips_by_walking(own, enemy, square);
                assert_eq!(flips(own, enemy, square), expected);
                for (name, flips, _) in forms() {
                    assert_eq!(flips(own, enemy, square), expected, "{name}");
                }
                found |= u64::from(expected != 0) << square;
            }
            assert_eq!(mobility(own, enemy), found);
            for (name, _, mobility) in forms() {
                assert_eq!(mobility(own, enemy), found, "{name}");
            }
        }
    }
}
