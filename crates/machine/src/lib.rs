//! What a machine offers beyond the standard library. The portable crates use it through
//! [`quincunx_search::platform`], for which [`install`] sets it.

mod cpu;
mod files;
mod memory;

pub use cpu::{CpuTimer, pin_thread, thread_cpu_time};
pub use files::{raise_open_files, write_whole, write_whole_with};

use quincunx_search::platform::{Platform, set};

/// Gives the portable crates this machine's CPU clock and large pages. Every program calls it once, before it searches.
pub fn install() {
    set(Platform { thread_cpu_time, use_large_pages: memory::use_large_pages, ..Platform::STANDARD });
}
