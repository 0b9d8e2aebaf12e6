//! Node counts, the check of every move generator.

use arrayvec::ArrayVec;

use crate::Position;

/// The number of leaves of the tree cut at `depth` turns: lines of that many turns, plus lines that ended sooner.
/// Nothing is cached; the last turn is counted, not played.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    count::<P, 1>(position, depth)
}

/// As [`perft`], but without the lines that ended sooner, which is how programs for chess count.
pub fn perft_unfinished<P: Position>(position: &P, depth: u32) -> u64 {
    count::<P, 0>(position, depth)
}

/// The lines of `depth` turns, with `ENDED` leaves for each line that ended sooner.
fn count<P: Position, const ENDED: u64>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves().max(ENDED),
        _ if size_of::<P>() > MOST_BYTES => {
            let (mut leaves, mut board) = (0, *position);
            position.for_each_move(|mv| {
                let undo = board.play(mv);
                leaves +=
                    if depth == 2 { board.count_moves().max(ENDED) } else { count::<P, ENDED>(&board, depth - 1) };
                board.undo(mv, undo);
            });
            leaves.max(ENDED)
        }
        _ => {
            let count_all = |siblings: &[P]| -> u64 {
                if depth == 2 {
                    siblings.iter().map(|child| child.count_moves().max(ENDED)).sum()
                } else {
                    siblings.iter().map(|child| count::<P, ENDED>(child, depth - 1)).sum()
                }
            };
            let (mut siblings, mut leaves) = (ArrayVec::<P, BATCH>::new(), 0);
            position.for_each_move(|mv| {
                let mut child = *position;
                child.play(mv);
                siblings.push(child);
                if siblings.is_full() {
                    leaves += count_all(&siblings);
                    siblings.clear();
                }
            });
            leaves += count_all(&siblings);
            leaves.max(ENDED)
        }
    }
}

/// How many siblings are made before they are counted: making them one after the other, and then counting, lets the
/// processor overlap more of the work than alternating would (Othello: a fifth less time).
const BATCH: usize = 16;

/// Positions up to this size are counted in batches: copying larger ones (Pente) costs more than taking moves back.
const MOST_BYTES: usize = 128;

/// As [`perft`], but with every turn of the last ply played too: the cost of making all moves.
pub fn perft_made<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        // The hash keeps the played position from being optimised away.
        std::hint::black_box(position.hash());
        return 1;
    }
    let (mut leaves, mut board) = (0, *position);
    position.for_each_move(|mv| {
        let undo = board.play(mv);
        leaves += perft_made(&board, depth - 1);
        board.undo(mv, undo);
    });
    leaves.max(1)
}

/// For each legal move, the leaves behind it, counted by `count`: [`perft`] or one of its relatives.
pub fn divide<P: Position>(position: &P, depth: u32, count: impl Fn(&P, u32) -> u64) -> Vec<(P::Move, u64)> {
    let mut counts = Vec::new();
    position.for_each_move(|mv| {
        let mut child = *position;
        child.play(mv);
        counts.push((mv, count(&child, depth.saturating_sub(1))));
    });
    counts
}
