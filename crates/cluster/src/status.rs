//! What goes on in a queue: workers, contests, jobs.

use std::{collections::BTreeMap, fmt, time::Duration};

use futures_util::StreamExt;
use serde::Serialize;
use tokio::time::{Instant, timeout_at};

use crate::{
    Access, QueueError,
    crew::Crew,
    message::{Back, Manifest, Poison},
    queue::{Queue, connect},
    subject,
};

/// What goes on in a queue.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Status {
    /// The workers that are there.
    pub workers: Vec<WorkerStatus>,
    /// The contests that are not over.
    pub contests: Vec<ContestStatus>,
    /// Workers that were found wrong, and why.
    pub excluded: BTreeMap<String, String>,
}

/// A worker.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its public key.
    pub key: String,
    /// Version and commit of its program.
    pub version: String,
    /// The hash of its program.
    pub binary: String,
    /// Games at the same time.
    pub cores: usize,
    /// Jobs that it plays now.
    pub running: usize,
    /// Moves and analyses for people that it thinks about now.
    pub thinking: usize,
    /// Those that it has thought about.
    pub thought: u64,
    /// Jobs that it has handed in.
    pub jobs: u64,
    /// Games in them.
    pub games: u64,
    /// The seconds since it began.
    pub seconds: u64,
    /// Whether it runs programs from outside.
    pub programs: bool,
    /// What `bench` says, by game.
    pub signatures: BTreeMap<String, u64>,
    /// Nodes a second, by game.
    pub speeds: BTreeMap<String, f64>,
    /// Fingerprints of its evaluations, by game.
    pub evaluators: BTreeMap<String, String>,
    /// The contests it takes no part in, and why.
    pub refused: BTreeMap<String, String>,
}

/// A contest.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContestStatus {
    /// Its name.
    pub id: String,
    /// What is played.
    pub title: String,
    /// The games, if that is known.
    pub games: Option<u64>,
    /// Games of a job.
    pub batch: u64,
    /// Whether its coordinator is there.
    pub led: bool,
    /// Jobs that wait.
    pub waiting: u64,
    /// Jobs that are played.
    pub running: u64,
    /// Jobs that are played for the second time or more.
    pub again: u64,
    /// Jobs with a result.
    pub results: u64,
    /// Jobs that were put aside, and why.
    pub failed: BTreeMap<u64, String>,
}

/// How long workers have to answer the roll call.
const ROLL_CALL: Duration = Duration::from_millis(700);

impl Status {
    /// Asks the server and the workers.
    pub async fn ask(access: &Access) -> Result<Self, QueueError> {
        let client = connect(access, "quincunx status").await?;
        let failed = QueueError::of("the server does not answer");
        let mut announced = client.subscribe(subject::ALL_WORKERS).await.map_err(|error| failed(&error))?;
        client.publish(subject::ROLL, "".into()).await.map_err(|error| failed(&error))?;
        let mut crew = Crew::default();
        let until = Instant::now() + ROLL_CALL;
        while let Ok(Some(message)) = timeout_at(until, announced.next()).await {
            _ = crew.hear(&message);
        }
        let mut status = Self { workers: crew.present().into_iter().map(worker).collect(), ..Self::default() };
        let Some(queue) = Queue::join(client).await? else { return Ok(status) };
        for (_, manifest) in queue.states::<Manifest>(subject::ALL_CONTESTS).await? {
            status.contests.push(contest(&queue, manifest).await?);
        }
        for (found, note) in queue.states::<Back>(subject::ALL_EXCLUDED).await? {
            status.excluded.insert(subject::last(&found).to_string(), note.reason);
        }
        Ok(status)
    }
}

/// Removes a contest that nobody will go on with, by its name.
pub async fn forget(access: &Access, id: &str) -> Result<(), QueueError> {
    let client = connect(access, "quincunx forget").await?;
    let missing = || QueueError::wrong("there is no such contest in the queue; `quincunx cluster status` lists them");
    let queue = Queue::join(client).await?.ok_or_else(missing)?;
    if !subject::is_word(id) || Queue::last(&queue.state, &subject::contest(id)).await?.is_none() {
        return Err(missing());
    }
    queue.forget(id).await
}

fn worker(said: &crate::message::Announcement) -> WorkerStatus {
    let said = said.clone();
    WorkerStatus {
        name: said.name,
        key: said.key,
        version: said.version,
        binary: said.binary,
        cores: said.cores,
        running: said.running,
        thinking: said.thinking,
        thought: said.thought,
        jobs: said.jobs,
        games: said.games,
        seconds: said.seconds,
        programs: said.programs,
        signatures: said.signatures,
        speeds: said.speeds,
        evaluators: said.evaluators,
        refused: said.refused,
    }
}

async fn contest(queue: &Queue, manifest: Manifest) -> Result<ContestStatus, QueueError> {
    let consumer = queue.jobs.consumer_info(subject::consumer(&manifest.id)).await.ok();
    let failed = queue.states::<Poison>(&subject::poisons(&manifest.id)).await?;
    let results = Queue::count(&queue.results, &subject::results(&manifest.id)).await?;
    let led = queue.client.request(subject::leader(&manifest.id), "".into()).await.is_ok();
    Ok(ContestStatus {
        title: manifest.title,
        games: manifest.games,
        batch: manifest.batch,
        led,
        waiting: consumer.as_ref().map_or(0, |consumer| consumer.num_pending),
        running: consumer.as_ref().map_or(0, |consumer| consumer.num_ack_pending as u64),
        again: consumer.as_ref().map_or(0, |consumer| consumer.num_redelivered as u64),
        results,
        failed: failed.into_iter().map(|(_, poison)| (poison.first, poison.reason)).collect(),
        id: manifest.id,
    })
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores: usize = self.workers.iter().map(|worker| worker.cores).sum();
        writeln!(f, "{} workers, {cores} cores", self.workers.len())?;
        for worker in &self.workers {
            let WorkerStatus { name, key, cores, running, jobs, games, seconds, .. } = worker;
            let short: String = key.chars().take(9).collect();
            writeln!(
                f,
                "  {name:20} {short}  {running:>3} of {cores} cores busy, {jobs} jobs, {games} games in {seconds} s"
            )?;
            if worker.thinking > 0 || worker.thought > 0 {
                writeln!(f, "    {} thoughts for people, {} now", worker.thought, worker.thinking)?;
            }
            for (game, speed) in &worker.speeds {
                writeln!(f, "    {game:10} {speed:>12.0} nodes/s, signature {}", worker.signatures[game])?;
            }
            for (contest, why) in &worker.refused {
                writeln!(f, "    takes no part in {contest}: {why}")?;
            }
        }
        writeln!(f, "{} contests", self.contests.len())?;
        for contest in &self.contests {
            let ContestStatus { id, title, waiting, running, again, results, failed, .. } = contest;
            let games = contest.games.map_or(String::new(), |games| format!(" of {games} games"));
            let led = if contest.led { "" } else { ", its coordinator is away" };
            writeln!(f, "  {id}{games}: {title}{led}")?;
            writeln!(
                f,
                "    jobs of {} games: {waiting} wait, {running} are played ({again} again), {results} have results, {} failed",
                contest.batch,
                failed.len()
            )?;
            for (first, why) in failed {
                writeln!(f, "    put aside from game {first} on: {why}")?;
            }
        }
        for (key, why) in &self.excluded {
            writeln!(f, "excluded {key}: {why}")?;
        }
        Ok(())
    }
}
