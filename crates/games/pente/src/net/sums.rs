//! What a net sums up over the board, kept up from stone to stone.
//!
//! The functions below are written once and compiled for AVX-512, AVX2 and whatever else there is; whole numbers give the
//! same in all of them.

use quincunx_game::Side;

use super::{CLIP, Net, ORDER_SHIFT, Row, WIDTH};
use crate::{
    SIZE,
    lines::{Lines, for_each_seeing},
    patterns::{Key, TAKEN},
};

/// The vectors of all intersections and their sum.
#[derive(Clone, PartialEq)]
pub(crate) struct Sums {
    /// The sums of the four lines of each intersection, not clipped; nothing if it holds a stone.
    cells: [Row; SIZE * SIZE],
    /// The sum of the clipped ones, 16 bits without sign.
    total: Row,
}

#[inline]
fn clipped(row: &Row) -> Row {
    Row(row.0.map(|sum| sum.clamp(0, CLIP)))
}

/// Defines functions that run in the form that the processor has.
macro_rules! in_every_form {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident(&self, $($argument:ident: $type:ty),*) $(-> $result:ty)? {
        $body:ident
    }) => {
        $(#[$meta])*
        #[inline]
        $visibility fn $name(&self, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
                fn avx512(net: &Net, $($argument: $type),*) $(-> $result)? {
                    net.$body($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn avx2(net: &Net, $($argument: $type),*) $(-> $result)? {
                    net.$body($($argument),*)
                }
                // SAFETY: the processor was asked.
                #[allow(unsafe_code)]
                if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                    return unsafe { avx512(self, $($argument),*) };
                } else if is_x86_feature_detected!("avx2") {
                    return unsafe { avx2(self, $($argument),*) };
                }
            }
            self.$body($($argument),*)
        }
    };
}

impl Net {
    /// The sums of a position whose lines are these.
    #[expect(clippy::large_stack_arrays, reason = "23 KB, once a search")]
    pub(crate) fn sums(&self, lines: &Lines) -> Sums {
        let mut sums = Sums { cells: [Row::NONE; SIZE * SIZE], total: Row::NONE };
        for cell in 0..SIZE * SIZE {
            self.fill(&mut sums, cell, lines.keys(cell));
        }
        sums
    }

    in_every_form! {
        /// A stone is placed on a cell; the lines are those before.
        pub(crate) fn place(&self, sums: &mut Sums, lines: &Lines, side: Side, cell: usize) { place_here }
    }

    in_every_form! {
        /// A stone is taken off a cell; the lines are those before.
        pub(crate) fn remove(&self, sums: &mut Sums, lines: &Lines, side: Side, cell: usize) { remove_here }
    }

    in_every_form! {
        /// The logarithm of the odds that the side to move wins, in units of [`RESULT_UNIT`](super::RESULT_UNIT).
        pub(crate) fn result(&self, sums: &Sums, to_move: Side, bucket: usize) -> i32 { result_here }
    }

    in_every_form! {
        /// How good a move to an empty cell looks: the logarithm of its odds, but for a constant, times 1024.
        pub(crate) fn order(&self, sums: &Sums, to_move: Side, cell: usize) -> i32 { order_here }
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn place_here(&self, sums: &mut Sums, lines: &Lines, side: Side, cell: usize) {
        let before = clipped(&sums.cells[cell]);
        for (total, before) in sums.total.0.iter_mut().zip(before.0) {
            *total = total.wrapping_sub(before);
        }
        sums.cells[cell] = Row::NONE;
        self.tell(sums, lines, cell, side.index() as Key + 1);
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn remove_here(&self, sums: &mut Sums, lines: &Lines, side: Side, cell: usize) {
        self.tell(sums, lines, cell, (side.index() as Key + 1).wrapping_neg());
        self.fill(sums, cell, lines.keys(cell).map(|key| key.wrapping_sub(TAKEN)));
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn result_here(&self, sums: &Sums, to_move: Side, bucket: usize) -> i32 {
        self.result_of(&sums.total, to_move, bucket)
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn order_here(&self, sums: &Sums, to_move: Side, cell: usize) -> i32 {
        let (seen, weights) = (clipped(&sums.cells[cell]), &self.order[to_move.index()]);
        let products = seen.0.iter().zip(weights.0).map(|(&seen, weight)| i32::from(seen) * i32::from(weight));
        products.fold(0, i32::wrapping_add) >> ORDER_SHIFT
    }

    /// An empty cell that nothing was known of sees lines of these keys.
    #[inline]
    fn fill(&self, sums: &mut Sums, cell: usize, keys: [Key; 4]) {
        let mut seen = Row::NONE;
        for row in keys.map(|key| &self.rows[self.codes.number(key)]) {
            for (sum, weight) in seen.0.iter_mut().zip(row.0) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for (total, after) in sums.total.0.iter_mut().zip(clipped(&seen).0) {
            *total = total.wrapping_add(after);
        }
        sums.cells[cell] = seen;
    }

    /// Tells the cells around of a stone that was placed, or taken away if the number is negative.
    #[expect(clippy::inline_always, reason = "compiled anew for each set of instructions")]
    #[inline(always)]
    fn tell(&self, sums: &mut Sums, lines: &Lines, cell: usize, stone: Key) {
        let mut total = sums.total;
        for_each_seeing(cell, |other, line, weight| {
            let key = lines.keys(other)[line];
            let [before, after] =
                [key, key.wrapping_add(stone.wrapping_mul(weight))].map(|key| &self.rows[self.codes.number(key)]);
            let seen = &mut sums.cells[other];
            for channel in 0..WIDTH {
                let old = seen.0[channel];
                let new = old.wrapping_add(after.0[channel]).wrapping_sub(before.0[channel]);
                seen.0[channel] = new;
                let change = new.clamp(0, CLIP).wrapping_sub(old.clamp(0, CLIP));
                total.0[channel] = total.0[channel].wrapping_add(change);
            }
        });
        sums.total = total;
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Position, hash::mix};
    use quincunx_search::Tactics;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::Pente;

    #[test]
    fn the_form_of_this_processor_gives_the_same_as_plain_code() {
        let numbers: Vec<i16> = (0..Net::size() as u64).map(|at| (mix(4, at) % 401) as i16 - 200).collect();
        let net = Net::from_numbers(&numbers).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut position = Pente::start("free").unwrap();
        for _ in 0..60 {
            let mv = position.random_move(&mut rng).unwrap();
            let mut lines = position.known();
            let (side, cell) = (position.to_move(), mv.cell());
            let before = net.sums(&lines);
            let (mut chosen, mut plain) = (before.clone(), before.clone());
            net.place(&mut chosen, &lines, side, cell);
            net.place_here(&mut plain, &lines, side, cell);
            assert!(chosen == plain);
            assert_eq!(net.order(&before, side, cell), net.order_here(&before, side, cell));
            for bucket in [0, 7, 24] {
                assert_eq!(net.result(&chosen, !side, bucket), net.result_here(&plain, !side, bucket));
            }
            lines.place(side, cell);
            net.remove(&mut chosen, &lines, side, cell);
            net.remove_here(&mut plain, &lines, side, cell);
            assert!(chosen == plain && chosen == before);
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
        }
    }
}
