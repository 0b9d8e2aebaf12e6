//! Minimax as the documents have it: values for the player at the root, alpha-beta or not, to a fixed depth.

use quincunx_game::{Position, Side};

use super::Deadline;

/// What sets one minimax apart from another.
pub trait Mind<P: Position> {
    /// What a leaf is worth for `player`.
    fn value(&mut self, position: &P, player: Side) -> f64;

    /// The moves of a node, in the order they are searched; a node without any is a leaf.
    fn moves(&mut self, position: &P) -> Vec<P::Move> {
        position.moves()
    }
}

/// The result of a finished search.
#[derive(Clone, Copy, Debug)]
pub struct Best<M> {
    /// The move.
    pub mv: M,
    /// What it is worth for the player at the root.
    pub value: f64,
}

/// A search under way.
#[derive(Debug)]
pub struct Minimax<'a, P: Position, M> {
    /// What it thinks of positions.
    pub mind: &'a mut M,
    player: Side,
    deadline: &'a Deadline<'a>,
    /// The positions visited.
    pub nodes: u64,
    stopped: bool,
    game: std::marker::PhantomData<P>,
}

impl<'a, P: Position, M: Mind<P>> Minimax<'a, P, M> {
    /// A search for `player`.
    pub fn new(mind: &'a mut M, player: Side, deadline: &'a Deadline<'a>) -> Self {
        Self { mind, player, deadline, nodes: 0, stopped: false, game: std::marker::PhantomData }
    }

    /// The best move at a depth of one or more; `None` if time ran out, except that a first move is always found.
    pub fn best(&mut self, position: &P, depth: u32) -> Option<Best<P::Move>> {
        let (mut alpha, mut best) = (f64::NEG_INFINITY, None);
        for mv in self.mind.moves(position) {
            let mut child = *position;
            child.play(mv);
            let value = self.value(&child, depth - 1, alpha, f64::INFINITY);
            if self.stopped {
                return None;
            }
            if best.as_ref().is_none_or(|best: &Best<_>| value > best.value) {
                best = Some(Best { mv, value });
                alpha = alpha.max(value);
            }
        }
        best
    }

    fn value(&mut self, position: &P, depth: u32, mut alpha: f64, mut beta: f64) -> f64 {
        self.nodes += 1;
        if self.deadline.is_over() {
            self.stopped = true;
        }
        if self.stopped {
            return 0.0;
        }
        let moves = if depth == 0 { Vec::new() } else { self.mind.moves(position) };
        if moves.is_empty() {
            return self.mind.value(position, self.player);
        }
        let maximising = position.to_move() == self.player;
        let mut best = if maximising { f64::NEG_INFINITY } else { f64::INFINITY };
        for mv in moves {
            let mut child = *position;
            child.play(mv);
            let value = self.value(&child, depth - 1, alpha, beta);
            if maximising {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
