//! A directory of a contest, with anything in its files, is refused in one line or gone on with; the server shows it.
#![no_main]

use std::{cell::RefCell, fs, sync::OnceLock};

use libfuzzer_sys::fuzz_target;
use quincunx_arena::{Bout, Journal, Plan, load_games};
use quincunx_fuzz::{
    file, folder, must_explain,
    server::{Connection, must_answer_as_described},
};
use quincunx_game::{Rules, TextError};
use serde_json::json;

fn plan() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let rules = Rules::of(quincunx_games::about("othello").expect("it is there"));
        let mut plan = Plan::new(rules, vec!["random".into(), "engine:level=1".into()], "start", 1, 7).unwrap();
        plan.bouts = Plan::pairs_between(0, 1, 2, 0).collect::<Vec<Bout>>();
        plan
    })
}

fn games() -> Vec<u8> {
    let game = json!({
        "number": 0, "pair": 0, "game": "othello", "ruleset": "8x8", "agents": ["random", "engine:level=1"],
        "seats": [0, 1], "start": "x", "opening": ["d3"], "moves": [{ "move": "c3", "us": 1 }], "position": "y",
        "winner": "first", "cause": "most discs", "used": [0.0, 0.0],
    });
    format!("{game}\n").into_bytes()
}

thread_local! {
    static OPEN: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    let Some((&middle, rest)) = data.split_first() else { return };
    let (contest, game) = rest.split_at(rest.len().min(usize::from(middle)));
    let folder = folder("results/cup");
    let identity = || format!("{:#}", plan().identity()).into_bytes();
    fs::write(folder.join("contest.json"), file(contest, identity)).unwrap();
    fs::write(folder.join("games.jsonl"), file(game, games)).unwrap();
    _ = Journal::seed(&folder);
    let told = |error: String| must_explain(&TextError::new(error));
    if let Err(error) = load_games(&folder.join("games.jsonl")) {
        told(error.to_string());
    }
    match Journal::open(&folder, plan()) {
        Ok((_, found)) => assert!(found.len() <= 2),
        Err(error) => told(error.to_string()),
    }
    OPEN.with_borrow_mut(|open| {
        for path in ["/api/contests", "/api/contests/standing?name=cup"] {
            let known = open.as_mut().and_then(|connection| connection.request("GET", path, b""));
            // The server closes a connection that was idle for long, as between two inputs on a busy machine.
            let answer = known.or_else(|| open.insert(Connection::open()).request("GET", path, b""));
            let (status, body) = answer.expect("the server answers");
            must_answer_as_described(status, &body);
        }
    });
});
