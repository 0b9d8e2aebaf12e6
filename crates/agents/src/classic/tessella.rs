//! Tessella: one ply, greedy. Captures, threats and dangers are scored as in the document; where its text names a
//! tendency without a number (together, protected, central), the weights here are ours.

use quincunx_game::{Game, Record, Side};
use quincunx_games::tessella::{Move, Tessella};

use super::{Choose, Thought};
use crate::Request;

/// For each unit by which the pieces draw together (the sum of all distances between two of them).
const TOGETHER: f64 = 5.0;
/// For each own piece that was threatened and no longer is.
const PROTECTED: f64 = 400.0;
/// For each unit by which the moved piece comes nearer to the centre.
const CENTRAL: f64 = 20.0;

pub(super) struct Plan;

impl<const D: usize> Choose<Tessella<D>> for Plan {
    fn choose(&mut self, record: &Record<Tessella<D>>, _request: &Request) -> Thought<Move> {
        let position = record.position();
        let moves = position.moves();
        let nodes = moves.len() as u64;
        let (mut best, mut best_score) = (moves[0], f64::NEG_INFINITY);
        for mv in moves {
            let score = score(position, mv);
            if score > best_score {
                (best, best_score) = (mv, score);
            }
        }
        Thought { mv: best, score: Some(best_score), depth: 1, nodes }
    }
}

/// What the document says a move is worth.
fn score<const D: usize>(position: &Tessella<D>, mv: Move) -> f64 {
    let side = position.to_move();
    let second = side == Side::Second;
    let path = position.path(mv);
    let (from, to) = (path[0], path[1]);
    let mut after = *position;
    after.play(mv);
    let (own_before, enemy_before) = position.pieces();
    // After the move it is the other side's turn.
    let (enemy_after, own_after) = after.pieces();
    let captures = enemy_after != enemy_before;
    let threatened_after = targets(&after);
    let safe = threatened_after >> to & 1 == 0;

    let mut score = 0.0;
    if captures {
        score += if enemy_before.count_ones() <= 4 {
            10_000.0
        } else if safe {
            3000.0
        } else {
            2000.0
        };
    }
    if safe {
        let mut again = after;
        again.hand_over();
        score += 800.0 * f64::from(threats_by(&again, to));
    } else {
        let penalty = 750.0 * (7.0 - f64::from(own_after.count_ones()));
        score -= if second { 0.7 * penalty } else { penalty };
    }
    if second {
        score += 500.0;
    }
    let mut waiting = *position;
    waiting.hand_over();
    let threatened_before = targets(&waiting) & own_before;
    let rescued = threatened_before.count_ones() as i32 - (threatened_after & own_after).count_ones() as i32;
    score += PROTECTED * f64::from(rescued.max(0));
    score += TOGETHER * (spread::<D>(own_before) - spread::<D>(own_after));
    score + CENTRAL * (from_centre::<D>(from) - from_centre::<D>(to))
}

/// The pieces that the side to move can capture.
fn targets<const D: usize>(position: &Tessella<D>) -> u64 {
    let (_, enemy) = position.pieces();
    let mut targets = 0;
    position.for_each_move(|mv| {
        if let [_, to] = position.path(mv)[..] {
            targets |= enemy & (1 << to);
        }
    });
    targets
}

/// The captures that the piece on `cell` threatens.
fn threats_by<const D: usize>(position: &Tessella<D>, cell: usize) -> u32 {
    let (_, enemy) = position.pieces();
    let mut threats = 0;
    position.for_each_move(|mv| {
        let path = position.path(mv);
        threats += u32::from(path[0] == cell && enemy >> path[1] & 1 == 1);
    });
    threats
}

/// The row and column of a cell, to measure distances.
fn place<const D: usize>(cell: usize) -> (f64, f64) {
    let (row, column) = Tessella::<D>::place(cell);
    (row as f64, column as f64)
}

fn from_centre<const D: usize>(cell: usize) -> f64 {
    let (row, column) = place::<D>(cell);
    (row - (D - 1) as f64).hypot(column - (D - 1) as f64)
}

/// The sum of the distances between all pairs of pieces.
fn spread<const D: usize>(pieces: u64) -> f64 {
    let places: Vec<_> = (0..64).filter(|cell| pieces >> cell & 1 == 1).map(place::<D>).collect();
    let mut sum = 0.0;
    for (index, a) in places.iter().enumerate() {
        for b in &places[..index] {
            sum += (a.0 - b.0).hypot(a.1 - b.1);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_move_of_the_first_player_scores_only_what_it_changes_in_place() {
        let start = Tessella::<5>::start("d5").unwrap();
        let mv = start.parse_move("e1-e2").unwrap();
        // From (8,4) to (7,4): one nearer to the centre. The distances from the tip (8,4) to the six others:
        // (5,1) and (5,7) 3√2, (6,2) and (6,6) 2√2, (7,3) and (7,5) √2 become √13, √5 and 1.
        let before = 2.0 * 6.0 * 2f64.sqrt();
        let after = 2.0 * (13f64.sqrt() + 5f64.sqrt() + 1.0);
        let expected = TOGETHER * (before - after) + CENTRAL;
        let threats = {
            let mut again = start;
            again.play(mv);
            again.hand_over();
            f64::from(threats_by(&again, start.path(mv)[1]))
        };
        assert!((score(&start, mv) - expected - 800.0 * threats).abs() < 1e-6);
    }
}
