//! Lines of games.jsonl and the text of games.txt are refused in one line, or are games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_arena::GameRecord;
use quincunx_fuzz::must_explain;

fuzz_target!(|data: &[u8]| {
    if let Ok(game) = serde_json::from_slice::<GameRecord>(data) {
        let again = serde_json::to_vec(&game).expect("a record is written");
        serde_json::from_slice::<GameRecord>(&again).expect("what was written is read");
    }
    if let Err(error) = GameRecord::parse_texts(&String::from_utf8_lossy(data)) {
        must_explain(&error);
    }
});
