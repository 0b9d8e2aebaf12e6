//! The Universal Game Interface, spoken by a scripted client.

mod client;

use std::{
    io::Write,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use client::{Client, PROGRAM};
use quincunx_game::Side;
use quincunx_games::{about, open, register};

#[test]
fn a_client_shakes_hands_and_gets_moves_under_every_ruleset_of_every_game() {
    register(&quincunx_ring::ENTRY);
    let mut client = Client::start(&["ugi"]);
    let games = client.ask("ugi", "option name Game ");
    client.until("ugiok");
    client.send("setoption name Hash value 1");
    for name in games.split(" var ").skip(1) {
        let about = about(name).unwrap();
        client.send(&format!("setoption name Game value {}", about.name));
        for ruleset in about.rulesets {
            let name = format!("{} {}", about.name, ruleset.name);
            client.send(&format!("setoption name Ruleset value {}", ruleset.name));
            client.send("uginewgame");
            assert_eq!(client.ask("isready", "readyok"), "readyok");
            let mut position = "position startpos".to_string();
            client.send(&position);
            // If the rules let a draw decide who begins, it was made with the new game and holds for all of it.
            let begins = usize::from(client.ask("query p1turn", "response") != "response true");
            let mut table = open(about.name, Some(ruleset.name), None).unwrap();
            if table.to_move().index() != begins {
                let rules = format!("{},first={}", ruleset.name, about.sides[begins].to_lowercase());
                table = open(about.name, Some(&rules), None).unwrap();
            }
            for ply in 0..4 {
                client.send(&position);
                let first = table.to_move() == Side::First;
                assert_eq!(client.ask("query p1turn", "response"), format!("response {first}"), "{name}");
                assert_eq!(client.ask("query fen", "response"), format!("response {}", table.position_text()));
                assert_eq!(client.ask("query result", "response"), "response none");
                let answer = client.ask("go nodes 200", "bestmove ");
                let mv = answer.strip_prefix("bestmove ").unwrap();
                table.play(mv).unwrap_or_else(|error| panic!("{name}: {error}"));
                position = format!("{position}{} {mv}", if ply == 0 { " moves" } else { "" });
            }
        }
    }
}

/// The resident memory of a program, in megabytes.
#[cfg(target_os = "linux")]
fn memory(client: &Client) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.process.id())).unwrap();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
    kilobytes.unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_says_it_is_ready_has_made_its_tables() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value shobu");
    client.send("setoption name Hash value 48");
    client.ask("query p1turn", "response");
    assert!(memory(&client) < 48);
    client.ask("isready", "readyok");
    assert!(memory(&client) >= 48);
    client.ask("go nodes 200", "bestmove");
    // Another table would be as large again.
    assert!(memory(&client) < 96);
}

#[test]
fn the_last_information_comes_right_before_the_move_however_short_the_search() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value shobu");
    client.send("go nodes 1");
    let (mut before, mut line) = (String::new(), client.next());
    while !line.starts_with("bestmove") {
        before = std::mem::replace(&mut line, client.next());
    }
    for part in ["info depth ", " seldepth ", " hashfull ", " nodes ", " nps ", " time "] {
        assert!(before.contains(part), "{before}");
    }
}

#[test]
fn the_longest_line_and_the_fill_of_the_table_are_told() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Hash value 1");
    let number = |line: &str, name: &str| -> u32 {
        line.split(&format!(" {name} ")).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    // A search without a table to speak of, and one that fills it.
    let small = client.ask("go depth 2", "info depth 2 ");
    client.until("bestmove");
    client.send("uginewgame");
    client.send("go nodes 2000000");
    let (mut large, mut line) = (String::new(), client.next());
    while !line.starts_with("bestmove") {
        large = std::mem::replace(&mut line, client.next());
    }
    assert!(number(&large, "hashfull") > number(&small, "hashfull") + 50, "{small}\n{large}");
    assert!(number(&large, "hashfull") <= 1000, "{large}");
    assert!(number(&large, "seldepth") > number(&large, "depth"), "{large}");
}

#[test]
fn mates_are_counted_in_plies() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value pente");
    client.send("setoption name Ruleset value free");
    // White makes its three a four, and that five.
    client.send("position startpos moves 10K 1A 10L 1C 10M 1E");
    let white = client.ask("go nodes 20000", "info depth");
    client.until("bestmove");
    client.send("position startpos moves 10K 1A 10L 1C 10M 1E 10N");
    let black = client.ask("go nodes 20000", "info depth");
    assert!(white.contains(" score mate 3 ") && black.contains(" score mate -2 "), "{white}\n{black}");
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
        "query",
        "query meaning",
        "\u{0}\u{1}\u{fffd}",
    ] {
        let answer = client.ask(nonsense, "info string");
        assert!(answer.len() < 300, "{answer}");
    }
    client.send_bytes(b"\xff\xfe\n");
    client.until("info string unknown command");
    // What lies behind the longest line there may be is no command.
    client.ask(&format!("{}quit", "x".repeat(1 << 20)), "info string a line may have");
    client.send("isready");
    assert_eq!(client.next(), "readyok");
    client.ask("go nodes 100", "bestmove ");
}

#[test]
fn limits_that_are_not_understood_are_named_and_still_answered() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Hash value 1");
    client.send("setoption name Level value 1");
    for (words, strange) in [
        ("depth", "depth"),
        ("depth x", "depth x"),
        ("sideways 3", "sideways 3"),
        ("ponder nodes 100 wtime 300", "ponder wtime 300"),
        ("depth nodes 100 searchmoves d3 c4", "depth searchmoves d3 c4"),
        ("p1time 300 p2time 300 movestogo 9", "movestogo 9"),
        ("p1inc 300 p2inc x", "p2inc x"),
    ] {
        let named = client.ask(&format!("go {words}"), "info string");
        assert_eq!(named, format!("info string go: ignored \"{strange}\""));
        client.until("bestmove ");
    }
    // The other side's clock is better than none.
    client.send("position startpos moves d3");
    client.ask("go p1time 300", "bestmove ");
}

#[test]
fn an_infinite_search_is_answered_when_it_is_stopped_whatever_stands_beside_it() {
    let mut client = Client::start(&["ugi"]);
    // A search that is over at once.
    client.send("setoption name Level value 1");
    client.ask("isready", "readyok");
    for go in ["go", "go infinite", "go p1time 1 p2time 1 infinite", "go infinite nodes 1"] {
        client.send(go);
        std::thread::sleep(Duration::from_millis(50));
        client.send("isready");
        loop {
            let line = client.next();
            assert!(!line.starts_with("bestmove"), "{go}");
            if line == "readyok" {
                break;
            }
        }
        client.ask("stop", "bestmove ");
    }
}

#[test]
fn the_end_of_the_input_waits_for_searches_that_end_by_themselves() {
    for go in ["go nodes 20000", "go infinite"] {
        let mut client = Client::start(&["ugi"]);
        client.send("setoption name Game value shobu");
        client.send(go);
        let said = client.hang_up();
        assert!(said.last().unwrap().starts_with("bestmove "), "{said:?}");
        if go != "go infinite" {
            let nodes = said[said.len() - 2].split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
            assert!(nodes.parse::<u32>().unwrap() >= 20000, "{said:?}");
        }
    }
}

#[test]
fn a_client_that_reads_no_more_ends_the_search() {
    let mut engine = Command::new(PROGRAM);
    let mut engine = engine.arg("ugi").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    drop(engine.stdout.take());
    input.write_all(b"go infinite\n").unwrap();
    let began = Instant::now();
    let code = loop {
        match engine.try_wait().unwrap() {
            Some(status) => break status.code(),
            None if began.elapsed() > Duration::from_secs(20) => break None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    _ = engine.kill();
    assert_eq!(code, Some(0));
}

#[test]
fn weak_levels_overlook_something_else_in_every_game() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Level value 1");
    let mut answer = || {
        client.send("uginewgame");
        client.send("position startpos moves d3");
        client.ask("go nodes 100000", "bestmove ")
    };
    let first = answer();
    assert!((0..20).any(|_| answer() != first), "always {first}");
}

#[test]
fn nothing_is_searched_after_a_position_that_was_refused() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value othello");
    client.send("position startpos moves d3");
    assert!(client.ask("position startpos moves d3 z9", "info string").contains("z9"));
    assert_eq!(client.ask("go nodes 100", "bestmove"), "bestmove 0000");
    client.send("position startpos moves d3");
    assert_ne!(client.ask("go nodes 100", "bestmove"), "bestmove 0000");
}

#[test]
fn several_lines_are_told_if_they_are_asked_for() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value othello");
    client.send("setoption name MultiPV value 3");
    client.send("position startpos moves d3");
    client.send("go nodes 2000");
    for number in 1..=3 {
        let wanted = format!(" multipv {number} ");
        let line = loop {
            let line = client.next();
            assert!(!line.starts_with("bestmove"), "{wanted} did not come");
            if line.contains(&wanted) {
                break line;
            }
        };
        assert!(line.contains(" pv ") && line.starts_with("info depth"), "{line}");
    }
    client.until("bestmove");
}

#[test]
fn who_begins_is_drawn_for_each_game_if_the_rules_say_so() {
    let mut client = Client::start(&["ugi"]);
    client.send("setoption name Game value aboyne");
    client.send("setoption name Ruleset value official,first=random");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        client.send("uginewgame");
        let first = client.ask("query p1turn", "response");
        client.send("position startpos");
        assert_eq!(client.ask("query p1turn", "response"), first);
        seen.insert(first);
    }
    assert_eq!(seen.len(), 2);
}
