//! Shobu: alpha-beta to depth 1, 2 or 3 over the squared differences of the boards.

use quincunx_game::{Game, Position, Rules, Side, TextError};
use quincunx_search::{
    agent::{Agent, Options, Request},
    classic::{Choose, Deadline, Mind, Minimax, Thought, agent},
    moves_ahead,
};

use super::{Move, Shobu};

/// A won game outweighs every board.
const WON: f64 = 100_000.0;

/// The agent of the document.
pub(crate) fn build(_rules: &Rules, options: &mut Options<'_>, _seed: u64) -> Result<Box<dyn Agent>, TextError> {
    Ok(agent::<Shobu, _>(Plan::new(options)?))
}

pub(crate) struct Plan {
    depth: u32,
}

impl Plan {
    pub(crate) fn new(options: &mut Options<'_>) -> Result<Self, TextError> {
        Ok(Self { depth: options.number("depth", 1, 3)?.unwrap_or(3) as u32 })
    }
}

impl Choose<Shobu> for Plan {
    fn choose(&mut self, game: &Game<Shobu>, request: &Request) -> Thought<Move> {
        let position = game.position();
        let deadline = Deadline::new(request, moves_ahead(game));
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

/// How a board stands: the lead, which counts more the fewer stones the other side has there;
/// if it is even, the stones, in favour of the side to move.
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
    use quincunx_game::Rules;

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

    #[test]
    fn boards_count_by_their_squares_with_sign() {
        // Black against White on the four boards: 4:3 gives 1 + 1, 2:3 gives -1 - 2, 1:4 gives -3 - 3, and 3:3 three
        // for whoever is to move.
        let boards = "www.........bbbb/www.........bb../www.........bbb./wwww........b...";
        let value = |to_move: &str, player: Side| {
            evaluate(&Shobu::parse("standard", &format!("{boards} {to_move}")).unwrap(), player).round() as i32
        };
        assert_eq!(value("b", Side::First), 4 - 9 + 9 - 36);
        assert_eq!(value("b", Side::Second), -4 + 9 - 9 + 36);
        assert_eq!(value("w", Side::First), 4 - 9 - 9 - 36);
        assert_eq!(value("w", Side::Second), -4 + 9 + 9 + 36);
    }

    #[test]
    fn alpha_beta_chooses_as_worked_out_by_hand() {
        // The start, but on board d a black stone stands on b3, before the white ones.
        let start = "wwww........bbbb";
        let text = format!("{start}/{start}/{start}/wwww.b......b.bb b");
        let position = Shobu::parse("standard", &text).unwrap();
        let game = Game::from_position(Rules::of(Shobu::about()), position);
        // Depth 1: pushing one off gives three even boards for White, who is to move, and a lead of four to three: -48
        // + 4, not -64. Depth 2: now even boards are Black's, who is to move again, and four of them worth more than
        // three and that lead: 64, not 48 + 4. White would push b3 off from c4, two cells south-west, but not with a
        // second stone in the way: a1 goes to a2.
        for (depth, expected, white_left) in [(1, -44, 3), (2, 64, 4)] {
            let thought = Plan { depth }.choose(&game, &Request::default());
            assert_eq!((thought.score.unwrap().round() as i32, thought.depth), (expected, depth));
            let mut after = position;
            after.play(thought.mv);
            let (white, _) = after.stones();
            assert_eq!((white >> 48).count_ones(), white_left);
        }
    }

    #[test]
    fn a_won_game_outweighs_every_board() {
        // White has one stone on board d, on b4; Black pushes it off from b3 and wins.
        let start = "wwww........bbbb";
        let position = Shobu::parse("standard", &format!("{start}/{start}/{start}/.w...b......b.bb b")).unwrap();
        let game = Game::from_position(Rules::of(Shobu::about()), position);
        let thought = Plan { depth: 3 }.choose(&game, &Request::default());
        assert!((thought.score.unwrap() - WON).abs() < 1e-9);
    }
}
