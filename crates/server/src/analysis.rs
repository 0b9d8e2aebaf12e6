//! Analyses on request: the best lines while they deepen, and reviews of whole games.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use quincunx_agents::{Analysis, Request, Resources, analyse, analyst};
use quincunx_game::refusal;
use quincunx_messages::{
    AnalysisView, ReviewView,
    analysis::{MOST_LINES, positions_of, value_of},
};
use quincunx_search::{Limits, Stop};
use tokio::sync::mpsc;

use crate::{engines::Lane, incoming::AnalysisWanted, outgoing::Message, refusal::Refusal};

/// What one analysis may take of this machine.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// The longest an analysis goes on.
const LONGEST: u32 = 120;

/// An analysis ends after this time if others wait for a thread. Its page keeps what it found.
const FAIR_SHARE: Duration = Duration::from_secs(15);

/// Thinking about each position of a review.
const REVIEW_STEP: Duration = Duration::from_millis(150);

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
        let mut engine = analyst(game.rules(), RESOURCES, None);
        let limits = Limits { movetime: Some(REVIEW_STEP), ..Limits::default() };
        let request = Request { limits, stop: running.clone() };
        let positions = positions_of(game);
        let last = positions.len() - 1;
        for (ply, game) in positions.into_iter().enumerate() {
            if running.is_stopped() {
                return;
            }
            let found = value_of(&*game, &mut *engine, &request);
            let message = Message::Review(ReviewView { id, ply, value: found, done: ply == last });
            if outbox.blocking_send(message.text()).is_err() {
                return;
            }
        }
    })?;
    Ok(Running(stop))
}

fn message(id: u32, found: &Analysis, done: bool) -> Utf8Bytes {
    Message::Analysis(AnalysisView::new(id, found, done)).text()
}
