//! One game: two agents asked in turn, every move checked, every second booked, and a verdict.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};
use quincunx_game::{AnyGame, Outcome, Side};
use quincunx_machine::thread_cpu_time;
use quincunx_search::{Score, Stop};

use crate::{Clock, Limit};

/// One move as it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Its text.
    pub mv: String,
    /// What the agent thought of it.
    pub score: Option<Score>,
    /// The plies it searched.
    pub depth: u32,
    /// The positions it visited.
    pub nodes: u64,
    /// The wall-clock time it took.
    pub wall: Duration,
    /// The CPU time it took, where that was measured.
    pub cpu: Option<Duration>,
}

/// A game as it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The moves the agents made.
    pub turns: Vec<Turn>,
    /// How it ended, the name of a fault as the reason if that ended it; `None` if it was stopped from outside.
    pub outcome: Option<Outcome>,
    /// The fault that ended it: the side that made it, and what it was in one line.
    pub fault: Option<(Side, String)>,
    /// The time both used, by side.
    pub used: [Duration; 2],
}

/// The cause where a drawn game went to the player with more time left.
pub const MORE_TIME_LEFT: &str = "draw, more time left";

/// Plays a game to its end between two agents (by side). No agent is believed: an illegal move, a broken clock or a
/// panic loses. With `draws_to_faster` a draw goes to the player that has used less time.
pub fn referee(
    game: &mut dyn AnyGame,
    agents: &mut [Box<dyn Agent>; 2],
    limit: &Limit,
    draws_to_faster: bool,
    stop: &Stop,
) -> Played {
    let mut clocks = [Clock::new(limit), Clock::new(limit)];
    let mut turns = Vec::with_capacity(64);
    let (outcome, fault) = match play_on(game, agents, &mut clocks, &mut turns, stop) {
        Ok(Some(Outcome { winner: None, .. })) if draws_to_faster && faster(&clocks).is_some() => {
            (Some(Outcome { winner: faster(&clocks), reason: MORE_TIME_LEFT }), None)
        }
        Ok(outcome) => (outcome, None),
        Err((side, failure)) => (Some(Outcome::win(!side, failure.fault.name())), Some((side, failure.message))),
    };
    Played { turns, outcome, fault, used: [clocks[0].used(), clocks[1].used()] }
}

/// Asks for moves until the game ends by the rules, it is stopped (`None`), or a side fails.
fn play_on(
    game: &mut dyn AnyGame,
    agents: &mut [Box<dyn Agent>; 2],
    clocks: &mut [Clock; 2],
    turns: &mut Vec<Turn>,
    stop: &Stop,
) -> Result<Option<Outcome>, (Side, Failure)> {
    for side in Side::BOTH {
        caught(|| agents[side.index()].get_ready()).map_err(|failure| (side, failure))?;
    }
    let mut request = Request { stop: stop.clone(), ..Request::default() };
    while game.outcome().is_none() {
        let side = game.to_move();
        let failed = |failure| (side, failure);
        let clock = &mut clocks[side.index()];
        request.limits = clock.limits();
        let thread_before = clock.counts_cpu().then(thread_cpu_time);
        let before = Instant::now();
        let asked = caught(|| agents[side.index()].choose(game, &request));
        let wall = before.elapsed();
        if stop.is_stopped() {
            return Ok(None);
        }
        let Answer { mv, score, depth, nodes, cpu, .. } = asked.map_err(failed)?;
        let cpu = cpu.or(thread_before.map(|before| thread_cpu_time().saturating_sub(before)));
        let booked = clock.book(wall, cpu.unwrap_or_default());
        booked.map_err(|overrun| failed(Failure::of(Fault::Timeout, overrun)))?;
        game.play(&mv).map_err(|error| failed(Failure::of(Fault::IllegalMove, error.to_string())))?;
        turns.push(Turn { mv, score, depth, nodes, wall, cpu });
    }
    Ok(game.outcome())
}

/// What an agent answers; a panic is a failure of its own.
fn caught<T>(ask: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| Err(Failure::of(Fault::Crash, "the agent panicked")))
}

fn faster(clocks: &[Clock; 2]) -> Option<Side> {
    match clocks[0].used().cmp(&clocks[1].used()) {
        std::cmp::Ordering::Less => Some(Side::First),
        std::cmp::Ordering::Greater => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    }
}
