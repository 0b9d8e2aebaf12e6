//! The one seam to the system: clocks and large pages. The portable crates use nothing else beyond the standard
//! library.

use std::{sync::OnceLock, time::Duration};

/// What a system offers to a search.
#[derive(Clone, Copy, Debug)]
pub struct Platform {
    /// The time since some moment in the past, by a clock that never goes back.
    pub now: fn() -> Duration,
    /// The CPU time that the calling thread has used.
    pub thread_cpu_time: fn() -> Duration,
    /// Asks for large pages in a range of memory that the caller owns; may do nothing.
    pub use_large_pages: fn(*mut u8, usize),
}

impl Platform {
    /// What the standard library can do: CPU time is taken to be wall-clock time.
    pub const STANDARD: Self = Self { now: wall, thread_cpu_time: wall, use_large_pages: |_, _| {} };
}

static INSTALLED: OnceLock<Platform> = OnceLock::new();

/// Installs what this system offers; the first call counts, and only if nothing was searched before.
pub fn set(platform: Platform) {
    // A second call changes nothing: clocks must not change while a search runs.
    _ = INSTALLED.set(platform);
}

fn get() -> &'static Platform {
    INSTALLED.get_or_init(|| Platform::STANDARD)
}

/// The time since some moment in the past.
pub fn now() -> Duration {
    (get().now)()
}

/// The CPU time this thread has used.
pub fn thread_cpu_time() -> Duration {
    (get().thread_cpu_time)()
}

pub(crate) fn use_large_pages(begin: *mut u8, bytes: usize) {
    (get().use_large_pages)(begin, bytes);
}

/// Whether searches may use more than one thread.
pub const THREADS: bool = !cfg!(target_family = "wasm");

#[cfg(not(target_family = "wasm"))]
fn wall() -> Duration {
    static BEGAN: OnceLock<std::time::Instant> = OnceLock::new();
    BEGAN.get_or_init(std::time::Instant::now).elapsed()
}

/// There is no clock in WebAssembly itself: a page installs its own.
#[cfg(target_family = "wasm")]
fn wall() -> Duration {
    Duration::ZERO
}
