//! A word or a file given as openings is refused in one line, or is openings that can be set up.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use quincunx_arena::{Limit, Opening, statistic::Sprt};
use quincunx_fuzz::{after_random_turns, folder, must_explain, ruleset, text};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let Some((&[way, plies, seed], rest)) = rest.split_first_chunk() else { return };
    if way % 8 == 0 {
        // The other words of a contest: limits, bounds of a test.
        let word = String::from_utf8_lossy(rest);
        _ = Limit::parse(&word).map_err(|error| must_explain(&error));
        _ = Sprt::parse(&word).map_err(|error| must_explain(&error));
        return;
    }
    let valid = || {
        let game = after_random_turns(&rules, plies % 32, seed);
        format!("# two openings\n{}\n{}\n{}\n", game.played().join(" "), game.position_text(), game.start_text())
    };
    let path = folder("openings").join("openings.txt");
    fs::write(&path, text(rest, valid)).unwrap();
    let word = if way % 8 == 1 { format!("first:{plies}:{}", path.display()) } else { path.display().to_string() };
    match Opening::list(&word, &rules, 10, u64::from(seed)) {
        Ok(openings) => {
            for opening in openings {
                let game = opening.set_up(&rules).expect("an opening that was read can be set up");
                assert!(game.outcome().is_none());
            }
        }
        Err(error) => must_explain(&error),
    }
});
