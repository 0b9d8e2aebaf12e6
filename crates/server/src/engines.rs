//! The engines: what is asked for their moves, and how long they are expected to take.
//!
//! Moves and analyses have separate threads, so that a game never waits for a long analysis.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use quincunx_agents::{
    Agent, Answer, AnyEngine, Resources, analyst, build,
    elsewhere::{Elsewhere, MoveWanted},
};
use quincunx_game::Rules;
use tokio::sync::oneshot;

use crate::{
    lanes::{Lane, Work},
    refusal::Refusal,
};

/// How long an agent is expected to think if it was never asked before.
const UNKNOWN: Duration = Duration::from_millis(50);

/// How soon to try again if too much waits for the engines here.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// What a thread keeps between jobs: the last agent, which may remember what it has searched.
#[derive(Default)]
pub(crate) struct Desk {
    agent: Option<(AgentKey, Box<dyn Agent>)>,
    /// The engine that reviews games of these rules.
    analyst: Option<(String, Box<dyn AnyEngine>)>,
}

/// The game and the seat that an agent plays for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AgentKey {
    rules: String,
    spec: String,
    /// The game and the side.
    seat: (String, usize),
}

/// All engines of the server.
#[derive(Clone)]
pub(crate) struct Engines {
    /// Those on other machines, which are asked first.
    pub(crate) elsewhere: Option<Arc<dyn Elsewhere>>,
    moves: Lane,
    /// The queue of analyses, reviews and hints.
    pub(crate) analyses: Lane,
    /// How long the moves of each agent took lately, by game and spec.
    times: Arc<Mutex<HashMap<String, Duration>>>,
}

/// A request for a move.
pub(crate) struct MoveFor {
    /// The address that the move is made for.
    pub(crate) person: IpAddr,
    /// The game.
    pub(crate) id: String,
    pub(crate) wanted: MoveWanted,
}

/// Takes the answer of an engine, or the reason why there is none.
type Done = oneshot::Sender<Result<Answer, String>>;

impl Engines {
    /// Starts `threads` for moves, and as many for analyses.
    pub(crate) fn new(threads: usize, elsewhere: Option<Arc<dyn Elsewhere>>) -> Self {
        Self {
            elsewhere,
            moves: Lane::new("mover", threads, 10_000),
            analyses: Lane::new("analyst", threads, 200),
            times: Arc::default(),
        }
    }

    /// Drops what was cancelled before an engine had begun with it.
    pub(crate) fn forget_cancelled(&self) {
        self.moves.forget_cancelled();
        self.analyses.forget_cancelled();
    }

    /// How many moves and how many analyses wait for a thread.
    pub(crate) fn waiting(&self) -> [usize; 2] {
        [self.moves.waiting(), self.analyses.waiting()]
    }

    /// Asks an agent for its move; the receiver gets the answer, or the reason why there is none.
    ///
    /// If the request is stopped before an engine has begun with it, the receiver is told that the sender is gone.
    pub(crate) fn ask(&self, asked: MoveFor) -> Result<oneshot::Receiver<Result<Answer, String>>, Refusal> {
        let (done, answer) = oneshot::channel();
        if let Some(elsewhere) = &self.elsewhere {
            tokio::spawn(self.clone().ask_elsewhere(Arc::clone(elsewhere), asked, done));
        } else {
            self.moves.check_room()?;
            self.ask_here(asked, done);
        }
        Ok(answer)
    }

    /// Asks other machines, and the engines here for what they did not do.
    async fn ask_elsewhere(self, elsewhere: Arc<dyn Elsewhere>, mut asked: MoveFor, done: Done) {
        match elsewhere.choose(&asked.wanted).await {
            Ok(answer) => _ = done.send(Ok(answer)),
            Err(left) => {
                asked.wanted.request.limits = left;
                while self.moves.check_room().is_err() && !asked.wanted.request.stop.is_stopped() {
                    tokio::time::sleep(TRY_AGAIN).await;
                }
                self.ask_here(asked, done);
            }
        }
    }

    /// Asks the engines of this machine.
    fn ask_here(&self, asked: MoveFor, done: Done) {
        let kind = format!("{} {}", asked.wanted.game.rules().about.name, asked.wanted.spec);
        let times = Arc::clone(&self.times);
        let known = |times: &HashMap<String, Duration>| times.get(&kind).copied();
        let cost = known(&times.lock().expect("no thread panics with the lock")).unwrap_or(UNKNOWN);
        let (person, stop) = (asked.person, asked.wanted.request.stop.clone());
        let job = Box::new(move |desk: &mut Desk| {
            let started = Instant::now();
            let answer = desk.choose(&asked);
            if !asked.wanted.request.stop.is_stopped() {
                let mut times = times.lock().expect("no thread panics with the lock");
                let time = times.entry(kind).or_insert(started.elapsed());
                *time = (*time * 3 + started.elapsed()) / 4;
            }
            _ = done.send(answer);
        });
        self.moves.go_on(Work { person, cost, stop, job });
    }
}

impl Desk {
    /// An engine that values positions of these rules.
    pub(crate) fn analyst(&mut self, rules: &Rules, resources: Resources) -> &mut dyn AnyEngine {
        let name = format!("{} {rules}", rules.about.name);
        if self.analyst.as_ref().is_none_or(|(known, _)| *known != name) {
            self.analyst = None;
        }
        &mut *self.analyst.get_or_insert_with(|| (name, analyst(rules, resources, None))).1
    }

    fn choose(&mut self, asked: &MoveFor) -> Result<Answer, String> {
        let MoveFor { id, wanted, .. } = asked;
        let key = AgentKey {
            rules: format!("{} {}", wanted.game.rules().about.name, wanted.game.rules()),
            spec: wanted.spec.clone(),
            seat: (id.clone(), wanted.game.to_move().index()),
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
