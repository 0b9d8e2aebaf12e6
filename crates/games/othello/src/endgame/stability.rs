//! Discs that can never be flipped again, enough of them to bound a score.

use std::sync::LazyLock;

const FILES_A_AND_H: u64 = 0x8181_8181_8181_8181;
const RANKS_1_AND_8: u64 = 0xff00_0000_0000_00ff;
const BORDER: u64 = FILES_A_AND_H | RANKS_1_AND_8;

/// By the own discs and the enemy's on an edge of eight squares (first own, 256 x): the own discs that no play on this
/// edge can flip.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(stable_edges);

/// Makes the table of edges, if it is not there yet.
pub(super) fn prepare() {
    LazyLock::force(&EDGES);
}

/// A lower bound of the discs of `own` that stay for ever. `outside` are the squares that do not belong to the board.
pub(super) fn stable(own: u64, enemy: u64, outside: u64) -> u64 {
    let filled = own | enemy | outside;
    let full = [full_rows(filled), full_files(filled), full_diagonals::<7>(filled), full_diagonals::<9>(filled)];
    let mut stable = own & full[0] & full[1] & full[2] & full[3];
    if outside == 0 {
        stable |= own & stable_on_edges(own, enemy);
    }
    loop {
        // Stable along a line: the line is full, or there is the border or a stable disc beside it.
        let firm = stable | outside;
        let row = full[0] | FILES_A_AND_H | firm << 1 | firm >> 1;
        let file = full[1] | RANKS_1_AND_8 | firm << 8 | firm >> 8;
        let falling = full[2] | BORDER | firm << 7 | firm >> 7;
        let rising = full[3] | BORDER | firm << 9 | firm >> 9;
        let found = stable | (own & row & file & falling & rising);
        if found == stable {
            return stable;
        }
        stable = found;
    }
}

fn full_rows(filled: u64) -> u64 {
    let mut full = filled & (filled >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
    full &= full >> 2;
    full &= full >> 1;
    (full & 0x0101_0101_0101_0101).wrapping_mul(0xff)
}

fn full_files(filled: u64) -> u64 {
    let full = filled & filled.rotate_left(32);
    let full = full & full.rotate_left(16);
    full & full.rotate_left(8)
}

/// The squares that have no square `times` steps of a diagonal direction before them.
const fn first_of_diagonal(step: u32, times: u32) -> u64 {
    let mut first = 0;
    let mut square = 0u32;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let inside = row >= times && if step == 9 { column >= times } else { column + times < 8 };
        if !inside {
            first |= 1 << square;
        }
        square += 1;
    }
    first
}

fn full_diagonals<const STEP: u32>(filled: u64) -> u64 {
    let mut before = filled;
    let mut behind = filled;
    macro_rules! double {
        ($($times:literal)*) => {$(
            const { assert!($times < 8) };
            before &= const { first_of_diagonal(STEP, $times) } | before << ($times * STEP);
            behind &= const { first_of_diagonal(STEP, $times).reverse_bits() } | behind >> ($times * STEP);
        )*};
    }
    double!(1 2 4);
    before & behind
}

fn stable_on_edges(own: u64, enemy: u64) -> u64 {
    let edges = &**EDGES;
    let look = |own: u64, enemy: u64| u64::from(edges[(own as usize & 255) << 8 | (enemy as usize & 255)]);
    look(own, enemy)
        | look(own >> 56, enemy >> 56) << 56
        | spread(look(pack(own), pack(enemy)))
        | spread(look(pack(own >> 7), pack(enemy >> 7))) << 7
}

/// The squares of file a as the lowest byte.
fn pack(squares: u64) -> u64 {
    (squares & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The lowest byte as squares of file a. Its highest bit goes by itself: in the product it would meet the lowest.
fn spread(byte: u64) -> u64 {
    ((byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101) | (byte & 0x80) << 49
}

fn stable_edges() -> Vec<u8> {
    let mut edges = vec![0u8; 1 << 16];
    let mut settled = vec![false; 1 << 16];
    for own in 0..=255u8 {
        for enemy in (0..=255).filter(|enemy| own & enemy == 0) {
            settle(own, enemy, &mut edges, &mut settled);
        }
    }
    edges
}

/// The discs of `own` that stay whatever is played on the empty squares of the edge, by either side and in any order.
fn settle(own: u8, enemy: u8, edges: &mut [u8], settled: &mut [bool]) -> u8 {
    let index = usize::from(own) << 8 | usize::from(enemy);
    if !settled[index] {
        let mut stays = own;
        for square in (0..8).filter(|square| (own | enemy) & 1 << square == 0) {
            let flipped = flips_on_edge(own, enemy, square);
            stays &= settle(own | flipped | 1 << square, enemy ^ flipped, edges, settled);
            let flipped = flips_on_edge(enemy, own, square);
            stays &= settle(own ^ flipped, enemy | flipped | 1 << square, edges, settled);
        }
        edges[index] = stays;
        settled[index] = true;
    }
    edges[index]
}

fn flips_on_edge(own: u8, enemy: u8, square: i32) -> u8 {
    let mut flips = 0;
    for step in [-1, 1] {
        let (mut at, mut run) = (square + step, 0);
        while (0..8).contains(&at) && enemy & 1 << at != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own & 1 << at != 0 {
            flips |= run;
        }
    }
    flips
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Position, hash::mix};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::Othello;

    #[test]
    fn packed_files_spread_to_themselves() {
        for byte in 0..256 {
            let file = spread(byte);
            assert_eq!(file & !0x0101_0101_0101_0101, 0);
            assert_eq!(pack(file), byte);
            assert_eq!(file.count_ones(), byte.count_ones());
        }
    }

    #[test]
    fn full_lines_hold_no_empty_square() {
        for seed in 0..300 {
            let filled = mix(seed, 1) | mix(seed, 2) | mix(seed, 3) | mix(seed, 4);
            for (full, down, right) in [
                (full_rows(filled), 0, 1),
                (full_files(filled), 1, 0),
                (full_diagonals::<7>(filled), 1, -1),
                (full_diagonals::<9>(filled), 1, 1),
            ] {
                for square in 0..64 {
                    let mut line = true;
                    for distance in -7..=7 {
                        let (row, column) = (square / 8 + distance * down, square % 8 + distance * right);
                        if (0..8).contains(&row) && (0..8).contains(&column) {
                            line &= filled & 1 << (8 * row + column) != 0;
                        }
                    }
                    assert_eq!(full & 1 << square != 0, line, "{filled:x} {square} {down} {right}");
                }
            }
        }
    }

    fn stable_discs_stay_on<const N: usize>(ruleset: &str) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut seen = 0;
        for _ in 0..300 {
            let mut position = Othello::<N>::start(ruleset).unwrap();
            let mut firm = [0u64; 2];
            while let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
                let (own, enemy) = position.discs();
                let side = position.to_move().index();
                for (side, mine, theirs) in [(side, own, enemy), (1 - side, enemy, own)] {
                    let now = stable(mine, theirs, !Othello::<N>::BOARD);
                    assert_eq!(firm[side] & !mine, 0, "a stable disc was flipped");
                    assert_eq!(now & !mine, 0);
                    firm[side] |= now;
                }
            }
            seen += firm[0].count_ones() + firm[1].count_ones();
        }
        assert!(seen > 300 * (N * N) as u32 / 2, "hardly any disc was seen to be stable: {seen}");
    }

    #[test]
    fn stable_discs_are_never_flipped() {
        stable_discs_stay_on::<8>("8x8");
        stable_discs_stay_on::<6>("6x6");
        stable_discs_stay_on::<4>("4x4");
    }
}
