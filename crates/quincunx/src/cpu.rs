//! The CPU time of this thread.

use std::time::Duration;

use quincunx_search::thread_cpu_time;

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
