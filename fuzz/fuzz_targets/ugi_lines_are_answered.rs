//! Whatever a client says over UGI, the engine goes on, and ends when the client leaves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::dialogue::lines;

const WORDS: [&str; 42] = [
    "\n",
    "ugi",
    "isready",
    "uginewgame",
    "setoption",
    "name",
    "value",
    "position",
    "go",
    "stop",
    "query",
    "quit",
    "startpos",
    "fen",
    "moves",
    "p1turn",
    "gameover",
    "result",
    "Game",
    "Ruleset",
    "MultiPV",
    "Level",
    "othello",
    "pente",
    "shobu",
    "aboyne",
    "tessella",
    "4x4",
    "official,first=random",
    "d3",
    "c5",
    "10K",
    "depth",
    "nodes",
    "movetime",
    "p1time",
    "p2time",
    "p1inc",
    "infinite",
    "1",
    "18446744073709551616",
    "-5",
];

/// Megabytes and threads are the user's to choose, and not the fuzzer's; a search ends when the next line comes.
fn harmless(text: &str) -> String {
    let mut harmless = String::from("setoption name Hash value 1\n");
    for line in text.lines() {
        let lower = line.to_lowercase();
        if lower.contains("hash") || lower.contains("threads") {
            continue;
        }
        harmless += line;
        harmless += "\n";
        if lower.trim_start().starts_with("go") {
            harmless += "stop\n";
        }
    }
    harmless + "quit\n"
}

fuzz_target!(|data: &[u8]| {
    let text = harmless(&lines(data, &WORDS));
    quincunx_outside::ugi::serve(text.as_bytes(), || 1).expect("the end of the input is no error");
});
