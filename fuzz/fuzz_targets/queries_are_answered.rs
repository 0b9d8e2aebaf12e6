//! Whatever stands in the address of a request, the server answers as the description of its API promises.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{
    server::{Connection, must_answer_as_described},
    text,
};

/// Addresses that are right.
const ADDRESSES: [&str; 8] = [
    "/api/board?game=othello&ruleset=8x8&hash=0",
    "/api/picture.svg?game=shobu&moves=ab1:db1:N1",
    "/api/picture.svg?game=pente&ruleset=free&position=",
    "/api/games?ids=aaaaaaaaaaaa,bbbbbbbbbbbb",
    "/api/games/aaaaaaaaaaaa/record",
    "/api/content?language=pt",
    "/api/contests/standing?name=cup",
    "/puzzles/othello.json",
];

thread_local! {
    static OPEN: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, rest)) = data.split_first() else { return };
    let address = text(rest, || ADDRESSES[usize::from(which) % ADDRESSES.len()].into());
    // A line break or a space ends the address.
    let address = address.replace(|c: char| c.is_whitespace() || c.is_control(), "%20");
    let address = format!("/{}", address.trim_start_matches('/'));
    OPEN.with_borrow_mut(|open| {
        let answer = open.get_or_insert_with(Connection::open).request("GET", &address, b"");
        match answer {
            // What is no HTTP is answered by the library, without a body, and ends the connection.
            Some((400, body)) if body.is_empty() => *open = None,
            Some((status, body)) if address.starts_with("/api/") => must_answer_as_described(status, &body),
            // A page that is missing is told in a page.
            Some((status, _)) => assert!(status < 500, "{status}"),
            None => *open = None,
        }
    });
});
