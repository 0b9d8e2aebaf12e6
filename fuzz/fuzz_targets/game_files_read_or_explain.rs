//! A file of games in any format is refused in one line, or its games are games that the same format writes again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_formats::{Input, all, read};
use quincunx_fuzz::{file_of_games, must_explain, ruleset};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let Some((&[which, seed], rest)) = rest.split_first_chunk() else { return };
    let formats = all();
    let format = formats[usize::from(which >> 1) % formats.len()];
    let bytes = file_of_games(rest, format, &rules, seed);
    // Half of the files are recognised by their content.
    let mut input = Input::new(&bytes).expecting(rules);
    input.format = (which % 2 == 0).then_some(format);
    let read = read(&input, &mut |found| {
        match found {
            Ok(checked) => assert_eq!(checked.game.rules().about.name, checked.record.rules.about.name),
            Err(error) => must_explain(&error),
        }
        Ok(())
    });
    if let Err(error) = read {
        must_explain(&error);
    }
});
