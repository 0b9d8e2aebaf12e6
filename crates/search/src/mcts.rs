//! Monte Carlo tree search: UCT with random games at the leaves, proven wins and losses carried up, the tree kept from
//! move to move.

use std::time::Duration;

use quincunx_game::{Game, Outcome, Playouts, Position, Side};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Limits, Stop, Tactics, budget::Budget, engine::moves_ahead, path::Path};

/// How much a rarely tried move is preferred; the usual value for results between 0 and 1.
const EXPLORATION: f64 = 0.9;
/// What is kept of a clock for a game that goes on and on: 200 answers without a playout.
const RESERVE: Duration = Duration::from_millis(4);
/// No tree has more nodes: about 150 megabytes.
const MOST_NODES: usize = 6_000_000;

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice<M> {
    /// The move chosen: a proven win, or the one tried most often.
    pub mv: M,
    /// The share of playouts won with it, a draw counting half; a half if it was never tried, 1 or 0 if it
    /// is proven.
    pub win_probability: f64,
    /// Whether the result is proven rather than sampled.
    pub proven: bool,
    /// The most tried line.
    pub line: Vec<M>,
    /// The random games played for this answer.
    pub playouts: u64,
    /// The wall-clock time spent.
    pub elapsed: Duration,
}

/// A search with its tree.
pub struct Mcts<P: Tactics> {
    nodes: Vec<Node>,
    /// The game the tree stands for: its start and the moves to the root.
    root: Option<(P, Vec<P::Move>)>,
    rng: Xoshiro256PlusPlus,
}

#[derive(Clone, Copy)]
struct Node {
    code: u16,
    state: State,
    visits: u32,
    /// The results of the side that moved here, in halves: a win is 2, a draw 1.
    halves: u64,
    first_child: u32,
    children: u32,
}

/// What is known of a node, for the side that moved there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Won,
    Lost,
    Drawn,
}

impl Node {
    const fn new(code: u16) -> Self {
        Self { code, state: State::Open, visits: 0, halves: 0, first_child: 0, children: 0 }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first_child as usize..(self.first_child + self.children) as usize
    }

    fn share(&self) -> f64 {
        match self.state {
            State::Won => 1.0,
            State::Lost => 0.0,
            State::Drawn => 0.5,
            State::Open if self.visits == 0 => 0.5,
            State::Open => self.halves as f64 / f64::from(2 * self.visits),
        }
    }
}

impl<P: Tactics> Mcts<P> {
    /// A search without a tree yet.
    pub fn new(seed: u64) -> Self {
        Self { nodes: Vec::new(), root: None, rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = None;
    }

    /// Searches an unfinished game until the limits are reached; `limits.nodes` counts playouts. Where no time
    /// is left none is played, and the tree as it is tells the move.
    pub fn search(&mut self, game: &Game<P>, limits: &Limits, stop: &Stop) -> Choice<P::Move> {
        let limits = Limits { movetime: limits.movetime, ..limits.less(RESERVE, RESERVE) };
        let budget = Budget::new(&limits, stop, 1, moves_ahead(game));
        self.take_over(game);
        let rules = game.rules();
        let left = if rules.plies == 0 { 0 } else { rules.plies.saturating_sub(game.moves().len() as u32).max(1) };
        let mut random_games = Playouts::new(&quincunx_game::Rules { plies: left, ..*rules });
        let mut path = Path::new(game.positions().iter().map(Position::hash), rules.repetition);
        let mut line = Vec::new();
        let mut playouts = 0;
        if self.nodes[0].children == 0 {
            self.expand(0, game.position());
        }
        while playouts < budget.nodes && self.nodes[0].state == State::Open && !budget.enough() {
            self.grow(game.position(), &mut path, &mut line, left as usize, &mut random_games);
            playouts += 1;
        }
        self.choice(playouts, budget.elapsed())
    }

    /// Makes the position of the game the root, keeping what the tree knows of it.
    fn take_over(&mut self, game: &Game<P>) {
        let mut at = None;
        if let Some((start, moves)) = &self.root
            && start == game.start()
            && let Some(since) = game.moves().strip_prefix(moves.as_slice())
        {
            at = Some(0);
            for &mv in since {
                at = at.and_then(|node: usize| {
                    let code = P::code(mv);
                    self.nodes[node].range().find(|&child| self.nodes[child].code == code)
                });
            }
        }
        self.nodes = match at {
            Some(node) => self.subtree(node),
            None => vec![Node::new(0)],
        };
        // What was proven of the root was proven without the history that may now make a draw of it.
        self.nodes[0].state = State::Open;
        self.root = Some((*game.start(), game.moves().to_vec()));
    }

    /// A copy of the nodes below one, in breadth-first order.
    fn subtree(&self, node: usize) -> Vec<Node> {
        let mut copied = vec![self.nodes[node]];
        let mut next = 0;
        while next < copied.len() {
            let range = copied[next].range();
            copied[next].first_child = copied.len() as u32;
            copied.extend_from_slice(&self.nodes[range]);
            next += 1;
        }
        copied
    }

    /// One playout: down the tree, one step further, a random game, and back up. The nodes it goes through, each with
    /// the side that moved there, are left in `line`.
    fn grow(
        &mut self,
        root: &P,
        path: &mut Path,
        line: &mut Vec<(usize, Side)>,
        plies_left: usize,
        random_games: &mut Playouts,
    ) {
        let mut position = *root;
        let (mut node, mut mover) = (0, !root.to_move());
        line.clear();
        let result = loop {
            let ply = line.len();
            line.push((node, mover));
            if let Some(end) = position.outcome() {
                self.nodes[node].state = state_for(end, mover);
                break Some(end);
            }
            if ply > 0 && (path.repeats() || plies_left > 0 && ply >= plies_left) {
                break Some(Outcome::draw(quincunx_game::outcome::REPETITION));
            }
            match self.nodes[node].state {
                State::Open => {}
                State::Won => break Some(Outcome::win(mover, "")),
                State::Lost => break Some(Outcome::win(!mover, "")),
                State::Drawn => break Some(Outcome::draw("")),
            }
            if self.nodes[node].children == 0 {
                let fresh = self.nodes[node].visits == 0 && ply > 0;
                if fresh || self.nodes.len() >= MOST_NODES {
                    break None;
                }
                self.expand(node, &position);
            }
            (node, mover) = (self.select(node), position.to_move());
            position.play(P::decode(self.nodes[node].code));
            path.push(position.hash());
        };
        let outcome = result.unwrap_or_else(|| random_games.run(position, &mut self.rng).outcome);
        for (ply, &(node, mover)) in line.iter().enumerate().rev() {
            let halves = match outcome.winner {
                None => 1,
                Some(winner) => 2 * u64::from(winner == mover),
            };
            let entry = &mut self.nodes[node];
            entry.visits += 1;
            entry.halves += halves;
            if ply > 0 {
                path.pop();
            }
            if entry.children > 0 && entry.state == State::Open {
                self.prove(node);
            }
        }
    }

    fn expand(&mut self, node: usize, position: &P) {
        let first = self.nodes.len();
        let known = position.known();
        position.for_each_candidate(&known, |mv| self.nodes.push(Node::new(P::code(mv))));
        let children = self.nodes.len() - first;
        (self.nodes[node].first_child, self.nodes[node].children) = (first as u32, children as u32);
    }

    /// The child to look at next: untried ones first, then by the upper confidence bound; proven losses never.
    fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let log = f64::from(parent.visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, parent.first_child as usize);
        for child in parent.range() {
            let entry = &self.nodes[child];
            let worth = match (entry.state, entry.visits) {
                (State::Won, _) => return child,
                (State::Lost, _) => -1.0,
                // Untried children in a scattered but fixed order.
                (_, 0) => 1e6 + f64::from(quincunx_game::hash::mix(child as u64, 1) as u16),
                (_, visits) => entry.share() + EXPLORATION * (log / f64::from(visits)).sqrt(),
            };
            if worth > best.0 {
                best = (worth, child);
            }
        }
        best.1
    }

    /// Draws conclusions from proven children: a single won move loses for the side that
    /// allowed it, lost moves alone win for that side.
    fn prove(&mut self, node: usize) {
        let mut all = State::Won;
        for child in self.nodes[node].range() {
            match self.nodes[child].state {
                State::Won => {
                    self.nodes[node].state = State::Lost;
                    return;
                }
                State::Open => all = State::Open,
                State::Drawn if all == State::Won => all = State::Drawn,
                State::Drawn | State::Lost => {}
            }
        }
        self.nodes[node].state = all;
    }

    fn choice(&self, playouts: u64, elapsed: Duration) -> Choice<P::Move> {
        let best_child = |node: usize| {
            let rank = |child: &usize| {
                let entry = &self.nodes[*child];
                let class = match entry.state {
                    State::Won => 2,
                    State::Lost => 0,
                    State::Open | State::Drawn => 1,
                };
                (class, entry.visits)
            };
            self.nodes[node].range().max_by_key(rank)
        };
        let mut line = Vec::new();
        let mut node = 0;
        while let Some(child) = best_child(node).filter(|&child| self.nodes[child].visits > 0 || line.is_empty()) {
            line.push(P::decode(self.nodes[child].code));
            node = child;
        }
        let chosen = &self.nodes[best_child(0).expect("the root of an unfinished game has moves")];
        Choice {
            mv: line[0],
            win_probability: chosen.share(),
            proven: chosen.state != State::Open,
            line,
            playouts,
            elapsed,
        }
    }
}

fn state_for(end: Outcome, mover: Side) -> State {
    match end.winner {
        Some(winner) if winner == mover => State::Won,
        Some(_) => State::Lost,
        None => State::Drawn,
    }
}
