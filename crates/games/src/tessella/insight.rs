//! What an engine knows of Tessella: pieces, where they stand, threats and the way to the centre.

use quincunx_game::bits::Bits;
use quincunx_search::{
    Insight,
    insight::{TACTICAL, Tuning, Verdict},
};

use super::{
    Move, Tessella,
    board::Board,
    moves::{self, Destinations, move_to},
};

/// The terms of the evaluation with their weights, in thousandths of a piece: fitted by
/// `quincunx tune tessella --games 4000 --nodes 2000 --random-plies 4 --seed 31` to 108,984 quiet positions,
/// played with the fit before this one and margins of 14 and 20.
const WEIGHTS: [(&str, i32); 15] = [
    ("pieces", 1000),
    ("one piece from losing", -274),
    ("turn", 77),
    ("threatened by the mover", 112),
    ("threatened by the other", -77),
    ("threatened and not covered, by the mover", 108),
    ("threatened and not covered, by the other", -85),
    ("tips", -99),
    ("second ring", -31),
    ("third ring", 195),
    ("fourth ring", 68),
    ("fifth ring and further in", 174),
    ("outer cells a step away", -49),
    ("inner cells a step away", -20),
    ("safe steps to inner cells", 28),
];

impl<const D: usize> Insight for Tessella<D> {
    type State = ();

    /// At 20,000 nodes a move these two margins score 52.8 ± 2.3 % against 14 and 20 (400 games), and those 53.8 ± 2.2 % against
    /// 20 and 30 (300 games).
    const TUNING: Tuning =
        Tuning { scale: 22.0, aspiration: 20, futility: 10, hopeless: 14, moves: 16, pace: 0.4, ..Tuning::CAUTIOUS };
    const MOVE_CODES: usize = 64 * 64;

    fn code(mv: Move) -> u16 {
        64 * u16::from(mv.from) + u16::from(mv.to)
    }

    fn decode(code: u16) -> Move {
        Move { from: (code / 64) as u8, to: (code % 64) as u8 }
    }

    fn state(&self) {}

    fn evaluate(&self, (): &()) -> i32 {
        self.terms().into_iter().zip(WEIGHTS).map(|(term, (_, weight))| term * weight).sum::<i32>() / 10
    }

    fn features(&self, (): &()) -> Vec<(&'static str, i32)> {
        WEIGHTS.into_iter().zip(self.terms()).map(|((name, _), term)| (name, term)).collect()
    }

    /// The last capture wins at once.
    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        let last = Self::is_one_from_losing(self.enemy);
        let captures = || moves::destinations::<D>(self.own, self.enemy).into_iter().any(|set| set & self.enemy != 0);
        (last && captures()).then_some(Verdict::Win(1))
    }

    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        for (direction, set) in self.destinations().into_iter().enumerate() {
            for to in Bits(set & self.enemy) {
                visit(move_to::<D>(direction, to, self.own | self.enemy));
            }
        }
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if self.enemy & (1 << mv.to) == 0 { 0 } else { TACTICAL }
    }
}

impl<const D: usize> Tessella<D> {
    /// The terms of the evaluation for the side to move, in the order of [`WEIGHTS`].
    fn terms(&self) -> [i32; WEIGHTS.len()] {
        let (own, enemy) = (self.own, self.enemy);
        let (own_reach, enemy_reach) = (moves::reach::<D>(own, enemy), moves::reach::<D>(enemy, own));
        let united = |sets: Destinations| sets.into_iter().fold(0, |all, set| all | set);
        let (own_aims, enemy_aims) = (united(own_reach.aims), united(enemy_reach.aims));
        let (own_steps, enemy_steps) = (united(own_reach.steps), united(enemy_reach.steps));

        let count = |set: u64| set.count_ones() as i32;
        let pieces_on = |cells: u64| count(own & cells) - count(enemy & cells);
        let reach_of = |cells: u64| count(own_steps & cells) - count(enemy_steps & cells);
        let safe_inner = |steps: Destinations, aims: u64| -> i32 {
            steps.into_iter().map(|set| count(set & Board::<D>::INNER & !aims)).sum()
        };
        let [_, second, third, fourth, ..] = Board::<D>::RINGS[..] else { unreachable!("there are at least four") };
        [
            pieces_on(!0),
            i32::from(Self::is_one_from_losing(own)) - i32::from(Self::is_one_from_losing(enemy)),
            1,
            count(own_aims & enemy),
            count(enemy_aims & own),
            count(own_aims & enemy & !enemy_aims),
            count(enemy_aims & own & !own_aims),
            pieces_on(Board::<D>::TIPS),
            pieces_on(second),
            pieces_on(third),
            pieces_on(fourth),
            pieces_on(Board::<D>::INNER & !(second | third | fourth)),
            reach_of(!Board::<D>::INNER),
            reach_of(Board::<D>::INNER),
            safe_inner(own_reach.steps, enemy_aims) - safe_inner(enemy_reach.steps, own_aims),
        ]
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn a_fourth_capture_is_seen_at_a_glance() {
        // Dark has four pieces left: one more is the fourth captured.
        let text = "~~~~x~~~~/~~~...~~~/~~x...x~~/~.......~/....x..../~..o....~/~~o....~~/~~~.o.~~~/~~~~o~~~~ o";
        let position = Tessella::<5>::parse("d5", text).unwrap();
        let wins = position.moves().into_iter().any(|mv| {
            let mut child = position;
            child.play(mv);
            child.outcome().is_some()
        });
        assert_eq!(position.verdict(&(), 0).is_some(), wins);
        assert!(wins);
    }

    /// Positions of random games.
    fn some_positions<const D: usize>(ruleset: &str) -> Vec<Tessella<D>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(D as u64);
        let mut positions = Vec::new();
        for _ in 0..50 {
            let mut position = Tessella::<D>::start(ruleset).unwrap();
            while let Some(mv) = position.random_move(&mut rng) {
                positions.push(position);
                position.play(mv);
            }
        }
        positions
    }

    #[test]
    fn evaluation_is_the_same_from_every_corner_and_for_both_colours() {
        fn check<const D: usize>(ruleset: &str) {
            for position in some_positions::<D>(ruleset) {
                let value = position.evaluate(&());
                assert_eq!(position.colours_swapped().evaluate(&()), value);
                for symmetry in 0..Tessella::<D>::SYMMETRIES {
                    assert_eq!(position.transformed(symmetry).evaluate(&()), value, "{} {symmetry}", position.text());
                }
            }
        }
        check::<4>("d4");
        check::<5>("d5");
        check::<6>("d6");
    }

    #[test]
    fn handing_over_the_turn_swaps_the_threats_and_turns_the_balances_round() {
        for position in some_positions::<5>("d5") {
            let mut other = position;
            other.hand_over();
            let (terms, others) = (position.terms(), other.terms());
            for (index, (name, _)) in WEIGHTS.into_iter().enumerate() {
                let expected = match name {
                    "turn" => 1,
                    _ if name.ends_with("by the mover") => terms[index + 1],
                    _ if name.ends_with("by the other") => terms[index - 1],
                    _ => -terms[index],
                };
                assert_eq!(others[index], expected, "{name} in {}", position.text());
            }
        }
    }

    #[test]
    fn threatened_piece_is_covered_where_its_side_could_take_back() {
        let threats = |rows: &str| {
            let text = format!("~~~~x~~~~/~~~...~~~/{rows}/o.......o/~...o...~/~~.....~~/~~~...~~~/~~~~o~~~~ o");
            let terms = Tessella::<5>::parse("d5", &text).unwrap().terms();
            (terms[3], terms[5])
        };
        // e1 backs e4, which aims at e9; b6 backs c7, which covers it.
        assert_eq!(threats("~~x...x~~/~x......~"), (1, 0));
        assert_eq!(threats("~~....x~~/~x.x....~"), (1, 1));
    }
}
