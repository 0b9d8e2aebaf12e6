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

use quincunx_game::{Side, TextError};
use quincunx_machine::pin_thread;
use quincunx_outside::build;
use quincunx_search::Stop;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{GameRecord, Plan, game::referee};

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
    /// What the referee itself took for a move: everything but the agents' answers, the beginning and end of games included.
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

/// Plays the games of `plan` with the numbers in `pending`. Each record goes to `take`, which may end the run; what was asked of it
/// in one go is told to `rest` afterwards, so that it can write many small games at once. `stop` ends the run from outside, leaving
/// games unfinished. What it took is told at the end.
pub fn run<E>(
    plan: &Plan,
    pending: &[u64],
    workers: Workers,
    stop: &Stop,
    mut take: impl FnMut(GameRecord) -> Result<ControlFlow<()>, E>,
    mut rest: impl FnMut() -> Result<(), E>,
) -> Result<Timing, RunError<E>> {
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
                    let played = play(plan, number, stop, &mut timing);
                    let Some(played) = played.transpose() else { break };
                    if sender.send(played).is_err() {
                        break;
                    }
                }
                timing
            }));
        }
        drop(sender);
        // The receiver goes before the scope waits for its threads: a worker with a full queue then finds it gone.
        let receiver = receiver;
        let result = (|| -> Result<(), RunError<E>> {
            while let Ok(first) = receiver.recv() {
                let mut flow = take(first.map_err(RunError::Wrong)?).map_err(RunError::Taker)?;
                while flow.is_continue()
                    && let Ok(more) = receiver.try_recv()
                {
                    flow = take(more.map_err(RunError::Wrong)?).map_err(RunError::Taker)?;
                }
                rest().map_err(RunError::Taker)?;
                if flow.is_break() {
                    break;
                }
            }
            Ok(())
        })();
        enough.store(true, Ordering::Relaxed);
        drop(receiver);
        result?;
        let mut timing = Timing::default();
        for thread in threads {
            // A thread ends by a panic only where its game did, which is told there.
            thread.join().iter().for_each(|of_thread| timing.add(of_thread));
        }
        Ok(timing)
    })
}

/// Why a run ended before its games did.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// The plan cannot be played.
    #[error(transparent)]
    Wrong(#[from] TextError),
    /// Whoever takes the records could not go on.
    #[error("{0}")]
    Taker(E),
}

/// Plays one game; `None` where it was stopped.
fn play(plan: &Plan, number: u64, stop: &Stop, timing: &mut Timing) -> Result<Option<GameRecord>, TextError> {
    let began = Instant::now();
    let bout = &plan.bouts[number as usize];
    let opening = plan.opening(bout);
    let mut table = opening.set_up(&plan.rules)?;
    if opening.position.is_none() {
        table.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(plan.pair_seed(bout)));
    }
    let [first, second] = Side::BOTH
        .map(|side| build(&plan.agents[bout.seats[side.index()]], &plan.rules, plan.seat_seed(number, side.index())));
    let mut agents = [first?, second?];
    let played = referee(&mut *table, &mut agents, &plan.limit, plan.draws_to_faster, stop);
    let Some(outcome) = played.outcome else { return Ok(None) };
    timing.moves += played.turns.len() as u64;
    timing.thinking += played.turns.iter().map(|turn| turn.wall).sum::<Duration>();
    let record = GameRecord::new(plan, number, bout, &*table, played, outcome);
    timing.games += 1;
    timing.busy += began.elapsed();
    Ok(Some(record))
}
