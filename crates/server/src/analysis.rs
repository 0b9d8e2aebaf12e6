//! Analyses on request: the best lines while they deepen, and reviews of whole games.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::extract::ws::Utf8Bytes;
use quincunx_agents::{Analysis, Request, Resources, analyse, elsewhere::Elsewhere};
use quincunx_game::{AnyGame, refusal};
use quincunx_messages::{
    AnalysisView, ReviewView,
    analysis::{MOST_LINES, positions_of, value_at_end, value_found, value_of},
};
use quincunx_search::{Limits, Stop};
use tokio::{runtime::Handle, sync::mpsc, time::sleep};

use crate::{
    engines::{Desk, Engines},
    incoming::AnalysisWanted,
    lanes::{Lane, Work},
    outgoing::Message,
    play::Timer,
    refusal::Refusal,
};

/// What one analysis may take of this machine.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// The longest an analysis goes on.
const LONGEST: u32 = 120;

/// An analysis ends after this time if others wait for a thread. Its page keeps what it found.
const FAIR_SHARE: Duration = Duration::from_secs(5);

/// How often an analysis that has had its share looks whether others wait.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Thinking about each position of a review.
const REVIEW_STEP: Duration = Duration::from_millis(150);

/// A running analysis. It ends shortly after this is dropped.
pub(crate) struct Running(Stop);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Starts to analyse a position for whoever has this address, telling `outbox` what is found.
pub(crate) fn start(
    engines: &Engines,
    person: IpAddr,
    wanted: &AnalysisWanted,
    outbox: mpsc::Sender<Utf8Bytes>,
) -> Result<Running, Refusal> {
    let game = wanted.line.open()?;
    if game.outcome().is_some() {
        return Err(Refusal::conflict(refusal!("analysis.over", "the game is over: there is nothing to analyse")));
    }
    let stop = Stop::default();
    let longest = Duration::from_secs(u64::from(wanted.seconds.clamp(1, LONGEST)));
    let request = Request { limits: Limits { movetime: Some(longest), ..Limits::default() }, stop: stop.clone() };
    let (id, count) = (wanted.id, wanted.lines.clamp(1, MOST_LINES));
    let asked = Asked { lane: engines.analyses.clone(), person, id, count, game, request, outbox };
    match &engines.elsewhere {
        Some(elsewhere) => {
            asked.lane.check_room()?;
            tokio::spawn(asked.elsewhere(Arc::clone(elsewhere)));
        }
        None => asked.lane.clone().submit(asked.here(Handle::current()))?,
    }
    Ok(Running(stop))
}

/// An analysis under way.
struct Asked {
    lane: Lane,
    person: IpAddr,
    id: u32,
    count: usize,
    game: Box<dyn AnyGame>,
    request: Request,
    outbox: mpsc::Sender<Utf8Bytes>,
}

impl Asked {
    /// By other machines, and here if they fail.
    async fn elsewhere(mut self, elsewhere: Arc<dyn Elsewhere>) {
        let (id, outbox) = (self.id, self.outbox.clone());
        // If the connection is slow, this update is dropped: a deeper one follows.
        let mut tell = |found: &Analysis| _ = outbox.try_send(message(id, found, false));
        match elsewhere.analyse(&*self.game, self.count, &self.request, &mut tell).await {
            Ok(found) => _ = self.outbox.send(message(id, &found, true)).await,
            Err(left) => {
                self.request.limits = left;
                self.lane.clone().go_on(self.here(Handle::current()));
            }
        }
    }

    /// By the engines of this machine.
    fn here(self, runtime: Handle) -> Work {
        let Self { lane, person, id, count, game, request, outbox } = self;
        let longest = request.limits.movetime.unwrap_or(FAIR_SHARE);
        let stop = request.stop.clone();
        let job = Box::new(move |_: &mut Desk| {
            // Of its own: one depth may take longer than a share.
            let _watch = Timer(runtime.spawn(give_way(lane, person, request.stop.clone())).abort_handle());
            // If the connection is slow, this update is dropped: a deeper one follows.
            let mut tell = |found: &Analysis| _ = outbox.try_send(message(id, found, false));
            match analyse(&*game, count, RESOURCES, &request, &mut tell) {
                Ok(found) => {
                    // A slow connection keeps no engine waiting.
                    runtime.spawn(async move { outbox.send(message(id, &found, true)).await });
                }
                Err(error) => tracing::error!(%error, "an analysis failed"),
            }
        });
        Work { person, cost: longest.min(FAIR_SHARE), stop, job }
    }
}

/// Ends an analysis that has had its share as soon as somebody else waits.
async fn give_way(lane: Lane, person: IpAddr, stop: Stop) {
    sleep(FAIR_SHARE).await;
    while !lane.others_wait(person) {
        sleep(LOOK_EVERY).await;
    }
    stop.stop();
}

/// Starts to review a game: what each position was worth, and what would have been best.
pub(crate) fn review(
    engines: &Engines,
    person: IpAddr,
    wanted: &AnalysisWanted,
    outbox: mpsc::Sender<Utf8Bytes>,
) -> Result<Running, Refusal> {
    let mut positions = positions_of(wanted.line.open()?);
    positions.reverse();
    let stop = Stop::default();
    let last = positions.len() - 1;
    let lane = engines.analyses.clone();
    let review = Review { lane: lane.clone(), person, id: wanted.id, stop: stop.clone(), outbox, positions, last };
    match &engines.elsewhere {
        Some(elsewhere) => {
            lane.check_room()?;
            tokio::spawn(review.elsewhere(Arc::clone(elsewhere)));
        }
        None => lane.submit(review.next_step(Handle::current()))?,
    }
    Ok(Running(stop))
}

/// A review under way. Each position is a piece of work of its own, so that others come between.
struct Review {
    lane: Lane,
    person: IpAddr,
    id: u32,
    stop: Stop,
    outbox: mpsc::Sender<Utf8Bytes>,
    /// The positions that are left, the first one last.
    positions: Vec<Box<dyn AnyGame>>,
    /// The number of the last position.
    last: usize,
}

impl Review {
    /// By other machines, one position after the other; here from the first one that they fail at.
    async fn elsewhere(mut self, elsewhere: Arc<dyn Elsewhere>) {
        while let Some(game) = self.positions.pop() {
            let request = self.request();
            let mut value = value_at_end(&*game);
            if value.is_none() {
                let Ok(found) = elsewhere.analyse(&*game, 1, &request, &mut |_| {}).await else {
                    self.positions.push(game);
                    self.lane.clone().go_on(self.next_step(Handle::current()));
                    return;
                };
                value = value_found(&*game, found);
            }
            let ply = self.last - self.positions.len();
            let view = ReviewView { id: self.id, ply, value, done: ply == self.last };
            if self.stop.is_stopped() || self.outbox.send(Message::Review(view).text()).await.is_err() {
                return;
            }
        }
    }

    /// What is asked for each position.
    fn request(&self) -> Request {
        let limits = Limits { movetime: Some(REVIEW_STEP), ..Limits::default() };
        Request { limits, stop: self.stop.clone() }
    }

    fn next_step(mut self, runtime: Handle) -> Work {
        let (person, stop) = (self.person, self.stop.clone());
        let job = Box::new(move |desk: &mut Desk| {
            let Some(game) = self.positions.pop() else { return };
            let ply = self.last - self.positions.len();
            let value = value_of(&*game, desk.analyst(game.rules(), RESOURCES), &self.request());
            let message = Message::Review(ReviewView { id: self.id, ply, value, done: ply == self.last }).text();
            let next = runtime.clone();
            runtime.spawn(async move {
                // A slow connection keeps no engine waiting.
                if self.outbox.send(message).await.is_ok() && !self.positions.is_empty() {
                    let lane = self.lane.clone();
                    lane.go_on(self.next_step(next));
                }
            });
        });
        Work { person, cost: REVIEW_STEP, stop, job }
    }
}

fn message(id: u32, found: &Analysis, done: bool) -> Utf8Bytes {
    Message::Analysis(AnalysisView::new(id, found, done)).text()
}
