//! Tessella: one ply, greedy. Captures, threats and dangers are scored as in the document; for tendencies
//! that it names without a number (together, protected, central) the weights are ours.

use quincunx_game::{Game, Position, Rules, Side};
use quincunx_search::{
    agent::{Agent, Request},
    classic::{Choose, Thought, agent},
};

use super::{Move, Tessella};

/// For each unit by which the pieces draw together (the sum of all distances between two of them).
const TOGETHER: f64 = 5.0;
/// For each own piece that was threatened and no longer is.
const PROTECTED: f64 = 400.0;
/// For each unit by which the moved piece comes nearer to the centre.
const CENTRAL: f64 = 20.0;

/// The agent of the document, for whatever board.
pub(crate) fn build(rules: &Rules) -> Box<dyn Agent> {
    match rules.ruleset.name {
        "d4" => agent::<Tessella<4>, _>(Plan),
        "d6" => agent::<Tessella<6>, _>(Plan),
        _ => agent::<Tessella<5>, _>(Plan),
    }
}

pub(crate) struct Plan;

impl<const D: usize> Choose<Tessella<D>> for Plan {
    fn choose(&mut self, game: &Game<Tessella<D>>, _request: &Request) -> Thought<Move> {
        let position = game.position();
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
        // The document's 4, and its 7 below, are those of its board.
        score += if Tessella::<D>::has_lost(enemy_after) {
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
        let penalty = 750.0 * f64::from(Tessella::<D>::PIECES - own_after.count_ones());
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

    /// Row and column, as on the page of the rules.
    type Place = (usize, usize);

    fn distance(a: Place, b: Place) -> f64 {
        (a.0 as f64 - b.0 as f64).hypot(a.1 as f64 - b.1 as f64)
    }

    /// What the document's own numbers give for the move of the first of the `own` pieces to a place: as the first
    /// player, and as the second one with the board turned upside down. What is ours for going there is taken off.
    fn printed<const D: usize>(own: &[Place], enemy: &[Place], to: Place) -> [i32; 2] {
        let nearer = |place: Place| distance(own[0], place) - distance(to, place);
        let ours =
            TOGETHER * own[1..].iter().map(|&other| nearer(other)).sum::<f64>() + CENTRAL * nearer((D - 1, D - 1));
        Side::BOTH.map(|side| {
            let seen =
                |(row, column): Place| if side == Side::First { (row, column) } else { (2 * D - 2 - row, column) };
            let (own_letter, enemy_letter) = if side == Side::First { ('o', 'x') } else { ('x', 'o') };
            let letter = |place: Place| match place {
                _ if place.0.abs_diff(D - 1) + place.1.abs_diff(D - 1) >= D => '~',
                _ if own.contains(&seen(place)) => own_letter,
                _ if enemy.contains(&seen(place)) => enemy_letter,
                _ => '.',
            };
            let rows: Vec<String> =
                (0..2 * D - 1).map(|row| (0..2 * D - 1).map(|column| letter((row, column))).collect()).collect();
            let position = Tessella::<D>::parse("", &format!("{} {own_letter}", rows.join("/"))).unwrap();
            let way = [own[0], to].map(seen);
            let goes = |mv: &Move| position.path(*mv).iter().map(|&cell| Tessella::<D>::place(cell)).eq(way);
            let mv = position.moves().into_iter().find(goes).expect("a legal move");
            (score(&position, mv) - ours).round() as i32
        })
    }

    #[test]
    fn a_quiet_move_of_the_first_player_scores_only_what_it_changes_in_place() {
        let start = Tessella::<5>::start("d5").unwrap();
        let mv = start.parse_move("e1-e2").unwrap();
        // From (8,4) to (7,4): one nearer to the centre. The distances from the tip (8,4) to the six others:
        // (5,1) and (5,7) 3√2, (6,2) and (6,6) 2√2, (7,3) and (7,5) √2 become √13, √5 and 1.
        let before = 2.0 * 6.0 * 2f64.sqrt();
        let after = 2.0 * (13f64.sqrt() + 5f64.sqrt() + 1.0);
        // No threat: (0,4) is in line, but no piece stands behind (7,4).
        assert!((score(&start, mv) - TOGETHER * (before - after) - CENTRAL).abs() < 1e-6);
    }

    #[test]
    fn a_safe_capture_scores_3000_and_500_more_for_the_second_player() {
        // (8,4) backs (6,4), which takes (3,4), one of five. No two enemies stand in a line with (3,4) then; the
        // line on, from (8,4) over (3,4) to (0,4), is empty.
        let own = [(6, 4), (8, 4), (7, 3), (7, 5)];
        let enemy = [(3, 4), (4, 0), (4, 8), (1, 3), (1, 5)];
        assert_eq!(printed::<5>(&own, &enemy, (3, 4)), [3000, 3500]);
    }

    #[test]
    fn the_last_capture_scores_10000_on_every_board() {
        let own = [(6, 4), (8, 4), (7, 3), (7, 5)];
        assert_eq!(printed::<5>(&own, &[(3, 4), (4, 0), (4, 8), (1, 3)], (3, 4)), [10_000, 10_500]);
        // Of nine pieces five lose the game: with five left the next one decides. (10,5) backs (8,5).
        let own = [(8, 5), (10, 5), (9, 4), (9, 6), (7, 2)];
        assert_eq!(printed::<6>(&own, &[(4, 5), (5, 0), (5, 10), (1, 4), (1, 6)], (4, 5)), [10_000, 10_500]);
        // Of five pieces three lose it: with four left it goes on. (6,3) backs (4,3), which is safe on (2,3).
        let own = [(4, 3), (6, 3), (5, 2), (5, 4)];
        assert_eq!(printed::<4>(&own, &[(2, 3), (3, 0), (3, 6), (1, 2)], (2, 3)), [3000, 3500]);
    }

    #[test]
    fn a_capture_into_a_threat_scores_2000_less_what_the_danger_costs() {
        // As before, but (0,4) backs (1,4), which could take back on (3,4). Three of seven pieces are lost: 3 x 750 =
        // 2250, seven tenths of it for the second player. One piece was threatened before, (6,4) by (3,4) with (1,4)
        // behind it, and one is after: nothing is protected.
        let own = [(6, 4), (8, 4), (7, 3), (7, 5)];
        let enemy = [(3, 4), (1, 4), (0, 4), (4, 0), (4, 8)];
        assert_eq!(printed::<5>(&own, &enemy, (3, 4)), [2000 - 2250, 2000 - 1575 + 500]);
    }

    #[test]
    fn a_step_into_a_threat_costs_750_for_each_piece_lost() {
        // On (4,4) the piece can be taken by (4,1) with (4,0) behind it. Two of seven pieces are lost: 1500, or 1050.
        let own = [(5, 4), (8, 4), (7, 3), (7, 5), (6, 6)];
        assert_eq!(printed::<5>(&own, &[(4, 1), (4, 0), (1, 3), (3, 7)], (4, 4)), [-1500, -1050 + 500]);
        // The same by (5,1) and (5,0), with one of nine pieces lost, and with none.
        let own = [(6, 5), (10, 5), (9, 4), (9, 6), (8, 3), (8, 7), (7, 2), (7, 8), (6, 9)];
        let enemy = [(5, 1), (5, 0), (0, 5), (1, 4), (1, 6)];
        assert_eq!(printed::<6>(&own[..8], &enemy, (5, 5)), [-750, -525 + 500]);
        assert_eq!(printed::<6>(&own, &enemy, (5, 5)), [0, 500]);
    }

    #[test]
    fn each_capture_threatened_from_a_safe_cell_scores_800() {
        // From (4,4) it threatens (0,4), with (8,4) behind it, and (2,6), with (6,2) behind it: two. (7,5) backs
        // nothing, and no two enemies stand in a line with (4,4).
        let own = [(5, 4), (8, 4), (6, 2), (7, 5)];
        let enemy = [(2, 6), (0, 4), (3, 1), (1, 3)];
        assert_eq!(printed::<5>(&own, &enemy, (4, 4)), [1600, 2100]);
    }

    #[test]
    fn a_piece_that_leaves_a_threat_is_protected() {
        // On (4,4) it could be taken by (4,1) with (4,0) behind it, on (5,4) by nothing; from there it threatens
        // nothing.
        let own = [(4, 4), (8, 4), (7, 3), (7, 5), (6, 6)];
        let enemy = [(4, 1), (4, 0), (1, 3), (3, 7)];
        assert_eq!(printed::<5>(&own, &enemy, (5, 4)), [400, 400 + 500]);
    }
}
