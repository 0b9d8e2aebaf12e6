//! What a program writes into its answer file, or is given to read, is refused in one line or names a move or a position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{after_random_turns, must_explain, ruleset, text};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let Some((&[plies, seed], rest)) = rest.split_first_chunk() else { return };
    let game = after_random_turns(&rules, plies, seed);
    let files = quincunx_games::entry(rules.about.name).expect("it is there").files;
    let choices = game.choices();
    let answer = text(rest, || {
        choices.get(seed as usize % choices.len().max(1)).map_or(String::new(), |mv| files.answer(&*game, &mv.text))
    });
    if let Err(error) = files.parse_answer(&*game, &answer) {
        must_explain(&error);
    }
    let handed = files.handover(&*game, f64::from(seed));
    if let Err(error) = files.read(&handed.input, &text(rest, || handed.text.clone())) {
        must_explain(&error);
    }
});
