//! A file given as WTHOR is refused in one line, or its games are games under the rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_formats::{Input, by_name, read};
use quincunx_fuzz::{file_of_games, must_explain};
use quincunx_game::Rules;

fuzz_target!(|data: &[u8]| {
    let Some((&seed, rest)) = data.split_first() else { return };
    let (format, about) =
        (by_name("wthor").expect("it is there"), quincunx_games::about("othello").expect("it is there"));
    let bytes = file_of_games(rest, format, &Rules::of(about), seed);
    let mut input = Input::new(&bytes);
    input.format = Some(format);
    let read = read(&input, &mut |found| {
        _ = found.map_err(|error| must_explain(&error));
        Ok(())
    });
    _ = read.map_err(|error| must_explain(&error));
});
