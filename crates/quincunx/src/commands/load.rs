//! `load`: plays many games at once against a server on this machine, and measures how it copes.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use quincunx_game::{TextError, position::random_below};
use quincunx_machine::raise_open_files;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};
use tokio_tungstenite::tungstenite::Message;

use crate::{cli::Load, tell};

/// The measurements of all players.
#[derive(Default)]
struct Counts {
    /// Microseconds from sending a move to its confirmation.
    latencies: Mutex<Vec<u32>>,
    finished: AtomicU64,
    errors: AtomicU64,
    first_error: Mutex<Option<String>>,
    over: AtomicBool,
}

impl Counts {
    fn error(&self, message: String) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.first_error.lock().expect("no thread panics with the lock").get_or_insert(message);
    }
}

/// A server started for the measurement. Dropping it ends the server and removes its files.
struct OwnServer {
    child: Child,
    folder: PathBuf,
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to do.
        _ = self.child.kill();
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn run(wanted: &Load) -> anyhow::Result<()> {
    raise_open_files();
    tokio::runtime::Runtime::new()?.block_on(measure(wanted))
}

async fn measure(wanted: &Load) -> anyhow::Result<()> {
    let (address, own) = match wanted.server {
        Some(address) if !address.ip().is_loopback() => {
            return Err(
                TextError::new(format!("{address} is not on this machine: only a server here may be loaded")).into()
            );
        }
        Some(address) => (address, None),
        None => {
            let (address, own) = start_server().await?;
            (address, Some(own))
        }
    };
    let names = game_names(address).await?;
    let counts = Arc::new(Counts::default());
    let started = Instant::now();
    let mut players = Vec::new();
    for number in 0..usize::from(wanted.games) {
        let game = &names[number % names.len()];
        let (id, tokens) = create(address, game).await.with_context(|| format!("cannot make game {}", number + 1))?;
        for (side, token) in tokens.into_iter().enumerate() {
            let player = Player {
                address,
                id: id.clone(),
                token,
                think: wanted.think,
                rng: Xoshiro256PlusPlus::seed_from_u64(wanted.seed.wrapping_add((2 * number + side) as u64)),
                counts: Arc::clone(&counts),
            };
            players.push(tokio::spawn(player.play()));
        }
    }
    tell(&format!("{} games made in {:.1} s", wanted.games, started.elapsed().as_secs_f64()));
    // Measurements from the time when games were still being made are not of the full load.
    counts.latencies.lock().expect("no thread panics with the lock").clear();
    let started = Instant::now();
    tokio::time::sleep(wanted.time).await;
    let seconds = started.elapsed().as_secs_f64();
    let mut latencies = std::mem::take(&mut *counts.latencies.lock().expect("no thread panics with the lock"));
    let memory = own.as_ref().and_then(|own| peak_megabytes(own.child.id()));
    counts.over.store(true, Ordering::Relaxed);
    for player in players {
        player.abort();
    }
    latencies.sort_unstable();
    report(wanted, &counts, &latencies, seconds, memory)
}

fn report(wanted: &Load, counts: &Counts, latencies: &[u32], seconds: f64, memory: Option<f64>) -> anyhow::Result<()> {
    let at = |share: f64| {
        let index = (share * latencies.len() as f64) as usize;
        latencies.get(index.min(latencies.len().saturating_sub(1))).map_or(0.0, |&micros| f64::from(micros) / 1000.0)
    };
    let errors = counts.errors.load(Ordering::Relaxed);
    let document = json!({
        "games": wanted.games, "players": 2 * u32::from(wanted.games), "seconds": seconds, "moves": latencies.len(),
        "moves_per_second": latencies.len() as f64 / seconds, "errors": errors,
        "finished": counts.finished.load(Ordering::Relaxed) / 2,
        "p50_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99), "max_ms": at(1.0), "server_peak_mb": memory,
    });
    if wanted.json {
        println!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        println!("{} games, {} players, {seconds:.1} s", wanted.games, 2 * u32::from(wanted.games));
        println!("{} moves ({:.0} a second), {errors} errors", latencies.len(), latencies.len() as f64 / seconds);
        println!(
            "a move confirmed within {:.1} ms (half), {:.1} ms (99 %), {:.1} ms (all)",
            at(0.5),
            at(0.99),
            at(1.0)
        );
        if let Some(memory) = memory {
            println!("the server's memory: {memory:.0} MB at its peak");
        }
    }
    let first = counts.first_error.lock().expect("no thread panics with the lock").clone();
    if let Some(first) = first {
        bail!("{errors} errors, the first: {first}");
    }
    Ok(())
}

/// Starts this program as a server on a free port, with its games in a temporary folder.
async fn start_server() -> anyhow::Result<(SocketAddr, OwnServer)> {
    let folder = std::env::temp_dir().join(format!("quincunx-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let child = Command::new(std::env::current_exe()?)
        .args(["serve", "--port", "0", "--data"])
        .arg(folder.join("games.sqlite"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut own = OwnServer { child, folder };
    let stderr = own.child.stderr.take().context("the server says nothing")?;
    let stderr = tokio::process::ChildStderr::from_std(stderr)?;
    let mut line = String::new();
    BufReader::new(stderr).read_line(&mut line).await?;
    let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
    let address = address.and_then(|address| address.parse().ok());
    Ok((address.with_context(|| format!("the server did not start: {}", line.trim()))?, own))
}

/// The peak memory of a process, if the system reports it.
fn peak_megabytes(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

async fn game_names(address: SocketAddr) -> anyhow::Result<Vec<String>> {
    let catalogue = http(address, "GET", "/api/catalogue", None).await?;
    let names = catalogue["games"].as_array().into_iter().flatten();
    let names: Vec<_> = names.filter_map(|game| game["name"].as_str()).map(String::from).collect();
    if names.is_empty() {
        bail!("the server at {address} knows no games");
    }
    Ok(names)
}

/// Makes a game for two players and returns its name and their tokens.
async fn create(address: SocketAddr, game: &str) -> anyhow::Result<(String, [String; 2])> {
    let wanted = json!({ "game": game, "seats": [{ "kind": "me" }, { "kind": "invited" }] });
    let made = http(address, "POST", "/api/games", Some(&wanted)).await?;
    let text = |value: &Value| value.as_str().map(String::from).context("the server answers strangely");
    let id = text(&made["id"])?;
    let joined = json!({ "invite": made["invite"] });
    let joined = http(address, "POST", &format!("/api/games/{id}/join"), Some(&joined)).await?;
    Ok((id, [text(&made["tokens"][0])?, text(&joined["tokens"][0])?]))
}

/// Sends one request; the answer must be a success with a JSON body.
async fn http(address: SocketAddr, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(1 << 22).read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").context("the server closed the connection")?;
    let status = head.split_whitespace().nth(1).unwrap_or("");
    if status != "200" {
        bail!("{method} {path}: {status} {}", body.trim());
    }
    Ok(serde_json::from_str(body)?)
}

/// A player of random moves.
struct Player {
    address: SocketAddr,
    id: String,
    token: String,
    think: Duration,
    rng: Xoshiro256PlusPlus,
    counts: Arc<Counts>,
}

/// The parts of a message that a player needs.
#[derive(Deserialize)]
struct Heard {
    r#type: String,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    held: Option<HeldSeats>,
    #[serde(default)]
    ply: Option<HeardPly>,
    #[serde(default)]
    now: Option<HeardNow>,
}

#[derive(Deserialize)]
struct HeldSeats {
    seats: [bool; 2],
}

#[derive(Deserialize)]
struct HeardPly {
    by: Option<usize>,
}

#[derive(Deserialize)]
struct HeardNow {
    position: HeardPosition,
    outcome: Option<serde::de::IgnoredAny>,
    successor: Option<String>,
}

#[derive(Deserialize)]
struct HeardPosition {
    ply: usize,
    to_move: usize,
    choices: Vec<HeardChoice>,
}

#[derive(Deserialize)]
struct HeardChoice {
    text: String,
    paths: Vec<Vec<usize>>,
}

impl HeardPosition {
    /// Whether a player has to choose: the server plays a forced pass itself.
    fn must_choose(&self) -> bool {
        self.choices.iter().any(|choice| !choice.paths.is_empty())
    }
}

impl Player {
    async fn play(mut self) {
        if let Err(error) = self.connected().await
            && !self.counts.over.load(Ordering::Relaxed)
        {
            self.counts.error(format!("{error:#}"));
        }
    }

    async fn connected(&mut self) -> anyhow::Result<()> {
        let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/api/socket", self.address)).await?;
        socket.send(self.join()).await?;
        let (mut side, mut asked_at) = (2, None);
        let mut asked_for_rematch = false;
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let heard: Heard = serde_json::from_str(&text)?;
            if heard.r#type == "error" {
                self.counts.error(heard.message.unwrap_or_default());
            }
            if let Some(held) = heard.held {
                side = held.seats.iter().position(|&seat| seat).context("the token opens no seat")?;
            }
            if heard.ply.is_some_and(|ply| ply.by == Some(side))
                && let Some(at) = asked_at.take()
            {
                let latency = Instant::elapsed(&at).as_micros() as u32;
                self.counts.latencies.lock().expect("no thread panics with the lock").push(latency);
            }
            let Some(now) = heard.now else { continue };
            if let Some(successor) = now.successor {
                self.counts.finished.fetch_add(1, Ordering::Relaxed);
                (self.id, asked_for_rematch, asked_at) = (successor, false, None);
                socket.send(self.join()).await?;
            } else if now.outcome.is_some() {
                if !asked_for_rematch {
                    asked_for_rematch = true;
                    socket.send(Message::text(json!({ "type": "rematch" }).to_string())).await?;
                }
            } else if now.position.to_move == side && asked_at.is_none() && now.position.must_choose() {
                // From half to one and a half of the time, so that the players do not move in step.
                let share = 500 + random_below(&mut self.rng, 1000) as u32;
                tokio::time::sleep(self.think * share / 1000).await;
                let choices = &now.position.choices;
                let choice = &choices[random_below(&mut self.rng, choices.len() as u64) as usize];
                let mv = json!({ "type": "move", "move": choice.text, "ply": now.position.ply });
                asked_at = Some(Instant::now());
                socket.send(Message::text(mv.to_string())).await?;
            }
        }
        bail!("the server closed a connection")
    }

    fn join(&self) -> Message {
        Message::text(json!({ "type": "join", "game": self.id, "tokens": [self.token] }).to_string())
    }
}

/// Reads an address such as `127.0.0.1:8421` or `http://127.0.0.1:8421/`.
pub(crate) fn server_address(text: &str) -> Result<SocketAddr, String> {
    let bare = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
    let bare = bare.replace("localhost", &IpAddr::from([127, 0, 0, 1]).to_string());
    bare.parse().map_err(|_| "expected an address with a port, such as 127.0.0.1:8421".to_string())
}
