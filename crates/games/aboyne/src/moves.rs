//! Sets of stones that are blocked or may move, on the bits of the board.

use super::board::{CELLS, INSIDE, NEIGHBOURS, NEXT, STEPS};

/// The cells next to a cell of `set`.
#[inline]
pub(super) fn neighbours(set: u64) -> u64 {
    (0..6).fold(0, |found, direction| found | before(set, direction, 1) & INSIDE[direction])
}

/// The cells from which `times` steps in a direction lead into `set`, taking the board for a torus.
#[inline]
fn before(set: u64, direction: usize, times: u32) -> u64 {
    let distance = STEPS[direction] * times % CELLS as u32;
    (set >> distance) | (set << (CELLS as u32 - distance))
}

/// For each direction, the stones of `movable` that have a move in it: those from which the first cell that holds no
/// stone of `own` is one of `free`. As no movable stone stands next to an enemy, this is a step or a jump, whatever
/// `free` cells hold.
#[inline]
pub(super) fn movers(own: u64, movable: u64, free: u64) -> [u64; 6] {
    std::array::from_fn(|direction| {
        // Cells that are free, or hold the first stone of a line that ends at a free cell: lines of one, of three, of
        // seven.
        let mut open = free;
        let mut line = own & INSIDE[direction];
        open |= line & before(open, direction, 1);
        line &= before(line, direction, 1);
        open |= line & before(open, direction, 2);
        line &= before(line, direction, 2);
        open |= line & before(open, direction, 4);
        movable & INSIDE[direction] & before(open, direction, 1)
    })
}

/// Where a stone ends that moves in a direction: at the first cell that holds no stone of `own`, or
/// [`OUTSIDE`](super::board::OUTSIDE).
#[inline]
pub(super) fn landing(own: u64, from: u32, direction: usize) -> u32 {
    let next = &NEXT[direction];
    let mut to = next[from as usize % 64];
    while own & (1 << to) != 0 {
        to = next[to as usize % 64];
    }
    u32::from(to)
}

/// The enemy stones that a stone may capture over one friend, in a straight line or not, under rules
/// that allow only such jumps.
#[inline]
pub(super) fn bent_captures(own: u64, enemy: u64, from: u32) -> u64 {
    neighbours(NEIGHBOURS[from as usize % 64] & own) & enemy
}

#[cfg(test)]
mod tests {
    use quincunx_game::hash::mix;

    use super::*;
    use crate::board::BOARD;

    /// Calls `check` with random sets of cells, from sparse to crowded ones.
    fn with_random_sets(mut check: impl FnMut(u64, u64)) {
        let mut state = 1;
        let mut next = || {
            state = mix(state, 77);
            state & BOARD
        };
        for round in 0..30_000 {
            let own = match round % 3 {
                0 => next() & next(),
                1 => next(),
                _ => next() | next() | next(),
            };
            check(own, next() & !own);
        }
    }

    #[test]
    fn movers_and_landings_agree_with_walking_cell_by_cell() {
        let (mut longest, mut found) = (0, 0);
        with_random_sets(|own, free| {
            let movers = movers(own, own, free);
            for (direction, &movers) in movers.iter().enumerate() {
                for from in (0..CELLS as u32).filter(|from| own & (1 << from) != 0) {
                    let (mut at, mut length) = (NEXT[direction][from as usize], 0);
                    while own & (1 << at) != 0 {
                        (at, length) = (NEXT[direction][at as usize], length + 1);
                    }
                    let lands = free & (1 << at) != 0;
                    assert_eq!(movers & (1 << from) != 0, lands, "{own:x} {free:x} {from} {direction}");
                    assert_eq!(landing(own, from, direction), u32::from(at));
                    if lands {
                        (longest, found) = (length.max(longest), found + 1);
                    }
                }
            }
        });
        // Over seven of the nine cells of the middle row.
        assert_eq!(longest, 7);
        assert!(found > 100_000);
    }

    #[test]
    fn neighbours_of_a_set_are_the_neighbours_of_its_cells() {
        with_random_sets(|set, _| {
            let each = (0..CELLS).filter(|bit| set & (1 << bit) != 0).fold(0, |all, bit| all | NEIGHBOURS[bit]);
            assert_eq!(neighbours(set), each);
        });
    }
}
