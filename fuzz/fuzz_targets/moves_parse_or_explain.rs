//! A text given as a move is refused in one line and changes nothing, or names one of the legal moves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{after_random_turns, must_explain, ruleset, text};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    // Two bytes lead into a game, one of whose moves may be what the rest edits.
    let Some((&[plies, seed], rest)) = rest.split_first_chunk() else { return };
    let mut game = after_random_turns(&rules, plies, seed);
    let (choices, before) = (game.choices(), game.position_text());
    let text = text(rest, || {
        choices.get(seed as usize % choices.len().max(1)).map_or(String::new(), |choice| choice.text.clone())
    });
    match game.play(&text) {
        Ok(()) => {
            let played = game.played();
            let played = played.last().expect("a move was played");
            assert!(choices.iter().any(|choice| choice.text == *played), "{text:?} was taken for {played}");
            assert!(game.undo());
        }
        Err(error) => must_explain(&error),
    }
    assert_eq!(game.position_text(), before);
});
