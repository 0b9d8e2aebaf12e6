//! GTP and `NBoard`, spoken by scripted clients.

mod client;

use client::Client;
use quincunx_games::open;

const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

/// A complete answer of GTP: everything up to the empty line.
fn gtp(client: &mut Client, command: &str) -> String {
    client.send(command);
    let mut answer = client.next();
    loop {
        let line = client.next();
        if line.is_empty() {
            return answer;
        }
        answer = format!("{answer}\n{line}");
    }
}

#[test]
fn a_gtp_controller_plays_a_game_and_takes_moves_back() {
    let mut client = Client::start(&["gtp", "--agent", "engine:nodes=300"]);
    assert_eq!(gtp(&mut client, "1 protocol_version"), "=1 2");
    assert_eq!(gtp(&mut client, "name"), "= Quincunx");
    assert!(gtp(&mut client, "list_commands").lines().any(|line| line == "reg_genmove"));
    assert_eq!(gtp(&mut client, "known_command genmove"), "= true");
    assert_eq!(gtp(&mut client, "known_command frobnicate"), "= false");
    assert_eq!(gtp(&mut client, "boardsize 6"), "= ");
    assert_eq!(gtp(&mut client, "clear_board"), "= ");
    assert_eq!(gtp(&mut client, "komi 6.5"), "= ");
    assert_eq!(gtp(&mut client, "time_settings 60 0 0"), "= ");
    assert_eq!(gtp(&mut client, "time_left b 30 0"), "= ");
    // What an agent of ours answers is legal by the rules of the same game kept here.
    let mut table = open("othello", Some("6x6"), None).unwrap();
    while table.outcome().is_none() {
        let colour = if table.to_move().index() == 0 { "b" } else { "white" };
        let answer = gtp(&mut client, &format!("genmove {colour}"));
        table.play(answer.strip_prefix("= ").unwrap()).unwrap();
    }
    assert_eq!(gtp(&mut client, "genmove b"), "= pass");
    let [black, white] = table.tallies().iter().find(|tally| tally.name == "score").unwrap().values;
    let expected = match black.cmp(&white) {
        std::cmp::Ordering::Greater => format!("= B+{}", black - white),
        std::cmp::Ordering::Less => format!("= W+{}", white - black),
        std::cmp::Ordering::Equal => "= 0".into(),
    };
    assert_eq!(gtp(&mut client, "final_score"), expected);
    // The pass behind the end is a turn of its own.
    for _ in 0..=table.ply() {
        assert_eq!(gtp(&mut client, "undo"), "= ");
    }
    assert_eq!(gtp(&mut client, "undo"), "? cannot undo");
    assert!(gtp(&mut client, "final_score").starts_with("? cannot score"));
    assert!(gtp(&mut client, "showboard").contains('\n'));
    assert_eq!(gtp(&mut client, "play black c2"), "= ");
    assert!(gtp(&mut client, "7 reg_genmove w").starts_with("=7 "));
    assert!(gtp(&mut client, "play b d2").starts_with("? illegal move: it is the turn of White"));
    assert_eq!(gtp(&mut client, "quit"), "= ");
}

#[test]
fn gtp_implies_a_forced_pass_and_takes_it_back_with_its_move() {
    let mut client = Client::start(&["gtp", "--ruleset", "4x4", "--agent", "random"]);
    // White has no move here; Black has d1.
    assert_eq!(gtp(&mut client, "loadposition XXO-XXXXXXXXXXX- O"), "= ");
    let before = gtp(&mut client, "showboard");
    assert_eq!(gtp(&mut client, "genmove b"), "= d1");
    assert_eq!(gtp(&mut client, "undo"), "= ");
    assert_eq!(gtp(&mut client, "showboard"), before);
    assert_eq!(gtp(&mut client, "play b d1"), "= ");
}

#[test]
fn gtp_speaks_other_games_in_the_colours_of_their_stones() {
    let mut client = Client::start(&["gtp", "pente", "--agent", "random"]);
    assert_eq!(gtp(&mut client, "boardsize 19"), "= ");
    assert!(gtp(&mut client, "boardsize 9").starts_with("? unacceptable size"));
    assert_eq!(gtp(&mut client, "genmove w"), "= K10");
    assert!(gtp(&mut client, "genmove b").starts_with("= "));
    let mut client = Client::start(&["gtp", "shobu", "--agent", "random"]);
    assert!(gtp(&mut client, "genmove b").contains(':'));
}

#[test]
fn gtp_survives_nonsense() {
    let mut client = Client::start(&["gtp", "--agent", "random"]);
    client.send("");
    client.send("# a comment");
    for nonsense in [
        "frobnicate",
        "12",
        "12345678901234567890 name",
        "play",
        "play b",
        "play green d3",
        "play b z9",
        "play b a1",
        "genmove",
        "genmove x",
        "boardsize",
        "boardsize -3",
        "boardsize 99999999999999999999",
        "komi x",
        "time_settings 1 2",
        "time_settings -1 nan inf",
        "time_left b x y",
        "loadposition garbage",
        "undo",
        "\u{1}\u{fffd}\u{7f}",
    ] {
        let answer = gtp(&mut client, nonsense);
        assert!(answer.starts_with('?') && answer.len() < 300, "{nonsense}: {answer}");
    }
    assert!(gtp(&mut client, "genmove b # comment").starts_with("= "));
    client.send_bytes(b"\xff\xfe\n");
    assert!(client.next().starts_with('?') && client.next().is_empty());
    // What lies behind the longest line there may be is no command.
    assert!(gtp(&mut client, &format!("{}quit", "x".repeat(1 << 20))).starts_with("? a line may have"));
    assert_eq!(gtp(&mut client, "protocol_version"), "= 2");
}

#[test]
fn an_nboard_client_sets_up_games_and_gets_moves_hints_and_analyses() {
    let mut client = Client::start(&["nboard", "--hash", "1"]);
    assert!(client.ask("nboard 2", "set myname").contains("Quincunx"));
    client.send("set depth 3");
    client.send("set contempt 0");
    client.send(&format!("set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}B[F5]W[F6//0.5];)"));
    assert_eq!(client.ask("ping 1", "pong"), "pong 1");
    client.send("hint 2");
    let hint = client.until("search ");
    let words: Vec<&str> = hint.split(' ').collect();
    assert!(words.len() == 5 && words[1].len() >= 2 && words[2].parse::<f64>().is_ok() && words[3] == "0", "{hint}");
    client.until("nodestats ");
    while client.next() != "status" {}
    let answer = client.ask("go", "=== ");
    let mut table = open("othello", None, None).unwrap();
    for mv in ["f5", "f6"] {
        table.play(mv).unwrap();
    }
    let mv = answer.strip_prefix("=== ").unwrap().split('/').next().unwrap();
    table.play(mv).unwrap();
    client.send(&format!("move {mv}/0.50/1.2"));
    client.send("analyze");
    for ply in [3, 2, 1, 0] {
        let line = client.until("analysis ");
        assert!(line.starts_with(&format!("analysis {ply} ")), "{line}");
    }
    assert_eq!(client.ask("learn", "learned"), "learned");
    // The depth is out of reach: only the ping ends the search, and everything about it is said before the pong.
    client.send("set depth 60");
    client.send("go");
    client.send("ping 2");
    client.until("=== ");
    assert_eq!(client.until("pong"), "pong 2");
}

#[test]
fn nboard_survives_nonsense() {
    let mut client = Client::start(&["nboard", "--hash", "1", "--movetime", "50ms"]);
    for nonsense in [
        "frobnicate",
        "nboard 7",
        "set",
        "set depth",
        "set depth -4",
        "set depth 99999999999999999999",
        "set game",
        "set game (;GM[Othello]",
        "set game (;BO[8 ---- *];)",
        "set game (;BO[9 - *]B[F5];)",
        "set contempt much",
        "set sail 1",
        "move",
        "move z9/1/2",
        "hint",
        "hint many",
        "\u{1}\u{fffd}",
    ] {
        let answer = client.ask(nonsense, "status ");
        assert!(answer.len() < 300, "{nonsense}: {answer}");
    }
    client.ask(&format!("{}quit", "x".repeat(1 << 20)), "status a line may have");
    client.send_bytes(b"\xff\xfe\n");
    client.until("status unknown command");
    client.ask("go", "=== ");
    assert_eq!(client.ask("ping 5", "pong"), "pong 5");
    // The end of the input waits for the answer.
    client.send("go");
    assert!(client.hang_up().iter().any(|line| line.starts_with("=== ")));
}
