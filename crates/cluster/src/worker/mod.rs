//! A worker: announces itself, takes jobs of the contests it fits, plays them, and hands the results in.

mod contests;
mod job;
mod prepared;
mod think;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use quincunx_games::all;
use tokio::{
    sync::{Notify, Semaphore},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    Access, QueueError,
    complaint::Complaints,
    crew::ANNOUNCE,
    fit::{Ability, binary},
    message::{Announcement, PROTOCOL, bytes, is_name},
    queue::{Queue, connect},
    seal::Seal,
    subject,
};
use contests::Contests;

/// How a worker works.
pub struct WorkerOptions {
    /// Where the queue is.
    pub access: Access,
    /// Games at the same time.
    pub cores: usize,
    /// The name under which it is known.
    pub name: String,
    /// Whether programs from outside may run here, behind their walls.
    pub run_programs: bool,
    /// How long a job may go on after the worker was told to leave, before it is handed back.
    pub grace: Duration,
}

/// Everything the tasks of a worker share.
pub(crate) struct Worker {
    pub(crate) queue: Queue,
    pub(crate) seal: Seal,
    pub(crate) ability: Arc<Ability>,
    pub(crate) contests: Contests,
    /// One permit for each core.
    pub(crate) cores: Arc<Semaphore>,
    pub(crate) running: AtomicUsize,
    /// Moves and analyses for people that it thinks about now, and how many it has thought about.
    pub(crate) thoughts: think::Thoughts,
    pub(crate) thought: AtomicU64,
    pub(crate) jobs: AtomicU64,
    pub(crate) games: AtomicU64,
    /// How often it announced itself.
    said: AtomicU64,
    complaints: Mutex<Complaints>,
    /// Set when no more jobs are taken.
    leaving: AtomicBool,
    left: Notify,
    /// Why it takes no part any more, if so.
    pub(crate) excluded: Mutex<Option<String>>,
    count: usize,
    began: Instant,
    binary: String,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

/// Works until `leave` is done, then hands back what it has. `tell` is told what a person should know.
pub async fn work(
    options: WorkerOptions,
    leave: impl Future<Output = ()>,
    tell: impl Fn(&str) + Send + Sync + 'static,
) -> Result<(), QueueError> {
    if !is_name(&options.name) {
        return Err(QueueError::wrong("a worker's name has 1 to 64 letters, digits, dots, dashes and underscores"));
    }
    prepared::sweep();
    let client = connect(&options.access, &options.name).await?;
    tokio::pin!(leave);
    let queue = tokio::select! {
        queue = streams(&client, &tell) => queue?,
        () = &mut leave => return Ok(()),
    };
    let (name, programs) = (options.name.clone(), options.run_programs);
    let ability = tokio::task::spawn_blocking(move || Arc::new(Ability::worker(&name, programs))).await;
    let ability = ability.map_err(|_| QueueError::Failed("this program cannot be looked at".into()))?;
    let worker = Arc::new(Worker {
        queue,
        seal: Seal::new(),
        ability,
        contests: Contests::default(),
        cores: Arc::new(Semaphore::new(options.cores)),
        running: AtomicUsize::new(0),
        thoughts: think::Thoughts::default(),
        thought: AtomicU64::new(0),
        jobs: AtomicU64::new(0),
        games: AtomicU64::new(0),
        said: AtomicU64::new(0),
        complaints: Mutex::default(),
        leaving: AtomicBool::new(false),
        left: Notify::new(),
        excluded: Mutex::new(None),
        count: options.cores,
        began: Instant::now(),
        binary: tokio::task::spawn_blocking(binary).await.unwrap_or_default(),
        tell: Box::new(tell),
    });
    worker.tell(&format!("worker {} with {} cores; Ctrl-C ends it", options.name, options.cores));
    let mut tasks = JoinSet::new();
    tasks.spawn(Arc::clone(&worker).announce());
    tasks.spawn(contests::watch(Arc::clone(&worker)));
    tasks.spawn(think::think_all(Arc::clone(&worker)));
    tasks.spawn(job::audits(Arc::clone(&worker)));
    tasks.spawn(measure(Arc::clone(&worker.ability)));
    let taking = tokio::spawn(job::take_all(Arc::clone(&worker), options.grace));
    leave.await;
    worker.leaving.store(true, Ordering::Relaxed);
    worker.left.notify_waiters();
    _ = taking.await;
    _ = worker.say().await;
    _ = timeout(Duration::from_secs(2), worker.queue.client.flush()).await;
    tasks.abort_all();
    Ok(())
}

/// The streams, once a coordinator has made them.
async fn streams(client: &Client, tell: &impl Fn(&str)) -> Result<Queue, QueueError> {
    let mut told = false;
    loop {
        if let Some(queue) = Queue::join(client.clone()).await? {
            return Ok(queue);
        }
        if !std::mem::replace(&mut told, true) {
            tell("the queue is empty: waiting for the first contest");
        }
        sleep(Duration::from_millis(500)).await;
    }
}

/// Measures every game, those of contests first, so that all can be announced.
async fn measure(ability: Arc<Ability>) {
    sleep(Duration::from_secs(20)).await;
    for about in all() {
        let ability = Arc::clone(&ability);
        _ = tokio::task::spawn_blocking(move || ability.bench(about.name)).await;
    }
}

impl Worker {
    pub(crate) fn tell(&self, line: &str) {
        (self.tell)(line);
    }

    /// Names what somebody sent that makes no sense.
    pub(crate) fn complain(&self, what: &'static str, why: &str) {
        let told = self.complaints.lock().unwrap_or_else(PoisonError::into_inner).of(what, why);
        if let Some(told) = told {
            self.tell(&told);
        }
    }

    /// Waits for a call, which is a message without content; what has one is named and is none.
    pub(crate) async fn call(&self, calls: &mut Subscriber, what: &'static str) {
        while let Some(message) = calls.next().await
            && !message.payload.is_empty()
        {
            self.complain(what, &format!("{} bytes came with it", message.payload.len()));
        }
    }

    /// Whether no more jobs are taken.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    /// Waits until no more jobs are taken.
    pub(crate) async fn left(&self) {
        let left = self.left.notified();
        if !self.is_leaving() {
            left.await;
        }
    }

    /// Whether somebody has found it wrong.
    pub(crate) fn is_excluded(&self) -> bool {
        self.excluded.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Announces itself now and then, and when the roll is called.
    async fn announce(self: Arc<Self>) {
        loop {
            let mut roll = self.queue.client.subscribe(subject::ROLL).await.ok();
            for _ in 0..100 {
                _ = self.say().await;
                if let Some(roll) = &mut roll {
                    // Calls that came meanwhile are one call.
                    _ = timeout(ANNOUNCE, self.call(roll, "a roll call")).await;
                } else {
                    sleep(ANNOUNCE).await;
                }
            }
        }
    }

    /// Tells everybody what it is and does.
    async fn say(&self) -> Result<(), async_nats::Error> {
        let measured = self.ability.measured();
        let announcement = Announcement {
            protocol: PROTOCOL,
            key: self.seal.key(),
            number: self.said.fetch_add(1, Ordering::Relaxed),
            name: self.ability.name.clone(),
            version: self.ability.version.clone(),
            binary: self.binary.clone(),
            signatures: measured.iter().map(|(game, (signature, _))| (game.clone(), *signature)).collect(),
            speeds: measured.iter().map(|(game, (_, speed))| (game.clone(), *speed)).collect(),
            evaluators: self.ability.evaluators.clone(),
            cores: self.count,
            running: self.running.load(Ordering::Relaxed),
            thinking: self.thoughts.lock().unwrap_or_else(PoisonError::into_inner).len(),
            thought: self.thought.load(Ordering::Relaxed),
            jobs: self.jobs.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            seconds: self.began.elapsed().as_secs(),
            programs: self.ability.programs,
            refused: self.contests.refused(),
            leaving: self.is_leaving(),
        };
        let (subject, payload) = (subject::worker(&self.seal.key()), bytes(&announcement));
        let headers = self.seal.headers(&subject, &payload);
        self.queue.client.publish_with_headers(subject, headers, payload.into()).await?;
        Ok(())
    }
}
