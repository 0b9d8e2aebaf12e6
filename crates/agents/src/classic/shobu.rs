//! Shobu: alpha-beta to depth 1, 2 or 3 over the squared differences of the boards.

use quincunx_game::{Game, Record, Side, TextError};
use quincunx_games::shobu::{Move, Shobu};

use super::{
    Choose, Deadline, Thought,
    minimax::{Mind, Minimax},
    moves_ahead,
};
use crate::{Request, options::Options};

/// A won game outweighs every board.
const WON: f64 = 100_000.0;

pub(super) struct Plan {
    depth: u32,
}

impl Plan {
    pub(super) fn new(options: &mut Options<'_>) -> Result<Self, TextError> {
        Ok(Self { depth: options.number("depth", 1, 3)?.unwrap_or(3) as u32 })
    }
}

impl Choose<Shobu> for Plan {
    fn choose(&mut self, record: &Record<Shobu>, request: &Request) -> Thought<Move> {
        let position = record.position();
        let deadline = Deadline::new(request, moves_ahead(record));
        let deepest = self.depth;
        let mut search = Minimax::new(self, position.to_move(), &deadline);
        let mut thought = Thought { mv: position.moves()[0], score: None, depth: 0, nodes: 0 };
        // Under a time limit shallower answers are kept for when the full depth is not reached.
        let first = if deadline.seconds.is_finite() { 1 } else { deepest };
        for depth in first..=deepest {
            let Some(best) = search.best(position, depth) else { break };
            thought = Thought { mv: best.mv, score: Some(best.value), depth, nodes: search.nodes };
        }
        thought
    }
}

impl Mind<Shobu> for Plan {
    fn value(&mut self, position: &Shobu, player: Side) -> f64 {
        evaluate(position, player)
    }
}

fn evaluate(position: &Shobu, player: Side) -> f64 {
    if let Some(winner) = position.outcome().and_then(|end| end.winner) {
        return if winner == player { WON } else { -WON };
    }
    let own_turn = position.to_move() == player;
    let (mover, other) = position.stones();
    let (own, enemy) = if own_turn { (mover, other) } else { (other, mover) };
    (0..4)
        .map(|board| {
            let count = |stones: u64| f64::from((stones >> (16 * board) & 0xffff).count_ones());
            let score = board_score(count(own), count(enemy), own_turn);
            score * score.abs()
        })
        .sum()
}

/// How a board stands: the lead, greater the fewer stones the other side has there; where it is even, the stones for whoever is to move.
fn board_score(own: f64, enemy: f64, own_turn: bool) -> f64 {
    if own > enemy {
        own - enemy + (4.0 - enemy)
    } else if own < enemy {
        own - enemy - (4.0 - own)
    } else if own_turn {
        own
    } else {
        -own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_four_even_boards_for_the_side_to_move() {
        let start = Shobu::start("standard").unwrap();
        assert!((evaluate(&start, Side::First) - 4.0 * 16.0).abs() < 1e-9);
        assert!((evaluate(&start, Side::Second) + 4.0 * 16.0).abs() < 1e-9);
    }

    #[test]
    fn a_lead_counts_more_the_fewer_stones_are_left() {
        // Four against three: a lead of one and one stone gone, squared.
        assert!((board_score(4.0, 3.0, true) - 2.0).abs() < 1e-9);
        assert!((board_score(3.0, 1.0, false) - 5.0).abs() < 1e-9);
        assert!((board_score(1.0, 3.0, true) + 5.0).abs() < 1e-9);
    }
}
