//! Whatever a board says over `NBoard`, the engine goes on, and ends when the board leaves.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use quincunx_agents::Resources;
use quincunx_fuzz::dialogue::lines;

const WORDS: [&str; 27] = [
    "\n",
    "nboard",
    "2",
    "set",
    "depth",
    "game",
    "contempt",
    "move",
    "hint",
    "go",
    "ping",
    "learn",
    "analyze",
    "quit",
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[A]PW[B]RE[?]TI[15:00]TY[8]",
    "BO[8 ---------------------------O*------*O--------------------------- *]",
    "B[F5]",
    "W[D6//0.01]",
    ";)",
    "F5",
    "D6",
    "PA",
    "PASS",
    "1",
    "0",
    "-3",
    "4294967296",
];

fuzz_target!(|data: &[u8]| {
    // Whatever is thought about ends when the next line comes, a ping.
    let text = lines(data, &WORDS).replace('\n', "\nping 1\n") + "\nquit\n";
    let resources = Resources { megabytes: 1, threads: 1 };
    let movetime = Some(Duration::from_millis(1));
    quincunx_outside::nboard::serve(text.as_bytes(), resources, movetime).expect("the end of the input is no error");
});
