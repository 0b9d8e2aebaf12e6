//! The engine in the page: rules, search and agents for WebAssembly, behind one function that takes and gives JSON.
//!
//! A page writes a request into memory that [`reserve`] gave it and calls [`answer`]; the answer is a text in memory,
//! its length first. While it thinks, the engine calls the page's `tell` with what it has found so far. Everything is
//! answered by the parts below: this crate only carries texts across.

// Memory is shared with a page through addresses and lengths, and functions are found by their names: every block says
// what makes it sound.
#![allow(unsafe_code)]

mod asked;

pub use asked::{Asked, answer_to};

/// Room for `bytes` bytes that the page will fill and give to one of the functions below, which frees it.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let room = vec![0_u8; bytes].into_boxed_slice();
    Box::into_raw(room).cast()
}

/// Frees a text that [`answer`] or [`hand_in`] gave.
///
/// # Safety
/// `text` and its length must be those of such a text, and nobody may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(text: *mut u8) {
    // SAFETY: the caller promises that a text of ours is there, which begins with its length.
    unsafe {
        let length = u32::from_le_bytes(*text.cast::<[u8; 4]>()) as usize + 4;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)));
    }
}

/// Answers a request: JSON as [`Asked`] describes it.
///
/// # Safety
/// `request` must be memory that [`reserve`] gave for `bytes` bytes; it is freed here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(request: *mut u8, bytes: usize) -> *mut u8 {
    // SAFETY: the caller promises the same.
    let request = unsafe { taken(request, bytes) };
    give(&answer_to(&request, &mut |found| page::tell(found)))
}

/// Hands in the weights or the book of a game, which this module does not carry; the answer is like that of [`answer`].
///
/// # Safety
/// `game` and `file` must be memory that [`reserve`] gave for so many bytes; both are freed here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hand_in(game: *mut u8, game_bytes: usize, file: *mut u8, file_bytes: usize) -> *mut u8 {
    // SAFETY: the caller promises the same of both.
    let (game, file) = unsafe { (taken(game, game_bytes), taken(file, file_bytes)) };
    give(&asked::hand_in(&String::from_utf8_lossy(&game), &file))
}

/// The games of a file in a format that only this game has; the answer is like that of [`answer`].
///
/// # Safety
/// `game` and `file` must be memory that [`reserve`] gave for so many bytes; both are freed here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read_games(game: *mut u8, game_bytes: usize, file: *mut u8, file_bytes: usize) -> *mut u8 {
    // SAFETY: the caller promises the same of both.
    let (game, file) = unsafe { (taken(game, game_bytes), taken(file, file_bytes)) };
    give(&asked::read_games(&String::from_utf8_lossy(&game), &file))
}

/// What the page has filled.
///
/// # Safety
/// `memory` must be what [`reserve`] gave for so many bytes, and nobody may use it afterwards.
unsafe fn taken(memory: *mut u8, bytes: usize) -> Box<[u8]> {
    // SAFETY: the caller promises that this is a boxed slice of this length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, bytes)) }
}

/// Uses the page's clock; to be called once, first.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    quincunx_search::platform::set(quincunx_search::platform::Platform {
        now: page::now,
        thread_cpu_time: page::now,
        use_large_pages: |_, _| {},
    });
}

/// A text in memory, its length first; the page frees it with [`release`].
fn give(text: &str) -> *mut u8 {
    let mut bytes = Vec::with_capacity(text.len() + 4);
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// What the page offers.
#[cfg(target_family = "wasm")]
mod page {
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        #[link_name = "now"]
        fn page_now() -> f64;
        #[link_name = "tell"]
        fn page_tell(text: *const u8, bytes: usize);
    }

    /// Milliseconds by the page's clock.
    pub(crate) fn now() -> Duration {
        // SAFETY: the page gives a number and touches nothing.
        Duration::from_secs_f64(unsafe { page_now() }.max(0.0) / 1000.0)
    }

    /// Shows the page what was found so far; it copies the text before it returns.
    pub(crate) fn tell(text: &str) {
        // SAFETY: the text lives until the page has returned.
        unsafe { page_tell(text.as_ptr(), text.len()) }
    }
}

/// There is no page: for tests of this crate on other machines.
#[cfg(not(target_family = "wasm"))]
mod page {
    use std::time::Duration;

    pub(crate) fn now() -> Duration {
        (quincunx_search::platform::Platform::STANDARD.now)()
    }

    pub(crate) fn tell(_text: &str) {}
}
