//! Plays the games of self-play, each a pure function of the settings and its number.

use std::sync::Arc;

use quincunx_game::{Game, Position, Rules, Side, hash::mix, position::random_below};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Label, Settings, ended};
use crate::{Engine, Evaluator, Limits, Score, Stop, Tactics, evaluator::MoveOf, tactics::TACTICAL};

/// A game as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The positions with a label.
    pub positions: u32,
    /// The game.
    pub bytes: Vec<u8>,
}

/// Something that plays games of self-play, whatever the game.
pub trait AnyGenerator: Send {
    /// Plays the game of this number; `None` if `stopped` says so before its end. It is asked before every move.
    fn play(&mut self, number: u64, stopped: &dyn Fn() -> bool) -> Option<Encoded>;
}

/// An engine that plays against itself.
pub struct Generator<E: Evaluator> {
    engine: Engine<E>,
    rules: Rules,
    settings: Settings,
}

impl<E: Evaluator> Generator<E> {
    /// An engine with this evaluator, under rules that its positions play.
    pub fn new(evaluator: Arc<E>, rules: Rules, settings: Settings) -> Self {
        // A table for the nodes of a whole game; clearing a larger one would take longer than the searches.
        let megabytes = (settings.nodes / 500).clamp(1, 64) as usize;
        Self { engine: Engine::new(evaluator, megabytes, 1), rules, settings }
    }

    /// An unfinished game after random plies: as many as drawn, or half of it as often as the game ends on the way.
    fn opening(&self, rng: &mut Xoshiro256PlusPlus) -> Game<E::Position> {
        let (least, most) = self.settings.random_plies;
        let mut plies = u64::from(least) + random_below(rng, u64::from(most.saturating_sub(least)) + 1);
        loop {
            let mut game = Game::<E::Position>::new(self.rules).expect("the rules are those of the game");
            for _ in 0..plies {
                if let (None, Some(mv)) = (ended(&game), game.position().random_move(rng)) {
                    game.play(mv);
                }
            }
            if plies == 0 || ended(&game).is_none() {
                return game;
            }
            plies /= 2;
        }
    }

    /// The best move, and what the search says of the position.
    fn search(&self, game: &Game<E::Position>) -> (MoveOf<E>, Label) {
        let limits = Limits { nodes: Some(self.settings.nodes), ..Limits::default() };
        let mut scores = Vec::new();
        let report =
            self.engine.search(game, &limits, &Stop::default(), 1, &mut |found| scores.push(found.lines[0].score));
        let line = &report.lines[0];
        scores.push(line.score);
        let (position, evaluator) = (game.position(), self.engine.evaluator());
        let (mv, state) = (line.moves[0], evaluator.state(position));
        let known = E::known(&state);
        let tactical = position.order(known, mv) >= TACTICAL || position.is_threatened(known);
        let quiet = !tactical && is_stable(&scores, evaluator.tuning().scale);
        (mv, Label { score: line.score, quiet, strayed: false })
    }
}

/// Whether the last score and those of the last two iterations lie within half a scale, and none is decided.
fn is_stable(scores: &[Score], scale: f32) -> bool {
    let last = &scores[scores.len().saturating_sub(3)..];
    let values = last.iter().map(|score| match *score {
        Score::Estimate(value) | Score::Exact(value) => Some(value),
        Score::Win(_) | Score::Loss(_) => None,
    });
    let Some(values) = values.collect::<Option<Vec<_>>>() else { return false };
    let (least, most) = (values.iter().min(), values.iter().max());
    least.zip(most).is_some_and(|(least, most)| (most - least) as f32 <= scale / 2.0)
}

impl<E: Evaluator> AnyGenerator for Generator<E> {
    fn play(&mut self, number: u64, stopped: &dyn Fn() -> bool) -> Option<Encoded> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(mix(self.settings.seed, number));
        self.engine.clear();
        let mut game = self.opening(&mut rng);
        let opening = game.moves().len();
        let mut labels = Vec::new();
        let winner = loop {
            if let Some(end) = ended(&game) {
                break end.winner;
            }
            if stopped() {
                return None;
            }
            let (best, mut label) = self.search(&game);
            let one_in = u64::from(self.settings.random_moves);
            let strays = one_in > 0 && random_below(&mut rng, one_in) == 0;
            let random = if strays { game.position().random_move(&mut rng) } else { None };
            label.strayed = random.is_some_and(|mv| mv != best);
            game.play(random.unwrap_or(best));
            labels.push(label);
        };
        Some(encode(&game, opening, &labels, winner))
    }
}

/// A finished game as bytes, the plies after the opening with their labels.
pub(crate) fn encode<P: Tactics>(game: &Game<P>, opening: usize, labels: &[Label], winner: Option<Side>) -> Encoded {
    let mut bytes = Vec::with_capacity(5 + 2 * opening + 5 * labels.len());
    bytes.extend((opening as u16).to_le_bytes());
    bytes.extend((labels.len() as u16).to_le_bytes());
    bytes.push(winner.map_or(0, |side| 1 + side.index() as u8));
    let (random, played) = game.moves().split_at(opening);
    for &mv in random {
        bytes.extend(P::code(mv).to_le_bytes());
    }
    for (&mv, label) in played.iter().zip(labels) {
        let (score, flags) = label.encode();
        bytes.extend(P::code(mv).to_le_bytes());
        bytes.extend(score.to_le_bytes());
        bytes.push(flags);
    }
    Encoded { positions: labels.len() as u32, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_stable_if_its_last_iterations_agree() {
        let estimates = |values: &[i32]| values.iter().map(|&value| Score::Estimate(value)).collect::<Vec<_>>();
        assert!(is_stable(&estimates(&[900, 0, 50, 100]), 200.0));
        assert!(!is_stable(&estimates(&[0, 50, 101]), 200.0));
        assert!(!is_stable(&[Score::Estimate(0), Score::Win(3), Score::Estimate(0)], 200.0));
        assert!(is_stable(&[Score::Exact(600), Score::Exact(600)], 200.0));
    }
}
