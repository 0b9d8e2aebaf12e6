//! What those who run the server can see of it: whether it is well, numbers, and a line for every request.

use std::{
    fmt::Write as _,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use quincunx_game::refusal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{guard::Client, hub::Hub, refusal::Refusal};

/// The bounds of the buckets that the times of requests are counted in, in milliseconds.
const BUCKETS: [u64; 8] = [1, 5, 10, 25, 50, 100, 500, 2500];

/// Counts since the server started.
#[derive(Debug)]
pub(crate) struct Counts {
    started: Instant,
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    /// Answers by the time they took.
    times: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
    /// Sockets that are open.
    pub(crate) sockets: Arc<AtomicUsize>,
    /// Moves that were played.
    pub(crate) moves: AtomicU64,
    /// Games that wait for the disk.
    pub(crate) waits: AtomicU64,
}

impl Counts {
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            answers: Default::default(),
            times: Default::default(),
            microseconds: AtomicU64::new(0),
            sockets: Arc::default(),
            moves: AtomicU64::new(0),
            waits: AtomicU64::new(0),
        }
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, status: StatusCode, took: Duration) {
        let kind = usize::from(status.as_u16() / 100).min(self.answers.len() - 1);
        self.answers[kind].fetch_add(1, Ordering::Relaxed);
        let milliseconds = took.as_millis() as u64;
        let bucket = BUCKETS.iter().position(|&most| milliseconds < most).unwrap_or(BUCKETS.len());
        self.times[bucket].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }
}

/// Counts something for as long as it lives.
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Counted {
    pub(crate) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// That all is well.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthView {
    /// Always `ok`.
    status: &'static str,
    version: &'static str,
}

/// Whether the server is well: 503 if it cannot read or write its games, or is shutting down.
#[utoipa::path(get, path = "/health", responses((status = OK, body = HealthView)))]
pub(crate) async fn health(State(hub): State<Arc<Hub>>) -> Result<Json<HealthView>, Refusal> {
    if *hub.ending.borrow() {
        return Err(Refusal::unavailable(refusal!("server.ending", "the server is shutting down")));
    }
    if hub.store.health().is_failing() {
        return Err(Refusal::unavailable(refusal!("health.disk", "the games cannot be written to disk")));
    }
    hub.store.list(Some(Vec::new()), 1).await?;
    Ok(Json(HealthView { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// Numbers about the server in the text format of Prometheus, for clients on the same machine.
#[utoipa::path(get, path = "/metrics", responses((status = OK, body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(
    State(hub): State<Arc<Hub>>,
    Extension(Client(address)): Extension<Client>,
) -> Result<Response, Refusal> {
    if !IpAddr::to_canonical(&address).is_loopback() {
        return Err(Refusal::forbidden(refusal!("metrics.local", "numbers are for this machine only")));
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], numbers(&hub)).into_response())
}

fn numbers(hub: &Hub) -> String {
    let mut text = String::new();
    let mut tell = |name: &str, kind: &str, help: &str, value: f64| {
        _ = writeln!(text, "# HELP quincunx_{name} {help}\n# TYPE quincunx_{name} {kind}\nquincunx_{name} {value}");
    };
    let counts = &hub.counts;
    let load = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
    let store = hub.store.health();
    tell("uptime_seconds", "gauge", "Time since the server started.", counts.started.elapsed().as_secs_f64());
    tell("sockets", "gauge", "Open WebSockets.", counts.sockets.load(Ordering::Relaxed) as f64);
    tell("rooms", "gauge", "Games in memory.", hub.rooms_open() as f64);
    tell("games", "gauge", "Games kept.", store.games.load(Ordering::Relaxed) as f64);
    tell("moves_total", "counter", "Moves played.", load(&counts.moves));
    tell("waits_total", "counter", "Times that a game had to wait for the disk.", load(&counts.waits));
    tell("writes_total", "counter", "Changes of games on disk.", load(&store.written));
    tell("write_failures_total", "counter", "Transactions that failed.", load(&store.failures));
    tell("games_removed_total", "counter", "Games removed by age or to make room.", load(&store.removed));
    tell("housekeeping_slices_total", "counter", "Times that games were looked for and removed.", load(&store.slices));
    let took = load(&store.slices_took) / 1e6;
    tell("housekeeping_seconds_total", "counter", "The time that took.", took);
    let longest = load(&store.longest_slice) / 1e6;
    tell("housekeeping_seconds_max", "gauge", "The longest that moves waited for games to be removed.", longest);
    let [moves, analyses] = hub.engines.waiting();
    tell("engine_moves_waiting", "gauge", "Moves that wait for an engine.", moves as f64);
    tell("engine_analyses_waiting", "gauge", "Analyses that wait for an engine.", analyses as f64);
    for number in hub.engines.elsewhere.iter().flat_map(|elsewhere| elsewhere.numbers()) {
        let kind = if number.name.ends_with("_total") { "counter" } else { "gauge" };
        tell(number.name, kind, number.help, number.value);
    }
    if let Some(bytes) = resident_bytes() {
        tell("resident_bytes", "gauge", "Memory of the process.", bytes as f64);
    }
    _ = writeln!(text, "# HELP quincunx_answers_total Answers by kind of status.");
    _ = writeln!(text, "# TYPE quincunx_answers_total counter");
    for (kind, count) in counts.answers.iter().enumerate().skip(1) {
        _ = writeln!(text, "quincunx_answers_total{{status=\"{kind}xx\"}} {}", load(count));
    }
    _ = writeln!(text, "# HELP quincunx_answer_seconds Time until the head of an answer.");
    _ = writeln!(text, "# TYPE quincunx_answer_seconds histogram");
    let mut sum = 0;
    for (bucket, count) in counts.times.iter().enumerate() {
        sum += count.load(Ordering::Relaxed);
        let bound = BUCKETS.get(bucket).map_or("+Inf".into(), |&most| (most as f64 / 1000.0).to_string());
        _ = writeln!(text, "quincunx_answer_seconds_bucket{{le=\"{bound}\"}} {sum}");
    }
    _ = writeln!(text, "quincunx_answer_seconds_sum {}", load(&counts.microseconds) / 1e6);
    _ = writeln!(text, "quincunx_answer_seconds_count {sum}");
    text
}

/// The memory of this process, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
