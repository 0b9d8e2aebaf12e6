//! A file of self-play is refused in one line, or its games are games under the rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{must_explain, ruleset};
use quincunx_game::TextError;
use quincunx_games::variant;
use quincunx_search::selfplay::{Chunk, Encoded, Reader};

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let replay = |chunk: &Chunk| {
        let replayed =
            variant(&rules).replay(rules, chunk, &mut |game| assert_eq!(game.labels.len(), game.hashes.len()));
        replayed.unwrap_or_else(|error| must_explain(&error));
    };
    // The bytes as a file.
    match Reader::new(rest) {
        Ok(reader) => {
            for chunk in reader {
                match chunk {
                    Ok(chunk) => replay(&chunk),
                    Err(fault) => must_explain(&TextError::new(fault.to_string())),
                }
            }
        }
        Err(error) => must_explain(&error),
    }
    // And as a game behind a checksum that is right.
    let mut chunk = Chunk::new(0, "fuzz");
    chunk.add(&Encoded { positions: rest.len() as u32 / 5, bytes: rest.to_vec() });
    replay(&chunk);
});
