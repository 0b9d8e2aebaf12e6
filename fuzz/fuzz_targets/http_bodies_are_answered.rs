//! Whatever is sent as the body of a request, the server answers as the description of its API promises.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{
    server::{Connection, must_answer_as_described},
    text,
};

/// Requests with a body, each with one that is right.
const REQUESTS: [(&str, &str); 11] = [
    ("/api/position", r#"{"game":"othello","ruleset":"8x8","position":null,"moves":"d3 c5"}"#),
    ("/api/position", r#"{"game":"shobu","moves":"ab1:db1:N1"}"#),
    ("/api/import", r#"{"game":"othello","text":"F5D6C3D3C4"}"#),
    ("/api/import", r#"{"game":"pente","text":"1. K10 L11 2. M12 {all is well}"}"#),
    (
        "/api/games",
        r#"{"game":"othello","seats":[{"kind":"me","name":"A"},{"kind":"invited"}],"clock":{"initial":60,"increment":1}}"#,
    ),
    (
        "/api/games",
        r#"{"game":"aboyne","ruleset":"official,first=red","seats":[{"kind":"me"},{"kind":"engine","spec":"random"}]}"#,
    ),
    ("/api/games/aaaaaaaaaaaa/join", r#"{"invite":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"B"}"#),
    ("/api/games/aaaaaaaaaaaa/delete", r#"{"tokens":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}"#),
    ("/api/games/aaaaaaaaaaaa/code", r#"{"tokens":[]}"#),
    ("/api/codes", r#"{"code":"abcd-efgh"}"#),
    ("/api/enter", r#"{"password":"x"}"#),
];

thread_local! {
    static OPEN: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, rest)) = data.split_first() else { return };
    let (path, valid) = REQUESTS[usize::from(which) % REQUESTS.len()];
    let body = text(rest, || valid.into());
    OPEN.with_borrow_mut(|open| {
        let answer = open.get_or_insert_with(Connection::open).request("POST", path, body.as_bytes());
        match answer {
            Some((status, body)) => must_answer_as_described(status, &body),
            // It is closed for too long a body, for instance; the next request opens another.
            None => *open = None,
        }
    });
});
