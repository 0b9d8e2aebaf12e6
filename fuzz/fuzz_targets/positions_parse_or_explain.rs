//! A text given as a position is refused in one line, or is a position that round-trips and can be played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{after_random_turns, must_answer, must_explain, random, ruleset, table, text};
use quincunx_game::{svg, terminal};

/// Turns played from a position that was understood.
const TURNS: usize = 8;

/// One input of so many is drawn.
const PICTURES: u8 = 32;

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    // Two bytes lead into a game, whose position may be what the rest edits.
    let Some((&[plies, seed], rest)) = rest.split_first_chunk() else { return };
    let text = text(rest, || after_random_turns(&rules, plies, seed).position_text());
    let mut game = match table(&rules, Some(&text)) {
        Ok(game) => game,
        Err(error) => return must_explain(&error),
    };
    let again = table(&rules, Some(&game.position_text())).expect("the text of a position is a position");
    assert_eq!(again.position_text(), game.position_text());
    assert_eq!(again.hash(), game.hash());
    assert_eq!(again.choices(), game.choices());

    let start = game.position_text();
    let mut rng = random(data);
    let cells = game.stones().len();
    must_answer(&*game, cells);
    while game.ply() < TURNS && game.play_random(&mut rng).is_some() {
        must_answer(&*game, cells);
    }
    // Boards and pictures take a hundred times as long as all the rest, so few inputs are drawn.
    if data.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte)) % PICTURES == 0 {
        assert_eq!(game.geometry().cells.len(), cells);
        svg::picture(&*game);
        terminal::board(&*game, terminal::Style::Colour);
    }
    while game.undo() {}
    assert_eq!(game.position_text(), start);
});
