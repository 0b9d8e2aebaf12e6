//! A file given as weights is refused in one line, or is an evaluator whose file is read back.
#![no_main]

use std::{cell::RefCell, collections::HashMap};

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{must_explain, ruleset};
use quincunx_games::variant;

/// Evaluators are small here but for Othello's, whose file has megabytes: only its head is edited.
const LARGEST: usize = 1 << 16;

thread_local! {
    static FILES: RefCell<HashMap<String, Vec<u8>>> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let variant = variant(&rules);
    match variant.load(rest) {
        Ok(evaluator) => drop(variant.load(&evaluator.file()).map_err(|error| panic!("{error}"))),
        Err(error) => must_explain(&error),
    }
    // The file that comes with the program, edited. To make it takes longer than all the rest.
    let known = |files: &mut HashMap<String, Vec<u8>>| {
        let make = || Some(variant.evaluator().file()).filter(|file| file.len() <= LARGEST).unwrap_or_default();
        files.entry(format!("{} {rules}", rules.about.name)).or_insert_with(make).clone()
    };
    let mut file = FILES.with_borrow_mut(known);
    if file.is_empty() {
        return;
    }
    for edit in rest.chunks_exact(3) {
        let at = (usize::from(edit[1]) << 8 | usize::from(edit[2])) % file.len().max(1);
        if let Some(byte) = file.get_mut(at) {
            *byte = edit[0];
        }
    }
    if let Err(error) = variant.load(&file) {
        must_explain(&error);
    }
});
