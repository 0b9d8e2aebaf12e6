//! Monte Carlo tree search as an agent.

use std::time::Duration;

use quincunx_game::AnyGame;

use super::{Agent, Answer, Failure, Request, texts, typed};
use crate::{Limits, Score, Tactics, mcts::Mcts};

/// What it thinks if nothing else limits it.
const USUAL_TIME: Duration = Duration::from_secs(1);

pub(crate) struct MctsAgent<P: Tactics> {
    mcts: Mcts<P>,
    limits: Limits,
}

impl<P: Tactics> MctsAgent<P> {
    pub(crate) fn new(limits: Limits, seed: u64) -> Self {
        Self { mcts: Mcts::new(seed), limits }
    }
}

impl<P: Tactics> Agent for MctsAgent<P> {
    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        let game = typed::<P>(game)?;
        let mut limits = self.limits.and(&request.limits);
        if limits.is_infinite() {
            limits.movetime = Some(USUAL_TIME);
        }
        let choice = self.mcts.search(game, &limits, &request.stop);
        let pv = texts(game.position(), &choice.line);
        let plies = choice.line.len() as u32;
        let score = match (choice.proven, choice.win_probability) {
            (true, share) if share > 0.9 => Score::Win(plies),
            (true, share) if share < 0.1 => Score::Loss(plies),
            (true, _) => Score::Exact(0),
            // In hundredths of a win: 100 is as good as won, -100 as lost.
            (false, share) => Score::Estimate((200.0 * share - 100.0).round() as i32),
        };
        Ok(Answer {
            mv: pv[0].clone(),
            score: Some(score),
            win_probability: Some(choice.win_probability),
            depth: plies,
            nodes: choice.playouts,
            seconds: choice.elapsed.as_secs_f64(),
            pv,
            ..Answer::default()
        })
    }

    fn new_game(&mut self) {
        self.mcts.clear();
    }
}
