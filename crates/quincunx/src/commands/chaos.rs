//! `load --chaos`: honest players, floods, slow readers, kills and restarts together, and what must hold afterwards.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use quincunx_game::position::random_below;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::tungstenite::Message;

use super::load::{OwnServer, Target, create, game_names, resident_megabytes, share};
use crate::cli::Load;

/// Honest players, two a game.
const MOST_GAMES: u16 = 50;

/// How often the server is killed.
const KILL_EVERY: Duration = Duration::from_secs(15);

/// How long honest players are alone before the floods begin, and before memory is measured.
const REST: Duration = Duration::from_secs(10);

/// How long memory may take to come back after the floods: a game that nobody watches leaves it after two minutes.
const RECOVERY: Duration = Duration::from_secs(180);

/// What an honest player may wait for a move, at 99 of 100 moves.
const PATIENCE: Duration = Duration::from_millis(100);

/// Memory that may be left over from the floods, in MB.
const LEFT_OVER: f64 = 10.0;

/// Connections that each kind of mischief holds.
const NUISANCES: usize = 40;

/// What all of them share.
struct Stage {
    address: SocketAddr,
    /// Microseconds from a move to its confirmation.
    latencies: Mutex<Vec<u32>>,
    confirmed: AtomicU64,
    /// Confirmed moves that were missing after a restart, and other broken promises.
    broken: Mutex<Vec<String>>,
    mischief: AtomicBool,
}

impl Stage {
    fn accuse(&self, what: String) {
        self.broken.lock().expect("no thread panics with the lock").push(what);
    }
}

pub(super) async fn run(wanted: &Load) -> anyhow::Result<()> {
    let (target, mut own) = OwnServer::start(0).await?;
    let address = target.address;
    let names = game_names(&target).await?;
    let stage = Arc::new(Stage {
        address,
        latencies: Mutex::default(),
        confirmed: AtomicU64::new(0),
        broken: Mutex::default(),
        mischief: AtomicBool::new(false),
    });
    let mut tasks = Vec::new();
    for number in 0..wanted.games.min(MOST_GAMES) {
        let (id, tokens) = create(&target, &names[usize::from(number) % names.len()]).await?;
        for (side, token) in tokens.into_iter().enumerate() {
            let seed = wanted.seed.wrapping_add(2 * u64::from(number) + side as u64);
            let honest = Honest {
                stage: Arc::clone(&stage),
                id: id.clone(),
                token,
                think: wanted.think,
                rng: Xoshiro256PlusPlus::seed_from_u64(seed),
                seen: Vec::new(),
            };
            tasks.push(tokio::spawn(honest.play()));
        }
    }
    sleep(REST).await;
    for number in 0..NUISANCES {
        tasks.push(tokio::spawn(half_requests(Arc::clone(&stage))));
        tasks.push(tokio::spawn(new_games(Arc::clone(&stage), names[number % names.len()].clone())));
        tasks.push(tokio::spawn(slow_reader(Arc::clone(&stage), target_game(&target, &names).await?)));
    }
    stage.mischief.store(true, Ordering::Relaxed);
    let started = Instant::now();
    let mut kills = 0;
    while started.elapsed() + KILL_EVERY < wanted.time {
        sleep(KILL_EVERY).await;
        own.kill()?;
        kills += 1;
        own.restart(address.port()).await?;
    }
    let memory = memory_of_the_last(&mut own, &stage, wanted.time, address.port()).await?;
    kills += 1;
    for task in tasks {
        task.abort();
    }
    conclude(wanted, &stage, kills, memory)
}

/// The memory of one more server in MB: with honest players alone, under mischief, and when that was over.
async fn memory_of_the_last(own: &mut OwnServer, stage: &Stage, time: Duration, port: u16) -> anyhow::Result<[f64; 3]> {
    let memory = |own: &OwnServer| resident_megabytes(own.id()).unwrap_or_default();
    stage.mischief.store(false, Ordering::Relaxed);
    sleep(REST).await;
    own.kill()?;
    own.restart(port).await?;
    sleep(REST).await;
    let before = memory(own);
    stage.mischief.store(true, Ordering::Relaxed);
    sleep(KILL_EVERY.min(time)).await;
    let under = memory(own);
    stage.mischief.store(false, Ordering::Relaxed);
    let (peace, mut after) = (Instant::now(), under);
    while after > before + LEFT_OVER {
        if peace.elapsed() > RECOVERY {
            stage.accuse(format!("memory was {before:.0} MB before the mischief and {after:.0} MB after it"));
            break;
        }
        sleep(Duration::from_secs(1)).await;
        after = memory(own);
    }
    Ok([before, under, after])
}

fn conclude(wanted: &Load, stage: &Stage, kills: u32, [before, under, after]: [f64; 3]) -> anyhow::Result<()> {
    let mut latencies = std::mem::take(&mut *stage.latencies.lock().expect("no thread panics with the lock"));
    latencies.sort_unstable();
    let (half, slow) = (share(&latencies, 0.5), share(&latencies, 0.99));
    if slow > PATIENCE.as_secs_f64() * 1000.0 {
        stage.accuse(format!("99 % of the moves were confirmed within {slow:.1} ms, not {PATIENCE:?}"));
    }
    let moves = stage.confirmed.load(Ordering::Relaxed);
    let broken = stage.broken.lock().expect("no thread panics with the lock").clone();
    let document = json!({
        "kills": kills, "moves": moves, "p50_ms": half, "p99_ms": slow, "before_mb": before, "under_mb": under,
        "after_mb": after, "broken": broken,
    });
    if wanted.json {
        println!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        println!("{kills} kills, {moves} confirmed moves, none of them lost unless it says so below");
        println!("a move confirmed within {half:.1} ms (half), {slow:.1} ms (99 %)");
        println!("the server's memory: {before:.0} MB before mischief, {under:.0} MB under it, {after:.0} MB after it");
    }
    match broken.first() {
        Some(first) => bail!("{} promises broken, the first: {first}", broken.len()),
        None => Ok(()),
    }
}

/// A player who comes back after every restart and looks whether all confirmed moves are there.
struct Honest {
    stage: Arc<Stage>,
    id: String,
    token: String,
    think: Duration,
    rng: Xoshiro256PlusPlus,
    /// The moves of the game that were confirmed to this player.
    seen: Vec<String>,
}

impl Honest {
    async fn play(mut self) {
        loop {
            // It fails whenever the server is killed.
            _ = self.connected().await;
            sleep(Duration::from_millis(100)).await;
        }
    }

    async fn connected(&mut self) -> anyhow::Result<()> {
        let address = format!("ws://{}/api/socket", self.stage.address);
        let (mut socket, _) = tokio_tungstenite::connect_async(address).await?;
        let join = |id: &str, token: &str| json!({ "type": "join", "game": id, "tokens": [token] }).to_string();
        socket.send(Message::text(join(&self.id, &self.token))).await?;
        let (mut side, mut asked_at, mut rematch) = (2, None, false);
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let heard: Value = serde_json::from_str(&text)?;
            if let Some(seats) = heard["held"]["seats"].as_array() {
                side = seats.iter().position(|seat| *seat == true).context("the token opens no seat")?;
            }
            if heard["type"] == "game" {
                let plies = heard["plies"].as_array().into_iter().flatten().skip(1);
                let texts: Vec<_> = plies.map(|ply| ply["text"].as_str().unwrap_or("").to_string()).collect();
                if !texts.starts_with(&self.seen) {
                    self.stage.accuse(format!("game {}: {:?} is not in {texts:?}", self.id, self.seen.last()));
                }
                self.seen = texts;
            }
            if heard["type"] == "move" {
                self.seen.push(heard["ply"]["text"].as_str().unwrap_or("").to_string());
                self.stage.confirmed.fetch_add(1, Ordering::Relaxed);
                if heard["ply"]["by"] == side
                    && let Some(at) = asked_at.take()
                {
                    let latency = Instant::elapsed(&at).as_micros() as u32;
                    self.stage.latencies.lock().expect("no thread panics with the lock").push(latency);
                }
            }
            let now = &heard["now"];
            if let Some(next) = now["successor"].as_str() {
                (self.id, self.seen, asked_at, rematch) = (next.to_string(), Vec::new(), None, false);
                socket.send(Message::text(join(&self.id, &self.token))).await?;
            } else if !now["outcome"].is_null() {
                if !std::mem::replace(&mut rematch, true) {
                    socket.send(Message::text(json!({ "type": "rematch" }).to_string())).await?;
                }
            } else if now["position"]["to_move"] == side && asked_at.is_none() {
                let choices = now["position"]["choices"].as_array().context("choices")?;
                let must_choose =
                    choices.iter().any(|choice| choice["paths"].as_array().is_some_and(|p| !p.is_empty()));
                if !must_choose {
                    continue;
                }
                sleep(self.think * (500 + random_below(&mut self.rng, 1000) as u32) / 1000).await;
                let choice = &choices[random_below(&mut self.rng, choices.len() as u64) as usize];
                let mv = json!({ "type": "move", "move": choice["text"], "ply": now["position"]["ply"] });
                asked_at = Some(Instant::now());
                socket.send(Message::text(mv.to_string())).await?;
            }
        }
        bail!("the server closed the connection")
    }
}

/// A game for slow readers to watch.
async fn target_game(target: &Target, names: &[String]) -> anyhow::Result<String> {
    Ok(create(target, &names[0]).await?.0)
}

/// Waits while there is no mischief.
async fn wait_for_mischief(stage: &Stage) {
    while !stage.mischief.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(200)).await;
    }
}

/// Sends half a request again and again, and keeps the connections for a while.
async fn half_requests(stage: Arc<Stage>) {
    loop {
        wait_for_mischief(&stage).await;
        let mut held = Vec::new();
        for _ in 0..10 {
            if let Ok(mut stream) = TcpStream::connect(stage.address).await {
                _ = stream.write_all(b"POST /api/games HTTP/1.1\r\nHost: local").await;
                held.push(stream);
            }
        }
        sleep(Duration::from_secs(3)).await;
    }
}

/// Makes games as fast as it is let, and sends nonsense between.
async fn new_games(stage: Arc<Stage>, game: String) {
    let body = json!({ "game": game, "seats": [{ "kind": "me" }, { "kind": "me" }] }).to_string();
    loop {
        wait_for_mischief(&stage).await;
        let flood = async {
            let mut stream = TcpStream::connect(stage.address).await?;
            let address = stage.address;
            let request = format!(
                "POST /api/games HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n{body}GET / nonsense\r\n\r\n",
                body.len()
            );
            stream.write_all(request.as_bytes()).await
        };
        _ = timeout(Duration::from_secs(2), flood).await;
        sleep(Duration::from_millis(100)).await;
    }
}

/// Joins a game, asks for it again and again, and never reads.
async fn slow_reader(stage: Arc<Stage>, game: String) {
    loop {
        wait_for_mischief(&stage).await;
        let address = format!("ws://{}/api/socket", stage.address);
        if let Ok((mut socket, _)) = tokio_tungstenite::connect_async(address).await {
            let join = json!({ "type": "join", "game": game }).to_string();
            for _ in 0..50 {
                if timeout(Duration::from_secs(1), socket.send(Message::text(join.clone()))).await.is_err() {
                    break;
                }
            }
            sleep(Duration::from_secs(5)).await;
        }
        sleep(Duration::from_millis(500)).await;
    }
}
