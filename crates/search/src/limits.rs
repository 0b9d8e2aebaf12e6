//! How long a search may go on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use quincunx_game::{TextError, refusal, text::quoted};

/// What bounds one answer; whichever is reached first. Without any limit a search goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Plies of full-width search.
    pub depth: Option<u32>,
    /// Positions visited, over all threads.
    pub nodes: Option<u64>,
    /// Wall-clock time for this move.
    pub movetime: Option<Duration>,
    /// The player's wall clock for the rest of the game.
    pub clock: Option<Clock>,
    /// CPU time left to the player, over all threads, for the rest of the game.
    pub cpu: Option<Duration>,
}

impl Limits {
    /// The tighter of two limits in every respect.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        fn least<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(if b < a { b } else { a }),
                (a, b) => a.or(b),
            }
        }
        let clock = match (self.clock, other.clock) {
            (Some(a), Some(b)) => Some(if b.left < a.left { b } else { a }),
            (a, b) => a.or(b),
        };
        Self {
            depth: least(self.depth, other.depth),
            nodes: least(self.nodes, other.nodes),
            movetime: least(self.movetime, other.movetime),
            clock,
            cpu: least(self.cpu, other.cpu),
        }
    }

    /// What is left after so much time by the wall's clock and of CPU time.
    #[must_use]
    pub fn less(&self, wall: Duration, cpu: Duration) -> Self {
        Self {
            movetime: self.movetime.map(|time| time.saturating_sub(wall)),
            clock: self.clock.map(|clock| Clock { left: clock.left.saturating_sub(wall), ..clock }),
            cpu: self.cpu.map(|left| left.saturating_sub(cpu)),
            ..*self
        }
    }

    /// Whether nothing but a stop signal ends a search.
    pub fn is_infinite(&self) -> bool {
        *self == Self::default()
    }
}

/// Reads a time such as `200ms`, `1.5s` or `2m`. A number alone is refused: it is seconds to some and milliseconds to
/// those who know engine protocols.
pub fn parse_duration(text: &str) -> Result<Duration, TextError> {
    let text = text.trim();
    let wrong = || refusal!("limit.time", "{given} is not a time such as 200ms, 1.5s or 2m", given = quoted(text));
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        // Nothing is nothing in every unit.
        None if text.parse() == Ok(0.0) => (text, "s"),
        None if text.parse::<f64>().is_ok() => {
            return Err(refusal!("limit.no_unit", "{given} has no unit: write {given}s or {given}ms", given = text));
        }
        None => return Err(wrong()),
    };
    let factor = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * factor);
    let seconds = seconds.filter(|seconds| (0.0..=1e7).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    /// What is left of it.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A signal that ends a search from outside; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends all searches under this signal at once.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
