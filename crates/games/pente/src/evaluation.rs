//! The evaluation of Pente: a net that sees the four lines of every empty intersection, and what was captured.

use std::sync::{Arc, LazyLock};

use quincunx_game::{Side, TextError};
use quincunx_search::{Evaluator, Tactics, Tuning, packing, solver::Solver, tactics::TACTICAL};

use super::{
    Move, Pente, STONES_TO_WIN,
    lines::Lines,
    net::{Net, RESULT_UNIT, Sums},
    stones_of_pairs,
    threats::ThreatSolver,
};

/// The numbers of the search for a file of weights that says nothing of them. At 6000 nodes a move against 9700 of the
/// evaluation by terms before, late moves 0, 3 and 6 scored 50 ± 8, 62 ± 14 and 62 ± 8 % (50 to 100 games).
pub(super) const TUNING: Tuning = Tuning {
    scale: 600.0,
    aspiration: 160,
    reverse_futility: 300,
    futility: 200,
    reduction: 200,
    late_moves: 4,
    ..Tuning::CAUTIOUS
};

/// What judges positions of Pente.
pub struct Evaluation {
    net: Net,
    tuning: Tuning,
    /// Hundredths of the game's unit for [`RESULT_UNIT`], times 65536.
    scale: i64,
}

/// What is kept up along the line of play.
#[derive(Clone)]
pub struct State {
    lines: Lines,
    sums: Sums,
}

/// A page loads the weights when the game is opened.
#[cfg(target_family = "wasm")]
static EMBEDDED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| unreachable!("the weights are handed in before"));

#[cfg(not(target_family = "wasm"))]
static EMBEDDED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
    Arc::new(
        quincunx_search::evaluator::from_file(include_bytes!("weights.bin"))
            .expect("the weights in the repository are whole"),
    )
});

impl Evaluation {
    pub(super) fn new(net: Net, tuning: Tuning) -> Self {
        // A score of one scale makes a win three times as likely as a loss.
        let scale = f64::from(tuning.scale) / 3f64.ln() / f64::from(RESULT_UNIT) * 65536.0;
        Self { net, tuning, scale: scale.round() as i64 }
    }

    #[inline]
    fn place(&self, state: &mut State, side: Side, cell: usize) {
        self.net.place(&mut state.sums, &state.lines, side, cell);
        state.lines.place(side, cell);
    }

    #[inline]
    fn remove(&self, state: &mut State, side: Side, cell: usize) {
        self.net.remove(&mut state.sums, &state.lines, side, cell);
        state.lines.remove(side, cell);
    }
}

impl Evaluator for Evaluation {
    type Position = Pente;
    type State = State;

    const SHAPE: &'static str = "crossings-16-32";

    const TUNING: Tuning = TUNING;

    const CARRIED_BY_PAGES: bool = false;

    fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    fn from_weights(bytes: &[u8]) -> Result<Self, TextError> {
        let numbers = packing::unpack(bytes, Tuning::IN_NETS + Net::size())?;
        let (tuned, numbers) = numbers.split_at(Tuning::IN_NETS);
        Ok(Self::new(Net::from_numbers(numbers)?, TUNING.with_numbers(tuned)))
    }

    fn weights(&self) -> Vec<u8> {
        let mut numbers = self.tuning.in_nets().to_vec();
        numbers.extend(self.net.numbers());
        packing::pack(&numbers)
    }

    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn with_tuning(&self, tuning: Tuning) -> Self {
        Self::new(self.net.clone(), tuning)
    }

    fn state(&self, position: &Pente) -> State {
        let lines = position.known();
        let sums = self.net.sums(&lines);
        State { lines, sums }
    }

    fn known(state: &State) -> &Lines {
        &state.lines
    }

    #[inline]
    fn advance(&self, state: &mut State, before: &Pente, mv: Move, after: &Pente) {
        let side = before.to_move;
        self.place(state, side, mv.cell());
        if before.captured != after.captured {
            for stone in stones_of_pairs(before.stones.around(mv).captures(side), mv) {
                self.remove(state, !side, stone.cell());
            }
        }
    }

    #[inline]
    fn retreat(&self, state: &mut State, before: &Pente, mv: Move, after: &Pente) {
        let side = before.to_move;
        if before.captured != after.captured {
            for stone in stones_of_pairs(before.stones.around(mv).captures(side), mv) {
                self.place(state, !side, stone.cell());
            }
        }
        self.remove(state, side, mv.cell());
    }

    #[inline]
    fn evaluate(&self, position: &Pente, state: &State) -> i32 {
        let result = self.net.result(&state.sums, position.to_move, position.bucket());
        ((i64::from(result) * self.scale) >> 16).clamp(-20_000, 20_000) as i32
    }

    /// As the tactics say, quiet moves by what the net thinks of them.
    #[inline]
    fn order(&self, position: &Pente, state: &State, mv: Move) -> i32 {
        let rank = position.rank(&state.lines, mv);
        let quiet = self.net.order(&state.sums, position.to_move, mv.cell());
        rank * TACTICAL + quiet.clamp(1 - TACTICAL / 2, TACTICAL / 2 - 1)
    }

    fn solver(self: &Arc<Self>, _mebibytes: usize, _threads: usize) -> Option<Box<dyn Solver<Pente>>> {
        Some(Box::new(ThreatSolver))
    }
}

impl Pente {
    /// The number for the pairs that both sides have captured, the side to move first.
    #[inline]
    pub(super) fn bucket(&self) -> usize {
        let pairs = |side| usize::from(self.captured(side).min(STONES_TO_WIN - 2) / 2);
        5 * pairs(self.to_move) + pairs(!self.to_move)
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Position, hash::mix};
    use quincunx_search::evaluator;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// A net of random numbers.
    fn any(seed: u64) -> Evaluation {
        let numbers: Vec<i16> = (0..Net::size() as u64).map(|at| (mix(seed, at) % 201) as i16 - 100).collect();
        Evaluation::new(Net::from_numbers(&numbers).unwrap(), TUNING)
    }

    #[test]
    fn sums_kept_up_equal_sums_from_scratch_there_and_back() {
        let mut captures = 0;
        for seed in 0..6 {
            let evaluation = any(seed);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = Pente::start("free").unwrap();
            let mut state = evaluation.state(&position);
            let mut game = Vec::new();
            while let Some(mv) = position.outcome().is_none().then(|| position.random_move(&mut rng)).flatten() {
                let before = position;
                position.play(mv);
                evaluation.advance(&mut state, &before, mv, &position);
                assert!(state.sums == evaluation.state(&position).sums, "{}", position.text());
                game.push((before, mv, position));
            }
            captures += game.iter().filter(|(before, _, after)| before.captured != after.captured).count();
            for (before, mv, after) in game.into_iter().rev() {
                evaluation.retreat(&mut state, &before, mv, &after);
                assert!(state.sums == evaluation.state(&before).sums, "{}", before.text());
            }
        }
        assert!(captures > 0);
    }

    #[test]
    fn symmetric_positions_and_those_with_colours_swapped_are_worth_the_same() {
        let evaluation = any(9);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let value = |position: &Pente| evaluation.evaluate(position, &evaluation.state(position));
        for _ in 0..5 {
            let mut position = Pente::start("free").unwrap();
            while position.outcome().is_none() {
                let expected = value(&position);
                assert_eq!(value(&position.colours_swapped()), expected, "{}", position.text());
                for symmetry in 0..Pente::SYMMETRIES {
                    assert_eq!(value(&position.transformed(symmetry)), expected, "{}", position.text());
                }
                position.play(position.random_move(&mut rng).unwrap());
            }
        }
    }

    #[test]
    fn weights_come_back_from_a_file_with_the_numbers_of_the_search() {
        let tuning = Tuning { futility: 77, reverse_futility: 5, null_move: 2, late_moves: 7, ..TUNING };
        let evaluation = any(3).with_tuning(tuning);
        let again: Evaluation = evaluator::from_file(&evaluator::to_file(&evaluation)).unwrap();
        assert!(*again.tuning() == tuning && again.net.numbers() == evaluation.net.numbers());
    }
}
