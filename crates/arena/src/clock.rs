//! A player's clock: what is left of the time of a game, and when it has run out.

use std::time::Duration;

use quincunx_search::{Clock as TimeLeft, Limits};

use crate::Limit;

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limit: Limit,
    /// What is left for the rest of the game, if the game is timed as a whole.
    left: Option<Duration>,
    /// All time used so far, in the currency of the limit.
    used: Duration,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub(crate) fn new(limit: &Limit) -> Self {
        let left = limit.cpu.or(limit.clock.map(|(base, _)| base));
        Self { limit: *limit, left, used: Duration::ZERO }
    }

    /// What the player is told before a move.
    pub(crate) fn limits(&self) -> Limits {
        let Limit { movetime, nodes, depth, clock, cpu, .. } = self.limit;
        let left = self.left.unwrap_or_default();
        Limits {
            depth,
            nodes,
            movetime,
            clock: clock.map(|(_, increment)| TimeLeft { left, increment }),
            cpu: cpu.map(|_| left),
        }
    }

    /// Whether CPU time is what counts.
    pub(crate) fn counts_cpu(&self) -> bool {
        self.limit.cpu.is_some()
    }

    /// Everything used so far.
    pub(crate) fn used(&self) -> Duration {
        self.used
    }

    /// Books a move; the error says by how much the time was overrun.
    pub(crate) fn book(&mut self, wall: Duration, cpu: Duration) -> Result<(), String> {
        let margin = self.limit.margin;
        self.used += if self.counts_cpu() { cpu } else { wall };
        if let Some(movetime) = self.limit.movetime
            && wall > movetime + margin
        {
            return Err(format!("took {} for a move, the limit is {}", seconds(wall), seconds(movetime)));
        }
        let Some(left) = &mut self.left else { return Ok(()) };
        if let Some((_, increment)) = self.limit.clock {
            if wall > *left + margin {
                return Err(format!("took {} with {} left on the clock", seconds(wall), seconds(*left)));
            }
            *left = left.saturating_sub(wall) + increment;
        } else {
            if cpu >= *left {
                return Err(format!("used {} of CPU time with {} left", seconds(cpu), seconds(*left)));
            }
            *left -= cpu;
        }
        Ok(())
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_wall_clock_runs_down_and_gains_its_increment() {
        let mut clock = Clock::new(&Limit::parse("clock=10s+1s,margin=0s").unwrap());
        clock.book(ms(4000), ms(0)).unwrap();
        assert_eq!(clock.left, Some(ms(7000)));
        assert_eq!(clock.limits().clock, Some(TimeLeft { left: ms(7000), increment: ms(1000) }));
        assert!(clock.book(ms(7001), ms(0)).is_err());
    }

    #[test]
    fn cpu_time_that_reaches_zero_is_a_loss() {
        let mut clock = Clock::new(&Limit::parse("cpu=1s").unwrap());
        clock.book(ms(90_000), ms(600)).unwrap();
        assert_eq!(clock.limits().cpu, Some(ms(400)));
        assert!(clock.book(ms(1), ms(400)).is_err());
    }

    #[test]
    fn a_movetime_is_kept_within_the_margin() {
        let mut clock = Clock::new(&Limit::parse("movetime=100ms,margin=50ms").unwrap());
        clock.book(ms(149), ms(0)).unwrap();
        assert!(clock.book(ms(151), ms(0)).is_err());
        assert_eq!(clock.used(), ms(300));
    }
}
