//! The coordinator of a contest: fills the queue, takes results, audits them, and notices jobs that never end.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    Message as Stored,
    consumer::{AckPolicy, pull},
};
use futures_util::{StreamExt, future::join_all};
use quincunx_arena::{ContestError, Ended, Machine, Machines, Timing};
use quincunx_search::Stop;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, timeout},
};

use crate::{
    QueueError,
    audit::{Audit, Verdict},
    complaint::Complaints,
    crew::Crew,
    message::{Back, Claims, Exhausted, Job, Manifest, Message, Poison, Report, Task, bytes, line},
    project::{Project, Taken},
    queue::Queue,
    results::{Found, read},
    seal::sender,
    subject,
};

/// Jobs that wait or are played at most: enough for a thousand machines, few enough to be cancelled in a moment.
const WINDOW: usize = 2000;

/// A job that has lost so many workers is put aside.
pub(crate) const MOST_DELIVERIES: i64 = 4;

/// How often a job that was handed back is put into the queue again before it counts as one that kills.
const MOST_ATTEMPTS: u32 = 5;

/// One job in so many is played again by another worker, and the first of every worker.
const AUDITED: u64 = 50;

/// Audits at the same time; the others wait for their turn.
const MOST_AUDITS: usize = 16;

/// Results that are taken in one go: few enough that audits, new jobs and Ctrl-C do not wait for a flood of them.
const TOGETHER: usize = 8;

/// Between two looks at whether the queue stands still.
const STILL: Duration = Duration::from_secs(1);

/// A job without a result.
struct Open {
    games: u64,
    attempt: u32,
    /// Whether it is in the queue, as far as we know.
    queued: bool,
    /// How often it was handed back by a worker that left.
    handed_back: u32,
    /// What a worker has said against it.
    complaint: Option<String>,
}

/// What a worker has delivered.
#[derive(Default)]
struct Delivered {
    /// Where its results are in the stream, with their games.
    results: Vec<(u64, Vec<u64>)>,
}

/// The coordinator of one contest.
pub(crate) struct Lead<'a> {
    queue: &'a Queue,
    manifest: &'a Manifest,
    project: &'a mut dyn Project,
    stop: &'a Stop,
    open: BTreeMap<u64, Open>,
    workers: HashMap<String, Delivered>,
    excluded: HashSet<String>,
    crew: Crew,
    complaints: Complaints,
    /// Jobs that nobody is given any more, as somebody says, by their places in the stream.
    suspects: Vec<u64>,
    audits: JoinSet<Verdict>,
    /// Results that are to be audited, each with its worker. Every one of them has its turn before the contest ends.
    to_audit: VecDeque<(String, Report)>,
    timing: Timing,
    /// Whether enough games were seen.
    enough: bool,
    last_result: Instant,
    began: Instant,
    /// How often the queue was seen standing still in a row.
    still: u32,
}

impl<'a> Lead<'a> {
    pub(crate) fn new(queue: &'a Queue, manifest: &'a Manifest, project: &'a mut dyn Project, stop: &'a Stop) -> Self {
        Self {
            queue,
            manifest,
            project,
            stop,
            open: BTreeMap::new(),
            workers: HashMap::new(),
            excluded: HashSet::new(),
            crew: Crew::default(),
            complaints: Complaints::default(),
            suspects: Vec::new(),
            audits: JoinSet::new(),
            to_audit: VecDeque::new(),
            timing: Timing::default(),
            enough: false,
            last_result: Instant::now(),
            began: Instant::now(),
            still: 0,
        }
    }

    /// Leads the contest to its end.
    pub(crate) async fn run(mut self) -> Result<Ended, ContestError> {
        let id = self.manifest.id.as_str();
        let client = &self.queue.client;
        let failed = QueueError::of("the server does not answer");
        let mut announced = client.subscribe(subject::ALL_WORKERS).await.map_err(|error| failed(&error))?;
        let mut backs = client.subscribe(subject::back(id)).await.map_err(|error| failed(&error))?;
        if client.request(subject::leader(id), "".into()).await.is_ok() {
            return Err(ContestError::wrong("this contest is led by another run of the same command"));
        }
        let mut asked = client.subscribe(subject::leader(id)).await.map_err(|error| failed(&error))?;
        let exhausted = client.subscribe(subject::exhausted(id)).await;
        let mut exhausted = exhausted.map_err(|error| failed(&error))?;
        self.begin().await?;
        let (mut results, mut found) = (read(self.queue, id), Vec::new());
        let mut tick = interval(Duration::from_millis(100));
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut caught_up, mut looked, mut shown) = (false, Instant::now(), Instant::now());
        loop {
            self.begin_audits();
            let played = caught_up && (self.enough || self.project.is_done());
            if self.stop.is_stopped() || played && self.audits.is_empty() {
                return Ok(Ended::Done(self.timing));
            }
            tokio::select! {
                1.. = results.recv_many(&mut found, TOGETHER) => {
                    for found in found.drain(..) {
                        match found {
                            Found::CaughtUp => caught_up = true,
                            Found::Result(sequence, message) => self.take(sequence, &message).await?,
                        }
                    }
                    if caught_up {
                        self.fill().await;
                    }
                }
                Some(message) = announced.next() => {
                    let heard = self.crew.hear(&message);
                    self.complain("an announcement", heard);
                }
                Some(message) = backs.next() => {
                    let heard = self.hear_back(&message.payload);
                    self.complain("a job handed back", heard);
                }
                Some(message) = asked.next() => match message.reply {
                    Some(reply) if message.payload.is_empty() => _ = client.publish(reply, "here".into()).await,
                    _ => self.complain("a question for the coordinator", Err("nobody asks like that".into())),
                },
                Some(message) = exhausted.next() => {
                    let heard = self.hear_exhausted(&message.payload).await;
                    self.complain("news of a job that was given out too often", heard);
                }
                Some(verdict) = self.audits.join_next() => {
                    let Ok(verdict) = verdict else { continue };
                    if let Some(retracted) = self.judge(verdict).await? {
                        return Ok(Ended::Retracted(retracted));
                    }
                }
                _ = tick.tick() => {
                    if shown.elapsed() > Duration::from_millis(500) {
                        shown = Instant::now();
                        self.show();
                    }
                    if caught_up && looked.elapsed() > STILL {
                        looked = Instant::now();
                        self.fill().await;
                        self.settle_suspects().await;
                        self.look_for_stuck().await;
                    }
                }
            }
        }
    }

    /// Puts the manifest and the consumer of workers in place.
    async fn begin(&mut self) -> Result<(), ContestError> {
        let (queue, manifest) = (self.queue, self.manifest);
        for (found, _) in Queue::subjects(&queue.state, subject::ALL_EXCLUDED).await? {
            self.excluded.insert(subject::last(&found).to_string());
        }
        for (_, poison) in queue.states::<Poison>(&subject::poisons(&manifest.id)).await? {
            self.put_aside(&poison);
        }
        let consumer = pull::Config {
            durable_name: Some(subject::consumer(&manifest.id)),
            filter_subject: subject::jobs(&manifest.id),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_millis(manifest.silence_ms),
            max_deliver: MOST_DELIVERIES,
            max_ack_pending: 100_000,
            max_waiting: 10_000,
            ..pull::Config::default()
        };
        let made = queue.jobs.create_consumer(consumer).await;
        made.map_err(|error| QueueError::of("the server does not hand out jobs")(&error))?;
        queue.store(subject::contest(&manifest.id), bytes(manifest), None).await?;
        let told = [queue.client.publish(subject::NEWS, "".into()), queue.client.publish(subject::ROLL, "".into())];
        join_all(told).await;
        Ok(())
    }

    /// Puts jobs into the queue until there are enough. What fails now is tried again at the next look.
    async fn fill(&mut self) {
        while !self.enough && self.open.len() < WINDOW {
            let Some((first, games)) = self.project.next_job() else { break };
            let open = Open { games, attempt: 0, queued: false, handed_back: 0, complaint: None };
            self.open.insert(first, open);
        }
        let missing: Vec<u64> = self.open.iter().filter(|(_, open)| !open.queued).map(|(&first, _)| first).collect();
        for some in missing.chunks(100) {
            let stored = some.iter().map(|first| {
                let open = &self.open[first];
                let task = self.project.task(*first, open.games);
                let job = Job { contest: self.manifest.id.clone(), first: *first, task };
                self.queue.store(subject::job(&self.manifest.id, *first, open.attempt), bytes(&job), None)
            });
            let stored = join_all(stored).await;
            for (first, stored) in some.iter().zip(stored) {
                if let (Ok(_), Some(open)) = (stored, self.open.get_mut(first)) {
                    open.queued = true;
                }
            }
        }
    }

    /// Takes a result from the stream. One that does not hold is named, removed, and its job played again.
    async fn take(&mut self, sequence: u64, message: &Stored) -> Result<(), ContestError> {
        self.last_result = Instant::now();
        self.still = 0;
        if self.enough {
            // The contest only waits for its audits: what comes now would not have been played without a queue.
            return Ok(());
        }
        let (key, report) = match self.read(message) {
            Ok(found) => found,
            Err(why) => {
                self.refuse(sequence, message, &why).await;
                return Ok(());
            }
        };
        if self.excluded.contains(&key) {
            self.refuse(sequence, message, &format!("the worker {} is excluded", report.worker)).await;
            return Ok(());
        }
        let numbers: Vec<u64> = numbers(&report).collect();
        match self.project.take(&report)? {
            Taken::Refused(why) => {
                self.refuse(sequence, message, &format!("the worker {} claims what is not so: {why}", report.worker))
                    .await;
                let reason = format!("it claimed what the rules contradict: {why}");
                // What it delivered before was replayed; it is audited like any other's.
                self.exclude(&key, &report.worker, &reason).await;
            }
            Taken::Accepted(flow, new) => {
                self.enough |= flow.is_break();
                self.timing.games += new.len() as u64;
                if !new.is_empty() {
                    self.timing.busy += Duration::from_secs_f64(report.seconds);
                    self.timing.thinking += Duration::from_secs_f64(report.seconds);
                }
                self.close(&numbers);
                let delivered = self.workers.entry(key.clone()).or_default();
                delivered.results.push((sequence, numbers));
                let is_first = delivered.results.len() == 1;
                if !new.is_empty() && (is_first || drawn()) && self.project.is_repeatable() {
                    self.to_audit.push_back((key, report));
                }
            }
        }
        Ok(())
    }

    /// The worker and the result that a message holds.
    fn read(&self, message: &Stored) -> Result<(String, Report), String> {
        let key = sender(&message.subject, message.headers.as_ref(), &message.payload);
        let key = key.map_err(|why| format!("nobody vouches for it: {why}"))?;
        let report = Report::read(&message.payload)?;
        let expected = subject::result(&self.manifest.id, report.first);
        if report.contest != self.manifest.id || message.subject.as_str() != expected {
            return Err(format!("the worker {} has put a result of something else there", report.worker));
        }
        let right = numbers(&report).eq(report.first..report.first + numbers(&report).count() as u64);
        if !right {
            return Err(format!("the worker {} has mixed up the games of a job", report.worker));
        }
        Ok((key, report))
    }

    /// Removes a result that does not hold, so that its job can be played again.
    async fn refuse(&mut self, sequence: u64, message: &Stored, why: &str) {
        let first = subject::last(&message.subject).to_string();
        self.project.tell(&line(&format!("refused a result for game {first}: {why}")));
        _ = self.queue.results.delete_message(sequence).await;
        if let Some(open) = first.parse().ok().and_then(|first: u64| self.open.get_mut(&first)) {
            open.queued = false;
        }
    }

    /// Takes jobs off the list whose games have all come.
    fn close(&mut self, numbers: &[u64]) {
        let Some((&first, &last)) = numbers.first().zip(numbers.last()) else { return };
        let touched = self.open.range(..=last).rev();
        let touched = touched.take_while(|(begin, open)| *begin + open.games > first || **begin >= first);
        let settled: Vec<u64> = touched
            .filter(|(begin, open)| self.project.is_settled(**begin, open.games))
            .map(|(&begin, _)| begin)
            .collect();
        for begin in settled {
            self.open.remove(&begin);
        }
    }

    /// Begins as many audits as may run at the same time.
    fn begin_audits(&mut self) {
        while self.audits.len() < MOST_AUDITS
            && let Some((worker, report)) = self.to_audit.pop_front()
        {
            self.audit(worker, report);
        }
    }

    /// Has a result looked at again by others.
    fn audit(&mut self, worker: String, report: Report) {
        let games = numbers(&report).count() as u64;
        let task = self.project.task(report.first, games);
        let job = Job { contest: self.manifest.id.clone(), first: report.first, task };
        let others = self.crew.of(&self.manifest.id).map(|other| other.key.clone());
        let others = others.filter(|key| *key != worker && !self.excluded.contains(key));
        let mut others: Vec<String> = others.collect();
        // Everybody's turn comes.
        if !others.is_empty() {
            let turn = random() as usize % others.len();
            others.rotate_left(turn);
            others.truncate(3);
        }
        let audit = Audit { job, worker, claims: report.claims, seconds: report.seconds, others };
        self.audits.spawn(audit.run(self.queue.client.clone(), self.project.judge()));
    }

    /// Acts on what an audit has found; the games that are to be forgotten, if there are any.
    async fn judge(&mut self, verdict: Verdict) -> Result<Option<Vec<u64>>, ContestError> {
        let mut retracted = Vec::new();
        for key in verdict.guilty {
            let name = self.crew.of(&self.manifest.id).find(|worker| worker.key == key);
            let name = name.map_or_else(|| key.clone(), |worker| worker.name.clone());
            let by = if verdict.auditor.is_some() { "another worker and this machine" } else { "this machine" };
            let reason = format!("{by} played game {} otherwise", verdict.first);
            self.exclude(&key, &name, &reason).await;
            for (sequence, numbers) in self.workers.remove(&key).unwrap_or_default().results {
                let deleted = self.queue.results.delete_message(sequence).await;
                deleted.map_err(|error| QueueError::of("the server keeps a wrong result")(&error))?;
                retracted.extend(numbers);
            }
        }
        Ok((!retracted.is_empty()).then_some(retracted))
    }

    /// Lets a worker take no part any more, in any contest.
    async fn exclude(&mut self, key: &str, name: &str, reason: &str) {
        if self.excluded.insert(key.to_string()) {
            self.project.tell(&line(&format!("excluded the worker {name}: {reason}")));
            let note = Back { first: 0, failed: true, reason: line(&format!("{name}: {reason}")) };
            _ = self.queue.store(subject::excluded(key), bytes(&note), None).await;
            _ = self.queue.client.publish(subject::NEWS, "".into()).await;
        }
    }

    fn hear_back(&mut self, payload: &[u8]) -> Result<(), String> {
        let back = Back::read(payload)?;
        if let Some(open) = self.open.get_mut(&back.first) {
            if back.failed {
                open.complaint = Some(line(&back.reason));
            } else {
                open.handed_back += 1;
            }
        }
        Ok(())
    }

    /// The server says that it gives a job to nobody any more: it has lost as many workers as it may.
    async fn hear_exhausted(&mut self, payload: &[u8]) -> Result<(), String> {
        let Exhausted { stream_seq } = Exhausted::read(payload)?;
        if self.suspects.len() < WINDOW && !self.suspects.contains(&stream_seq) {
            self.suspects.push(stream_seq);
        }
        self.settle_suspects().await;
        Ok(())
    }

    /// Settles the jobs that nobody is given any more, as far as the server's counts bear out what was said of them: jobs
    /// that neither wait nor are played. They are asked for in this order, so that a job that ends meanwhile makes them
    /// too few and not too many; then the next look settles the rest.
    async fn settle_suspects(&mut self) {
        if self.suspects.is_empty() {
            return;
        }
        let id = self.manifest.id.as_str();
        let Ok(consumer) = self.queue.jobs.consumer_info(subject::consumer(id)).await else { return };
        let Ok(there) = Queue::count(&self.queue.jobs, &subject::jobs(id)).await else { return };
        let mut exhausted = there.saturating_sub(consumer.num_pending + consumer.num_ack_pending as u64);
        for sequence in std::mem::take(&mut self.suspects) {
            let Ok(message) = self.queue.jobs.get_raw_message(sequence).await else { continue };
            let ours = self.open.iter().find(|(first, open)| {
                open.queued && message.subject.as_str() == subject::job(id, **first, open.attempt)
            });
            let Some((&first, _)) = ours else { continue };
            if exhausted == 0 {
                self.suspects.push(sequence);
            } else {
                exhausted -= 1;
                self.settle_exhausted(first, sequence).await;
            }
        }
        self.fill().await;
    }

    /// Names what somebody sent that makes no sense.
    fn complain(&mut self, what: &'static str, heard: Result<(), String>) {
        if let Err(why) = heard
            && let Some(told) = self.complaints.of(what, &why)
        {
            self.project.tell(&told);
        }
    }

    /// If nobody plays and nothing waits, the jobs without a result are lost, or have lost too many workers.
    async fn look_for_stuck(&mut self) {
        if self.open.is_empty() || self.last_result.elapsed() < STILL {
            return;
        }
        let consumer = self.queue.jobs.consumer_info(subject::consumer(&self.manifest.id)).await;
        let Ok(consumer) = consumer else {
            // A server that has lost it gets it again.
            _ = timeout(Duration::from_secs(5), self.begin()).await;
            return;
        };
        if consumer.num_pending > 0 || consumer.num_ack_pending > 0 {
            self.still = 0;
            return;
        }
        // A result may be on its way: only the second look counts.
        self.still += 1;
        if self.still < 2 {
            return;
        }
        let stuck: Vec<u64> = self.open.iter().filter(|(_, open)| open.queued).map(|(&first, _)| first).collect();
        for first in stuck {
            let attempt = self.open[&first].attempt;
            let found = Queue::last(&self.queue.jobs, &subject::job(&self.manifest.id, first, attempt)).await;
            match found {
                Ok(Some(message)) => self.settle_exhausted(first, message.sequence).await,
                Ok(None) => {
                    if let Some(open) = self.open.get_mut(&first) {
                        open.queued = false;
                    }
                }
                Err(_) => return,
            }
        }
        self.fill().await;
    }

    /// A job that nobody is given any more: put aside, unless workers that left have handed it back.
    async fn settle_exhausted(&mut self, first: u64, sequence: u64) {
        _ = self.queue.jobs.delete_message(sequence).await;
        let Some(open) = self.open.get_mut(&first) else { return };
        if open.handed_back > 0 && open.attempt < MOST_ATTEMPTS {
            (open.attempt, open.handed_back, open.queued) = (open.attempt + 1, 0, false);
            return;
        }
        let games = open.games;
        if games > 2 {
            // One game of many is to blame: pairs alone show which.
            self.open.remove(&first);
            for begin in (first..first + games).step_by(2) {
                let games = (first + games - begin).min(2);
                if !self.project.is_settled(begin, games) {
                    let open = Open { games, attempt: 0, queued: false, handed_back: 0, complaint: None };
                    self.open.insert(begin, open);
                }
            }
            return;
        }
        let reason = open.complaint.clone().unwrap_or_else(|| format!("it has lost {MOST_DELIVERIES} workers"));
        let poison = Poison { first, games, reason };
        _ = self.queue.store(subject::poison(&self.manifest.id, first), bytes(&poison), None).await;
        self.put_aside(&poison);
    }

    fn put_aside(&mut self, poison: &Poison) {
        self.project.give_up(poison.first, poison.games, &poison.reason);
        self.open.remove(&poison.first);
    }

    fn show(&mut self) {
        let workers = self.crew.of(&self.manifest.id).map(|worker| {
            let delivered = self.workers.get(&worker.key);
            let games = delivered.map_or(0, |delivered| delivered.results.iter().map(|(_, games)| games.len()).sum());
            Machine { name: worker.name.clone(), cores: worker.cores, games: games as u64 }
        });
        let rate = self.timing.games as f64 / self.began.elapsed().as_secs_f64().max(0.1);
        let machines = Machines { workers: workers.collect(), rate };
        self.project.show_machines(&machines);
    }
}

/// The numbers of the games of a result, as it tells them.
fn numbers(report: &Report) -> Box<dyn Iterator<Item = u64> + '_> {
    match &report.claims {
        Claims::Games(games) => Box::new(games.iter().map(|claim| claim.number)),
        Claims::SelfPlay(games) => Box::new((report.first..).take(games.len())),
    }
}

/// The number of games of a task.
pub(crate) fn games_of(task: &Task) -> u64 {
    match task {
        Task::Games(games) => games.len() as u64,
        Task::SelfPlay(count) => *count,
    }
}

/// Draws one in [`AUDITED`], in a way that no worker foresees.
fn drawn() -> bool {
    random().is_multiple_of(AUDITED)
}

fn random() -> u64 {
    getrandom::u64().expect("the operating system gives random bytes")
}
