//! A file given as an opening book is refused in one line, or is a book that is written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{must_explain, ruleset};
use quincunx_search::book::Book;

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    if let Err(error) = Book::read(&rules, rest) {
        must_explain(&error);
    }
});
