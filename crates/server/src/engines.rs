//! The engines: threads that think, and the queue that feeds them.
//!
//! Moves and analyses have separate threads, so that a game never waits for a long analysis.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex},
    thread,
};

use quincunx_agents::{Agent, Answer, Request, build};
use quincunx_game::{AnyGame, refusal};
use tokio::sync::oneshot;

use crate::refusal::Refusal;

/// One task for a thread.
type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// What a thread keeps between jobs: the last agent, which may remember what it has searched.
#[derive(Default)]
pub(crate) struct Desk {
    agent: Option<(AgentKey, Box<dyn Agent>)>,
}

/// The game and the seat that an agent plays for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AgentKey {
    rules: String,
    spec: String,
    /// The game and the side.
    seat: (String, usize),
}

/// A queue and the threads that serve it.
#[derive(Clone)]
pub(crate) struct Lane(Arc<LaneInner>);

struct LaneInner {
    queue: Mutex<VecDeque<Job>>,
    ready: Condvar,
    most: usize,
}

impl Lane {
    fn new(name: &str, threads: usize, most: usize) -> Self {
        let lane = Self(Arc::new(LaneInner { queue: Mutex::default(), ready: Condvar::new(), most }));
        for number in 0..threads {
            let lane = lane.clone();
            thread::Builder::new()
                .name(format!("{name}-{number}"))
                .spawn(move || lane.work())
                .expect("a thread can be started");
        }
        lane
    }

    fn work(&self) {
        let mut desk = Desk::default();
        loop {
            let mut queue = self.0.queue.lock().expect("no thread panics with the lock");
            let job = loop {
                if let Some(job) = queue.pop_front() {
                    break job;
                }
                queue = self.0.ready.wait(queue).expect("no thread panics with the lock");
            };
            drop(queue);
            // An agent that panics must not end the thread, which serves other games too.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut desk))).is_err() {
                tracing::error!("an agent panicked");
                desk = Desk::default();
            }
        }
    }

    /// Puts a job at the end of the queue.
    pub(crate) fn submit(&self, job: impl FnOnce(&mut Desk) + Send + 'static) -> Result<(), Refusal> {
        let mut queue = self.0.queue.lock().expect("no thread panics with the lock");
        if queue.len() >= self.0.most {
            return Err(Refusal::unavailable(refusal!("engines.busy", "all engines are busy; try again in a moment")));
        }
        queue.push_back(Box::new(job));
        self.0.ready.notify_one();
        Ok(())
    }

    /// How many jobs wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.0.queue.lock().expect("no thread panics with the lock").len()
    }
}

/// All engines of the server.
pub(crate) struct Engines {
    moves: Lane,
    /// The queue of analyses, reviews and hints.
    pub(crate) analyses: Lane,
}

/// A request for a move.
pub(crate) struct MoveWanted {
    pub(crate) id: String,
    pub(crate) spec: String,
    pub(crate) seed: u64,
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) request: Request,
}

impl Engines {
    /// Starts `threads` for moves, and as many for analyses.
    pub(crate) fn new(threads: usize) -> Self {
        Self { moves: Lane::new("mover", threads, 10_000), analyses: Lane::new("analyst", threads, 200) }
    }

    /// How many moves and how many analyses wait for a thread.
    pub(crate) fn waiting(&self) -> [usize; 2] {
        [self.moves.waiting(), self.analyses.waiting()]
    }

    /// Asks an agent for its move; the receiver gets the answer, or the reason why there is none.
    pub(crate) fn ask(&self, wanted: MoveWanted) -> Result<oneshot::Receiver<Result<Answer, String>>, Refusal> {
        let (done, answer) = oneshot::channel();
        self.moves.submit(move |desk| {
            let _ = done.send(desk.choose(&wanted));
        })?;
        Ok(answer)
    }
}

impl Desk {
    fn choose(&mut self, wanted: &MoveWanted) -> Result<Answer, String> {
        let key = AgentKey {
            rules: format!("{} {}", wanted.game.rules().about.name, wanted.game.rules()),
            spec: wanted.spec.clone(),
            seat: (wanted.id.clone(), wanted.game.to_move().index()),
        };
        let mut agent = match self.agent.take() {
            Some((known, agent)) if known == key => agent,
            Some((known, mut agent)) if known.spec == key.spec && known.rules == key.rules => {
                agent.new_game();
                agent
            }
            _ => build(&wanted.spec, wanted.game.rules(), wanted.seed).map_err(|error| error.to_string())?,
        };
        let answer = agent.choose(&*wanted.game, &wanted.request).map_err(|failure| failure.to_string());
        self.agent = Some((key, agent));
        answer
    }
}
