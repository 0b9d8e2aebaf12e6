//! The agents of the five documents the project began with, rebuilt: what they say they do, slow and short-sighted as it is.

mod aboyne;
mod minimax;
mod othello;
mod pente;
mod shobu;
mod tessella;

use std::time::{Duration, Instant};

use quincunx_game::{AnyGame, Game, Position, Rules, TextError, refusal};
use quincunx_games::{aboyne::Aboyne, othello::Othello, pente::Pente, shobu::Shobu, tessella::Tessella};
use quincunx_search::{Limits, Score, Stop};

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
        (_, _) => return Err(refusal!("agent.no_classic", "{game} has no classic agent", game = rules.about.title)),
    })
}

/// A way to find a move in one game.
pub(crate) trait Choose<P: Position>: Send {
    /// The move made in an unfinished game.
    fn choose(&mut self, game: &Game<P>, request: &Request) -> Thought<P::Move>;
}

/// What came of thinking.
pub(crate) struct Thought<M> {
    pub(crate) mv: M,
    pub(crate) score: Option<f64>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// A [`Choose`] as an agent.
struct Classic<P, C> {
    choose: C,
    game: std::marker::PhantomData<fn() -> P>,
}

pub(crate) fn agent<P: Position, C: Choose<P> + 'static>(choose: C) -> Box<dyn Agent> {
    Box::new(Classic { choose, game: std::marker::PhantomData::<fn() -> P> })
}

impl<P: Position, C: Choose<P>> Agent for Classic<P, C> {
    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        let game = typed::<P>(game)?;
        let began = Instant::now();
        let thought = self.choose.choose(game, request);
        let mv = game.position().move_text(thought.mv);
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

/// When a plan must answer, however deep it would search.
struct Deadline<'a> {
    began: Instant,
    /// The seconds this move may take at most; infinite where no clock runs.
    seconds: f64,
    stop: &'a Stop,
}

impl<'a> Deadline<'a> {
    /// What is left of a clock is shared out over the `moves` the player should expect to make still.
    fn new(request: &'a Request, moves: u32) -> Self {
        Self { began: Instant::now(), seconds: seconds_for(&request.limits, moves), stop: &request.stop }
    }

    fn used(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.seconds.is_finite() && self.used() >= self.seconds
    }
}

/// The seconds a move may take under these limits with so many `moves` to come, less what answering takes. A share of
/// CPU time is kept by the wall's clock, which is never the slower one.
fn seconds_for(limits: &Limits, moves: u32) -> f64 {
    let share = |left: Duration, increment| (left / moves + increment).min(left / 2);
    let clock = limits.clock.map(|clock| share(clock.left, clock.increment));
    let cpu = limits.cpu.map(|left| share(left, Duration::ZERO));
    let times = [limits.movetime, clock, cpu].into_iter().flatten();
    times.map(|time| time.as_secs_f64()).fold(f64::INFINITY, f64::min) * 0.97 - 0.0005
}

#[cfg(test)]
mod tests {
    use quincunx_search::Clock;

    use super::*;

    #[test]
    fn a_move_takes_its_share_of_the_clock() {
        let second = Duration::from_secs(1);
        let seconds = |limits: Limits, moves| (seconds_for(&limits, moves) + 0.0005) / 0.97;
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        near(seconds(Limits { movetime: Some(2 * second), ..Limits::default() }, 10), 2.0);
        let cpu = Limits { cpu: Some(10 * second), ..Limits::default() };
        near(seconds(cpu, 10), 1.0);
        // Whatever is expected, half is left for the next move.
        near(seconds(cpu, 1), 5.0);
        near(seconds(Limits { movetime: Some(second / 2), ..cpu }, 10), 0.5);
        let clock = |left, increment| Limits { clock: Some(Clock { left, increment }), ..Limits::default() };
        near(seconds(clock(10 * second, second), 10), 2.0);
        near(seconds(clock(second, 9 * second), 10), 0.5);
        assert!(seconds(Limits::default(), 10).is_infinite());
    }
}
