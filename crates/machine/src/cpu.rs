//! CPU time and processors.

use std::time::Duration;

/// The CPU time this thread has used since it began; on systems without such a clock, wall-clock time.
#[cfg(unix)]
pub fn thread_cpu_time() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    // The clock exists on every Unix. Without it a thread would seem idle and would not notice the end of its time.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// The CPU time this thread has used since it began; on systems without such a clock, wall-clock time.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Duration {
    (quincunx_search::platform::Platform::STANDARD.now)()
}

/// Keeps this thread on one processor, if the system lets it; `number` is taken modulo the number of processors.
pub fn pin_thread(number: usize) {
    #[cfg(target_os = "linux")]
    {
        use nix::{
            sched::{CpuSet, sched_setaffinity},
            unistd::Pid,
        };
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut set = CpuSet::new();
        // A refusal only costs speed: the thread may move between processors.
        if set.set(number % processors).is_ok() {
            _ = sched_setaffinity(Pid::from_raw(0), &set);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = number;
}

/// Measures the CPU time of this thread.
#[derive(Clone, Copy, Debug)]
pub struct CpuTimer(Duration);

impl CpuTimer {
    /// Starts measuring.
    pub fn start() -> Self {
        Self(thread_cpu_time())
    }

    /// The CPU time used since the start.
    pub fn elapsed(&self) -> Duration {
        thread_cpu_time().saturating_sub(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_takes_cpu_time_and_sleep_does_not() {
        let timer = CpuTimer::start();
        std::thread::sleep(Duration::from_millis(30));
        assert!(timer.elapsed() < Duration::from_millis(20), "{:?}", timer.elapsed());
        let began = Instant::now();
        while timer.elapsed() < Duration::from_millis(25) {
            assert!(began.elapsed() < Duration::from_secs(10), "the clock stands still");
        }
    }
}
