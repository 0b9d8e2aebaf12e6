//! The CPU time of this thread.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Measures CPU time from its making on.
pub(crate) struct CpuTimer(Duration);

impl CpuTimer {
    pub(crate) fn start() -> Self {
        Self(thread_cpu_time())
    }

    pub(crate) fn seconds(&self) -> f64 {
        thread_cpu_time().saturating_sub(self.0).as_secs_f64()
    }
}

fn thread_cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
