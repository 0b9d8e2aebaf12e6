//! What a machine offers beyond the standard library. The portable crates use it through
//! [`quincunx_search::platform`], for which [`install`] sets it.

mod cpu;
mod files;
mod memory;

pub use cpu::{CpuTimer, pin_thread, thread_cpu_time};
pub use files::{raise_open_files, write_whole, write_whole_with};
pub use memory::give_back_memory;

use quincunx_search::platform::{Platform, set};

/// The name of this machine; empty if it has none.
pub fn name() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.unwrap_or_default()
}

/// This machine as far as a result depends on it, in one line: processor, threads and system.
pub fn description() -> String {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} threads, {}", std::env::consts::OS)
}

/// Gives the portable crates this machine's CPU clock and large pages. Every program calls it once, before it searches.
pub fn install() {
    set(Platform { thread_cpu_time, use_large_pages: memory::use_large_pages, ..Platform::STANDARD });
}
