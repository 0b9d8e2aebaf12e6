//! Lanes: threads that work, and the queue that feeds them fairly.
//!
//! Whoever has used least comes next, short work before long; work that was cancelled is forgotten. A thread of its own
//! does short work only, so that it never waits for long work to end.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use quincunx_game::refusal;
use quincunx_search::Stop;

use crate::{engines::Desk, rates::network, refusal::Refusal};

/// What a thread does.
type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// Work that is expected to take no longer than this counts as short.
const SHORT: Duration = Duration::from_millis(100);

/// A piece of work.
pub(crate) struct Work {
    /// The address it is done for.
    pub(crate) person: IpAddr,
    /// How long it is expected to take.
    pub(crate) cost: Duration,
    /// Cancels it.
    pub(crate) stop: Stop,
    pub(crate) job: Job,
}

/// What waits, and what each person has used.
#[derive(Default)]
struct Queue {
    people: HashMap<IpAddr, Person>,
    /// What everybody has used by now, in seconds: nobody saves up more than that.
    used: f64,
}

#[derive(Default)]
struct Person {
    /// What the person has used, in seconds.
    used: f64,
    waiting: Vec<Work>,
}

impl Queue {
    fn push(&mut self, work: Work) {
        let person = self.people.entry(network(work.person)).or_default();
        person.used = person.used.max(self.used);
        person.waiting.push(work);
    }

    /// The next piece of work.
    fn take(&mut self, only_short: bool) -> Option<Work> {
        let mut best: Option<(f64, IpAddr, usize)> = None;
        self.forget_cancelled();
        for (&address, person) in &self.people {
            // The first of the shortest.
            let Some((index, work)) = person.waiting.iter().enumerate().min_by_key(|(_, work)| work.cost) else {
                continue;
            };
            // Long work stands back behind short work, but only a little: it would never come otherwise.
            let place = person.used.max(self.used) + work.cost.min(SHORT).as_secs_f64();
            if (!only_short || work.cost <= SHORT) && best.is_none_or(|(least, ..)| place < least) {
                best = Some((place, address, index));
            }
        }
        let (_, address, index) = best?;
        let person = self.people.get_mut(&address)?;
        let work = person.waiting.remove(index);
        self.used = self.used.max(person.used);
        person.used = self.used + work.cost.as_secs_f64();
        let used = self.used;
        self.people.retain(|_, person| !person.waiting.is_empty() || person.used > used);
        Some(work)
    }

    fn forget_cancelled(&mut self) {
        for person in self.people.values_mut() {
            person.waiting.retain(|work| !work.stop.is_stopped());
        }
    }

    /// Corrects what a person has used, when it is known how long the work took.
    fn took(&mut self, address: IpAddr, cost: Duration, took: Duration) {
        if let Some(person) = self.people.get_mut(&network(address)) {
            person.used += took.as_secs_f64() - cost.as_secs_f64();
        }
    }

    fn waiting(&self) -> usize {
        let open = |person: &Person| person.waiting.iter().filter(|work| !work.stop.is_stopped()).count();
        self.people.values().map(open).sum()
    }
}

/// A queue and the threads that serve it.
#[derive(Clone)]
pub(crate) struct Lane(Arc<Inner>);

struct Inner {
    queue: Mutex<Queue>,
    ready: Condvar,
    most: usize,
}

impl Lane {
    /// A lane of so many threads, and one more for short work; at most `most` pieces of work wait.
    pub(crate) fn new(name: &str, threads: usize, most: usize) -> Self {
        let lane = Self(Arc::new(Inner { queue: Mutex::default(), ready: Condvar::new(), most }));
        for number in 0..=threads {
            let lane = lane.clone();
            thread::Builder::new()
                .name(format!("{name}-{number}"))
                .spawn(move || lane.work(number == threads))
                .expect("a thread can be started");
        }
        lane
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().expect("no thread panics with the lock")
    }

    fn work(&self, only_short: bool) {
        let mut desk = Desk::default();
        loop {
            let mut queue = self.queue();
            let Work { person, cost, job, .. } = loop {
                if let Some(work) = queue.take(only_short) {
                    break work;
                }
                queue = self.0.ready.wait(queue).expect("no thread panics with the lock");
            };
            drop(queue);
            let started = Instant::now();
            // An agent that panics must not end the thread, which serves other games too.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut desk))).is_err() {
                tracing::error!("an agent panicked");
                desk = Desk::default();
            }
            self.queue().took(person, cost, started.elapsed());
        }
    }

    /// Refuses if too much waits already.
    pub(crate) fn check_room(&self) -> Result<(), Refusal> {
        if self.waiting() >= self.0.most {
            return Err(Refusal::unavailable(refusal!("engines.busy", "all engines are busy; try again in a moment")));
        }
        Ok(())
    }

    /// Lets work wait for a thread, unless too much waits already.
    pub(crate) fn submit(&self, work: Work) -> Result<(), Refusal> {
        self.check_room()?;
        self.go_on(work);
        Ok(())
    }

    /// Lets work wait that was let in already.
    pub(crate) fn go_on(&self, work: Work) {
        self.queue().push(work);
        // One thread does short work only: the one that is woken may not be one that takes this.
        self.0.ready.notify_all();
    }

    /// Drops what was cancelled. It is never done anyway, but it holds memory until then.
    pub(crate) fn forget_cancelled(&self) {
        self.queue().forget_cancelled();
    }

    /// How much work waits for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.queue().waiting()
    }

    /// Whether work of others than this person waits.
    pub(crate) fn others_wait(&self, person: IpAddr) -> bool {
        let person = network(person);
        let open = |work: &Work| !work.stop.is_stopped();
        self.queue().people.iter().any(|(&address, other)| address != person && other.waiting.iter().any(open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1);

    fn work(person: u8, cost: Duration) -> Work {
        Work { person: [10, 0, 0, person].into(), cost, stop: Stop::default(), job: Box::new(|_| {}) }
    }

    fn order(queue: &mut Queue) -> Vec<(u8, u64)> {
        let who = |work: Work| match work.person {
            IpAddr::V4(address) => (address.octets()[3], work.cost.as_millis() as u64),
            IpAddr::V6(_) => unreachable!("all are of IPv4"),
        };
        std::iter::from_fn(|| queue.take(false).map(who)).collect()
    }

    #[test]
    fn everybody_has_a_share_however_much_one_asks_for() {
        let mut queue = Queue::default();
        for _ in 0..4 {
            queue.push(work(1, LONG));
        }
        queue.push(work(2, LONG));
        queue.push(work(3, LONG));
        let people: Vec<_> = order(&mut queue).into_iter().map(|(person, _)| person).collect();
        let mut first = people[..3].to_vec();
        first.sort_unstable();
        assert_eq!(first, [1, 2, 3], "{people:?}");
        assert_eq!(people[3..], [1, 1, 1]);
    }

    #[test]
    fn short_work_comes_first_also_ones_own() {
        let mut queue = Queue::default();
        for _ in 0..16 {
            queue.push(work(1, LONG));
        }
        queue.push(work(1, Duration::from_millis(2)));
        queue.push(work(2, Duration::from_millis(1)));
        let order = order(&mut queue);
        assert_eq!(order[..2], [(2, 1), (1, 2)]);
    }

    #[test]
    fn nobody_saves_up_and_nobody_pays_for_the_past_alone() {
        let mut queue = Queue::default();
        for _ in 0..100 {
            queue.push(work(1, LONG));
            queue.take(false);
        }
        queue.push(work(2, LONG));
        queue.push(work(2, LONG));
        queue.push(work(1, LONG));
        assert_eq!(order(&mut queue).len(), 3);
        assert!(queue.people.len() <= 2, "people without work are forgotten");
    }

    #[test]
    fn cancelled_work_has_no_place() {
        let mut queue = Queue::default();
        let cancelled = work(1, LONG);
        let stop = cancelled.stop.clone();
        queue.push(cancelled);
        queue.push(work(1, LONG));
        assert_eq!(queue.waiting(), 2);
        stop.stop();
        assert_eq!(queue.waiting(), 1);
        assert_eq!(order(&mut queue).len(), 1);
    }

    #[test]
    fn a_thread_for_short_work_leaves_long_work_to_others() {
        let mut queue = Queue::default();
        queue.push(work(1, LONG));
        assert!(queue.take(true).is_none());
        queue.push(work(1, SHORT));
        assert!(queue.take(true).is_some_and(|work| work.cost == SHORT));
    }

    #[test]
    fn one_thread_is_free_for_short_work_however_much_long_work_there_is() {
        let lane = Lane::new("test", 1, 10);
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let submit = |cost: Duration| {
            let (tell, ended) = (tell.clone(), Arc::clone(&ended));
            let job = Box::new(move |_: &mut Desk| {
                tell.send(cost).unwrap();
                if cost == LONG {
                    _ = ended.lock().unwrap().recv();
                }
            });
            lane.submit(Work { job, ..work(1, cost) }).unwrap();
        };
        let patience = Duration::from_secs(60);
        submit(LONG);
        assert_eq!(told.recv_timeout(patience), Ok(LONG));
        submit(LONG);
        assert!(told.recv_timeout(Duration::from_millis(200)).is_err(), "it has no thread before the first one ends");
        submit(SHORT);
        assert_eq!(told.recv_timeout(patience), Ok(SHORT));
        drop(end);
        assert_eq!(told.recv_timeout(patience), Ok(LONG));
    }
}
