//! Plays the games of a plan on several threads and hands the records to one place, in the order they end.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use quincunx_game::TextError;
use quincunx_machine::pin_thread;
use quincunx_search::Stop;

use crate::{ContestError, GameRecord, Machines, Plan, Progress, play::timed_game, selfplay::SelfPlayers};

/// Where finished games go while a plan is played.
pub trait Desk {
    /// Takes records as they come, all that wait at once, so that many small games can be written in one go. It may end
    /// the run.
    fn take(
        &mut self,
        records: &mut dyn Iterator<Item = Result<GameRecord, TextError>>,
    ) -> Result<ControlFlow<()>, ContestError>;

    /// Where to tell what happens meanwhile.
    fn progress(&mut self) -> &mut dyn Progress;

    /// Takes the machines that play, now and then, if other machines do.
    fn show_machines(&mut self, machines: &Machines) {
        self.progress().show_crew(machines.to_string());
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    /// All games were taken, or enough of them, or it was stopped; what it took.
    Done(Timing),
    /// The games with these numbers were taken and turned out to be wrong: they are to be forgotten, and the run begins
    /// again with the rest.
    Retracted(Vec<u64>),
}

/// The players of the games of a plan: threads of this process, or machines far away.
pub trait Players {
    /// Plays the games of `plan` with the numbers in `pending`; `stop` ends it from outside, leaving games unfinished.
    fn play(&mut self, plan: &Plan, pending: &[u64], stop: &Stop, desk: &mut dyn Desk) -> Result<Ended, ContestError>;

    /// Told when all games of a plan are safe: what was kept for going on with it may go.
    fn finish(&mut self, _plan: &Plan) -> Result<(), ContestError> {
        Ok(())
    }

    /// The games of the last plan that could not be played, each with the reason in one line.
    fn set_aside(&self) -> &[String] {
        &[]
    }

    /// The same machines for games of self-play, if they play those too.
    fn self_players(&mut self) -> Option<&mut dyn SelfPlayers> {
        None
    }
}

/// The threads that play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workers {
    /// How many games are played at the same time.
    pub count: usize,
    /// Whether each thread keeps to one processor.
    pub pinned: bool,
}

/// What a run took, over all its threads.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Timing {
    /// Games played to their end.
    pub games: u64,
    /// Moves asked for in them.
    pub moves: u64,
    /// The time the threads were busy with games.
    pub busy: Duration,
    /// The part of it that the agents took to answer.
    pub thinking: Duration,
}

impl Timing {
    /// What the referee itself took for a move: everything but the agents' answers, the beginning and end of games
    /// included.
    pub fn overhead(&self) -> Duration {
        self.busy.saturating_sub(self.thinking).div_f64(self.moves.max(1) as f64)
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.busy += other.busy;
        self.thinking += other.thinking;
    }
}

/// Records that may wait to be taken, for each worker: enough that nobody waits, and little to lose.
const QUEUE: usize = 64;

impl Players for Workers {
    fn play(&mut self, plan: &Plan, pending: &[u64], stop: &Stop, desk: &mut dyn Desk) -> Result<Ended, ContestError> {
        run(plan, pending, *self, stop, desk).map(Ended::Done)
    }
}

fn run(
    plan: &Plan,
    pending: &[u64],
    workers: Workers,
    stop: &Stop,
    desk: &mut dyn Desk,
) -> Result<Timing, ContestError> {
    let count = workers.count.clamp(1, pending.len().max(1));
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    let (sender, receiver) = mpsc::sync_channel(QUEUE * count);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for worker in 0..count {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            threads.push(scope.spawn(move || {
                if workers.pinned {
                    pin_thread(worker);
                }
                let mut timing = Timing::default();
                while !enough.load(Ordering::Relaxed) && !stop.is_stopped() {
                    let Some(&number) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let began = Instant::now();
                    let Some(played) = timed_game(plan, number, stop).transpose() else { break };
                    let record = played.map(|(record, thinking)| {
                        timing.add(&Timing {
                            games: 1,
                            moves: record.moves.len() as u64,
                            busy: began.elapsed(),
                            thinking,
                        });
                        record
                    });
                    if sender.send(record).is_err() {
                        break;
                    }
                }
                timing
            }));
        }
        drop(sender);
        // The receiver goes before the scope waits for its threads: a worker with a full queue then finds it gone.
        let receiver = receiver;
        let mut result = Ok(ControlFlow::Continue(()));
        while let Ok(ControlFlow::Continue(())) = result
            && let Ok(first) = receiver.recv()
        {
            result = desk.take(&mut std::iter::once(first).chain(receiver.try_iter()));
        }
        enough.store(true, Ordering::Relaxed);
        drop(receiver);
        _ = result?;
        let mut timing = Timing::default();
        for thread in threads {
            // A panic of an agent is caught in its game; a thread that panics all the same has no timing.
            thread.join().iter().for_each(|of_thread| timing.add(of_thread));
        }
        Ok(timing)
    })
}
