//! The agents of the five documents the project began with, rebuilt: what they say they do, slow and short-sighted as it is.

mod aboyne;
mod minimax;
mod othello;
mod pente;
mod shobu;
mod tessella;

use std::time::Instant;

use quincunx_game::{Game, Record, Rules, Table, TextError};
use quincunx_games::{aboyne::Aboyne, othello::Othello, pente::Pente, shobu::Shobu, tessella::Tessella};
use quincunx_search::{Limits, Score};

use crate::{Agent, Answer, Failure, Request, engine::typed, options::Options};

pub(crate) use pente::Near;

/// The classic agent of a game, with the options of its document.
pub(crate) fn build(rules: &Rules, options: &mut Options<'_>, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    Ok(match (rules.about.name, rules.ruleset.name) {
        ("othello", "6x6") => agent::<Othello<6>, _>(othello::Plan::new(options)?),
        ("othello", "4x4") => agent::<Othello<4>, _>(othello::Plan::new(options)?),
        ("othello", _) => agent::<Othello<8>, _>(othello::Plan::new(options)?),
        ("pente", _) => agent::<Pente, _>(pente::Plan::new(options)?),
        ("shobu", _) => agent::<Shobu, _>(shobu::Plan::new(options)?),
        ("aboyne", "seed") => agent::<Aboyne<1>, _>(aboyne::Plan::new(options, seed)?),
        ("aboyne", "seed-program") => agent::<Aboyne<2>, _>(aboyne::Plan::new(options, seed)?),
        ("aboyne", _) => agent::<Aboyne<0>, _>(aboyne::Plan::new(options, seed)?),
        ("tessella", "d4") => agent::<Tessella<4>, _>(tessella::Plan),
        ("tessella", "d6") => agent::<Tessella<6>, _>(tessella::Plan),
        ("tessella", _) => agent::<Tessella<5>, _>(tessella::Plan),
        (_, _) => return Err(TextError::new(format!("{} has no classic agent", rules.about.title))),
    })
}

/// A way to find a move in one game.
pub(crate) trait Choose<G: Game>: Send {
    /// The move made in an unfinished game.
    fn choose(&mut self, record: &Record<G>, request: &Request) -> Thought<G::Move>;
}

/// What came of thinking.
pub(crate) struct Thought<M> {
    pub(crate) mv: M,
    pub(crate) score: Option<f64>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// A [`Choose`] as an agent.
struct Classic<G, C> {
    choose: C,
    game: std::marker::PhantomData<fn() -> G>,
}

pub(crate) fn agent<G: Game, C: Choose<G> + 'static>(choose: C) -> Box<dyn Agent> {
    Box::new(Classic { choose, game: std::marker::PhantomData::<fn() -> G> })
}

impl<G: Game, C: Choose<G>> Agent for Classic<G, C> {
    fn choose(&mut self, table: &dyn Table, request: &Request) -> Result<Answer, Failure> {
        let record = typed::<G>(table)?;
        let began = Instant::now();
        let thought = self.choose.choose(record, request);
        let mv = record.position().move_text(thought.mv);
        Ok(Answer {
            pv: vec![mv.clone()],
            mv,
            score: thought.score.map(|score| Score::Estimate((100.0 * score).clamp(-2e6, 2e6) as i32)),
            depth: thought.depth,
            nodes: thought.nodes,
            seconds: began.elapsed().as_secs_f64(),
            ..Answer::default()
        })
    }
}

/// When a plan that searches to a fixed depth must give up all the same.
struct Deadline<'a> {
    began: Instant,
    limits: &'a Limits,
    request: &'a Request,
}

impl<'a> Deadline<'a> {
    fn new(request: &'a Request) -> Self {
        Self { began: Instant::now(), limits: &request.limits, request }
    }

    /// The seconds this move may take at most: all there is to a clock, less what answering takes.
    fn seconds(&self) -> f64 {
        let clock = self.limits.clock.map(|clock| clock.left);
        let times = [self.limits.movetime, clock, self.limits.cpu].into_iter().flatten();
        times.map(|time| time.as_secs_f64()).fold(f64::INFINITY, f64::min) * 0.97 - 0.0005
    }

    fn is_over(&self) -> bool {
        self.request.stop.is_stopped() || self.began.elapsed().as_secs_f64() >= self.seconds()
    }
}
