//! Othello: alpha-beta with an evaluation by phase, moves ordered by position weights, deepening while less than half
//! of the time is used.

use quincunx_game::{Game, Position, Rules, Side, TextError};
use quincunx_search::{
    agent::{Agent, Options, Request},
    classic::{Choose, Deadline, Mind, Minimax, Thought, agent},
    moves_ahead,
};

use super::{Move, Othello};

/// The depth of the first search under a time limit.
const FIRST_DEPTH: u32 = 3;
/// The depth without a time limit: what the document calls the depth before the time increases significantly.
const USUAL_DEPTH: u32 = 5;

/// What a disc on a square is worth: corners best, the squares around them worst, edges good and what is next to them
/// not.
const WEIGHTS: [[i32; 4]; 4] = [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, 1, 1], [5, -2, 1, 0]];

/// The agent of the document, for whatever board.
pub(crate) fn build(rules: &Rules, options: &mut Options<'_>, _seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let plan = Plan::new(options)?;
    Ok(match rules.ruleset.name {
        "6x6" => agent::<Othello<6>, _>(plan),
        "4x4" => agent::<Othello<4>, _>(plan),
        _ => agent::<Othello<8>, _>(plan),
    })
}

pub(crate) struct Plan {
    depth: Option<u32>,
}

impl Plan {
    pub(crate) fn new(options: &mut Options<'_>) -> Result<Self, TextError> {
        Ok(Self { depth: options.number("depth", 1, 60)?.map(|depth| depth as u32) })
    }
}

impl<const N: usize> Choose<Othello<N>> for Plan {
    fn choose(&mut self, game: &Game<Othello<N>>, request: &Request) -> Thought<Move> {
        let position = game.position();
        let deadline = Deadline::new(request, moves_ahead(game));
        let mut search = Minimax::new(self, position.to_move(), &deadline);
        let (own, enemy) = position.discs();
        let empty = (N * N) as u32 - (own | enemy).count_ones();
        let timed = deadline.seconds.is_finite();
        // Every line ends by itself within twice the empty squares, passes included.
        let deepest = search.mind.depth.unwrap_or(if timed { 2 * empty + 1 } else { USUAL_DEPTH });
        let mut depth = if timed { FIRST_DEPTH.min(deepest) } else { deepest };
        let mut thought = Thought { mv: search.mind.moves(position)[0], score: None, depth: 0, nodes: 0 };
        while let Some(best) = search.best(position, depth) {
            thought = Thought { mv: best.mv, score: Some(best.value), depth, nodes: search.nodes };
            if depth >= deepest || !goes_deeper(deadline.used(), deadline.seconds) {
                break;
            }
            depth += 1;
        }
        thought
    }
}

impl<const N: usize> Mind<Othello<N>> for Plan {
    fn value(&mut self, position: &Othello<N>, player: Side) -> f64 {
        evaluate(position, player)
    }

    fn moves(&mut self, position: &Othello<N>) -> Vec<Move> {
        let mut moves = position.moves();
        moves.sort_by_key(|&mv| std::cmp::Reverse(position.path(mv).first().map_or(0, |&cell| weight::<N>(cell))));
        moves
    }
}

/// Whether one more layer is explored after this many seconds.
fn goes_deeper(used: f64, limit: f64) -> bool {
    used < limit / 2.0
}

fn weight<const N: usize>(cell: usize) -> i32 {
    let fold = |line: usize| line.min(N - 1 - line).min(3);
    WEIGHTS[fold(cell / N)][fold(cell % N)]
}

fn evaluate<const N: usize>(position: &Othello<N>, player: Side) -> f64 {
    let board: [Option<Side>; 64] = std::array::from_fn(|cell| if cell < N * N { position.stone(cell) } else { None });
    let count = |side: Side| board.iter().filter(|&&stone| stone == Some(side)).count() as f64;
    let (own, enemy) = (count(player), count(!player));
    let difference = own - enemy;
    if position.outcome().is_some() {
        return 100_000.0 * difference;
    }
    let ratio = |own: f64, enemy: f64| 100.0 * (own - enemy) / (own + enemy + 1.0);
    let mobility = || ratio(flips_of(position, player), flips_of(position, !player));
    let weights = || -> f64 {
        let signed = |(cell, stone): (usize, &Option<Side>)| match *stone {
            Some(side) if side == player => weight::<N>(cell),
            Some(_) => -weight::<N>(cell),
            None => 0,
        };
        f64::from(board[..N * N].iter().enumerate().map(signed).sum::<i32>())
    };
    let last_disc = if ((N * N) as f64 - own - enemy) as i64 % 2 == 0 { 1.0 } else { -1.0 };
    let corners = |side: Side| {
        let corners = [0, N - 1, N * N - N, N * N - 1];
        corners.iter().filter(|&&corner| board[corner] == Some(side)).count() as f64
    };
    let corner_score = 10_000.0 * ratio(corners(player), corners(!player));
    let bonus = 10_000.0 * (stable::<N>(&board, player) - stable::<N>(&board, !player));
    // The phases of the document, counted in discs on 8x8 and in proportion on smaller boards.
    let discs = (own + enemy) * 64.0 / (N * N) as f64;
    corner_score
        + bonus
        + if discs < 19.0 {
            5.0 * mobility() + 20.0 * weights()
        } else if discs < 57.0 {
            10.0 * difference + 2.0 * mobility() + 10.0 * weights() + 100.0 * last_disc
        } else {
            500.0 * difference + 500.0 * last_disc
        }
}

/// The discs that all moves of a side together would flip.
fn flips_of<const N: usize>(position: &Othello<N>, side: Side) -> f64 {
    let mut position = *position;
    if position.to_move() != side {
        position.hand_over();
    }
    let (_, enemy) = position.discs();
    let mut flips = 0;
    position.for_each_move(|mv| {
        let mut child = position;
        child.play(mv);
        let (left, _) = child.discs();
        flips += (enemy & !left).count_ones();
    });
    f64::from(flips)
}

/// Discs that are safe behind an own corner: along its edge, those in unbroken lines away from that edge.
fn stable<const N: usize>(board: &[Option<Side>; 64], side: Side) -> f64 {
    let mut stable = 0;
    for (flip_row, flip_column) in [(false, false), (false, true), (true, false), (true, true)] {
        let own = |row: usize, column: usize| {
            let row = if flip_row { N - 1 - row } else { row };
            let column = if flip_column { N - 1 - column } else { column };
            board[row * N + column] == Some(side)
        };
        for column in (0..N).take_while(|&column| own(0, column)) {
            stable += (1..N).take_while(|&row| own(row, column)).count();
        }
    }
    stable as f64
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use quincunx_game::Rules;
    use quincunx_search::Limits;

    use super::*;

    fn position(text: &str) -> Othello<4> {
        Othello::parse("4x4", text).unwrap()
    }

    #[test]
    fn a_finished_game_is_worth_its_disc_difference() {
        let over = position("XXXXXXXXXXXXXXOO X");
        assert!((evaluate(&over, Side::First) - 1_200_000.0).abs() < 1e-9);
        assert!((evaluate(&over, Side::Second) + 1_200_000.0).abs() < 1e-9);
    }

    #[test]
    fn the_middle_phase_adds_up_as_in_the_document() {
        // Start of 4x4: 4 discs count as 16 of 64, the first phase. Both sides flip 4 discs with all moves: mobility 0;
        // the weights of the inner squares are all -50, two each: 0. No corner, no stable disc.
        let start = Othello::<4>::start("4x4").unwrap();
        assert!(evaluate(&start, Side::First).abs() < 1e-9);
        // After one move (5 discs, as 20 of 64: the middle phase) Black has 4, White 1: difference 3.
        let mut after = start;
        after.play(after.parse_move("b1").unwrap());
        // Black on b1 b2 c2 b3, White on c3. Black flips by moving: d4 takes c3, d3 takes c3, c4 takes c3 = 3.
        // White flips: a1 takes b2, c1 takes c2, a3 takes b3 = 3. Mobility 0. Weights: Black b1 -20 and three -50,
        // White one -50: -20 - 150 + 50 = -120. Empty squares 11, odd: last disc -1.
        let expected = 10.0 * 3.0 + 2.0 * 0.0 + 10.0 * -120.0 - 100.0;
        assert!((evaluate(&after, Side::First) - expected).abs() < 1e-9, "{}", evaluate(&after, Side::First));
    }

    #[test]
    fn discs_behind_a_corner_are_stable() {
        let board: Vec<Option<Side>> = "XX--X---X-------".chars().map(|c| (c == 'X').then_some(Side::First)).collect();
        let board: [Option<Side>; 64] = std::array::from_fn(|cell| board.get(cell).copied().flatten());
        // From a1 to the right: a1 with two discs below, b1 with none; from the other corners nothing.
        assert!((stable::<4>(&board, Side::First) - 2.0).abs() < 1e-9);
    }

    /// What an 8x8 position with Black to move is worth to both sides, in thirds.
    fn thirds(rows: [&str; 8]) -> [i64; 2] {
        let position = Othello::<8>::parse("8x8", &format!("{} X", rows.concat())).unwrap();
        Side::BOTH.map(|player| (3.0 * evaluate(&position, player)).round() as i64)
    }

    const NONE: &str = "--------";
    const FULL: &str = "XXXXXXXX";

    #[test]
    fn the_first_phase_lasts_for_18_discs() {
        // Black flips b1 by c1, White nothing: mobility 100 x 1 / 2 = 50. Weights: a1 100, b1 20 as White's, row 7
        // -148, row 8 190: 162. Three corners against none: 100 x 3 / 4 = 75. Stable: each disc of row 8 has one above
        // it, seen from both corners: 16.
        let value = 5 * 50 + 20 * 162 + 10_000 * (75 + 16);
        let rows = ["XO------", NONE, NONE, NONE, NONE, NONE, FULL, FULL];
        assert_eq!(thirds(rows), [3 * value, -3 * value]);
    }

    #[test]
    fn the_middle_phase_begins_with_19_discs() {
        // One more, on d5, whose weight is 0: 18 against 1 disc, and 45 squares are empty, so the last disc is nobody's
        // gain.
        let value = 10 * 17 + 2 * 50 + 10 * 162 + 10_000 * (75 + 16);
        let rows = ["XO------", NONE, NONE, NONE, "---X----", NONE, FULL, FULL];
        assert_eq!(thirds(rows), [3 * (value - 100), 3 * (-value - 100)]);
    }

    #[test]
    fn the_middle_phase_lasts_for_56_discs() {
        // Black flips d2 by c1, d1 and e1, White nothing: mobility 100 x 3 / 4 = 75. The rows from 2 weigh -148, 20, 8,
        // 8, 20, -148 and 190, -50 in all, if d2 were Black's; it is White's, and weighs -2: -46. Corners: 100 x 2 / 3.
        // Stable: seven columns of 6 above row 8 and one of 5, from both corners: 94. 8 empty squares: Black and White
        // gain 100.
        let value = 10 * 54 + 2 * 75 - 10 * 46 + 10_000 * 94;
        let rows = [NONE, "XXXOXXXX", FULL, FULL, FULL, FULL, FULL, FULL];
        assert_eq!(thirds(rows), [3 * (value + 100) + 2_000_000, 3 * (-value + 100) - 2_000_000]);
    }

    #[test]
    fn the_last_phase_begins_with_57_discs() {
        // As before with h1: 56 discs against 1, 7 empty squares. Corners: 100 x 3 / 4. Stable: column h has 7 above
        // row 8, so 48 from each of the lower corners, and 7 from h1 downwards.
        let value = 500 * 55 + 10_000 * (75 + 103);
        let rows = ["-------X", "XXXOXXXX", FULL, FULL, FULL, FULL, FULL, FULL];
        assert_eq!(thirds(rows), [3 * (value - 500), 3 * (-value - 500)]);
    }

    #[test]
    fn moves_are_ordered_by_position_weights() {
        // b2 is flipped by a1, weight 100, c1, 10, and b1, -20.
        let rows = [NONE, "XOXXXXXX", FULL, FULL, FULL, FULL, FULL, FULL];
        let position = Othello::<8>::parse("8x8", &format!("{} X", rows.concat())).unwrap();
        let moves = Plan { depth: None }.moves(&position);
        assert_eq!(moves.iter().map(|&mv| position.move_text(mv)).collect::<Vec<_>>(), ["a1", "c1", "b1"]);
    }

    #[test]
    fn it_deepens_while_less_than_half_of_the_limit_is_used() {
        assert_eq!([0.0, 0.99, 1.0, 2.0].map(|used| goes_deeper(used, 2.0)), [true, true, false, false]);
    }

    #[test]
    fn the_first_move_leaves_most_of_a_clock() {
        let game = Game::<Othello<8>>::new(Rules::of(Othello::<8>::about())).unwrap();
        let left = Duration::from_secs(8);
        let request = Request { limits: Limits { cpu: Some(left), ..Limits::default() }, ..Request::default() };
        let began = Instant::now();
        Plan { depth: None }.choose(&game, &request);
        assert!(began.elapsed() < left / 4);
    }

    #[test]
    fn a_depth_of_its_own_is_kept_under_a_clock() {
        let game = Game::<Othello<8>>::new(Rules::of(Othello::<8>::about())).unwrap();
        let limits = Limits { cpu: Some(Duration::from_secs(1000)), ..Limits::default() };
        for limits in [limits, Limits::default()] {
            let request = Request { limits, ..Request::default() };
            for depth in [2, 4] {
                assert_eq!(Plan { depth: Some(depth) }.choose(&game, &request).depth, depth);
            }
        }
        assert_eq!(Plan { depth: None }.choose(&game, &Request::default()).depth, USUAL_DEPTH);
    }
}
