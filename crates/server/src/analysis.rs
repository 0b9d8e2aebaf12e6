//! Analyses for those who ask: the best lines deepening live, and reviews of whole games.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use quincunx_agents::{Analysis, Request, Resources, analyse};
use quincunx_game::{AnyGame, Side, refusal};
use quincunx_search::{Limits, Score, Stop};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{engines::Lane, incoming::AnalysisWanted, refusal::Refusal};

/// What one analysis may take of this machine.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// The longest an analysis goes on.
const LONGEST: u32 = 120;

/// An analysis for which others wait ends after this time; its page shows what it found.
const FAIR_SHARE: Duration = Duration::from_secs(15);

/// Thinking about each position of a review.
const REVIEW_STEP: Duration = Duration::from_millis(150);

/// Lines an analysis may show.
const MOST_LINES: usize = 5;

/// An analysis under way: it ends within a moment of this being dropped.
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
            // Where the connection is slow, an update is left out: a deeper one follows.
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
            let message = json!({ "type": "review", "id": id, "ply": ply, "value": found, "done": ply == last });
            if outbox.blocking_send(message.to_string().into()).is_err() {
                return;
            }
        }
    })?;
    Ok(Running(stop))
}

/// What a position is worth for the first side, and the best move in it.
fn value_of(game: &dyn AnyGame, stop: &Stop) -> Value {
    if let Some(outcome) = game.outcome() {
        let chance = match outcome.winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        return json!({ "first": chance, "best": null });
    }
    let limits = Limits { movetime: Some(REVIEW_STEP), ..Limits::default() };
    let request = Request { limits, stop: stop.clone() };
    let Ok(found) = analyse(game, 1, RESOURCES, &request, &mut |_| {}) else { return Value::Null };
    let Some(best) = found.lines.first() else { return Value::Null };
    let first = match game.to_move() {
        Side::First => best.win_probability,
        Side::Second => 1.0 - best.win_probability,
    };
    json!({ "first": first, "best": best.mv, "score": score(best.score) })
}

fn message(id: u32, found: &Analysis, done: bool) -> Utf8Bytes {
    let lines: Vec<_> = found
        .lines
        .iter()
        .map(|line| {
            json!({
                "move": line.mv, "score": score(line.score), "win_probability": line.win_probability, "pv": line.pv,
            })
        })
        .collect();
    json!({
        "type": "analysis", "id": id, "depth": found.depth, "nodes": found.nodes, "seconds": found.seconds,
        "lines": lines, "done": done,
    })
    .to_string()
    .into()
}

/// A score as a kind and a number: hundredths of the game's unit, or plies.
fn score(score: Score) -> Value {
    let (kind, value) = match score {
        Score::Estimate(value) => ("estimate", i64::from(value)),
        Score::Exact(value) => ("exact", i64::from(value)),
        Score::Win(plies) => ("win", i64::from(plies)),
        Score::Loss(plies) => ("loss", i64::from(plies)),
    };
    json!({ "kind": kind, "value": value })
}
