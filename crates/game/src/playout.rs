//! Uniformly random games, refereed like real ones.

use rand::Rng;

use crate::{Outcome, Position, Rules, outcome};

/// The end of a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// How it ended.
    pub outcome: Outcome,
    /// After how many turns.
    pub plies: u32,
}

/// Plays random games under fixed rules, keeping its memory from one to the next.
#[derive(Debug)]
pub struct Playouts {
    repetition: u32,
    plies: u32,
    /// The hashes of the positions of this game, to find the third occurrence.
    path: Vec<u64>,
    /// How many hashes of the path fall into each bucket: most new positions are recognised without a scan of the path.
    seen: Vec<u8>,
}

const BUCKETS: usize = 1 << 12;

impl Playouts {
    /// Random games that end by repetition and ply limit as `rules` say.
    pub fn new(rules: &Rules) -> Self {
        Self { repetition: rules.repetition, plies: rules.plies, path: Vec::new(), seen: vec![0; BUCKETS] }
    }

    /// Plays uniformly random legal moves from `position` until the game ends.
    pub fn run<P: Position>(&mut self, mut position: P, rng: &mut impl Rng) -> Playout {
        let mut plies = 0;
        let outcome = loop {
            if self.repetition > 0 && self.visit(position.hash()) && position.outcome().is_none() {
                break Outcome::draw(outcome::REPETITION);
            }
            if self.plies > 0 && plies >= self.plies && position.outcome().is_none() {
                break Outcome::draw(outcome::PLY_LIMIT);
            }
            let Some(mv) = position.random_move(rng) else {
                break position.outcome().expect("a position without a move is an end");
            };
            position.play(mv);
            plies += 1;
        };
        for hash in self.path.drain(..) {
            self.seen[hash as usize % BUCKETS] = 0;
        }
        Playout { outcome, plies }
    }

    /// Adds a position to the path, and returns whether it has occurred often enough for a draw.
    #[inline]
    fn visit(&mut self, hash: u64) -> bool {
        let bucket = &mut self.seen[hash as usize % BUCKETS];
        *bucket = bucket.saturating_add(1);
        let perhaps = u32::from(*bucket) >= self.repetition.min(255);
        self.path.push(hash);
        perhaps && self.path.iter().filter(|&&before| before == hash).count() as u32 >= self.repetition
    }
}
