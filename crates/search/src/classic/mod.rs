//! What the classic agents share: the agents of the documents the project began with, rebuilt as those say they play,
//! slow and short-sighted as that is. Each game's folder holds its own.

mod minimax;

use std::time::Duration;

use quincunx_game::{AnyGame, Game, Position};

use crate::{
    Limits, Score, Stop,
    agent::{Agent, Answer, Failure, Request, typed},
    platform::now,
};

pub use minimax::{Best, Mind, Minimax};

/// A way to find a move in one game.
pub trait Choose<P: Position>: Send {
    /// The move made in an unfinished game.
    fn choose(&mut self, game: &Game<P>, request: &Request) -> Thought<P::Move>;
}

/// What came of thinking.
#[derive(Clone, Copy, Debug)]
pub struct Thought<M> {
    /// The move.
    pub mv: M,
    /// What it is worth for the side to move, if the agent says so.
    pub score: Option<f64>,
    /// The plies searched.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
}

/// A [`Choose`] as an agent.
struct Classic<P, C> {
    choose: C,
    game: std::marker::PhantomData<fn() -> P>,
}

/// An agent that plays as `choose` says.
pub fn agent<P: Position, C: Choose<P> + 'static>(choose: C) -> Box<dyn Agent> {
    Box::new(Classic { choose, game: std::marker::PhantomData::<fn() -> P> })
}

impl<P: Position, C: Choose<P>> Agent for Classic<P, C> {
    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        let game = typed::<P>(game)?;
        let began = now();
        let thought = self.choose.choose(game, request);
        let mv = game.position().move_text(thought.mv);
        Ok(Answer {
            pv: vec![mv.clone()],
            mv,
            score: thought.score.map(|score| Score::Estimate((100.0 * score).clamp(-2e6, 2e6) as i32)),
            depth: thought.depth,
            nodes: thought.nodes,
            seconds: now().saturating_sub(began).as_secs_f64(),
            ..Answer::default()
        })
    }
}

/// When a plan must answer, however deep it would search.
#[derive(Debug)]
pub struct Deadline<'a> {
    /// By the platform's clock.
    began: Duration,
    /// The seconds this move may take at most; infinite if no clock runs.
    pub seconds: f64,
    stop: &'a Stop,
}

impl<'a> Deadline<'a> {
    /// What is left of a clock is shared out over the `moves` the player should expect to make still.
    pub fn new(request: &'a Request, moves: u32) -> Self {
        Self { began: now(), seconds: seconds_for(&request.limits, moves), stop: &request.stop }
    }

    /// The seconds used so far.
    pub fn used(&self) -> f64 {
        now().saturating_sub(self.began).as_secs_f64()
    }

    /// Whether the answer is due.
    pub fn is_over(&self) -> bool {
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
    use crate::Clock;

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
