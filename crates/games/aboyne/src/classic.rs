//! Aboyne: alpha-beta over the evaluations f1 to f8, each building on the one before, with the moves in random order.
//!
//! As in the document, the search does not notice a reached goal: it goes on moving, and only f6 and later see the
//! stone on the goal cell. With `fixed=true` it ends at wins.

use quincunx_game::{
    Game, Position, Rules, Side, TextError, bits::Bits, position::random_below, refusal, text::quoted,
};
use quincunx_search::{
    agent::{Agent, Options, Request},
    classic::{Choose, Deadline, Mind, Minimax, Thought, agent},
    moves_ahead,
};

use super::{Aboyne, Move, cell_of_bit};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The depth of the document's strongest setting.
const DEEPEST: u64 = 4;
/// The best of the evaluations.
const BEST_EVALUATION: u32 = 8;
/// What a won game is worth, if the search notices it.
const WON: f64 = 1e9;

/// The lengths of the rows.
const ROWS: [usize; 9] = [5, 6, 7, 8, 9, 8, 7, 6, 5];
/// The goal cells.
const GOALS: [usize; 2] = [34, 26];
/// The cells one step from a side's goal.
const BEFORE_GOAL: [[usize; 3]; 2] = [[25, 33, 42], [18, 27, 35]];

/// The agent of the document, by whatever rules.
pub(crate) fn build(rules: &Rules, options: &mut Options<'_>, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let plan = Plan::new(options, seed)?;
    Ok(match rules.ruleset.name {
        "seed" => agent::<Aboyne<1>, _>(plan),
        "seed-program" => agent::<Aboyne<2>, _>(plan),
        _ => agent::<Aboyne<0>, _>(plan),
    })
}

pub(crate) struct Plan {
    depth: u32,
    evaluation: u32,
    fixed: bool,
    rng: Xoshiro256PlusPlus,
    /// By bit: how near the row is to the middle one.
    middle: [i32; 64],
    /// By side and bit: the distance to the goal.
    distance: [[i32; 64]; 2],
    /// By side: the bits of the goal and of the cells before it.
    goal: [u64; 2],
    before_goal: [u64; 2],
}

impl Plan {
    pub(crate) fn new(options: &mut Options<'_>, seed: u64) -> Result<Self, TextError> {
        let depth = options.number("depth", 1, DEEPEST)?.unwrap_or(DEEPEST) as u32;
        let evaluation = options.take("eval", |value| {
            let number = value.strip_prefix('f').and_then(|number| number.parse().ok());
            number
                .filter(|number| (1..=BEST_EVALUATION).contains(number))
                .ok_or_else(|| refusal!("aboyne.evaluation", "expected f1 to f8"))
        })?;
        let fixed = options.take("fixed", |value| {
            value.parse().map_err(|_| {
                refusal!("agent.true_or_false", "{given} is neither true nor false", given = quoted(value))
            })
        })?;
        Ok(Self::with(depth, evaluation.unwrap_or(BEST_EVALUATION), fixed.unwrap_or(false), seed))
    }

    fn with(depth: u32, evaluation: u32, fixed: bool, seed: u64) -> Self {
        let mut plan = Self {
            depth,
            evaluation,
            fixed,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            middle: [0; 64],
            distance: [[0; 64]; 2],
            goal: [0; 2],
            before_goal: [0; 2],
        };
        for bit in 0..61 {
            let cell = cell_of_bit(bit as u32);
            let (row, column) = place(cell);
            let rows = row.abs_diff(4) as i32;
            plan.middle[bit] = 5 - rows;
            plan.distance[0][bit] = (ROWS[row] - 1 - column) as i32 + rows;
            plan.distance[1][bit] = column as i32 + rows;
            for side in 0..2 {
                plan.goal[side] |= u64::from(GOALS[side] == cell) << bit;
                plan.before_goal[side] |= u64::from(BEFORE_GOAL[side].contains(&cell)) << bit;
            }
        }
        plan
    }

    fn evaluate<const RULESET: usize>(&self, position: &Aboyne<RULESET>, player: Side) -> i32 {
        let mut number = self.evaluation;
        if number == 8 {
            number = if has_moves(position, !player) { 7 } else { 2 };
        }
        let (own, enemy) = (position.stones(player), position.stones(!player));
        let (side, other) = (player.index(), (!player).index());
        let mut value: i32 = Bits(own).map(|bit| self.middle[bit as usize]).sum();
        if number >= 2 {
            value -= 30 * Bits(own).map(|bit| self.distance[side][bit as usize]).sum::<i32>();
        }
        if number >= 3 {
            value += 200 * (own.count_ones() as i32 - enemy.count_ones() as i32);
        }
        if number >= 4 {
            value += 15 * (position.count_captures(player) as i32 - position.count_captures(!player) as i32);
        }
        if number >= 5 {
            let unblocked = |side: Side| (position.stones(side) & !position.blocked(side)).count_ones() as i32;
            value += 100 * (unblocked(player) - unblocked(!player));
        }
        if number >= 6 && own & self.goal[side] != 0 {
            value += 1_000_000;
        }
        if number >= 7 && enemy & self.before_goal[other] & position.blocked(!player) != 0 {
            value += 250;
        }
        value
    }
}

fn place(cell: usize) -> (usize, usize) {
    let mut first = 0;
    for (row, length) in ROWS.into_iter().enumerate() {
        if cell < first + length {
            return (row, cell - first);
        }
        first += length;
    }
    (0, 0)
}

/// Whether a side could move a stone if it were its turn, a reached goal or not.
fn has_moves<const RULESET: usize>(position: &Aboyne<RULESET>, side: Side) -> bool {
    let mut position = *position;
    if position.to_move() != side {
        position.hand_over();
    }
    position.has_move_past_the_goal()
}

impl<const RULESET: usize> Choose<Aboyne<RULESET>> for Plan {
    fn choose(&mut self, game: &Game<Aboyne<RULESET>>, request: &Request) -> Thought<Move> {
        let position = game.position();
        let deadline = Deadline::new(request, moves_ahead(game));
        let deepest = self.depth;
        let mut search = Minimax::new(self, position.to_move(), &deadline);
        let moves = position.moves();
        let mut thought = Thought { mv: moves[0], score: None, depth: 0, nodes: 0 };
        if Aboyne::<RULESET>::is_pass(moves[0]) {
            return thought;
        }
        // Under a time limit shallower answers are kept for when the full depth is not reached.
        let first = if deadline.seconds.is_finite() { 1 } else { deepest };
        for depth in first..=deepest {
            let Some(best) = search.best(position, depth) else { break };
            thought = Thought { mv: best.mv, score: Some(best.value / 100.0), depth, nodes: search.nodes };
        }
        thought
    }
}

impl<const RULESET: usize> Mind<Aboyne<RULESET>> for Plan {
    fn value(&mut self, position: &Aboyne<RULESET>, player: Side) -> f64 {
        if self.fixed
            && let Some(end) = position.outcome()
        {
            return end.winner.map_or(0.0, |winner| if winner == player { WON } else { -WON });
        }
        f64::from(self.evaluate(position, player))
    }

    fn moves(&mut self, position: &Aboyne<RULESET>) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        if self.fixed {
            position.for_each_move(|mv| moves.push(mv));
        } else {
            position.for_each_move_past_the_goal(|mv| moves.push(mv));
        }
        for index in (1..moves.len()).rev() {
            moves.swap(index, random_below(&mut self.rng, index as u64 + 1) as usize);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Rules;

    use super::*;

    const START: &str = "b...r/b....r/b.....r/b......r/.b.....r./b......r/b.....r/b....r/b...r b";

    fn value(evaluation: u32, text: &str, player: Side) -> i32 {
        let position = Aboyne::<2>::parse("seed-program", text).unwrap();
        Plan::with(1, evaluation, false, 0).evaluate(&position, player)
    }

    #[test]
    fn the_start_has_the_values_worked_out_by_hand() {
        // Rows 1 2 3 4 5 4 3 2 1.
        assert_eq!(value(1, START, Side::First), 25);
        // Every stone stands at the far end of its row: 4+4 5+3 6+2 7+1, 7+0 in the middle, and the same again.
        assert_eq!(value(2, START, Side::First), 25 - 30 * (8 * 8 + 7));
        // Equal stones, no captures, nothing blocked, no goal: the rest adds nothing.
        for evaluation in 3..=8 {
            assert_eq!(value(evaluation, START, Side::First), value(2, START, Side::First));
            assert_eq!(value(evaluation, START, Side::Second), value(2, START, Side::First));
        }
    }

    #[test]
    fn each_evaluation_adds_what_its_heading_says() {
        // Blue on e8 (33) next to its goal and on a1; Red on d8 (25), blocked by it, on e2 (27) and on i5 (60).
        let text = "b..../....../......./.......r/.r.....b./......../......./....../....r b";
        // Blue: rows 1 + 5; distances: a1 4+4, e8 1+0.
        assert_eq!(value(1, text, Side::First), 6);
        assert_eq!(value(2, text, Side::First), 6 - 30 * 9);
        assert_eq!(value(3, text, Side::First), 6 - 270 - 200);
        assert_eq!(value(4, text, Side::First), 6 - 270 - 200);
        // Blue has one unblocked stone, Red two.
        assert_eq!(value(5, text, Side::First), 6 - 270 - 200 - 100);
        assert_eq!(value(6, text, Side::First), 6 - 270 - 200 - 100);
        // No blocked red stone before Red's goal: e2 is free.
        assert_eq!(value(7, text, Side::First), 6 - 270 - 200 - 100);
        // Red sees that the blue stone before the goal is blocked.
        assert_eq!(value(7, text, Side::Second) - value(6, text, Side::Second), 250);
        // On the goal itself.
        let won = "b..../....../......./......../.r......b/......../......./....../....r r";
        assert_eq!(value(6, won, Side::First) - value(5, won, Side::First), 1_000_000);
    }

    #[test]
    fn captures_count_for_stones_that_are_not_blocked() {
        // Blue e3 and e4, Red e5, f4 and i5. e3 jumps over e4 straight onto e5, and in the program's way onto f4 as
        // well; all others that could jump are blocked. One stone of each side is free: e3 and i5.
        let text = "...../....../......./......../..bbr..../...r..../......./....../....r b";
        // Rows 5 + 5; distances 6 + 5; two stones against three; two captures against none.
        let blue = [10, 10 - 330, -320 - 200, -520 + 30, -490, -490, -490, -490];
        // Rows 5 + 4 + 1; distances 4, 3 + 1 and 4 + 4.
        let red = [10, 10 - 480, -470 + 200, -270 - 30, -300, -300, -300, -300];
        for evaluation in 1..=8 {
            assert_eq!(value(evaluation, text, Side::First), blue[evaluation as usize - 1], "f{evaluation}");
            assert_eq!(value(evaluation, text, Side::Second), red[evaluation as usize - 1], "f{evaluation}");
        }
        let official = Aboyne::<0>::parse("official", text).unwrap();
        assert_eq!(Plan::with(1, 4, false, 0).evaluate(&official, Side::First), -520 + 15);
    }

    #[test]
    fn the_last_evaluation_is_the_second_where_the_enemy_has_no_move() {
        // Blue e9, its goal, e3 and i5; Red d2 and e2, one step from its goal, both blocked by e3 as e3 is by them.
        let text = "...../....../......./.r....../.rb.....b/......../......./....../....b r";
        // Rows 5 + 5 + 1; distances 0 + 6 + 4; one stone more; no captures; two free stones against none; the goal; e2
        // blocked before its goal.
        let blue = [11, 11 - 300, -289 + 200, -89, -89 + 200, 111 + 1_000_000, 1_000_111 + 250, -289];
        for evaluation in 1..=8 {
            assert_eq!(value(evaluation, text, Side::First), blue[evaluation as usize - 1], "f{evaluation}");
        }
    }

    /// The move chosen, with its value.
    fn choice(text: &str, depth: u32, fixed: bool) -> (String, i32) {
        let position = Aboyne::<0>::parse("official", text).unwrap();
        let game = Game::from_position(Rules::of(Aboyne::<0>::about()), position);
        let thought = Plan::with(depth, 3, fixed, 0).choose(&game, &Request::default());
        (position.move_text(thought.mv), (100.0 * thought.score.unwrap()).round() as i32)
    }

    #[test]
    fn the_blind_search_goes_on_past_a_reached_goal() {
        // Blue e8 and i3, Red i1 and i2, f3 at depth 2. i3 is blocked, so e8 moves; Red then takes i3 by i1 over i2,
        // worth -200 - 1 + 180 to Blue, since nothing else changes f3. The goal is the best: row 5, distance 0, one
        // stone against two.
        let text = "...../....../......./......../.......b./......../......./....../rrb.. b";
        assert_eq!(choice(text, 2, false), ("e8-e9".into(), 5 - 200));
        assert_eq!(choice(text, 2, true), ("e8-e9".into(), WON as i32));
    }

    #[test]
    fn the_blind_search_prefers_a_capture_to_the_goal() {
        // Blue e8, a1 and a2, Red a3 and i5, f3 at depth 1. Before: rows 5 + 1 + 1, distances 1 + 8 + 7, three stones
        // against two: 7 - 480 + 200 = -273. The goal brings 30; a1 over a2 takes a3: 200, and 60 for two cells.
        let text = "bbr../....../......./......../.......b./......../......./....../....r b";
        assert_eq!(choice(text, 1, false), ("a1xa3".into(), -273 + 260));
        assert_eq!(choice(text, 1, true), ("e8-e9".into(), WON as i32));
    }
}
