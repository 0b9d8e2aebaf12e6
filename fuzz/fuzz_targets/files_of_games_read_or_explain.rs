//! Any bytes as a file of games are refused in one line, or hold games that come back from the format they came in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_formats::{Input, Output, all, read};
use quincunx_fuzz::{after_random_turns, must_explain, ruleset};
use quincunx_game::{Record, TextError};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let Some((&[format, plies, seed, way], rest)) = rest.split_first_chunk() else { return };
    let formats = all();
    let format = formats[format as usize % formats.len()];
    // The bytes as they are, or a file of this format with some of its bytes changed.
    let mut bytes = rest.to_vec();
    if way % 2 == 1 {
        let mut record = Record::new(rules);
        record.moves = after_random_turns(&rules, plies, seed).played().join(" ");
        let checked = quincunx_formats::check(record, false).expect("random moves are legal");
        let Ok(mut output) = Output::new(format) else { return };
        if output.add(&checked).is_err() {
            return;
        }
        bytes = output.finish().expect("one game is a file").contents;
        for edit in rest.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len();
            bytes[at] = edit[2];
        }
    }
    let named = (way % 4 < 2).then_some(format);
    let input = Input { format: named, ..Input::new(&bytes).expecting(rules) };
    let ended = read(&input, &mut |found| {
        let checked = match found {
            Ok(checked) => checked,
            Err(error) => {
                must_explain(&error);
                return Ok(());
            }
        };
        let Some(Ok(mut output)) = named.map(Output::new) else { return Ok(()) };
        if output.add(&checked).is_ok() {
            let again = output.finish().expect("one game is a file").contents;
            let input = Input { format: named, ..Input::new(&again).expecting(checked.record.rules) };
            read(&input, &mut |found| {
                let found =
                    found.unwrap_or_else(|error| panic!("{} does not read what it wrote: {error}", format.name()));
                assert!(
                    format.name().ends_with("-positions") || found.game.position_text() == checked.game.position_text()
                );
                Ok(())
            })
            .unwrap_or_else(|error: TextError| panic!("{} does not read what it wrote: {error}", format.name()));
        }
        Ok(())
    });
    if let Err(error) = ended {
        must_explain(&error);
    }
});
