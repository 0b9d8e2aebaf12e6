//! Promises about engines: everybody has a share, and what is short does not wait for what is long.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    client::{Player, TestServer, engine, me},
    operator::behind_this_machine,
};

/// Longer than what is measured here takes on a busy machine, shorter than what it took without shares.
const SOON: Duration = Duration::from_secs(5);

/// Longer than an analysis has to itself, and far shorter than the one that must give way.
const LONG: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn reviews_of_one_person_do_not_hold_up_the_analysis_of_another() {
    let mut settings = behind_this_machine();
    settings.engine_threads = 1;
    let server = TestServer::with(settings).await;
    let line = json!({ "game": "othello", "moves": "d3 c5 f6 f5 e6 e3" });
    let mut greedy = Vec::new();
    for id in 0..6 {
        let mut player = Player::connect_from(&server, "1.2.3.4").await.unwrap();
        player.send(&json!({ "type": "review", "id": id, "line": line })).await;
        greedy.push(player);
    }
    greedy[0].next("review").await;
    let mut other = Player::connect_from(&server, "1.2.3.5").await.unwrap();
    let asked = Instant::now();
    other.send(&json!({ "type": "analyse", "id": 9, "seconds": 1, "line": line })).await;
    other.next("analysis").await;
    assert!(asked.elapsed() < SOON, "the first line came after {:?}", asked.elapsed());
    let last = greedy[5].until(|message| message["done"] == true).await;
    assert_eq!(last["ply"], 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_analysis_gives_way_to_that_of_another() {
    let mut settings = behind_this_machine();
    settings.engine_threads = 1;
    let server = TestServer::with(settings).await;
    let line = json!({ "game": "othello", "moves": "d3 c5 f6 f5 e6 e3" });
    let mut greedy = Player::connect_from(&server, "1.2.3.4").await.unwrap();
    greedy.send(&json!({ "type": "analyse", "id": 1, "seconds": 100, "line": line })).await;
    greedy.next("analysis").await;
    let mut other = Player::connect_from(&server, "1.2.3.5").await.unwrap();
    let asked = Instant::now();
    other.send(&json!({ "type": "analyse", "id": 2, "seconds": 1, "line": line })).await;
    other.next("analysis").await;
    assert!(asked.elapsed() < LONG, "the first line came after {:?}", asked.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quick_move_does_not_wait_for_slow_ones() {
    let mut settings = TestServer::settings();
    settings.engine_threads = 1;
    let server = TestServer::with(settings).await;
    let (id, tokens) = server.game("othello", &json!([me(), engine("engine:level=1")])).await;
    let mut quick = Player::join(&server, &id, &[&tokens[0]]).await;
    quick.send(&json!({ "type": "move", "move": "d3" })).await;
    quick.moved().await;
    quick.moved().await;
    let mut slow = Vec::new();
    for _ in 0..12 {
        let (id, tokens) = server.game("pente", &json!([me(), engine("engine:level=10")])).await;
        let mut player = Player::join(&server, &id, &[&tokens[0]]).await;
        player.send(&json!({ "type": "move", "move": "10K" })).await;
        player.moved().await;
        slow.push(player);
    }
    // By now it is known how long either takes.
    slow[0].moved().await;
    let asked = Instant::now();
    quick.send(&json!({ "type": "undo" })).await;
    quick.next("game").await;
    quick.send(&json!({ "type": "move", "move": "d3" })).await;
    quick.moved().await;
    quick.moved().await;
    assert!(asked.elapsed() < SOON, "the engine's move came after {:?}", asked.elapsed());
}
