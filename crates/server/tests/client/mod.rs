//! A server of one's own, and players who speak to it.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use futures_util::{SinkExt, StreamExt};
use quincunx_server::{Server, Settings};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::{Instant, timeout, timeout_at},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest},
};

/// Longer than any answer takes, on a machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn me() -> Value {
    json!({ "kind": "me" })
}

pub(crate) fn invited() -> Value {
    json!({ "kind": "invited" })
}

pub(crate) fn engine(spec: &str) -> Value {
    json!({ "kind": "engine", "spec": spec })
}

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    settings: Settings,
    end: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn settings() -> Settings {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let file = format!("server-{}-{:?}.sqlite", std::process::id(), std::thread::current().id());
        let data = folder.join(file.replace(['(', ')'], ""));
        for suffix in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(format!("{}{suffix}", data.display())));
        }
        Settings { engine_threads: 2, ..Settings::local(data) }
    }

    pub(crate) async fn start() -> Self {
        Self::with(Self::settings()).await
    }

    /// A server of all games, and of one that is only a test crate.
    pub(crate) async fn with(settings: Settings) -> Self {
        quincunx_games::register(&quincunx_ring::ENTRY);
        let server = Server::bind(([127, 0, 0, 1], 0).into(), settings.clone()).await.unwrap();
        let address = server.address().unwrap();
        let (end, until) = oneshot::channel();
        let serving = tokio::spawn(async move {
            server.serve(async { drop(until.await) }).await;
        });
        Self { address, settings, end: Some(end), serving: Some(serving) }
    }

    /// Ends the server and starts another one on the same games.
    pub(crate) async fn restart(&mut self) {
        if self.serving.is_some() {
            self.end().await;
        }
        *self = Self::with(self.settings.clone()).await;
    }

    pub(crate) async fn end(&mut self) {
        drop(self.end.take());
        timeout(PATIENCE, self.serving.take().unwrap()).await.expect("the server ends").unwrap();
    }

    /// A game; the tokens of its seats (an invitation is accepted).
    pub(crate) async fn game(&self, game: &str, seats: &Value) -> (String, Vec<String>) {
        let (status, made) = self.post("/api/games", &json!({ "game": game, "seats": seats })).await;
        assert_eq!(status, 200, "{made}");
        let id = made["id"].as_str().unwrap().to_string();
        let mut tokens: Vec<String> =
            made["tokens"].as_array().unwrap().iter().map(|token| token.as_str().unwrap().into()).collect();
        if made["invite"].is_string() {
            let (_, joined) = self.post(&format!("/api/games/{id}/join"), &json!({ "invite": made["invite"] })).await;
            tokens.push(joined["tokens"][0].as_str().unwrap().into());
        }
        (id, tokens)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        body_of(self.raw("GET", path, &[], "").await)
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        body_of(self.raw("POST", path, &[], &body.to_string()).await)
    }

    /// The status and all that was answered.
    pub(crate) async fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.raw_to(&self.address.to_string(), method, path, headers, body).await
    }

    pub(crate) async fn raw_to(
        &self,
        host: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let has = |name: &str| headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n", body.len());
        if !has("content-type") {
            request += "Content-Type: application/json\r\n";
        }
        if !has("connection") {
            request += "Connection: close\r\n";
        }
        for (name, value) in headers {
            for part in [name, ": ", value, "\r\n"] {
                request += part;
            }
        }
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that has heard enough may close before all is sent.
        drop(stream.write_all(format!("{request}\r\n{body}").as_bytes()).await);
        let mut answer = Vec::new();
        drop(timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the server answers"));
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{method} {path}: {answer:.200}")), answer)
    }
}

fn body_of((status, answer): (u16, String)) -> (u16, Value) {
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

pub(crate) struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) welcome: Value,
}

impl Player {
    pub(crate) async fn connect(server: &TestServer) -> Self {
        Self::try_connect(server).await.expect("the server takes the connection")
    }

    /// Connects; none if the server does not take the connection.
    pub(crate) async fn try_connect(server: &TestServer) -> Option<Self> {
        let address = format!("ws://{}/api/socket", server.address);
        let (socket, _) = tokio_tungstenite::connect_async(address).await.ok()?;
        Some(Self { socket, welcome: Value::Null })
    }

    /// Connects through a trusted proxy, as a client with this address.
    pub(crate) async fn connect_from(server: &TestServer, client: &str) -> Option<Self> {
        let mut request = format!("ws://{}/api/socket", server.address).into_client_request().unwrap();
        request.headers_mut().insert("x-forwarded-for", client.parse().unwrap());
        let (socket, _) = tokio_tungstenite::connect_async(request).await.ok()?;
        Some(Self { socket, welcome: Value::Null })
    }

    pub(crate) async fn join(server: &TestServer, id: &str, tokens: &[&str]) -> Self {
        let mut player = Self::connect(server).await;
        player.send(&json!({ "type": "join", "game": id, "tokens": tokens })).await;
        player.welcome = player.next("game").await;
        player
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    /// Sends; whether the server still listens shows in what it answers.
    pub(crate) async fn send_text(&mut self, text: &str) {
        drop(self.socket.send(Message::text(text)).await);
    }

    /// The next message that fulfils a condition; others are passed over.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        // For all of them together: signs of life come again and again.
        let latest = Instant::now() + PATIENCE;
        loop {
            let message = timeout_at(latest, self.socket.next()).await.expect("a message comes in time");
            let message = message.expect("the connection stays open").expect("it does not break");
            let Message::Text(text) = message else { continue };
            let value: Value = serde_json::from_str(&text).unwrap();
            if wanted(&value) {
                return value;
            }
        }
    }

    pub(crate) async fn next(&mut self, kind: &str) -> Value {
        self.until(|message| message["type"] == kind).await
    }

    pub(crate) async fn moved(&mut self) -> Value {
        self.next("move").await
    }

    /// Sends what must be refused; the status of the refusal.
    pub(crate) async fn refused(&mut self, message: &Value) -> u64 {
        self.send(message).await;
        self.next("error").await["status"].as_u64().unwrap()
    }

    pub(crate) async fn ends(mut self) -> bool {
        let latest = Instant::now() + PATIENCE;
        loop {
            match timeout_at(latest, self.socket.next()).await {
                Ok(None | Some(Ok(Message::Close(_)) | Err(_))) => return true,
                Ok(Some(Ok(_))) => {}
                Err(_) => return false,
            }
        }
    }
}
