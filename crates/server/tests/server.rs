//! Promises of the server: seats, rules, restarts, strangers, engines.

mod client;
mod connections;
mod description;
mod engines;
mod operator;
mod people;
mod storage;
mod wire;

use std::time::{Duration, Instant};

use client::{Player, TestServer, engine, invited, me};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_belongs_to_whoever_holds_its_token() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), invited()])).await;
    let mut watcher = Player::join(&server, &id, &[]).await;
    assert_eq!(watcher.welcome["held"]["seats"], json!([false, false]));
    assert_eq!(watcher.refused(&json!({ "type": "move", "move": "d3" })).await, 403);
    let wrong = "a".repeat(32);
    let mut stranger = Player::join(&server, &id, &[&wrong]).await;
    assert_eq!(stranger.refused(&json!({ "type": "resign" })).await, 403);
    let mut black = Player::join(&server, &id, &[&tokens[0]]).await;
    assert_eq!(black.welcome["held"]["seats"], json!([true, false]));
    black.send(&json!({ "type": "move", "move": "d3", "ply": 0 })).await;
    assert_eq!(black.moved().await["ply"]["text"], "d3");
    assert_eq!(watcher.moved().await["ply"]["text"], "d3", "those who watch are told");
    assert_eq!(black.refused(&json!({ "type": "move", "move": "c3" })).await, 403, "it is White's turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_used_once() {
    let server = TestServer::start().await;
    let wanted = json!({ "game": "othello", "seats": [me(), invited()] });
    let (_, made) = server.post("/api/games", &wanted).await;
    let path = format!("/api/games/{}/join", made["id"].as_str().unwrap());
    let invite = json!({ "invite": made["invite"], "name": "Ada" });
    let (status, joined) = server.post(&path, &invite).await;
    assert_eq!(status, 200);
    assert_eq!(joined["tokens"][0].as_str().unwrap().len(), 32);
    assert_eq!(server.post(&path, &invite).await.0, 403);
    assert_eq!(server.post(&path, &json!({ "invite": "x" })).await.0, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_illegal_or_late_move_changes_nothing() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), me()])).await;
    let mut here = Player::join(&server, &id, &[&tokens[0], &tokens[1]]).await;
    assert_eq!(here.refused(&json!({ "type": "move", "move": "a1" })).await, 400);
    here.send(&json!({ "type": "move", "move": "d3", "ply": 0 })).await;
    here.moved().await;
    assert_eq!(here.refused(&json!({ "type": "move", "move": "c3", "ply": 0 })).await, 409);
    let (_, game) = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(game["plies"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_the_server_restarts() {
    let mut server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), me()])).await;
    let mut here = Player::join(&server, &id, &[&tokens[0], &tokens[1]]).await;
    for mv in ["d3", "c5", "f6"] {
        here.send(&json!({ "type": "move", "move": mv })).await;
        here.moved().await;
    }
    server.restart().await;
    let mut again = Player::join(&server, &id, &[&tokens[0], &tokens[1]]).await;
    assert_eq!(again.welcome["held"]["seats"], json!([true, true]));
    assert_eq!(again.welcome["plies"].as_array().unwrap().len(), 4);
    again.send(&json!({ "type": "undo" })).await;
    assert_eq!(again.next("game").await["plies"].as_array().unwrap().len(), 3);
}

/// One line about why a server does not start on these games.
async fn why_not(settings: &quincunx_server::Settings) -> String {
    let refused = quincunx_server::Server::bind(([127, 0, 0, 1], 0).into(), settings.clone()).await;
    let error = refused.err().expect("it does not start");
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    assert!(std::error::Error::source(&error).is_none(), "the reason would be told twice");
    message
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_do_not_share_a_file() {
    let settings = TestServer::settings();
    let mut server = TestServer::with(settings.clone()).await;
    let message = why_not(&settings).await;
    assert!(message.ends_with("another server uses it"), "{message}");
    server.restart().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_or_damaged_file_is_refused_and_one_without_a_version_is_not() {
    let settings = TestServer::settings();
    let mut server = TestServer::with(settings.clone()).await;
    let (id, _) = server.game("othello", &json!([me(), me()])).await;
    server.end().await;
    let set_version = |version: i64| {
        let file = rusqlite::Connection::open(&settings.data).unwrap();
        file.pragma_update(None, "user_version", version).unwrap();
    };
    set_version(99);
    let message = why_not(&settings).await;
    assert!(message.contains("newer version"), "{message}");
    set_version(0);
    let server = TestServer::with(settings.clone()).await;
    assert_eq!(server.get(&format!("/api/games/{id}")).await.0, 200);

    let whole = settings.data.with_extension("whole");
    drop(std::fs::remove_file(&whole));
    quincunx_server::back_up(&settings.data, &whole).unwrap();
    let mut bytes = std::fs::read(&whole).unwrap();
    let damaged = quincunx_server::Settings { data: settings.data.with_extension("spoilt"), ..settings };
    // Nothing is left of the pages behind the first.
    bytes[4096..].fill(b'x');
    for bytes in [bytes, b"no database".repeat(1000)] {
        std::fs::write(&damaged.data, bytes).unwrap();
        let message = why_not(&damaged).await;
        assert!(message.contains(": it is damaged: ") || message.ends_with("not a database"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_made_while_the_server_runs_holds_every_game() {
    let settings = TestServer::settings();
    let server = TestServer::with(settings.clone()).await;
    let (id, tokens) = server.game("othello", &json!([me(), me()])).await;
    let mut here = Player::join(&server, &id, &[&tokens[0]]).await;
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    here.moved().await;
    let data = settings.data.with_extension("copy");
    drop(std::fs::remove_file(&data));
    quincunx_server::back_up(&settings.data, &data).unwrap();
    assert!(quincunx_server::back_up(&settings.data, &data).is_err(), "a file is not replaced");
    let copy = TestServer::with(quincunx_server::Settings { data, ..settings }).await;
    let (_, game) = copy.get(&format!("/api/games/{id}")).await;
    assert_eq!(game["plies"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_answers_and_its_move_is_taken_back_with_ones_own() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), engine("random")])).await;
    let mut player = Player::join(&server, &id, &[&tokens[0]]).await;
    player.send(&json!({ "type": "move", "move": "d3" })).await;
    assert_eq!(player.moved().await["ply"]["by"], 0);
    assert_eq!(player.moved().await["ply"]["by"], 1);
    player.send(&json!({ "type": "undo" })).await;
    assert_eq!(player.next("game").await["plies"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_agree_on_undo_draw_and_rematch() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), invited()])).await;
    let mut black = Player::join(&server, &id, &[&tokens[0]]).await;
    let mut white = Player::join(&server, &id, &[&tokens[1]]).await;
    black.send(&json!({ "type": "move", "move": "d3" })).await;
    white.moved().await;
    black.send(&json!({ "type": "undo" })).await;
    assert_eq!(white.next("game").await["now"]["offers"]["undo"], 0);
    assert_eq!(black.refused(&json!({ "type": "answer", "offer": "undo", "accept": true })).await, 403);
    white.send(&json!({ "type": "answer", "offer": "undo", "accept": true })).await;
    assert_eq!(white.next("game").await["plies"].as_array().unwrap().len(), 1);
    white.send(&json!({ "type": "draw" })).await;
    black.until(|message| message["now"]["offers"]["draw"] == 1).await;
    black.send(&json!({ "type": "answer", "offer": "draw", "accept": true })).await;
    let ended = white.until(|message| !message["now"]["outcome"].is_null()).await;
    assert_eq!(ended["now"]["outcome"], json!({ "winner": null, "reason": "draw agreed" }));
    white.send(&json!({ "type": "rematch" })).await;
    black.send(&json!({ "type": "rematch" })).await;
    let next = white.until(|message| message["now"]["successor"].is_string()).await;
    let next = next["now"]["successor"].as_str().unwrap().to_string();
    let again = Player::join(&server, &next, &[&tokens[1]]).await;
    assert_eq!(again.welcome["held"]["seats"], json!([true, false]), "the sides are swapped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_runs_out_ends_the_game() {
    let server = TestServer::start().await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "clock": { "initial": 1, "increment": 0 } });
    let (_, made) = server.post("/api/games", &wanted).await;
    let (id, tokens) = (made["id"].as_str().unwrap(), &made["tokens"]);
    let mut here = Player::join(&server, id, &[tokens[0].as_str().unwrap(), tokens[1].as_str().unwrap()]).await;
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    let ended = here.until(|message| !message["now"]["outcome"].is_null()).await;
    assert_eq!(ended["now"]["outcome"], json!({ "winner": 0, "reason": "time" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_and_moves_leave_no_timers_behind() {
    let server = TestServer::start().await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "clock": { "initial": 3600, "increment": 0 } });
    let (_, made) = server.post("/api/games", &wanted).await;
    let join = json!({ "type": "join", "game": made["id"], "tokens": made["tokens"] });
    let mut here = Player::connect(&server).await;
    here.send(&join).await;
    here.next("game").await;
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    here.moved().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..30 {
        here.send(&join).await;
        here.next("game").await;
    }
    for mv in ["c5", "f6", "f5", "e6", "e3"] {
        here.send(&json!({ "type": "move", "move": mv })).await;
        here.moved().await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(tasks() < before + 5, "{before} tasks became {}", tasks());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forced_pass_is_played_and_told() {
    let server = TestServer::start().await;
    // After a1 White has one disc left, and the only black one next to it stands at the edge: nothing can be outflanked.
    let position = "-OX-----".to_string() + &"-".repeat(32) + "XO------" + &"-".repeat(16) + " X";
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "position": position });
    let (status, made) = server.post("/api/games", &wanted).await;
    assert_eq!(status, 200, "{made}");
    let tokens: Vec<_> = made["tokens"].as_array().unwrap().iter().map(|token| token.as_str().unwrap()).collect();
    let mut here = Player::join(&server, made["id"].as_str().unwrap(), &tokens).await;
    here.send(&json!({ "type": "move", "move": "a1" })).await;
    assert_eq!(here.moved().await["ply"]["text"], "a1");
    assert_eq!(here.moved().await["ply"]["text"], "pass");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_begins_behind_its_last_move_is_over() {
    let mut server = TestServer::start().await;
    let moves = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "moves": moves });
    let (_, made) = server.post("/api/games", &wanted).await;
    server.restart().await;
    let (_, list) = server.get("/api/games").await;
    assert_eq!(list["games"][0]["plies"], 9);
    assert_eq!(list["games"][0]["outcome"], json!({ "winner": 0, "reason": "most discs" }));
    let (_, game) = server.get(&format!("/api/games/{}", made["id"].as_str().unwrap())).await;
    assert_eq!(game["plies"].as_array().unwrap().len(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_and_other_names_are_refused() {
    let server = TestServer::start().await;
    let body = json!({ "game": "othello", "seats": [me(), me()] }).to_string();
    let own = format!("http://{}", server.address);
    for (origin, expected) in [(own.as_str(), 200), ("http://evil.example", 403), ("null", 403)] {
        let (status, _) = server.raw("POST", "/api/games", &[("Origin", origin)], &body).await;
        assert_eq!(status, expected, "{origin}");
    }
    let (status, _) = server.raw("POST", "/api/games", &[("Sec-Fetch-Site", "cross-site")], &body).await;
    assert_eq!(status, 403);
    let (status, _) = server.raw_to("evil.example", "GET", "/api/catalogue", &[], "").await;
    assert_eq!(status, 403, "a stranger's name that leads here");
    assert_eq!(server.raw_to("localhost:80@evil", "GET", "/api/catalogue", &[], "").await.0, 403);
    for (name, value) in [("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "same-site")] {
        let upgrade = [
            (name, value),
            ("Connection", "Upgrade, close"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        assert_eq!(server.raw("GET", "/api/socket", &upgrade, "").await.0, 403, "{name}: {value}");
    }
    Player::connect(&server).await;
    let (status, _) = server.raw("POST", "/api/games", &[("Content-Type", "text/plain")], &body).await;
    assert_eq!(status, 415, "a form of another site cannot make games");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_server_has_any_name_but_no_list_of_games_and_no_visitors_from_other_sites() {
    let mut settings = TestServer::settings();
    settings.public = true;
    settings.most_connections_an_address = 2;
    let server = TestServer::with(settings).await;
    let (id, _) = server.game("othello", &json!([me(), me()])).await;
    assert_eq!(server.raw_to("games.example", "GET", "/api/catalogue", &[], "").await.0, 200);
    assert_eq!(server.get("/api/games").await.0, 403);
    assert_eq!(server.get(&format!("/api/games?ids={id}")).await.1["games"].as_array().unwrap().len(), 1);
    let body = json!({ "game": "othello", "seats": [me(), me()] }).to_string();
    for (origin, expected) in [("https://games.example", 200), ("https://evil.example", 403)] {
        let (status, _) = server.raw_to("games.example", "POST", "/api/games", &[("Origin", origin)], &body).await;
        assert_eq!(status, expected, "{origin}");
    }
    let mut kept = [Player::join(&server, &id, &[]).await, Player::join(&server, &id, &[]).await];
    assert!(Player::try_connect(&server).await.is_none(), "an address has two connections here");
    kept[0].send(&json!({ "type": "ping" })).await;
    kept[0].next("pong").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_this_machine_only_a_public_server_listens() {
    let everywhere = ([0, 0, 0, 0], 0).into();
    let refused = quincunx_server::Server::bind(everywhere, TestServer::settings()).await;
    assert!(matches!(refused, Err(quincunx_server::ServeError::NotPublic(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_carry_a_strict_policy() {
    let server = TestServer::start().await;
    for path in ["/", "/play/abc", "/api/catalogue", "/nothing.js", "/js/main.js"] {
        let (_, answer) = server.raw("GET", path, &[], "").await;
        let head = answer.to_lowercase();
        let policy = head.lines().find(|line| line.starts_with("content-security-policy:")).expect(path);
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
        // The engine for pages is compiled in the page, and nothing else.
        assert!(!policy.replace("'wasm-unsafe-eval'", "").contains("unsafe"), "{policy}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
    }
    assert!(server.raw("GET", "/", &[], "").await.1.contains("<main"));
    assert_eq!(server.raw("GET", "/../Cargo.toml", &[], "").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_requests_get_one_line_and_no_more() {
    let server = TestServer::start().await;
    let long = "x".repeat(10_000);
    let bodies: Vec<Value> = vec![
        json!(null),
        json!([]),
        json!({ "game": "chess", "seats": [me(), me()] }),
        json!({ "game": "othello", "seats": [me()] }),
        json!({ "game": "othello", "seats": [engine("files:/tmp"), me()] }),
        json!({ "game": "othello", "seats": [engine("engine:movetime=1h"), me()] }),
        json!({ "game": "othello", "seats": [invited(), invited()] }),
        json!({ "game": "othello", "seats": [invited(), engine("random")] }),
        json!({ "game": "othello", "seats": [me(), me()], "position": long }),
        json!({ "game": "othello", "seats": [me(), me()], "clock": { "initial": 0, "increment": 0 } }),
        json!({ "game": "othello", "seats": [me(), me()], "unknown": 1 }),
        json!({ "game": long, "seats": [me(), me()] }),
        json!({ "game": "othello", "seats": [me(), me()], "ruleset": "8x8,plies=99999999999" }),
    ];
    for body in bodies {
        let (status, answer) = server.post("/api/games", &body).await;
        assert!((400..500).contains(&status), "{status} {body}");
        let message = answer["error"].as_str().unwrap();
        assert!(!message.contains('\n') && message.len() < 400, "{message}");
        assert!(answer["code"].is_string() && answer["arguments"].is_object(), "{answer}");
    }
    let deep = "[".repeat(60_000);
    assert!((400..500).contains(&server.raw("POST", "/api/games", &[], &deep).await.0));
    assert_eq!(server.raw("POST", "/api/position", &[], &"y".repeat(100_000)).await.0, 413);
    for path in [
        "/api/games/..%2f..",
        "/api/games/%00",
        "/api",
        "/api/",
        "/api/nothing",
        "/api/board",
        "/api/board?game=chess",
        "/api/board?game=othello&size=9",
        "/api/games/aaaaaaaaaaaa",
    ] {
        let (status, answer) = server.get(path).await;
        assert!((400..500).contains(&status) && answer["code"].is_string(), "{path}: {status} {answer}");
    }
    assert_eq!(server.get("/api/catalogue").await.0, 200, "the server is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_has_a_code_and_arguments_which_may_be_another_refusal() {
    let server = TestServer::start().await;
    let inner = json!({
        "error": "a1 flips nothing for Black", "code": "othello.flips_nothing",
        "arguments": { "cell": "a1", "side": "Black" },
    });
    let (_, answer) = server.post("/api/position", &json!({ "game": "othello", "moves": "a1" })).await;
    let outer = json!({
        "error": "move 1: a1 flips nothing for Black", "code": "move.numbered",
        "arguments": { "number": "1", "error": inner.clone() },
    });
    assert_eq!(answer, outer);
    let (id, tokens) = server.game("othello", &json!([me(), me()])).await;
    let mut player = Player::join(&server, &id, &[&tokens[0]]).await;
    player.send(&json!({ "type": "move", "move": "a1" })).await;
    let error = player.next("error").await;
    assert_eq!(
        ["error", "code", "arguments"].map(|part| &error[part]),
        ["error", "code", "arguments"].map(|part| &inner[part])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_messages_are_answered_or_end_the_connection() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), me()])).await;
    let mut player = Player::join(&server, &id, &[&tokens[0]]).await;
    let deep = "[".repeat(20_000);
    for text in ["", "null", "{}", "[1]", "{\"type\":\"move\"}", "{\"type\":\"nothing\"}", deep.as_str()] {
        player.send_text(text).await;
        assert_eq!(player.next("error").await["status"], 400, "{text:.40}");
    }
    assert_eq!(player.refused(&json!({ "type": "join", "game": "../../etc" })).await, 404);
    assert_eq!(player.refused(&json!({ "type": "join", "game": id, "tokens": vec!["x"; 100] })).await, 400);
    let mut flood = Player::join(&server, &id, &[]).await;
    for _ in 0..400 {
        flood.send_text("{\"type\":\"ping\"}").await;
    }
    assert!(flood.ends().await, "a flood ends the connection");
    player.send(&json!({ "type": "move", "move": "d3" })).await;
    player.moved().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_address_may_do_is_bounded() {
    let mut settings = TestServer::settings();
    settings.creations = quincunx_server::Rate { burst: 2.0, per_second: 0.01 };
    settings.most_games = 3;
    let server = TestServer::with(settings).await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()] });
    assert_eq!(server.post("/api/games", &wanted).await.0, 200);
    assert_eq!(server.post("/api/games", &wanted).await.0, 200);
    assert_eq!(server.post("/api/games", &wanted).await.0, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_is_charged_like_any_new_game() {
    let mut settings = TestServer::settings();
    settings.creations = quincunx_server::Rate { burst: 2.0, per_second: 0.001 };
    let server = TestServer::with(settings).await;
    let (first, tokens) = server.game("othello", &json!([me(), engine("random")])).await;
    let mut player = Player::join(&server, &first, &[&tokens[0]]).await;
    player.send(&json!({ "type": "resign" })).await;
    player.send(&json!({ "type": "rematch" })).await;
    let second = player.until(|message| message["now"]["successor"].is_string()).await;
    let mut player = Player::join(&server, second["now"]["successor"].as_str().unwrap(), &[&tokens[0]]).await;
    player.send(&json!({ "type": "resign" })).await;
    assert_eq!(player.refused(&json!({ "type": "rematch" })).await, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_server_lets_ended_games_go_and_never_those_under_way() {
    let mut settings = TestServer::settings();
    settings.most_games = 2;
    let server = TestServer::with(settings).await;
    let (first, tokens) = server.game("othello", &json!([me(), me()])).await;
    let (second, _) = server.game("othello", &json!([me(), me()])).await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()] });
    assert_eq!(server.post("/api/games", &wanted).await.0, 503);
    let mut player = Player::join(&server, &first, &[&tokens[0]]).await;
    player.send(&json!({ "type": "resign" })).await;
    player.next("game").await;
    assert_eq!(server.post("/api/games", &wanted).await.0, 200);
    assert_eq!(server.get(&format!("/api/games/{second}")).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_does_not_wait_for_analyses_and_abandoned_ones_stop() {
    let mut settings = TestServer::settings();
    settings.engine_threads = 1;
    let server = TestServer::with(settings).await;
    let line = json!({ "game": "othello", "moves": "d3 c5" });
    let mut analyst = Player::connect(&server).await;
    analyst.send(&json!({ "type": "analyse", "id": 1, "lines": 2, "seconds": 100, "line": line })).await;
    let found = analyst.next("analysis").await;
    assert_eq!(found["lines"].as_array().unwrap().len(), 2);

    let (id, tokens) = server.game("othello", &json!([me(), engine("random")])).await;
    let mut player = Player::join(&server, &id, &[&tokens[0]]).await;
    let asked = Instant::now();
    player.send(&json!({ "type": "move", "move": "d3" })).await;
    player.moved().await;
    player.moved().await;
    assert!(asked.elapsed() < Duration::from_secs(5), "the engine's move came after {:?}", asked.elapsed());

    drop(analyst);
    let mut next = Player::connect(&server).await;
    let asked = Instant::now();
    next.send(&json!({ "type": "analyse", "id": 2, "lines": 1, "seconds": 1, "line": line })).await;
    next.next("analysis").await;
    assert!(asked.elapsed() < Duration::from_secs(5), "the only analyst was free after {:?}", asked.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_play_for_whoever_watches_and_obey_whoever_started_them() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([engine("random"), engine("random")])).await;
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let mut owner = Player::join(&server, &id, &[&tokens[0]]).await;
    assert_eq!(owner.welcome["plies"].as_array().unwrap().len(), 1, "nobody was watching");
    let mut stranger = Player::join(&server, &id, &[]).await;
    assert_eq!(stranger.refused(&json!({ "type": "pause", "paused": true })).await, 403);
    owner.moved().await;
    owner.send(&json!({ "type": "pause", "paused": true })).await;
    owner.until(|message| message["type"] == "game" && message["now"]["paused"] == true).await;
    owner.send(&json!({ "type": "step" })).await;
    assert!(owner.moved().await["now"]["paused"].as_bool().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_comes_with_its_words_samples_and_lessons_and_they_are_sent_once() {
    let server = TestServer::start().await;
    let (_, catalogue) = server.get("/api/catalogue").await;
    let (status, portuguese) = server.get("/api/content?language=pt").await;
    let (_, english) = server.get("/api/content").await;
    assert_eq!(status, 200);
    for game in catalogue["games"].as_array().unwrap() {
        let (name, first) = (game["name"].as_str().unwrap(), game["sides"][0].as_str().unwrap());
        let content = &portuguese["games"][name];
        assert!(content["words"]["terms"][first].is_string(), "{name}");
        assert_ne!(content["words"]["pitch"], english["games"][name]["words"]["pitch"], "{name}");
        assert!(content["samples"]["figures"].is_array(), "{name}");
        let (status, lessons) = server.get(&format!("/lessons/{name}.pt.json")).await;
        let (_, in_english) = server.get(&format!("/lessons/{name}.xx.json")).await;
        assert_eq!(
            (status, lessons.as_array().map(Vec::len)),
            (200, content["lessons"].as_u64().map(|count| count as usize))
        );
        assert!(lessons[0]["goal"] != Value::Null && lessons[0]["words"] != in_english[0]["words"], "{name}");
    }
    assert_eq!(server.get("/lessons/chess.en.json").await.0, 404);
    let (_, answer) = server.raw("GET", "/api/content?language=pt", &[], "").await;
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let known = [("If-None-Match", tag)];
    assert_eq!(server.raw("GET", "/api/content?language=pt", &known, "").await.0, 304);
    assert_eq!(server.raw("GET", "/api/content?language=zh", &known, "").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_is_played_to_its_end_by_random_agents() {
    let server = TestServer::start().await;
    let (_, catalogue) = server.get("/api/catalogue").await;
    for game in catalogue["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let (id, tokens) = server.game(name, &json!([engine("random"), engine("random")])).await;
        let mut owner = Player::join(&server, &id, &[&tokens[0]]).await;
        owner.send(&json!({ "type": "speed", "delay": 0 })).await;
        let ended = owner.until(|message| !message["now"]["outcome"].is_null()).await;
        assert!(ended["now"]["outcome"]["reason"].is_string(), "{name}");
        let (_, record) = server.get(&format!("/api/games/{id}/record")).await;
        let moves: Vec<_> = record["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let line = json!({ "game": name, "ruleset": record["ruleset"], "position": record["position"], "moves": moves.join(" ") });
        let (status, opened) = server.post("/api/position", &line).await;
        assert_eq!(status, 200, "{name}: a record is read back");
        assert_eq!(opened["plies"].as_array().unwrap().len(), moves.len() + 1);
    }
}
