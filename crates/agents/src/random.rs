//! The agent that plays uniformly random legal moves.

use quincunx_game::AnyGame;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Agent, Answer, Failure, Request};

pub(crate) struct Random {
    rng: Xoshiro256PlusPlus,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Agent for Random {
    fn choose(&mut self, game: &dyn AnyGame, _request: &Request) -> Result<Answer, Failure> {
        let mv = game.random_move(&mut self.rng);
        mv.map(|mv| Answer { mv, ..Answer::default() })
            .ok_or_else(|| Failure::new("asked for a move in a finished game"))
    }
}
