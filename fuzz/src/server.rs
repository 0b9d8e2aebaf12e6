//! A server in the fuzzer's own process, and what is sent to it over one connection at a time.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::OnceLock,
    time::Duration,
};

use quincunx_server::{Rate, Server, Settings};
use serde_json::Value;

use crate::folder;

/// The server, started at the first question, with its games in a folder of this process.
pub fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let games = folder("server").join("games.sqlite");
        let unbounded = Rate { burst: 1e12, per_second: 1e12 };
        let settings = Settings {
            results: Some(folder("results")),
            engine_threads: 1,
            most_games: 1_000,
            creations: unbounded,
            requests: unbounded,
            guesses: unbounded,
            lobby: true,
            ..Settings::local(games)
        };
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async move {
                let server = Server::bind(([127, 0, 0, 1], 0).into(), settings).await.unwrap();
                tell.send(server.address().unwrap()).unwrap();
                server.serve(std::future::pending()).await;
            });
        });
        told.recv().expect("the server starts")
    })
}

/// A connection to the server.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// A new one.
    pub fn open() -> Self {
        let stream = TcpStream::connect(address()).expect("the server accepts a connection");
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request; the status and the body of the answer, or nothing if the server closed the connection.
    pub fn request(&mut self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            address(),
            body.len()
        );
        let request = [head.as_bytes(), body].concat();
        self.0.get_mut().write_all(&request).ok()?;
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the server answers in time");
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let (mut length, mut chunked) = (0, false);
        loop {
            line.clear();
            self.0.read_line(&mut line).expect("the server answers in time");
            let lower = line.trim_end().to_ascii_lowercase();
            if lower.is_empty() {
                break;
            }
            if let Some(value) = lower.strip_prefix("content-length: ") {
                length = value.parse().expect("a length is a number");
            }
            chunked |= lower.starts_with("transfer-encoding:");
        }
        assert!(!chunked, "{method} {path}: answers have a length");
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("the server answers in time");
        Some((status, body))
    }

    /// Turns the connection into a WebSocket.
    pub fn upgrade(mut self) -> Self {
        let request = format!(
            "GET /api/socket HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            address()
        );
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(self.0.read_line(&mut line).expect("the server answers in time") > 0);
        }
        self
    }

    /// Sends a message over the WebSocket: a frame of one kind (1 is text) with the mask zero.
    pub fn send(&mut self, kind: u8, message: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match message.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(message);
        // A server that has closed the connection says so when it is asked.
        _ = self.0.get_mut().write_all(&frame);
    }

    /// The next text that comes over the WebSocket; nothing if the server closes it.
    pub fn receive(&mut self) -> Option<String> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut length = [0; 2];
                    self.0.read_exact(&mut length).ok()?;
                    usize::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    self.0.read_exact(&mut length).ok()?;
                    u64::from_be_bytes(length) as usize
                }
                length => usize::from(length),
            };
            let mut message = vec![0; length];
            self.0.read_exact(&mut message).ok()?;
            match head[0] & 0x0f {
                1 => return Some(String::from_utf8(message).expect("a message is text")),
                8 => return None,
                _ => {}
            }
        }
    }
}

/// Panics unless the answer is as the description of the API promises: JSON, and a refusal with its reason and code.
pub fn must_answer_as_described(status: u16, body: &[u8]) {
    assert!(status < 500 || status == 503, "{status} {}", String::from_utf8_lossy(body));
    if status < 400 {
        return;
    }
    let refusal: Value = serde_json::from_slice(body).expect("a refusal is JSON");
    let error = refusal["error"].as_str().expect("a refusal has a reason");
    assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
    assert!(refusal["code"].is_string() && refusal["arguments"].is_object(), "{refusal}");
}
