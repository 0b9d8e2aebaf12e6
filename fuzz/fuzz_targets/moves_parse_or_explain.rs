//! A text given as a move is refused in one line and changes nothing, or names one of the legal moves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{must_explain, random, ruleset, table};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    // Two bytes lead into the game, the rest is the move.
    let Some((&[plies, seed], text)) = rest.split_first_chunk() else { return };
    let text = String::from_utf8_lossy(text);
    let mut game = table(&rules, None).expect("every ruleset has a start");
    let mut rng = random(&[seed]);
    while game.ply() < usize::from(plies) && game.play_random(&mut rng).is_some() {}

    let (choices, before) = (game.choices(), game.position_text());
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
