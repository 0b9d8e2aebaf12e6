//! The contests that a worker knows: those it takes part in, and those it does not, with the reason.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_nats::jetstream::consumer::PullConsumer;
use quincunx_search::Stop;
use tokio::{
    sync::Notify,
    time::{sleep, timeout},
};

use super::{Worker, prepared::Prepared};
use crate::{
    message::{Back, Manifest, Message, line},
    queue::Queue,
    subject,
};

/// How often a worker looks for contests if nobody tells it of any.
const LOOK: Duration = Duration::from_secs(5);

/// A contest that this worker takes part in.
pub(crate) struct Joined {
    pub(crate) manifest: Manifest,
    pub(crate) prepared: Prepared,
    pub(crate) consumer: PullConsumer,
    /// Ends its games when it is over.
    pub(crate) stop: Stop,
}

/// The contests that a worker knows.
#[derive(Default)]
pub(crate) struct Contests {
    joined: Mutex<BTreeMap<String, Arc<Joined>>>,
    refused: Mutex<BTreeMap<String, String>>,
    came: Notify,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contests {
    /// Those it takes part in.
    pub(crate) fn joined(&self) -> Vec<Arc<Joined>> {
        locked(&self.joined).values().cloned().collect()
    }

    /// One it takes part in.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Joined>> {
        locked(&self.joined).get(id).cloned()
    }

    /// Those it does not take part in, and why.
    pub(crate) fn refused(&self) -> BTreeMap<String, String> {
        locked(&self.refused).clone()
    }

    /// Waits until one comes that it takes part in.
    pub(crate) async fn come(&self) {
        self.came.notified().await;
    }

    /// Leaves all contests.
    fn leave_all(&self) {
        for (_, joined) in std::mem::take(&mut *locked(&self.joined)) {
            joined.stop.stop();
        }
    }

    /// Forgets the contests that are over, and ends their games.
    fn keep(&self, there: &HashSet<String>) {
        locked(&self.joined).retain(|id, joined| {
            let stays = there.contains(id);
            if !stays {
                joined.stop.stop();
            }
            stays
        });
        locked(&self.refused).retain(|id, _| there.contains(id));
    }

    fn is_known(&self, id: &str) -> bool {
        locked(&self.joined).contains_key(id) || locked(&self.refused).contains_key(id)
    }
}

/// Follows the contests that come and go.
pub(crate) async fn watch(worker: Arc<Worker>) {
    loop {
        let mut news = worker.queue.client.subscribe(subject::NEWS).await.ok();
        for _ in 0..100 {
            _ = look(&worker).await;
            if let Some(news) = &mut news {
                _ = timeout(LOOK, worker.call(news, "news of contests")).await;
            } else {
                sleep(LOOK).await;
            }
        }
    }
}

/// Looks once at all contests that there are.
async fn look(worker: &Worker) -> Result<(), crate::QueueError> {
    let queue = &worker.queue;
    let excluded = Queue::last(&queue.state, &subject::excluded(&worker.seal.key())).await?;
    if let Some(note) = excluded {
        let reason = Back::read(&note.payload).map_or_else(|why| why, |note| note.reason);
        if locked(&worker.excluded).replace(reason.clone()).is_none() {
            worker.tell(&format!("this worker is excluded and takes no more jobs: {}", line(&reason)));
        }
        worker.contests.leave_all();
        return Ok(());
    }
    let subjects = Queue::subjects(&queue.state, subject::ALL_CONTESTS).await?;
    let there: HashSet<String> = subjects.into_iter().map(|(found, _)| subject::last(&found).to_string()).collect();
    worker.contests.keep(&there);
    for id in there {
        if worker.contests.is_known(&id) {
            continue;
        }
        match join(worker, &id).await {
            Ok(Some(joined)) => {
                locked(&worker.contests.joined).insert(id, Arc::new(joined));
                worker.contests.came.notify_one();
            }
            // It went while we looked.
            Ok(None) => {}
            Err(why) => {
                worker.tell(&line(&format!("takes no part in contest {id}: {why}")));
                locked(&worker.contests.refused).insert(id, why);
            }
        }
    }
    Ok(())
}

/// Joins a contest; the error says in one line why not.
async fn join(worker: &Worker, id: &str) -> Result<Option<Joined>, String> {
    let queue = &worker.queue;
    let found = Queue::last(&queue.state, &subject::contest(id)).await.map_err(|error| error.to_string())?;
    let Some(found) = found else { return Ok(None) };
    let manifest = Manifest::read(&found.payload)?;
    if manifest.id != id {
        return Err("it is not what its name says".into());
    }
    let (ability, wanted) = (Arc::clone(&worker.ability), manifest.clone());
    let speed = tokio::task::spawn_blocking(move || {
        if let Some(why) = ability.refusal(&wanted) {
            return Err(why);
        }
        ability.bench(wanted.work.rules().0).map(|(_, speed)| speed)
    });
    let speed = speed.await.map_err(|_| "it cannot be looked at".to_string())??;
    let prepared = Prepared::new(queue, &manifest, speed).await?;
    let consumer = queue.jobs.get_consumer(&subject::consumer(id)).await.map_err(|error| line(&error.to_string()))?;
    Ok(Some(Joined { manifest, prepared, consumer, stop: Stop::default() }))
}
