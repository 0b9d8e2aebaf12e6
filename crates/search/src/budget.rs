//! From limits to the moments at which a search must end.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::{Limits, Stop};

/// Moves a player should expect to make still, to share out what is left of a clock.
const MOVES_AHEAD: u32 = 24;
/// What answering costs beside searching.
const OVERHEAD: Duration = Duration::from_micros(300);

/// The end of one search.
pub(crate) struct Budget<'a> {
    began: Instant,
    cpu_began: Duration,
    stop: &'a Stop,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// After this no iteration is begun.
    soft: Duration,
    /// After this nothing goes on.
    hard: Duration,
    /// CPU time of all threads together that ends the search.
    cpu: Duration,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &Limits, stop: &'a Stop, threads: usize) -> Self {
        let never = Duration::from_secs(1 << 40);
        let (mut soft, mut hard, mut cpu) = (never, never, never);
        if let Some(time) = limits.movetime {
            hard = time.saturating_sub(OVERHEAD.max(time / 50));
            soft = hard;
        }
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(2 * OVERHEAD);
            let share = left / MOVES_AHEAD + clock.increment * 3 / 4;
            soft = soft.min((share * 2 / 3).min(left / 4));
            hard = hard.min((share * 3).min(left / 3));
        }
        if let Some(left) = limits.cpu {
            let left = left.saturating_sub(2 * OVERHEAD);
            let share = left / MOVES_AHEAD;
            soft = soft.min(share * 2 / 3 / threads as u32);
            cpu = (share * 3).min(left / 3);
        }
        Self {
            began: Instant::now(),
            cpu_began: process_cpu_time(),
            stop,
            depth: limits.depth.unwrap_or(u32::MAX),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            soft,
            hard,
            cpu,
        }
    }

    /// Whether the clock is what ends this search.
    pub(crate) fn is_timed(&self) -> bool {
        self.hard < Duration::from_secs(1 << 40) || self.cpu < Duration::from_secs(1 << 40)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether no further iteration should be begun.
    pub(crate) fn enough(&self) -> bool {
        self.elapsed() >= self.soft || self.is_over()
    }

    /// Whether the search must end at once.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over_at(1.0)
    }

    /// Whether this share of the time is used up.
    pub(crate) fn is_over_at(&self, share: f64) -> bool {
        self.stop.is_stopped()
            || (self.hard < Duration::from_secs(1 << 40) && self.elapsed() >= self.hard.mul_f64(share))
            || (self.cpu < Duration::from_secs(1 << 40)
                && process_cpu_time().saturating_sub(self.cpu_began) >= self.cpu.mul_f64(share))
    }
}

/// The CPU time of all threads of this process.
fn process_cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
