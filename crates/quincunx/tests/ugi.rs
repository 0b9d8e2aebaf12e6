//! The Universal Game Interface, spoken by a scripted client.

mod client;

use client::Client;

#[test]
fn a_client_shakes_hands_and_gets_moves_in_every_game() {
    let mut client = Client::start(&["ugi"]);
    client.ask("ugi", "ugiok");
    assert_eq!(client.ask("isready", "readyok"), "readyok");
    for (game, first) in [("othello", "d3"), ("pente", "10K"), ("aboyne", "a1-a2"), ("tessella", "e1-e2")] {
        client.send(&format!("setoption name Game value {game}"));
        client.send(&format!("position startpos moves {first}"));
        assert_eq!(client.ask("query p1turn", "response"), "response false", "{game}");
        assert_eq!(client.ask("query result", "response"), "response none");
        let answer = client.ask("go nodes 500", "bestmove ");
        let mv = answer.strip_prefix("bestmove ").unwrap();
        client.send(&format!("position startpos moves {first} {mv}"));
        assert_eq!(client.ask("query p1turn", "response"), "response true", "{game} {mv}");
    }
}

#[test]
fn limits_info_lines_and_stop_work() {
    let mut client = Client::start(&["ugi"]);
    client.send("position startpos");
    assert!(client.ask("go depth 3", "info depth 3").contains(" pv "));
    client.until("bestmove ");
    client.send("go infinite");
    client.until("info depth 1 ");
    client.ask("stop", "bestmove ");
    client.ask("go movetime 20", "bestmove ");
    client.ask("go p1time 500 p2time 500 p1inc 0 p2inc 0", "bestmove ");
}

#[test]
fn rulesets_positions_and_ends_are_understood() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Ruleset value 4x4");
    client.send("position fen XXXXXXXXXXXXXXOO X");
    assert_eq!(client.ask("query gameover", "response"), "response true");
    assert_eq!(client.ask("query result", "response"), "response p1win");
    assert_eq!(client.ask("go depth 2", "bestmove"), "bestmove 0000");
}

#[test]
fn nonsense_is_answered_in_one_line_and_survived() {
    let mut client = Client::start(&["ugi"]);
    for nonsense in [
        "frobnicate",
        "position",
        "position fen",
        "position fen garbage moves moves moves",
        "position startpos moves z9",
        "setoption",
        "setoption name Hash value banana",
        "setoption name Game value chess",
        "go depth",
        "go depth x",
        "go sideways 3",
        "query",
        "query meaning",
        "\u{0}\u{1}\u{fffd}",
    ] {
        let answer = client.ask(nonsense, "info string");
        assert!(answer.len() < 300, "{answer}");
    }
    client.ask("go nodes 100", "bestmove ");
    assert_eq!(client.ask("isready", "readyok"), "readyok");
}
