//! Analyses on request: the best lines while they deepen, and reviews of whole games.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use quincunx_agents::{Analysis, Request, Resources, analyse};
use quincunx_game::{AnyGame, Side, refusal};
use quincunx_search::{Limits, Score, Stop};
use serde::Serialize;
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::{engines::Lane, incoming::AnalysisWanted, outgoing::Message, refusal::Refusal};

/// What one analysis may take of this machine.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// The longest an analysis goes on.
const LONGEST: u32 = 120;

/// An analysis ends after this time if others wait for a thread. Its page keeps what it found.
const FAIR_SHARE: Duration = Duration::from_secs(15);

/// Thinking about each position of a review.
const REVIEW_STEP: Duration = Duration::from_millis(150);

/// Lines an analysis may show.
const MOST_LINES: usize = 5;

/// A running analysis. It ends shortly after this is dropped.
pub(crate) struct Running(Stop);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Starts to analyse a position, telling `outbox` what is found.
pub(crate) fn start(lane: &Lane, wanted: &AnalysisWanted, outbox: mpsc::Sender<Utf8Bytes>) -> Result<Running, Refusal> {
    let game = wanted.line.open()?;
    if game.outcome().is_some() {
        return Err(Refusal::conflict(refusal!("analysis.over", "the game is over: there is nothing to analyse")));
    }
    let stop = Stop::default();
    let request = Request {
        limits: Limits {
            movetime: Some(Duration::from_secs(u64::from(wanted.seconds.clamp(1, LONGEST)))),
            ..Limits::default()
        },
        stop: stop.clone(),
    };
    let (id, count) = (wanted.id, wanted.lines.clamp(1, MOST_LINES));
    let queue = lane.clone();
    lane.submit(move |_| {
        if request.stop.is_stopped() {
            return;
        }
        let started = Instant::now();
        let mut tell = |found: &Analysis| {
            if started.elapsed() > FAIR_SHARE && queue.waiting() > 0 {
                request.stop.stop();
            }
            // If the connection is slow, this update is dropped: a deeper one follows.
            _ = outbox.try_send(message(id, found, false));
        };
        match analyse(&*game, count, RESOURCES, &request, &mut tell) {
            Ok(found) => _ = outbox.blocking_send(message(id, &found, true)),
            Err(error) => tracing::error!(%error, "an analysis failed"),
        }
    })?;
    Ok(Running(stop))
}

/// Starts to review a game: what each position was worth, and what would have been best.
pub(crate) fn review(
    lane: &Lane,
    wanted: &AnalysisWanted,
    outbox: mpsc::Sender<Utf8Bytes>,
) -> Result<Running, Refusal> {
    let game = wanted.line.open()?;
    let stop = Stop::default();
    let (running, id) = (stop.clone(), wanted.id);
    lane.submit(move |_| {
        let mut positions: Vec<Box<dyn AnyGame>> = Vec::with_capacity(game.ply() + 1);
        let mut back = game;
        loop {
            positions.push(back.boxed_clone());
            if !back.undo() {
                break;
            }
        }
        let last = positions.len() - 1;
        for (ply, game) in positions.into_iter().rev().enumerate() {
            if running.is_stopped() {
                return;
            }
            let found = value_of(&*game, &running);
            let message = Message::Review(ReviewView { id, ply, value: found, done: ply == last });
            if outbox.blocking_send(message.text()).is_err() {
                return;
            }
        }
    })?;
    Ok(Running(stop))
}

/// What a position is worth for the first side, and the best move in it.
fn value_of(game: &dyn AnyGame, stop: &Stop) -> Option<ReviewValue> {
    if let Some(outcome) = game.outcome() {
        let first = match outcome.winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        return Some(ReviewValue { first, best: None, score: None });
    }
    let limits = Limits { movetime: Some(REVIEW_STEP), ..Limits::default() };
    let request = Request { limits, stop: stop.clone() };
    let found = analyse(game, 1, RESOURCES, &request, &mut |_| {}).ok()?;
    let best = found.lines.into_iter().next()?;
    let first = match game.to_move() {
        Side::First => best.win_probability,
        Side::Second => 1.0 - best.win_probability,
    };
    Some(ReviewValue { first, best: Some(best.mv), score: Some(best.score.into()) })
}

fn message(id: u32, found: &Analysis, done: bool) -> Utf8Bytes {
    let lines = found.lines.iter().map(|line| LineView {
        mv: &line.mv,
        score: line.score.into(),
        win_probability: line.win_probability,
        pv: &line.pv,
    });
    let (lines, depth, nodes, seconds) = (lines.collect(), found.depth, found.nodes, found.seconds);
    Message::Analysis(AnalysisView { id, depth, nodes, seconds, lines, done }).text()
}

/// What an analysis has found so far.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub(crate) struct AnalysisView<'a> {
    /// The number the client gave it.
    id: u32,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// The best lines, the best one first.
    lines: Vec<LineView<'a>>,
    done: bool,
}

/// A line of an analysis; scores and chances are those of the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisLine)]
struct LineView<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    score: ScoreView,
    win_probability: f64,
    pv: &'a [String],
}

/// What one position of a reviewed game was worth.
#[derive(Serialize, ToSchema)]
#[schema(as = Review)]
pub(crate) struct ReviewView {
    /// The number the client gave it.
    id: u32,
    ply: usize,
    /// Null if the review could not tell.
    #[schema(required)]
    value: Option<ReviewValue>,
    done: bool,
}

/// What a position was worth.
#[derive(Serialize, ToSchema)]
struct ReviewValue {
    /// The chance of side 0.
    first: f64,
    /// The best move; null at the end of the game.
    #[schema(required)]
    best: Option<String>,
    /// What the best move was worth to the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<ScoreView>,
}

/// A score: hundredths of the game's unit, or plies to the end.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
#[schema(as = Score)]
enum ScoreView {
    Estimate(i32),
    Exact(i32),
    Win(u32),
    Loss(u32),
}

impl From<Score> for ScoreView {
    fn from(score: Score) -> Self {
        match score {
            Score::Estimate(value) => Self::Estimate(value),
            Score::Exact(value) => Self::Exact(value),
            Score::Win(plies) => Self::Win(plies),
            Score::Loss(plies) => Self::Loss(plies),
        }
    }
}
