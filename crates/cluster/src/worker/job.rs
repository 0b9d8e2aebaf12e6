//! The jobs of a worker: taken, kept alive while they are played, handed in or handed back.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use async_nats::jetstream::{AckKind, Message as Delivered};
use futures_util::StreamExt;
use quincunx_search::Stop;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    task::{JoinSet, spawn_blocking},
    time::{sleep, timeout},
};

use super::{Worker, contests::Joined};
use crate::{
    lead::games_of,
    message::{Back, Claims, Job, LARGEST, Message, Report, bytes, line},
    seal::Seal,
    subject,
};

/// How long one request for a job waits at the server: a moment if several contests must be asked.
///
/// There is no idle heartbeat, because the client's batches lose the message behind one. A request that ends soon says as
/// much: the server is there.
const PATIENCE: Duration = Duration::from_secs(5);
const IMPATIENCE: Duration = Duration::from_millis(250);

/// A job that is handed back waits so long, so that it does not use up its deliveries at once.
const PAUSE: Duration = Duration::from_millis(500);

/// One that cannot be played here waits longer: somebody else should take it.
const LONG_PAUSE: Duration = Duration::from_secs(2);

/// Takes jobs until the worker leaves; then waits for those that run, and hands back what takes too long.
pub(crate) async fn take_all(worker: Arc<Worker>, grace: Duration) {
    let handing_back = Stop::default();
    // Twice as many jobs as cores: the next one is there when the last one ends. Only short ones wait like that.
    let ahead = Arc::new(Semaphore::new(2 * worker.count));
    let mut jobs = JoinSet::new();
    let mut turn = 0;
    while !worker.is_leaving() {
        while jobs.try_join_next().is_some() {}
        let contests = worker.contests.joined();
        if contests.is_empty() || worker.is_excluded() {
            tokio::select! {
                () = worker.contests.come() => {}
                // An exclusion, or a contest that came just now.
                () = sleep(Duration::from_millis(500)) => {}
                () = worker.left() => {}
            }
            continue;
        }
        let Ok(permit) = Arc::clone(&ahead).acquire_owned().await else { break };
        turn += 1;
        let joined = &contests[turn % contests.len()];
        if joined.manifest.batch <= 2 {
            // Long games: nobody holds a job that another could play.
            tokio::select! {
                permit = worker.cores.acquire() => drop(permit),
                () = worker.left() => break,
            }
        }
        let patience = if contests.len() > 1 { IMPATIENCE } else { PATIENCE };
        let batch = joined.consumer.batch().max_messages(1).expires(patience).messages().await;
        let Ok(mut batch) = batch else {
            sleep(Duration::from_millis(200)).await;
            continue;
        };
        let message = tokio::select! {
            message = batch.next() => message,
            // The request ends by itself; a job that comes now is handed back below.
            () = worker.left() => timeout(Duration::from_millis(50), batch.next()).await.ok().flatten(),
        };
        match message {
            Some(Ok(message)) if worker.is_leaving() => hand_back(&worker, joined, &message, None).await,
            Some(Ok(message)) => {
                let (begun, begins) = oneshot::channel();
                let (playing, contest) = (Arc::clone(&worker), Arc::clone(joined));
                jobs.spawn(play(playing, contest, message, handing_back.clone(), permit, begun));
                if joined.manifest.batch <= 2 {
                    // Only then it is known whether another core is free.
                    tokio::select! {
                        _ = begins => {}
                        () = worker.left() => {}
                    }
                }
            }
            // A consumer that is gone answers with an error; its contest soon goes too.
            Some(Err(_)) => sleep(Duration::from_millis(200)).await,
            None => {}
        }
    }
    let finishing = async { while jobs.join_next().await.is_some() {} };
    if timeout(grace, finishing).await.is_err() {
        handing_back.stop();
        let stopping = async { while jobs.join_next().await.is_some() {} };
        _ = timeout(Duration::from_secs(10), stopping).await;
    }
}

/// Plays a job and hands it in; `begun` is told when it has a core.
async fn play(
    worker: Arc<Worker>,
    joined: Arc<Joined>,
    message: Delivered,
    handing_back: Stop,
    _ahead: OwnedSemaphorePermit,
    begun: oneshot::Sender<()>,
) {
    let job = match Job::read(&message.payload) {
        Ok(job) if job.contest == joined.manifest.id => job,
        // Nobody can play it: it runs out of deliveries, and the coordinator puts it aside.
        _ => {
            worker.complain("a job", "it makes no sense");
            _ = message.ack_with(AckKind::Nak(Some(LONG_PAUSE))).await;
            return;
        }
    };
    let alive = keep_alive(&message, joined.manifest.silence_ms);
    let played = async {
        let core = worker.cores.acquire().await;
        _ = begun.send(());
        worker.running.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        let played = run(&joined, &job, &handing_back).await;
        worker.running.fetch_sub(1, Ordering::Relaxed);
        drop(core);
        (played, began.elapsed().as_secs_f64())
    };
    let (played, seconds) = tokio::select! {
        played = played => played,
        () = alive => return,
    };
    match played {
        Ok(Some(claims)) => {
            let games = games_of(&job.task);
            if hand_in(&worker, &joined, &message, job.first, claims, seconds).await {
                worker.jobs.fetch_add(1, Ordering::Relaxed);
                worker.games.fetch_add(games, Ordering::Relaxed);
            }
        }
        Ok(None) if joined.stop.is_stopped() => {}
        Ok(None) => hand_back(&worker, &joined, &message, None).await,
        Err(why) => hand_back(&worker, &joined, &message, Some(why)).await,
    }
}

/// Plays a job on a thread of its own; `None` if it was stopped.
async fn run(joined: &Arc<Joined>, job: &Job, handing_back: &Stop) -> Result<Option<Claims>, String> {
    let stop = Stop::default();
    let (playing, task) = (Arc::clone(joined), job.clone());
    let signal = stop.clone();
    let mut played = spawn_blocking(move || playing.prepared.play(task.first, &task.task, &signal));
    loop {
        tokio::select! {
            played = &mut played => return played.unwrap_or_else(|_| Err("it panicked".into())),
            () = sleep(Duration::from_millis(100)) => {
                if handing_back.is_stopped() || joined.stop.is_stopped() {
                    stop.stop();
                }
            }
        }
    }
}

/// Tells the server again and again that a job is still being played; never ends by itself.
async fn keep_alive(message: &Delivered, silence_ms: u64) {
    loop {
        sleep(Duration::from_millis(silence_ms / 4)).await;
        // A server that is away is told at the next turn.
        _ = message.ack_with(AckKind::Progress).await;
    }
}

/// Stores the result and only then takes the job off the queue. A result that is there already is as good as ours.
async fn hand_in(
    worker: &Worker,
    joined: &Joined,
    message: &Delivered,
    first: u64,
    claims: Claims,
    seconds: f64,
) -> bool {
    let report = Report {
        contest: joined.manifest.id.clone(),
        first,
        worker: worker.ability.name.clone(),
        scale: joined.prepared.scale,
        seconds,
        claims,
    };
    for report in in_parts(report) {
        let (subject, payload) = (subject::result(&report.contest, report.first), bytes(&report));
        let headers = worker.seal.headers(&subject, &payload);
        loop {
            if joined.stop.is_stopped() {
                return false;
            }
            if worker.queue.store(subject.clone(), payload.clone(), Some(headers.clone())).await.is_ok() {
                break;
            }
            // The server is away. The job may go to somebody else meanwhile, which does no harm.
            sleep(Duration::from_millis(500)).await;
        }
    }
    for _ in 0..5 {
        if message.double_ack().await.is_ok() {
            break;
        }
        sleep(Duration::from_millis(500)).await;
    }
    true
}

/// A result as messages that are small enough, a pair of games in each if it must be.
fn in_parts(report: Report) -> Vec<Report> {
    if bytes(&report).len() <= LARGEST {
        return vec![report];
    }
    let part = |offset: usize, claims: Claims| Report {
        first: report.first + 2 * offset as u64,
        claims,
        seconds: report.seconds,
        contest: report.contest.clone(),
        worker: report.worker.clone(),
        scale: report.scale,
    };
    match &report.claims {
        Claims::Games(games) => {
            games.chunks(2).enumerate().map(|(index, pair)| part(index, Claims::Games(pair.to_vec()))).collect()
        }
        Claims::SelfPlay(games) => {
            games.chunks(2).enumerate().map(|(index, pair)| part(index, Claims::SelfPlay(pair.to_vec()))).collect()
        }
    }
}

/// Gives a job back to the queue after a pause, and tells the coordinator why.
async fn hand_back(worker: &Worker, joined: &Joined, message: &Delivered, failure: Option<String>) {
    let first = Job::read(&message.payload).map_or(0, |job| job.first);
    let (failed, pause) = (failure.is_some(), if failure.is_some() { LONG_PAUSE } else { PAUSE });
    if let Some(why) = &failure {
        worker.tell(&line(&format!("cannot play game {first}: {why}")));
    }
    let back = Back { first, failed, reason: line(&failure.unwrap_or_else(|| "the worker leaves".into())) };
    _ = worker.queue.client.publish(subject::back(&joined.manifest.id), bytes(&back).into()).await;
    _ = message.ack_with(AckKind::Nak(Some(pause))).await;
}

/// Plays jobs again that somebody else has played, when a coordinator asks.
pub(crate) async fn audits(worker: Arc<Worker>) {
    loop {
        let Ok(mut asked) = worker.queue.client.subscribe(subject::audit(&worker.seal.key())).await else {
            sleep(Duration::from_secs(1)).await;
            continue;
        };
        while let Some(message) = asked.next().await {
            let job = Job::read(&message.payload);
            if let Err(why) = &job {
                worker.complain("a job to play again", why);
            }
            let Some(reply) = message.reply else { continue };
            let joined = job.as_ref().ok().and_then(|job| worker.contests.get(&job.contest));
            let Some((job, joined)) = job.ok().zip(joined) else {
                // Whoever asks need not wait.
                _ = worker.queue.client.publish(reply, "".into()).await;
                continue;
            };
            let worker = Arc::clone(&worker);
            tokio::spawn(async move {
                let core = worker.cores.acquire().await;
                let began = Instant::now();
                let played = run(&joined, &job, &Stop::default()).await;
                drop(core);
                let Ok(Some(claims)) = played else { return };
                let report = Report {
                    contest: job.contest,
                    first: job.first,
                    worker: worker.ability.name.clone(),
                    scale: joined.prepared.scale,
                    seconds: began.elapsed().as_secs_f64(),
                    claims,
                };
                _ = answer(&worker.queue.client, &worker.seal, reply, &report).await;
            });
        }
    }
}

async fn answer(
    client: &async_nats::Client,
    seal: &Seal,
    reply: async_nats::Subject,
    report: &Report,
) -> Result<(), async_nats::Error> {
    let payload = bytes(report);
    let headers = seal.headers(&subject::audit(&seal.key()), &payload);
    client.publish_with_headers(reply, headers, payload.into()).await?;
    Ok(())
}
