//! One game: two agents asked in turn, every move checked, every second booked, and a verdict.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};
use quincunx_game::{AnyGame, Outcome, Side, TextError, text::quoted};
use quincunx_machine::thread_cpu_time;
use quincunx_outside::words::is_active;
use quincunx_search::Stop;

use crate::{Limit, TurnRecord, clock::Clock};

/// A game as it was played.
#[derive(Debug)]
pub(crate) struct Played {
    /// The moves the agents made.
    pub(crate) moves: Vec<TurnRecord>,
    /// How it ended, the name of a fault as the reason if that ended it; `None` if it was stopped from outside.
    pub(crate) outcome: Option<Outcome>,
    /// The fault that ended it: the side that made it, and what it was in one line.
    pub(crate) fault: Option<(Side, String)>,
    /// What the program that made it said on standard error.
    pub(crate) words: Option<String>,
    /// The time both used, by side, in the currency of the limit.
    pub(crate) used: [Duration; 2],
    /// The wall-clock time both took to answer.
    pub(crate) thinking: Duration,
}

/// The cause if a drawn game went to the player with more time left.
pub(crate) const MORE_TIME_LEFT: &str = "draw, more time left";

/// Plays a game to its end between two agents (by side). No agent is believed: an illegal move, a broken clock or a
/// panic loses. With `draws_to_faster` a draw goes to the player that has used less time.
pub(crate) fn referee(
    game: &mut dyn AnyGame,
    agents: &mut [Box<dyn Agent>; 2],
    limit: &Limit,
    draws_to_faster: bool,
    stop: &Stop,
) -> Played {
    let mut clocks = [Clock::new(limit), Clock::new(limit)];
    let (mut moves, mut thinking) = (Vec::with_capacity(64), Duration::ZERO);
    let mut take = |turn, wall| {
        moves.push(turn);
        thinking += wall;
    };
    let mut words = None;
    let (outcome, fault) = match play_on(game, agents, &mut clocks, &mut take, stop) {
        Ok(Some(Outcome { winner: None, .. })) if draws_to_faster && faster(&clocks).is_some() => {
            (Some(Outcome { winner: faster(&clocks), reason: MORE_TIME_LEFT }), None)
        }
        Ok(outcome) => (outcome, None),
        Err((side, failure)) => {
            words = Some(failure.words).filter(|words| !words.is_empty()).map(|words| shortened(&words));
            (Some(Outcome::win(!side, failure.fault.name())), Some((side, failure.message)))
        }
    };
    Played { moves, outcome, fault, words, used: clocks.map(|clock| clock.used()), thinking }
}

/// Asks for moves until the game ends by the rules, it is stopped (`None`), or a side fails.
fn play_on(
    game: &mut dyn AnyGame,
    agents: &mut [Box<dyn Agent>; 2],
    clocks: &mut [Clock; 2],
    take: &mut dyn FnMut(TurnRecord, Duration),
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
        let Answer { mv, score, depth, nodes, cpu, remark, .. } = asked.map_err(failed)?;
        let cpu = cpu.or(thread_before.map(|before| thread_cpu_time().saturating_sub(before)));
        let booked = clock.book(wall, cpu.unwrap_or_default());
        booked.map_err(|overrun| failed(Failure::of(Fault::Timeout, overrun)))?;
        game.play(&mv).map_err(|error| failed(Failure::of(Fault::IllegalMove, wrote(&mv, &error))))?;
        let score = score.map(|score| score.to_string());
        let (us, cpu_us) = (wall.as_micros() as u64, cpu.map(|cpu| cpu.as_micros() as u64));
        take(TurnRecord { mv, score, depth, nodes, us, cpu_us, remark }, wall);
    }
    Ok(game.outcome())
}

/// What an agent wrote, and what is wrong with it; the reason need not name it again.
fn wrote(mv: &str, error: &TextError) -> String {
    let (mv, error) = (quoted(mv), error.to_string());
    match error.strip_prefix(mv.as_str()).map(|rest| (rest.strip_prefix(": "), rest)) {
        Some((Some(reason), _)) => format!("wrote {mv}; {reason}"),
        Some((None, rest)) => format!("wrote {mv}, which{rest}"),
        None => format!("wrote {mv}; {error}"),
    }
}

/// The first and the last lines of what a program said: Java names the exception first, Python last.
fn shortened(words: &str) -> String {
    const LINES: usize = 12;
    const LONGEST: usize = 200;
    let lines: Vec<String> = words
        .lines()
        .map(|line| line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !is_active(*c)).take(LONGEST))
        .map(Iterator::collect)
        .collect();
    if lines.len() <= 2 * LINES {
        return lines.join("\n");
    }
    [&lines[..LINES], &["…".to_string()], &lines[lines.len() - LINES..]].concat().join("\n")
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
