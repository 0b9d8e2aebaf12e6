//! From limits to the moments at which a search must end.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::{Limits, Stop};

/// What answering costs beside searching.
const OVERHEAD: Duration = Duration::from_micros(300);

/// The end of one search. It is asked by the thread that made it: what the others do ends with that.
pub(crate) struct Budget<'a> {
    began: Instant,
    /// CPU time of this thread when the search began; all threads of a search work all the time, so one speaks for all.
    cpu_began: Duration,
    stop: &'a Stop,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    wall: Span,
    cpu: Span,
}

/// How much of one clock may be used.
#[derive(Clone, Copy)]
struct Span {
    /// After this no iteration is begun.
    soft: Duration,
    /// After this nothing goes on.
    hard: Duration,
}

impl Span {
    const ENDLESS: Self = Self { soft: Duration::MAX, hard: Duration::MAX };

    /// The tighter of two.
    fn and(self, other: Self) -> Self {
        Self { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }

    fn is_endless(self) -> bool {
        self.hard == Duration::MAX
    }
}

impl<'a> Budget<'a> {
    /// What is left of a clock is shared out over the `moves` the player should expect to make still.
    pub(crate) fn new(limits: &Limits, stop: &'a Stop, threads: usize, moves: u32) -> Self {
        let (mut wall, mut cpu) = (Span::ENDLESS, Span::ENDLESS);
        if let Some(time) = limits.movetime {
            let hard = time.saturating_sub(OVERHEAD.max(time / 50));
            wall = Span { soft: hard, hard };
        }
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(2 * OVERHEAD);
            let share = left / moves + clock.increment * 3 / 4;
            wall = wall.and(Span { soft: (share * 2 / 3).min(left / 4), hard: (share * 3).min(left / 3) });
        }
        if let Some(left) = limits.cpu {
            let left = left.saturating_sub(2 * OVERHEAD) / threads as u32;
            let share = left / moves;
            cpu = Span { soft: share * 2 / 3, hard: (share * 3).min(left / 3) };
        }
        Self {
            began: Instant::now(),
            cpu_began: thread_cpu_time(),
            stop,
            depth: limits.depth.unwrap_or(u32::MAX),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            wall,
            cpu,
        }
    }

    /// Whether a clock is what ends this search.
    pub(crate) fn is_timed(&self) -> bool {
        !self.wall.is_endless() || !self.cpu.is_endless()
    }

    /// The seconds there are for all of it; infinite where the clock does not end this search.
    pub(crate) fn seconds(&self) -> f64 {
        if self.is_timed() { self.wall.hard.min(self.cpu.hard).as_secs_f64() } else { f64::INFINITY }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether no further iteration should be begun.
    pub(crate) fn enough(&self) -> bool {
        self.is_over() || self.has_used(self.wall.soft, self.cpu.soft)
    }

    /// Whether the search must end at once.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.has_used(self.wall.hard, self.cpu.hard)
    }

    /// Whether half of what there is was used up.
    pub(crate) fn is_half_over(&self) -> bool {
        self.stop.is_stopped() || self.has_used(self.wall.hard / 2, self.cpu.hard / 2)
    }

    fn has_used(&self, wall: Duration, cpu: Duration) -> bool {
        (!self.wall.is_endless() && self.elapsed() >= wall)
            || (!self.cpu.is_endless() && thread_cpu_time().saturating_sub(self.cpu_began) >= cpu)
    }
}

/// The CPU time this thread has used since it began.
pub fn thread_cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_over_the_moves_to_come() {
        let stop = Stop::default();
        let limits = Limits { cpu: Some(Duration::from_secs(60)), ..Limits::default() };
        let [few, many] = [5, 30].map(|moves| Budget::new(&limits, &stop, 1, moves).cpu);
        assert!(few.soft > 5 * many.soft && few.hard > many.hard, "{:?} {:?}", few.soft, many.soft);
        // Whatever is expected, something is left for the next move.
        assert!(Budget::new(&limits, &stop, 1, 1).cpu.hard <= Duration::from_secs(20));
    }
}
