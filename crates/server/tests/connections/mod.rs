//! Promises about connections: nobody keeps the server waiting for long, or others out.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use crate::client::{PATIENCE, Player, TestServer, me};

/// What a client is given here: no more than a test can wait for, and enough for a busy machine to answer in.
const SOON: Duration = Duration::from_secs(2);

/// Sends half of something; all that is answered until the server closes the connection.
async fn answer_to_half(server: &TestServer, half: &str) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(half.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    drop(timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the server closes the connection"));
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_and_an_idle_connection_are_given_up() {
    let mut settings = TestServer::settings();
    (settings.deadlines.head, settings.deadlines.body) = (SOON, SOON);
    let server = TestServer::with(settings).await;
    let whole = format!("GET /api/games HTTP/1.1\r\nHost: {}\r\n", server.address);
    let asked = format!("{whole}\r\n");
    let post = whole.replace("GET", "POST") + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let (_, _, idle, slow) = tokio::join!(
        answer_to_half(&server, ""),
        answer_to_half(&server, "GET / HTTP/1.1\r\nHost: local"),
        answer_to_half(&server, &asked),
        answer_to_half(&server, &post),
    );
    assert!(idle.starts_with("HTTP/1.1 200 "), "{idle}");
    assert!(slow.starts_with("HTTP/1.1 408 ") && slow.contains("\"code\""), "{slow}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_joins_nothing_is_closed() {
    let mut settings = TestServer::settings();
    settings.deadlines.join = SOON;
    let server = TestServer::with(settings).await;
    let (id, _) = server.game("othello", &json!([me(), me()])).await;
    let mut watcher = Player::join(&server, &id, &[]).await;
    let mut pinging = Player::connect(&server).await;
    pinging.send(&json!({ "type": "ping" })).await;
    assert!(pinging.ends().await);
    watcher.send(&json!({ "type": "ping" })).await;
    watcher.next("pong").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_answers_no_ping_is_closed() {
    let mut settings = TestServer::settings();
    settings.deadlines.ping = SOON;
    let server = TestServer::with(settings).await;
    let (id, _) = server.game("othello", &json!([me(), me()])).await;
    let silent = Player::join(&server, &id, &[]).await;
    let mut answering = Player::join(&server, &id, &[]).await;
    // Reading answers pings; the other player does not read.
    assert!(timeout(SOON * 3, answering.until(|_| false)).await.is_err());
    let (ended, again) = tokio::join!(silent.ends(), timeout(SOON, answering.until(|_| false)));
    assert!(ended && again.is_err());
    answering.send(&json!({ "type": "ping" })).await;
    answering.next("pong").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_of_an_answer_is_given_up() {
    let mut settings = TestServer::settings();
    (settings.deadlines.write, settings.most_connections_an_address) = (SOON, 1);
    let folder = settings.data.with_extension("unread");
    std::fs::create_dir_all(&folder).unwrap();
    // More than the buffers of the system hold.
    std::fs::File::create(folder.join("large.html")).unwrap().set_len(40 << 20).unwrap();
    settings.results = Some(folder);
    let server = TestServer::with(settings).await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET /api/contests/report?name=large.html HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    silent.write_all(request.as_bytes()).await.unwrap();
    silent.readable().await.unwrap();
    let place = async {
        while server.get("/health").await.0 == 429 {
            tokio::time::sleep(SOON / 10).await;
        }
    };
    timeout(PATIENCE, place).await.expect("its place is free again");
}

/// Other systems have one loopback address only.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_from_one_address_leaves_a_place_for_others() {
    let mut settings = TestServer::settings();
    settings.most_connections = 4;
    let server = TestServer::with(settings).await;
    let mut flood = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        drop(stream.write_all(b"GET / HT").await);
        flood.push(stream);
    }
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 2], 0).into()).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    let request = format!("GET /api/games HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_does_not_keep_a_server_from_ending() {
    let mut settings = TestServer::settings();
    settings.deadlines.drain = SOON;
    // No other deadline ends them.
    (settings.deadlines.head, settings.deadlines.body) = (PATIENCE * 10, PATIENCE * 10);
    let mut server = TestServer::with(settings).await;
    let head = format!("POST /api/games HTTP/1.1\r\nHost: {}\r\n", server.address);
    let body = format!("{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{");
    let mut halves = Vec::new();
    for half in [&head, &body] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        halves.push(stream);
    }
    // Both have arrived by then.
    tokio::time::sleep(SOON / 4).await;
    let asked = Instant::now();
    server.restart().await;
    assert!(asked.elapsed() < PATIENCE / 2, "it ended after {:?}", asked.elapsed());
}
