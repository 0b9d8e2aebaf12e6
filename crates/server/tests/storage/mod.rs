//! Promises about clocks and the disk: a restart or a disk that is not ready is nobody's loss.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{PATIENCE, Player, TestServer, engine, me};

/// A game with a clock, both seats held by one player.
async fn timed_game(server: &TestServer, seconds: u32) -> (String, Value) {
    let clock = json!({ "initial": seconds, "increment": 0 });
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "clock": clock });
    let (status, made) = server.post("/api/games", &wanted).await;
    assert_eq!(status, 200, "{made}");
    (made["id"].as_str().unwrap().into(), made["tokens"].clone())
}

async fn join(server: &TestServer, id: &str, tokens: &Value) -> Player {
    let tokens: Vec<_> = tokens.as_array().unwrap().iter().map(|token| token.as_str().unwrap()).collect();
    Player::join(server, id, &tokens).await
}

/// Holds the file of games as another program might; dropping it lets go.
fn lock(settings: &quincunx_server::Settings) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(&settings.data).unwrap();
    other.busy_timeout(PATIENCE).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_on_a_clock_outlives_the_server_and_runs_on() {
    let mut server = TestServer::start().await;
    let (id, tokens) = timed_game(&server, 8).await;
    let mut here = join(&server, &id, &tokens).await;
    let ran = Instant::now();
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    here.moved().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    server.end().await;
    let mut ran = ran.elapsed();
    // While the server is away, no clock runs.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let runs = Instant::now();
    server.restart().await;
    let mut again = join(&server, &id, &tokens).await;
    ran += runs.elapsed();
    let now = &again.welcome["now"];
    assert_eq!(now["running"], true);
    let left = now["left"][1].as_u64().unwrap();
    let least = 7_950_u64.saturating_sub(ran.as_millis() as u64);
    assert!((least..=6_500).contains(&left), "{left} ms of 8 s are left after {ran:?}");
    let ended = again.until(|message| !message["now"]["outcome"].is_null()).await;
    assert_eq!(ended["now"]["outcome"], json!({ "winner": 0, "reason": "time" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_runs_out_though_nobody_comes_back_after_a_restart() {
    let mut server = TestServer::start().await;
    let (id, tokens) = timed_game(&server, 1).await;
    let mut here = join(&server, &id, &tokens).await;
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    here.moved().await;
    server.restart().await;
    let ended = async {
        loop {
            let (_, list) = server.get(&format!("/api/games?ids={id}")).await;
            if !list["games"][0]["outcome"].is_null() {
                break list["games"][0]["outcome"].clone();
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE, ended).await.expect("the game ends");
    assert_eq!(ended, json!({ "winner": 0, "reason": "time" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_cannot_be_written_waits_is_told_and_costs_no_time() {
    let mut settings = TestServer::settings();
    settings.deadlines.disk = Duration::from_millis(100);
    let server = TestServer::with(settings.clone()).await;
    let (id, tokens) = timed_game(&server, 60).await;
    let mut here = join(&server, &id, &tokens).await;
    here.send(&json!({ "type": "move", "move": "d3" })).await;
    here.moved().await;
    let locked = lock(&settings);
    assert_eq!(here.refused(&json!({ "type": "move", "move": "c5" })).await, 503);
    here.send(&json!({ "type": "join", "game": id, "tokens": tokens })).await;
    let now = here.until(|message| message["held"].is_object()).await["now"].clone();
    assert_eq!((&now["waiting"], &now["running"]), (&json!(true), &json!(false)));
    assert_eq!(here.refused(&json!({ "type": "resign" })).await, 503);
    tokio::time::sleep(Duration::from_secs(4)).await;
    drop(locked);
    let moved = here.moved().await;
    assert_eq!(moved["ply"]["text"], "c5");
    assert_eq!(moved["now"]["waiting"], false);
    let [before, left] = [&now, &moved["now"]].map(|now| now["left"][1].as_u64().unwrap());
    assert!(before < left + 1000, "of {before} ms {left} are left after 4 s of waiting");
    here.send(&json!({ "type": "move", "move": "f6" })).await;
    here.moved().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_engine_loses_because_of_the_disk() {
    let mut settings = TestServer::settings();
    settings.deadlines.disk = Duration::from_millis(100);
    let server = TestServer::with(settings.clone()).await;
    let (id, tokens) = server.game("othello", &json!([engine("random"), engine("random")])).await;
    let mut owner = Player::join(&server, &id, &[&tokens[0]]).await;
    owner.moved().await;
    let locked = lock(&settings);
    owner.until(|message| message["now"]["waiting"] == true).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    drop(locked);
    let moved = owner.moved().await;
    assert!(moved["now"]["outcome"].is_null() && moved["now"]["waiting"] == false, "{moved}");
    owner.moved().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_the_database_stays_small() {
    let settings = TestServer::settings();
    let server = TestServer::with(settings.clone()).await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()], "moves": "d3 c5 f6 f5 e6 e3" });
    for _ in 0..300 {
        assert_eq!(server.post("/api/games", &wanted).await.0, 200);
    }
    // The log is copied into the database every two seconds, and begins anew with the write after that.
    let log = || std::fs::metadata(format!("{}-wal", settings.data.display())).unwrap().len();
    let began = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(server.post("/api/games", &wanted).await.0, 200);
        if log() <= 5 << 20 {
            break;
        }
        assert!(began.elapsed() < PATIENCE / 2, "the log has {} bytes", log());
    }
}

/// Puts games of six hours ago into the file, with 60 moves each.
fn add_old_games(file: &rusqlite::Connection, games: usize, ending: &str, owner: &str) {
    let (ago, owner) = (6 * 3600 * 1000, owner.replace('\'', ""));
    file.execute_batch(&format!(
        "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {games})
         INSERT INTO games (id, game, ruleset, start, created, updated, first, second, plies, ending, owner)
         SELECT 'old-{owner}-' || i, 'othello', '8x8', '', 0, (unixepoch() * 1000) - {ago}, '{{}}', '{{}}', 60, {ending},
             '{owner}' FROM n;
         WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
         INSERT INTO moves SELECT id, i, 'd3', NULL, NULL FROM games, n WHERE id LIKE 'old-{owner}-%'; COMMIT;"
    ))
    .unwrap();
}

/// A number of the server.
async fn number(server: &TestServer, name: &str) -> f64 {
    let (_, answer) = server.raw("GET", "/metrics", &[], "").await;
    let value = answer.lines().find_map(|line| line.strip_prefix(&format!("quincunx_{name} ")));
    value.unwrap_or_else(|| panic!("no {name} in {answer}")).parse().unwrap()
}

/// Lets two engines play until so many games were removed.
async fn play_until_removed(server: &TestServer, games: f64) {
    let (id, tokens) = server.game("shobu", &json!([engine("random"), engine("random")])).await;
    let mut owner = Player::join(server, &id, &[&tokens[0]]).await;
    owner.send(&json!({ "type": "speed", "delay": 0 })).await;
    let began = Instant::now();
    while number(server, "games_removed_total").await < games {
        assert!(began.elapsed() < PATIENCE, "they go");
        let heard = owner.until(|message| message["type"] == "move" || !message["now"]["outcome"].is_null()).await;
        if !heard["now"]["outcome"].is_null() {
            owner.send(&json!({ "type": "rematch" })).await;
            let next = owner.until(|message| message["now"]["successor"].is_string()).await;
            let next = next["now"]["successor"].as_str().unwrap().to_string();
            owner.send(&json!({ "type": "join", "game": next, "tokens": tokens })).await;
            owner.send(&json!({ "type": "speed", "delay": 0 })).await;
        }
    }
}

/// Sees that so many games were removed a few at a time, between moves. What a slice may take is tested beside it.
async fn must_have_kept_house_in_slices(server: &TestServer, games: f64) {
    let slices = number(server, "housekeeping_slices_total").await;
    let mean = number(server, "housekeeping_seconds_total").await / slices;
    let longest = number(server, "housekeeping_seconds_max").await;
    println!("{slices} slices of {:.1} ms, {:.1} ms at most", mean * 1e3, longest * 1e3);
    assert!(slices >= games / 20.0, "{slices} slices");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_thousand_old_games_go_in_slices_that_hold_up_no_move() {
    let mut settings = TestServer::settings();
    let mut server = TestServer::with(settings.clone()).await;
    server.end().await;
    add_old_games(&rusqlite::Connection::open(&settings.data).unwrap(), 5_000, "'{}'", "a");
    settings.keep_for = Some(Duration::from_secs(3600));
    let server = TestServer::with(settings).await;
    play_until_removed(&server, 5_000.0).await;
    must_have_kept_house_in_slices(&server, 5_000.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_server_makes_room_for_many_new_games_without_holding_up_moves() {
    let mut settings = TestServer::settings();
    settings.most_games = 6_000;
    let mut server = TestServer::with(settings.clone()).await;
    server.end().await;
    let file = rusqlite::Connection::open(&settings.data).unwrap();
    // A flood of unfinished games, and ended ones of others, which stay.
    add_old_games(&file, 3_000, "NULL", "flood");
    add_old_games(&file, 3_000, "'{}'", "others");
    let server = TestServer::with(settings).await;
    let wanted = json!({ "game": "othello", "seats": [me(), me()] });
    let made = async {
        for _ in 0..16 {
            let many = (0..50).map(|_| server.post("/api/games", &wanted));
            for (status, made) in futures_util::future::join_all(many).await {
                assert_eq!(status, 200, "{made}");
            }
        }
    };
    tokio::join!(made, play_until_removed(&server, 780.0));
    must_have_kept_house_in_slices(&server, 780.0).await;
    let others: i64 =
        file.query_row("SELECT count(*) FROM games WHERE owner = 'others'", [], |row| row.get(0)).unwrap();
    assert_eq!(others, 3_000, "nobody's ended games go because of strangers");
}
