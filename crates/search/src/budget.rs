//! From limits to the moments at which a search must end.

use std::time::Duration;

use crate::{
    Limits, Stop,
    platform::{now, thread_cpu_time},
};

/// What answering costs beside searching.
const OVERHEAD: Duration = Duration::from_micros(300);

/// So much of a game's clock is kept in reserve, if there is as much again: a busy system may take a moment at any
/// time.
const RESERVE: Duration = Duration::from_millis(3);

/// With less than this on a game's clock nothing is searched: the rest of a game is played at a glance within it.
const LEAST: Duration = Duration::from_millis(1);

/// The end of one search. It is asked by the thread that made it: what the others do ends with that.
pub(crate) struct Budget<'a> {
    /// By the platform's clock.
    began: Duration,
    /// CPU time of this thread when the search began; all threads of a search work all the time, so one speaks for all.
    cpu_began: Duration,
    stop: &'a Stop,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    wall: Span,
    cpu: Span,
    /// So long may be spent on settling the game for good, after which moves cost next to nothing.
    settle: Duration,
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

    /// The same, begun so much later.
    fn after(self, used: Duration) -> Self {
        Self { soft: self.soft.saturating_add(used), hard: self.hard.saturating_add(used) }
    }

    fn is_endless(self) -> bool {
        self.hard == Duration::MAX
    }
}

impl<'a> Budget<'a> {
    /// What is left of a clock is shared out over the `moves` the player should expect to make still.
    pub(crate) fn new(limits: &Limits, stop: &'a Stop, threads: usize, moves: u32) -> Self {
        let (mut wall, mut cpu) = (Span::ENDLESS, Span::ENDLESS);
        let mut settle = Duration::MAX;
        if let Some(time) = limits.movetime {
            let hard = time.saturating_sub(OVERHEAD.max(time / 50));
            wall = Span { soft: hard, hard };
            settle = hard / 2;
        }
        if let Some(clock) = limits.clock {
            let left = usable(clock.left);
            let share = left / moves + clock.increment * 3 / 4;
            wall = wall.and(Span { soft: (share * 2 / 3).min(left / 4), hard: (share * 3).min(left / 3) });
            settle = settle.min(left * 3 / 5);
        }
        if let Some(left) = limits.cpu {
            let left = usable(left) / threads as u32;
            let share = left / moves;
            cpu = Span { soft: share * 2 / 3, hard: (share * 3).min(left / 3) };
            settle = settle.min(left * 3 / 5);
        }
        Self {
            began: now(),
            cpu_began: thread_cpu_time(),
            stop,
            depth: limits.depth.unwrap_or(u32::MAX),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            wall,
            cpu,
            settle,
        }
    }

    /// Whether a clock is what ends this search.
    pub(crate) fn is_timed(&self) -> bool {
        !self.wall.is_endless() || !self.cpu.is_endless()
    }

    /// The seconds there are for settling the game; infinite if no clock ends this search.
    pub(crate) fn seconds_to_settle(&self) -> f64 {
        if self.is_timed() { self.settle.as_secs_f64() } else { f64::INFINITY }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        now().saturating_sub(self.began)
    }

    /// Whether no further iteration should be begun.
    pub(crate) fn enough(&self) -> bool {
        self.is_over() || self.has_used(self.wall.soft, self.cpu.soft)
    }

    /// Whether the search must end at once.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.has_used(self.wall.hard, self.cpu.hard)
    }

    /// Whether what there is for settling the game was used up.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.stop.is_stopped() || self.has_used(self.settle, self.settle)
    }

    /// Shares out what is left, after time was spent in vain.
    pub(crate) fn share_out_again(&mut self, limits: &Limits, threads: usize, moves: u32) {
        let (wall, cpu) = (self.elapsed(), self.cpu_used());
        let rest = Self::new(&limits.less(wall, cpu * threads as u32), self.stop, threads, moves);
        (self.wall, self.cpu) = (rest.wall.after(wall), rest.cpu.after(cpu));
    }

    fn cpu_used(&self) -> Duration {
        thread_cpu_time().saturating_sub(self.cpu_began)
    }

    fn has_used(&self, wall: Duration, cpu: Duration) -> bool {
        (!self.wall.is_endless() && self.elapsed() >= wall) || (!self.cpu.is_endless() && self.cpu_used() >= cpu)
    }
}

/// What there is to plan with of what is left on a game's clock.
fn usable(left: Duration) -> Duration {
    if left < LEAST { Duration::ZERO } else { left.saturating_sub(RESERVE.min(left / 2)) }
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

    #[test]
    fn a_clock_is_never_spent_to_its_last_moment() {
        let stop = Stop::default();
        for left in [1, 4, 10, 100, 1000].map(Duration::from_millis) {
            let limits = Limits { cpu: Some(left), ..Limits::default() };
            let mut spent = Budget::new(&limits, &stop, 1, 1).settle;
            let rest = Limits { cpu: Some(left.saturating_sub(spent)), ..Limits::default() };
            spent += Budget::new(&rest, &stop, 1, 1).cpu.hard;
            assert!(spent + RESERVE.min(left / 2) <= left, "{spent:?} of {left:?}");
        }
        let limits = Limits { cpu: Some(LEAST / 2), ..Limits::default() };
        let budget = Budget::new(&limits, &stop, 1, 1);
        assert!(budget.is_over() && budget.is_unsettled());
    }

    #[test]
    fn what_was_spent_in_vain_is_off_the_clock() {
        let stop = Stop::default();
        let limits =
            Limits { movetime: Some(Duration::from_secs(4)), cpu: Some(Duration::from_secs(60)), ..Limits::default() };
        let mut budget = Budget::new(&limits, &stop, 1, 5);
        let before = (budget.wall.hard, budget.cpu.hard);
        budget.began = budget.began.saturating_sub(Duration::from_secs(3));
        budget.cpu_began = Duration::ZERO;
        let used = budget.cpu_used();
        budget.share_out_again(&limits, 1, 5);
        // The same moment of the wall's clock, or nearly so; of the other one what is left of it is shared out.
        assert!(budget.wall.hard.abs_diff(before.0) < Duration::from_millis(100), "{:?}", budget.wall.hard);
        assert!(budget.cpu.hard > before.1 && budget.cpu.hard < before.1 + used + Duration::from_secs(1));
    }
}
