//! One game: two agents asked in turn, every move checked, every second booked, and a verdict.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};
use quincunx_game::{AnyGame, Side};
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

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The reason of the rules, or the name of the fault.
    pub cause: &'static str,
    /// The fault that ended it and who made it, in one line, where it did not end by the rules.
    pub fault: Option<(Side, String)>,
}

/// A finished game; `None` as verdict where it was stopped from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The moves the agents made.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// The time both used, by side.
    pub used: [Duration; 2],
}

/// The cause where a drawn game went to the player with more time left.
pub const MORE_TIME_LEFT: &str = "draw, more time left";

/// Plays the game on the game to its end between two agents (by side). No agent is believed: an illegal move, a broken
/// clock or a panic loses. With `draws_to_faster` a draw goes to whoever has used less time.
pub fn referee(
    game: &mut dyn AnyGame,
    agents: &mut [Box<dyn Agent>; 2],
    limit: &Limit,
    draws_to_faster: bool,
    stop: &Stop,
) -> Played {
    let mut clocks = [Clock::new(limit), Clock::new(limit)];
    let mut turns = Vec::with_capacity(64);
    let mut request = Request { stop: stop.clone(), ..Request::default() };
    let mut unready = Side::BOTH.into_iter().find_map(|side| {
        let failure = caught(|| agents[side.index()].get_ready()).err()?;
        Some(lost(side, failure.fault, failure.message))
    });
    let verdict = loop {
        if let Some(lost) = unready.take() {
            break Some(lost);
        }
        if let Some(outcome) = game.outcome() {
            let faster = faster(&clocks).filter(|_| draws_to_faster && outcome.winner.is_none());
            break Some(match faster {
                Some(side) => Verdict { winner: Some(side), cause: MORE_TIME_LEFT, fault: None },
                None => Verdict { winner: outcome.winner, cause: outcome.reason, fault: None },
            });
        }
        let side = game.to_move();
        let clock = &mut clocks[side.index()];
        request.limits = clock.limits();
        let thread_before = clock.counts_cpu().then(thread_cpu_time);
        let before = Instant::now();
        let asked = caught(|| agents[side.index()].choose(game, &request));
        let wall = before.elapsed();
        if stop.is_stopped() {
            break None;
        }
        let answer = match asked {
            Ok(answer) => answer,
            Err(failure) => break Some(lost(side, failure.fault, failure.message)),
        };
        let cpu = answer.cpu.or(thread_before.map(|before| thread_cpu_time().saturating_sub(before)));
        if let Err(overrun) = clock.book(wall, cpu.unwrap_or_default()) {
            break Some(lost(side, Fault::Timeout, overrun));
        }
        if let Err(error) = game.play(&answer.mv) {
            break Some(lost(side, Fault::IllegalMove, error.to_string()));
        }
        let Answer { mv, score, depth, nodes, .. } = answer;
        turns.push(Turn { mv, score, depth, nodes, wall, cpu });
    };
    Played { turns, verdict, used: [clocks[0].used(), clocks[1].used()] }
}

/// What an agent answers; a panic is a failure of its own.
fn caught<T>(ask: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| Err(Failure::of(Fault::Crash, "the agent panicked")))
}

fn lost(side: Side, fault: Fault, message: String) -> Verdict {
    Verdict { winner: Some(!side), cause: fault.name(), fault: Some((side, message)) }
}

fn faster(clocks: &[Clock; 2]) -> Option<Side> {
    match clocks[0].used().cmp(&clocks[1].used()) {
        std::cmp::Ordering::Less => Some(Side::First),
        std::cmp::Ordering::Greater => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    }
}
