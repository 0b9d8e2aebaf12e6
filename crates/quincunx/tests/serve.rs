//! Promises of `quincunx serve` and `quincunx load`, kept by the real program.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, connect};

/// A server that is killed with the test.
struct Server {
    child: Child,
    address: String,
    /// What it says after its first line.
    said: BufReader<ChildStderr>,
}

impl Server {
    fn start(data: &Path) -> Self {
        Self::with(data, &[])
    }

    fn with(data: &Path, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(["serve", "--port", "0", "--data"]).arg(data).args(options);
        Self::run(&mut command)
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).expect(&line).to_string();
        Self { child, address, said }
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // On Unix this is the signal that cannot be caught: SIGKILL.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn fresh_data(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("games.sqlite")
}

#[test]
fn after_kill_9_no_confirmed_move_is_missing() {
    let data = fresh_data("kill");
    let mut server = Server::start(&data);
    let wanted = json!({ "game": "othello", "seats": [{ "kind": "me" }, { "kind": "me" }] });
    let made = server.request("POST", "/api/games", &wanted.to_string());
    let (id, tokens) = (made["id"].as_str().unwrap(), &made["tokens"]);
    let mut played = Vec::new();
    for kill in 1..=5 {
        let (mut socket, _) = connect(format!("ws://{}/api/socket", server.address)).unwrap();
        socket.send(Message::text(json!({ "type": "join", "game": id, "tokens": tokens }).to_string())).unwrap();
        while played.len() < 6 * kill {
            let Message::Text(text) = socket.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["type"] == "move" {
                played.push(message["ply"]["text"].as_str().unwrap().to_string());
            }
            let position = &message["now"]["position"];
            if position["ply"] == played.len() && played.len() < 6 * kill {
                let mv = json!({ "type": "move", "move": position["choices"][0]["text"] });
                socket.send(Message::text(mv.to_string())).unwrap();
            }
        }
        drop(server);
        server = Server::start(&data);
        let game = server.request("GET", &format!("/api/games/{id}"), "");
        let kept: Vec<_> =
            game["plies"].as_array().unwrap().iter().filter_map(|ply| ply["text"].as_str()).map(String::from).collect();
        // The server passes by itself where it must: such a pass may be kept without having been read here.
        let (confirmed, unread) = kept.split_at_checked(played.len()).expect("no move is missing");
        assert_eq!(confirmed, played, "after kill {kill}");
        assert!(unread.iter().all(|text| text == "pass"), "after kill {kill}: {unread:?}");
        played = kept;
    }
}

#[cfg(target_os = "linux")]
#[test]
fn connections_follow_the_descriptors_and_leave_some_for_files() {
    let server = Server::run(
        Command::new("sh")
            .args(["-c", "ulimit -n 300; exec \"$0\" serve --port 0 --data \"$1\"", env!("CARGO_BIN_EXE_quincunx")])
            .arg(fresh_data("descriptors")),
    );
    let connect = || TcpStream::connect(&server.address).unwrap();
    let taken = || std::fs::read_dir(format!("/proc/{}/fd", server.child.id())).unwrap().count();
    // 256 of the 300 are kept for files.
    let held: Vec<TcpStream> = (0..44).map(|_| connect()).collect();
    let mut answer = [0; 12];
    connect().read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 429");
    assert!((44..44 + 60).contains(&taken()), "{} descriptors", taken());
    drop(held);
    let began = std::time::Instant::now();
    while taken() >= 44 {
        assert!(began.elapsed().as_secs() < 20, "places are given back");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(server.request("GET", "/health", "")["status"], "ok");
}

#[test]
fn an_address_beyond_this_machine_needs_public() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["serve", "--address", "0.0.0.0", "--port", "0", "--data"])
        .arg(fresh_data("public"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What it says first: one that serves would not end.
    let mut message = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut message).unwrap();
    if !message.contains("--public") {
        child.kill().unwrap();
    }
    assert_eq!(child.wait().unwrap().code(), Some(1), "{message}");
}

#[test]
fn load_plays_games_without_errors_and_only_on_this_machine() {
    let output = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["load", "--games", "20", "--time", "2s", "--think", "100ms", "--json"])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["errors"], 0);
    assert!(report["moves"].as_u64().unwrap() > 50, "{report}");
    let output =
        Command::new(env!("CARGO_BIN_EXE_quincunx")).args(["load", "--server", "192.0.2.1:8421"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_request_to_terminate_ends_the_server_soon_and_a_second_one_at_once() {
    use std::time::{Duration, Instant};

    let terminate = |server: &Server| {
        assert!(Command::new("kill").arg(server.child.id().to_string()).status().unwrap().success());
    };
    for (signals, within) in [(1, Duration::from_secs(10)), (2, Duration::from_secs(4))] {
        let mut server = Server::start(&fresh_data(&format!("terminate-{signals}")));
        let mut half = TcpStream::connect(&server.address).unwrap();
        half.write_all(b"POST /api/games HTTP/1.1\r\nHost: local").unwrap();
        server.request("GET", "/api/games", "");
        let asked = Instant::now();
        for _ in 0..signals {
            terminate(&server);
            std::thread::sleep(Duration::from_millis(300));
        }
        while server.child.try_wait().unwrap().is_none() {
            assert!(asked.elapsed() < within, "{signals} signals, and it still runs");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn the_log_has_a_line_for_every_request_and_no_secrets() {
    let mut server = Server::with(&fresh_data("log"), &["--log", "json"]);
    let wanted = json!({ "game": "othello", "seats": [{ "kind": "me", "name": "Ada" }, { "kind": "invited" }] });
    let made = server.request("POST", "/api/games", &wanted.to_string());
    let (id, invite) = (made["id"].as_str().unwrap(), made["invite"].as_str().unwrap());
    server.request("GET", &format!("/api/games/{id}?token={invite}"), "");
    let join = json!({ "invite": invite, "name": "Eve" }).to_string();
    let joined = server.request("POST", &format!("/api/games/{id}/join"), &join);
    let expected = [("POST", "/api/games"), ("GET", "/api/games/{id}"), ("POST", "/api/games/{id}/join")];
    let secrets =
        [id, invite, "Ada", "Eve", made["tokens"][0].as_str().unwrap(), joined["tokens"][0].as_str().unwrap()];
    let mut names = Vec::new();
    for (method, route) in expected {
        let mut line = String::new();
        server.said.read_line(&mut line).unwrap();
        let logged: Value = serde_json::from_str(&line).expect(&line);
        assert_eq!((logged["method"].as_str(), logged["route"].as_str()), (Some(method), Some(route)), "{line}");
        assert!(logged["status"] == 200 && logged["client"] == "127.0.0.1" && logged["ms"].is_number(), "{line}");
        assert!(secrets.iter().all(|secret| !line.contains(secret)), "{line}");
        names.push(logged["id"].to_string());
    }
    names.dedup();
    assert_eq!(names.len(), 3, "every request has a name of its own: {names:?}");
}
