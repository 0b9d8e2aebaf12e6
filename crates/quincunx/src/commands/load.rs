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
    task::JoinSet,
};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

use crate::{cli::Load, tell};

/// Games that are made at once.
const MADE_AT_ONCE: usize = 32;

/// Clock ticks a second in what Linux reports of processes.
const TICKS: f64 = 100.0;

/// The server under load, and the token that says so.
pub(super) struct Target {
    pub(super) address: SocketAddr,
    token: String,
}

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
pub(super) struct OwnServer {
    child: Child,
    folder: PathBuf,
    /// Whether the files stay for the next one.
    kept: bool,
}

impl OwnServer {
    /// Starts this program as a server on a port, or on a free one, with its games in a temporary folder.
    pub(super) async fn start(port: u16) -> anyhow::Result<(Target, Self)> {
        let folder = std::env::temp_dir().join(format!("quincunx-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let child = Command::new(std::env::current_exe()?)
            .args(["serve", "--load-test", "--port", &port.to_string(), "--data"])
            .arg(folder.join("games.sqlite"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut own = Self { child, folder, kept: false };
        let stderr = own.child.stderr.take().context("the server says nothing")?;
        let mut lines = BufReader::new(tokio::process::ChildStderr::from_std(stderr)?);
        let (mut line, mut token) = (String::new(), String::new());
        lines.read_line(&mut line).await?;
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let address = address.and_then(|address| address.parse().ok());
        let address = address.with_context(|| format!("the server did not start: {}", line.trim()))?;
        lines.read_line(&mut token).await?;
        let token = token.split_whitespace().last().context("the server printed no token")?.to_string();
        // What it says later must not fill the pipe.
        tokio::spawn(async move {
            let mut said = String::new();
            while lines.read_line(&mut said).await.is_ok_and(|bytes| bytes > 0) {
                said.clear();
            }
        });
        Ok((Target { address, token }, own))
    }

    /// Kills the server as a power failure would.
    pub(super) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Starts a server on the same games, after the one before was killed.
    pub(super) async fn restart(&mut self, port: u16) -> anyhow::Result<()> {
        self.kept = true;
        *self = Self::start(port).await?.1;
        Ok(())
    }

    /// The process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to do.
        _ = self.child.kill();
        _ = self.child.wait();
        if !self.kept {
            _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

pub(crate) fn run(wanted: &Load) -> anyhow::Result<()> {
    raise_open_files();
    let runtime = tokio::runtime::Runtime::new()?;
    if wanted.chaos { runtime.block_on(super::chaos::run(wanted)) } else { runtime.block_on(measure(wanted)) }
}

async fn measure(wanted: &Load) -> anyhow::Result<()> {
    let (target, own) = match wanted.server {
        Some(address) if !address.ip().is_loopback() => {
            return Err(
                TextError::new(format!("{address} is not on this machine: only a server here may be loaded")).into()
            );
        }
        Some(address) => (Target { address, token: wanted.token.clone().unwrap_or_default() }, None),
        None => {
            let (target, own) = OwnServer::start(0).await?;
            (target, Some(own))
        }
    };
    let target = Arc::new(target);
    let names = game_names(&target).await?;
    let counts = Arc::new(Counts::default());
    let started = Instant::now();
    let mut players = Vec::new();
    let mut made = JoinSet::new();
    for number in 0..usize::from(wanted.games) {
        let (server, game) = (Arc::clone(&target), names[number % names.len()].clone());
        made.spawn(async move {
            let made = create(&server, &game).await;
            made.map(|(id, tokens)| (number, id, tokens)).with_context(|| format!("cannot make game {}", number + 1))
        });
        // Some at a time: the players of those that are there have begun.
        if made.len() < MADE_AT_ONCE && number + 1 < usize::from(wanted.games) {
            continue;
        }
        while let Some(made) = made.join_next().await {
            let (number, id, tokens) = made??;
            let [first, second] = tokens;
            let seats = if wanted.together { vec![vec![first, second]] } else { vec![vec![first], vec![second]] };
            for (side, tokens) in seats.into_iter().enumerate() {
                let player = Player {
                    target: Arc::clone(&target),
                    id: id.clone(),
                    tokens,
                    think: wanted.think,
                    rng: Xoshiro256PlusPlus::seed_from_u64(wanted.seed.wrapping_add((2 * number + side) as u64)),
                    counts: Arc::clone(&counts),
                };
                players.push(tokio::spawn(player.play()));
            }
        }
    }
    tell(&format!("{} games made in {:.1} s", wanted.games, started.elapsed().as_secs_f64()));
    // Measurements from the time when games were still being made are not of the full load.
    counts.latencies.lock().expect("no thread panics with the lock").clear();
    let cpu_before = own.as_ref().and_then(|own| cpu_seconds(own.child.id()));
    let started = Instant::now();
    tokio::time::sleep(wanted.time).await;
    let seconds = started.elapsed().as_secs_f64();
    let mut latencies = std::mem::take(&mut *counts.latencies.lock().expect("no thread panics with the lock"));
    let memory = own.as_ref().and_then(|own| peak_megabytes(own.child.id()));
    let cpu = own.as_ref().and_then(|own| cpu_seconds(own.child.id())).zip(cpu_before).map(|(now, then)| now - then);
    counts.over.store(true, Ordering::Relaxed);
    for player in players {
        player.abort();
    }
    latencies.sort_unstable();
    report(wanted, &counts, &latencies, seconds, memory, cpu)
}

/// The time in milliseconds within which a part of the sorted times lies.
pub(super) fn share(latencies: &[u32], part: f64) -> f64 {
    let index = (part * latencies.len() as f64) as usize;
    latencies.get(index.min(latencies.len().saturating_sub(1))).map_or(0.0, |&micros| f64::from(micros) / 1000.0)
}

fn report(
    wanted: &Load,
    counts: &Counts,
    latencies: &[u32],
    seconds: f64,
    memory: Option<f64>,
    cpu: Option<f64>,
) -> anyhow::Result<()> {
    let at = |part: f64| share(latencies, part);
    let errors = counts.errors.load(Ordering::Relaxed);
    let document = json!({
        "games": wanted.games, "players": 2 * u32::from(wanted.games), "seconds": seconds, "moves": latencies.len(),
        "moves_per_second": latencies.len() as f64 / seconds, "errors": errors,
        "finished": counts.finished.load(Ordering::Relaxed) / if wanted.together { 1 } else { 2 },
        "p50_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99), "max_ms": at(1.0), "server_peak_mb": memory,
        "server_cpu_seconds": cpu,
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
        if let Some(cpu) = cpu {
            println!("the server's CPU time: {:.0} % of a core", 100.0 * cpu / seconds);
        }
    }
    let first = counts.first_error.lock().expect("no thread panics with the lock").clone();
    if let Some(first) = first {
        bail!("{errors} errors, the first: {first}");
    }
    Ok(())
}

/// The CPU time of a process, if the system reports it.
fn cpu_seconds(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, which may contain anything, ends with the last parenthesis.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: f64 = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / TICKS)
}

/// The peak memory of a process, if the system reports it.
fn peak_megabytes(process: u32) -> Option<f64> {
    megabytes(process, "VmHWM:")
}

/// The memory of a process, if the system reports it.
pub(super) fn resident_megabytes(process: u32) -> Option<f64> {
    megabytes(process, "VmRSS:")
}

fn megabytes(process: u32, name: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

pub(super) async fn game_names(target: &Target) -> anyhow::Result<Vec<String>> {
    let catalogue = http(target, "GET", "/api/catalogue", None).await?;
    let names = catalogue["games"].as_array().into_iter().flatten();
    let names: Vec<_> = names.filter_map(|game| game["name"].as_str()).map(String::from).collect();
    if names.is_empty() {
        bail!("the server at {} knows no games", target.address);
    }
    Ok(names)
}

/// Makes a game for two players and returns its name and their tokens.
pub(super) async fn create(target: &Target, game: &str) -> anyhow::Result<(String, [String; 2])> {
    let wanted = json!({ "game": game, "seats": [{ "kind": "me" }, { "kind": "invited" }] });
    let made = http(target, "POST", "/api/games", Some(&wanted)).await?;
    let text = |value: &Value| value.as_str().map(String::from).context("the server answers strangely");
    let id = text(&made["id"])?;
    let joined = json!({ "invite": made["invite"] });
    let joined = http(target, "POST", &format!("/api/games/{id}/join"), Some(&joined)).await?;
    Ok((id, [text(&made["tokens"][0])?, text(&joined["tokens"][0])?]))
}

/// Sends one request; the answer must be a success with a JSON body.
async fn http(target: &Target, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let Target { address, token } = target;
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nX-Load-Token: {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
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
    target: Arc<Target>,
    id: String,
    tokens: Vec<String>,
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
        let mut request = format!("ws://{}/api/socket", self.target.address).into_client_request()?;
        request.headers_mut().insert("x-load-token", self.target.token.parse()?);
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
        socket.send(self.join()).await?;
        let (mut mine, mut asked_at) = ([false; 2], None);
        let mut asked_for_rematch = false;
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let heard: Heard = serde_json::from_str(&text)?;
            if heard.r#type == "error" {
                self.counts.error(heard.message.unwrap_or_default());
            }
            if let Some(held) = heard.held {
                mine = held.seats;
                held.seats.iter().position(|&seat| seat).context("the token opens no seat")?;
            }
            if heard.ply.is_some_and(|ply| ply.by.is_some_and(|by| mine.get(by) == Some(&true)))
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
            } else if mine.get(now.position.to_move) == Some(&true) && asked_at.is_none() && now.position.must_choose()
            {
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
        Message::text(json!({ "type": "join", "game": self.id, "tokens": self.tokens }).to_string())
    }
}

/// Reads an address such as `127.0.0.1:8421` or `http://127.0.0.1:8421/`.
pub(crate) fn server_address(text: &str) -> Result<SocketAddr, String> {
    let bare = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
    let bare = bare.replace("localhost", &IpAddr::from([127, 0, 0, 1]).to_string());
    bare.parse().map_err(|_| "expected an address with a port, such as 127.0.0.1:8421".to_string())
}
