//! Whatever is sent over a socket, the server answers it or ends the connection, and goes on.
#![no_main]

use std::{cell::OnceCell, fmt::Write as _};

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{server::Connection, text};
use serde_json::Value;

/// Messages that are right. An analysis would think longer than the fuzzer waits: its line is wrong.
const MESSAGES: [&str; 16] = [
    r#"{"type":"move","move":"d3","ply":0}"#,
    r#"{"type":"move","move":"c5"}"#,
    r#"{"type":"undo"}"#,
    r#"{"type":"draw"}"#,
    r#"{"type":"answer","offer":"draw","accept":false}"#,
    r#"{"type":"resign"}"#,
    r#"{"type":"rematch"}"#,
    r#"{"type":"pause","paused":true}"#,
    r#"{"type":"step"}"#,
    r#"{"type":"speed","delay":800}"#,
    r#"{"type":"say","phrase":"good_luck"}"#,
    r#"{"type":"open","open":true}"#,
    r#"{"type":"analyse","id":7,"line":{"game":"othello","moves":"a1"},"lines":3,"seconds":1}"#,
    r#"{"type":"review","id":8,"line":{"game":"othello","moves":"a1"}}"#,
    r#"{"type":"leave"}"#,
    r#"{"type":"join","game":"aaaaaaaaaaaa","tokens":[]}"#,
];

thread_local! {
    static JOIN: OnceCell<String> = const { OnceCell::new() };
}

/// The message that joins a game of one's own, made anew by each process.
fn join() -> String {
    let body = br#"{"game":"othello","seats":[{"kind":"me"},{"kind":"me"}]}"#;
    let (status, made) = Connection::open().request("POST", "/api/games", body).expect("the server is there");
    assert_eq!(status, 200);
    let made: Value = serde_json::from_slice(&made).unwrap();
    let mut join = String::new();
    write!(join, r#"{{"type":"join","game":{},"tokens":{}}}"#, made["id"], made["tokens"]).unwrap();
    join
}

fuzz_target!(|data: &[u8]| {
    let mut socket = Connection::open().upgrade();
    let join = JOIN.with(|known| known.get_or_init(join).clone());
    socket.send(1, join.as_bytes());
    // Parts of the data, each with its length before it, are messages.
    let mut rest = data;
    for _ in 0..8 {
        let Some((&[kind, which, length], behind)) = rest.split_first_chunk() else { break };
        let (part, behind) = behind.split_at(behind.len().min(usize::from(length)));
        rest = behind;
        let message = text(part, || MESSAGES[usize::from(which) % MESSAGES.len()].into());
        // One of sixteen is a frame of another kind.
        let kind = if kind % 16 == 0 { kind >> 4 } else { 1 };
        socket.send(kind, message.as_bytes());
    }
    socket.send(1, br#"{"type":"ping"}"#);
    // Up to the answer to the ping, or to the end of the connection.
    while let Some(message) = socket.receive() {
        let message: Value = serde_json::from_str(&message).expect("a message is JSON");
        match message["type"].as_str().expect("a message has a type") {
            "pong" => break,
            "error" => {
                let error = message["error"].as_str().expect("a refusal has a reason");
                assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
                assert!(message["status"].as_u64().is_some_and(|status| status < 500 || status == 503), "{message}");
            }
            _ => {}
        }
    }
});
