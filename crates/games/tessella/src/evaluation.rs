//! The evaluation of Tessella: pieces, where they stand, threats and the way to the centre.

use quincunx_search::{
    Tuning,
    terms::{Terms, Weighted},
};

use super::{
    Tessella,
    board::Board,
    moves::{self, Destinations},
};

/// What judges positions of Tessella.
pub type Evaluation<const D: usize> = Terms<Tessella<D>>;

impl<const D: usize> Weighted for Tessella<D> {
    type Values = [i32; 15];

    const NAMES: &'static [&'static str] = &[
        "pieces",
        "one piece from losing",
        "turn",
        "threatened by the mover",
        "threatened by the other",
        "threatened and not covered, by the mover",
        "threatened and not covered, by the other",
        "tips",
        "second ring",
        "third ring",
        "fourth ring",
        "fifth ring and further in",
        "outer cells a step away",
        "inner cells a step away",
        "safe steps to inner cells",
    ];

    /// In thousandths of a piece: fitted by `quincunx tune tessella --games 4000 --nodes 2000 --random-plies 4 --seed
    /// 31` to 108,984 quiet positions, played with the fit before this one and margins of 14 and 20.
    const WEIGHTS: Self::Values = [1000, -274, 77, 112, -77, 108, -85, -99, -31, 195, 68, 174, -49, -20, 28];

    /// At 20,000 nodes a move these two margins score 52.8 ± 2.3 % against 14 and 20 (400 games), and those 53.8 ± 2.2
    /// % against 20 and 30 (300 games).
    const TUNING: Tuning =
        Tuning { scale: 22.0, aspiration: 20, reverse_futility: 10, futility: 14, pace: 0.4, ..Tuning::CAUTIOUS };

    #[expect(clippy::inline_always, reason = "inside the sum nothing is stored, and every leaf makes one")]
    #[inline(always)]
    fn terms(&self) -> Self::Values {
        let (own, enemy) = (self.stones.own, self.stones.enemy);
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
    use quincunx_search::Evaluator;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

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
            let evaluation = Evaluation::<D>::embedded();
            for position in some_positions::<D>(ruleset) {
                let value = evaluation.evaluate(&position, &());
                assert_eq!(evaluation.evaluate(&position.colours_swapped(), &()), value);
                for symmetry in 0..Tessella::<D>::SYMMETRIES {
                    assert_eq!(
                        evaluation.evaluate(&position.transformed(symmetry), &()),
                        value,
                        "{} {symmetry}",
                        position.text()
                    );
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
            for (index, &name) in Tessella::<5>::NAMES.iter().enumerate() {
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
