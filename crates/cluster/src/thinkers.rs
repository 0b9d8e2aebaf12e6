//! The workers of a queue as engines of a web app: asked first, watched while they think, replaced if they fall silent.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use quincunx_agents::{
    Analysis, Answer, Request,
    elsewhere::{Elsewhere, Later, MoveWanted, Number, left},
};
use quincunx_game::AnyGame;
use quincunx_search::{Limits, Stop};
use tokio::{
    task::AbortHandle,
    time::{sleep, timeout},
};

use crate::{
    Access, QueueError,
    crew::Crew,
    fit::{evaluator, version},
    message::{Message, bytes},
    queue::Queue,
    seal::sender,
    subject,
    thought::{BEAT, Found, Said, Think, Thought, Wanted},
};

/// A worker that says nothing for so long has died.
const SILENCE: Duration = BEAT.saturating_mul(4);

/// Workers asked for one thing before it is done here.
const MOST_ASKED: usize = 2;

/// How often it is looked whether somebody still wants a thought.
const LOOK: Duration = Duration::from_millis(20);

/// How long a worker has to say what it has found after it was stopped.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How often the excluded workers and the contests are looked up.
const REVIEW: Duration = Duration::from_secs(5);

/// The workers of a queue as engines.
pub struct Thinkers {
    queue: Queue,
    version: String,
    state: Mutex<State>,
    counts: Counts,
    listening: Mutex<Vec<AbortHandle>>,
}

/// What is known of the workers.
#[derive(Default)]
struct State {
    crew: Crew,
    /// Thoughts of ours, by worker.
    busy: HashMap<String, usize>,
    excluded: Vec<String>,
    jobs: [u64; 2],
    contests: usize,
}

/// What happened since the beginning.
#[derive(Default)]
struct Counts {
    done: AtomicU64,
    silent: AtomicU64,
    wrong: AtomicU64,
    refused: AtomicU64,
    left: AtomicU64,
}

/// How one worker was asked in vain.
enum Vain {
    /// It was not there, or did not want to.
    Declined,
    /// The thought is not wanted any more.
    Stopped,
}

impl Thinkers {
    /// Connects to the queue. Needs no worker yet.
    pub async fn open(access: &Access) -> Result<Arc<Self>, QueueError> {
        let queue = Queue::open(access, "quincunx serve").await?;
        let thinkers = Arc::new(Self {
            queue,
            version: version(),
            state: Mutex::default(),
            counts: Counts::default(),
            listening: Mutex::default(),
        });
        let tasks = [tokio::spawn(listen(Arc::downgrade(&thinkers))), tokio::spawn(review(Arc::downgrade(&thinkers)))];
        *thinkers.listening.lock().unwrap_or_else(PoisonError::into_inner) =
            tasks.iter().map(tokio::task::JoinHandle::abort_handle).collect();
        Ok(thinkers)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The worker that has least to do of those that think as we do, but for some; it is one thought busier from now on.
    fn take_worker(&self, game: &dyn AnyGame, tried: &[String]) -> Option<Busy<'_>> {
        let mut state = self.state();
        let evaluator = evaluator(game.rules());
        let name = game.rules().about.name;
        let usual = quincunx_game::Rules::of(game.rules().about).to_string() == game.rules().to_string();
        let free = state.crew.present().into_iter().filter_map(|worker| {
            let ours = state.busy.get(&worker.key).copied().unwrap_or(0);
            // A worker announces the evaluation of the usual rules; the version says the rest.
            let alike = worker.version == self.version
                && (!usual || worker.evaluators.get(name) == Some(&evaluator))
                && !state.excluded.contains(&worker.key);
            let fits = alike && !tried.contains(&worker.key) && ours.max(worker.thinking) < worker.cores;
            fits.then(|| ((ours + worker.running) as f64 / worker.cores as f64, worker.key.clone()))
        });
        let key = free.min_by(|a, b| a.0.total_cmp(&b.0))?.1;
        *state.busy.entry(key.clone()).or_default() += 1;
        drop(state);
        Some(Busy { thinkers: self, key })
    }

    /// Has something thought about by a worker, or by another if that one dies; what is left of the limits if nobody
    /// did. `check` turns what was found into what was wanted.
    async fn think<T>(
        &self,
        game: &dyn AnyGame,
        spec: &str,
        request: &Request,
        wanted: Wanted,
        check: &(impl Fn(Found) -> Option<T> + Sync),
        tell: &mut (dyn FnMut(T) + Send),
    ) -> Result<T, Limits> {
        let began = Instant::now();
        let mut tried: Vec<String> = Vec::new();
        while tried.len() < MOST_ASKED
            && let Some(worker) = self.take_worker(game, &tried)
        {
            let limits = if tried.is_empty() { request.limits } else { left(spec, &request.limits, began.elapsed()) };
            let number = getrandom::u64().unwrap_or_default();
            let think = Think::new(game, &limits, wanted.clone(), number);
            match self.ask(&worker.key, think, &request.stop, check, tell).await {
                Ok(found) => {
                    self.counts.done.fetch_add(1, Ordering::Relaxed);
                    return Ok(found);
                }
                Err(Vain::Stopped) => break,
                Err(Vain::Declined) => tried.push(worker.key.clone()),
            }
        }
        if !request.stop.is_stopped() {
            self.counts.left.fetch_add(1, Ordering::Relaxed);
        }
        Err(if tried.is_empty() { request.limits } else { left(spec, &request.limits, began.elapsed()) })
    }

    /// Asks one worker.
    async fn ask<T>(
        &self,
        key: &str,
        think: Think,
        stop: &Stop,
        check: &(impl Fn(Found) -> Option<T> + Sync),
        tell: &mut (dyn FnMut(T) + Send),
    ) -> Result<T, Vain> {
        let client = &self.queue.client;
        let (subject, inbox, number) = (subject::think(key), client.new_inbox(), think.number);
        let signed = subject::thought(key, number);
        let mut answers = client.subscribe(inbox.clone()).await.map_err(|_| Vain::Declined)?;
        let payload = bytes(&Thought::Think(Box::new(think)));
        let sent = client.publish_with_reply(subject.clone(), inbox, payload.into()).await;
        sent.map_err(|_| Vain::Declined)?;
        let (mut heard, mut stopped) = (Instant::now(), None::<Instant>);
        loop {
            if stop.is_stopped() && stopped.is_none() {
                stopped = Some(Instant::now());
                _ = client.publish(subject.clone(), bytes(&Thought::Stop(number)).into()).await;
            }
            if stopped.is_some_and(|at| at.elapsed() > LAST_WORDS) {
                return Err(Vain::Stopped);
            }
            if heard.elapsed() > SILENCE {
                self.counts.silent.fetch_add(1, Ordering::Relaxed);
                _ = client.publish(subject.clone(), bytes(&Thought::Stop(number)).into()).await;
                return Err(Vain::Declined);
            }
            let Ok(message) = timeout(LOOK, answers.next()).await else { continue };
            let message = message.ok_or(Vain::Declined)?;
            // Nobody listens there.
            if message.status == Some(async_nats::StatusCode::NO_RESPONDERS) {
                return Err(Vain::Declined);
            }
            if sender(&signed, message.headers.as_ref(), &message.payload).as_deref() != Ok(key) {
                self.counts.refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            heard = Instant::now();
            match Said::read(&message.payload) {
                Ok(Said::Thinking) => {}
                Ok(Said::Found(found)) => {
                    if let Some(found) = check(found) {
                        tell(found);
                    }
                }
                Ok(Said::Done(found)) => {
                    return check(found).ok_or_else(|| {
                        self.counts.wrong.fetch_add(1, Ordering::Relaxed);
                        Vain::Declined
                    });
                }
                Ok(Said::Declined(_)) => return Err(Vain::Declined),
                Err(_) => {
                    self.counts.wrong.fetch_add(1, Ordering::Relaxed);
                    return Err(Vain::Declined);
                }
            }
        }
    }
}

impl Elsewhere for Thinkers {
    fn choose<'a>(&'a self, wanted: &'a MoveWanted) -> Later<'a, Result<Answer, Limits>> {
        let game = &*wanted.game;
        Box::pin(async move {
            let asked = Wanted::Move { spec: wanted.spec.clone(), seed: wanted.seed };
            let check = |found: Found| found.answer(game);
            self.think(game, &wanted.spec, &wanted.request, asked, &check, &mut |_| {}).await
        })
    }

    fn analyse<'a>(
        &'a self,
        game: &'a dyn AnyGame,
        count: usize,
        request: &'a Request,
        tell: &'a mut (dyn FnMut(&Analysis) + Send),
    ) -> Later<'a, Result<Analysis, Limits>> {
        Box::pin(async move {
            let check = |found: Found| found.analysis(game).filter(|found| found.lines.len() <= count);
            self.think(game, "", request, Wanted::Lines(count), &check, &mut |found| tell(&found)).await
        })
    }

    fn numbers(&self) -> Vec<Number> {
        let state = self.state();
        let workers = state.crew.present();
        let sum = |count: fn(&crate::message::Announcement) -> u64| {
            workers.iter().map(|worker| count(worker)).sum::<u64>() as f64
        };
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
        let number = |name, help, value| Number { name, help, value };
        vec![
            number("cluster_connected", "Whether the queue is there.", f64::from(u8::from(self.is_connected()))),
            number("cluster_workers", "Workers in the queue.", workers.len() as f64),
            number("cluster_cores", "Cores of the workers.", sum(|worker| worker.cores as u64)),
            number("cluster_jobs_played", "Jobs that workers play now.", sum(|worker| worker.running as u64)),
            number(
                "cluster_thoughts",
                "Moves and analyses that workers think about.",
                sum(|worker| worker.thinking as u64),
            ),
            number("cluster_contests", "Contests in the queue.", state.contests as f64),
            number("cluster_jobs_waiting", "Jobs of contests that wait.", state.jobs[0] as f64),
            number("cluster_results", "Results of contests that are kept.", state.jobs[1] as f64),
            number("cluster_excluded", "Workers that were found wrong.", state.excluded.len() as f64),
            number("cluster_thoughts_total", "Moves and analyses by workers.", count(&self.counts.done)),
            number("cluster_silent_total", "Workers that fell silent in mid-thought.", count(&self.counts.silent)),
            number("cluster_wrong_total", "Answers of workers that make no sense.", count(&self.counts.wrong)),
            number("cluster_refused_total", "Messages that nobody vouches for.", count(&self.counts.refused)),
            number(
                "cluster_left_total",
                "Moves and analyses that were left to this machine.",
                count(&self.counts.left),
            ),
        ]
    }
}

impl Thinkers {
    fn is_connected(&self) -> bool {
        self.queue.client.connection_state() == async_nats::connection::State::Connected
    }
}

impl Drop for Thinkers {
    fn drop(&mut self) {
        for task in &*self.listening.lock().unwrap_or_else(PoisonError::into_inner) {
            task.abort();
        }
    }
}

/// A thought of ours at a worker.
struct Busy<'a> {
    thinkers: &'a Thinkers,
    key: String,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut state = self.thinkers.state();
        if let Some(count) = state.busy.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                state.busy.remove(&self.key);
            }
        }
    }
}

/// Hears who is there.
async fn listen(thinkers: std::sync::Weak<Thinkers>) {
    while let Some(client) = thinkers.upgrade().map(|thinkers| thinkers.queue.client.clone()) {
        let Ok(mut announced) = client.subscribe(subject::ALL_WORKERS).await else {
            sleep(REVIEW).await;
            continue;
        };
        _ = client.publish(subject::ROLL, "".into()).await;
        while let Some(message) = announced.next().await {
            let Some(thinkers) = thinkers.upgrade() else { return };
            let heard = thinkers.state().crew.hear(&message);
            if heard.is_err() {
                thinkers.counts.refused.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Looks up now and then what only the streams tell.
async fn review(thinkers: std::sync::Weak<Thinkers>) {
    while let Some(thinkers) = thinkers.upgrade() {
        _ = thinkers.look().await;
        drop(thinkers);
        sleep(REVIEW).await;
    }
}

impl Thinkers {
    async fn look(&self) -> Result<(), QueueError> {
        let queue = &self.queue;
        let last = |subjects: Vec<(String, usize)>| -> BTreeMap<String, usize> {
            subjects.into_iter().map(|(found, count)| (subject::last(&found).to_string(), count)).collect()
        };
        let excluded = last(Queue::subjects(&queue.state, subject::ALL_EXCLUDED).await?);
        let contests = last(Queue::subjects(&queue.state, subject::ALL_CONTESTS).await?);
        let jobs = [Queue::messages(&queue.jobs).await?, Queue::messages(&queue.results).await?];
        let mut state = self.state();
        (state.excluded, state.contests, state.jobs) = (excluded.into_keys().collect(), contests.len(), jobs);
        Ok(())
    }
}
