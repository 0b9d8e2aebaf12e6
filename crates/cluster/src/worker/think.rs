//! The thoughts of a worker: moves and analyses for people who wait, told as they come.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::Duration,
};

use futures_util::StreamExt;
use quincunx_agents::{Analysis, Request, Resources, analyse, build};
use quincunx_search::Stop;
use tokio::{
    sync::mpsc,
    task::spawn_blocking,
    time::{MissedTickBehavior, interval, sleep},
};

use super::Worker;
use crate::{
    message::{Message, bytes, line},
    object::relocated,
    subject,
    thought::{BEAT, Found, Said, Think, Thought, Wanted},
};

/// What an analysis may take of this machine.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// Updates of an analysis that may wait to be sent; more are left out.
const UPDATES: usize = 8;

/// The thoughts under way, by number.
pub(crate) type Thoughts = Mutex<HashMap<u64, Stop>>;

/// Thinks for whoever asks.
pub(crate) async fn think_all(worker: Arc<Worker>) {
    loop {
        let Ok(mut asked) = worker.queue.client.subscribe(subject::think(&worker.seal.key())).await else {
            sleep(Duration::from_secs(1)).await;
            continue;
        };
        while let Some(message) = asked.next().await {
            match (Thought::read(&message.payload), message.reply) {
                (Ok(Thought::Stop(number)), _) => {
                    if let Some(stop) = thoughts(&worker).get(&number) {
                        stop.stop();
                    }
                }
                (Ok(Thought::Think(think)), Some(reply)) => {
                    tokio::spawn(think_of(Arc::clone(&worker), *think, reply));
                }
                // Nobody is told: there is no number to sign an answer for.
                (Err(why), _) => worker.complain("something to think about", &why),
                (_, None) => worker.complain("something to think about", "nobody waits for it"),
            }
        }
    }
}

fn thoughts(worker: &Worker) -> std::sync::MutexGuard<'_, HashMap<u64, Stop>> {
    worker.thoughts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Thinks about one thing and tells it.
async fn think_of(worker: Arc<Worker>, think: Think, reply: async_nats::Subject) {
    let (number, stop) = (think.number, Stop::default());
    // A core that is free; if there is none, people come before contests, unless those have a clock.
    let core = Arc::clone(&worker.cores).try_acquire_owned().ok();
    let clocks = core.is_none() && worker.contests.joined().iter().any(|joined| joined.manifest.has_clock());
    let declined = {
        let mut thoughts = thoughts(&worker);
        let why = if worker.is_leaving() || worker.is_excluded() {
            Some("it takes no more work")
        } else if clocks || thoughts.len() >= worker.count || thoughts.contains_key(&number) {
            Some("it is busy")
        } else {
            None
        };
        if why.is_none() {
            thoughts.insert(number, stop.clone());
        }
        why
    };
    if let Some(why) = declined {
        worker.say_of_thought(reply, number, &Said::Declined(why.into())).await;
        return;
    }
    worker.say_of_thought(reply.clone(), number, &Said::Thinking).await;
    let (tell, mut told) = mpsc::channel(UPDATES);
    let mut found = spawn_blocking(move || find(&think, stop, &tell));
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let said = loop {
        tokio::select! {
            found = &mut found => {
                let failed = || Said::Declined("it cannot think about this".into());
                break found.map_or_else(|_| failed(), |found| found.map_or_else(|why| Said::Declined(line(&why)), Said::Done));
            }
            Some(update) = told.recv() => worker.say_of_thought(reply.clone(), number, &Said::Found(update)).await,
            _ = beat.tick() => worker.say_of_thought(reply.clone(), number, &Said::Thinking).await,
        }
    };
    thoughts(&worker).remove(&number);
    drop(core);
    if matches!(said, Said::Done(_)) {
        worker.thought.fetch_add(1, Ordering::Relaxed);
    }
    worker.say_of_thought(reply, number, &said).await;
}

/// What is wanted; the error says in one line why there is none.
fn find(think: &Think, stop: Stop, tell: &mpsc::Sender<Found>) -> Result<Found, String> {
    let game = think.open()?;
    let request = Request { limits: think.limits.into(), stop };
    match &think.wanted {
        Wanted::Move { spec, seed } => {
            // No files of this machine, and no programs.
            let spec = relocated(spec, &[])?;
            let mut agent = build(&spec, game.rules(), *seed).map_err(|error| error.to_string())?;
            let answer = agent.choose(&*game, &request).map_err(|failure| failure.to_string())?;
            Ok((&answer).into())
        }
        Wanted::Lines(count) => {
            let mut deeper = |found: &Analysis| _ = tell.try_send(found.into());
            let found = analyse(&*game, *count, RESOURCES, &request, &mut deeper);
            Ok((&found.map_err(|failure| failure.to_string())?).into())
        }
    }
}

impl Worker {
    /// Says something of a thought to whoever has asked, signed.
    async fn say_of_thought(&self, reply: async_nats::Subject, number: u64, said: &Said) {
        let payload = bytes(said);
        let headers = self.seal.headers(&subject::thought(&self.seal.key(), number), &payload);
        _ = self.queue.client.publish_with_headers(reply, headers, payload.into()).await;
    }
}
