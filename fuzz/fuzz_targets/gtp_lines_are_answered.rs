//! Whatever a controller says over GTP, the engine goes on, and ends when the controller leaves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{dialogue::lines, ruleset, table};

const WORDS: [&str; 36] = [
    "\n",
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "loadposition",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
    "b",
    "w",
    "black",
    "pass",
    "resign",
    "d3",
    "f5",
    "e1-e2",
    "10K",
    "8",
    "6",
    "4",
    "19",
    "0",
    "7.5",
    "99999999999999999999",
    "-1",
];

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let game = table(&rules, None).expect("every ruleset has a start");
    let text = lines(rest, &WORDS);
    quincunx_outside::gtp::serve(text.as_bytes(), game, "random", 1).expect("the end of the input is no error");
});
