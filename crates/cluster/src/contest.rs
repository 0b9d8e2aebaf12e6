//! Contests over machines: a plan whose games are played by workers.

use std::{
    ops::ControlFlow,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use quincunx_agents::{Pace, pace};
use quincunx_arena::{
    Claim, ContestError, Desk, Ended, GameRecord, Machines, Plan, Players, play_fixture, selfplay::SelfPlayers,
};
use quincunx_outside::is_program;
use quincunx_search::{Limits, Stop};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::{
    Access,
    fit::Ability,
    lead::Lead,
    message::{Claims, Manifest, Message, Needs, PROTOCOL, Report, Task, Work, bytes},
    object::{self, Carried},
    project::{Judge, Project, Taken},
    queue::Queue,
    seal::hash,
    subject,
};

/// How a contest is spread.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the queue is.
    pub access: Access,
    /// Whether clocks are stretched on machines slower than this one, and shortened on faster ones.
    pub cpu_scaled: bool,
    /// The names of the workers that may take part; all if there are none.
    pub workers: Vec<String>,
    /// A worker that is silent for so long has lost its job to another.
    pub silence: Duration,
}

impl Options {
    /// All workers of a queue, under the usual conditions.
    pub fn new(access: Access) -> Self {
        Self { access, cpu_scaled: false, workers: Vec::new(), silence: Duration::from_secs(30) }
    }
}

/// The machines behind a queue as players.
pub struct Cluster {
    pub(crate) runtime: Runtime,
    pub(crate) queue: Queue,
    pub(crate) options: Options,
    pub(crate) ability: Ability,
    /// The contest that is played, to be forgotten at its end.
    pub(crate) current: Option<Manifest>,
    set_aside: Vec<String>,
}

impl Cluster {
    /// Connects to the queue. Needs no worker yet.
    pub fn new(options: Options) -> Result<Self, ContestError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| ContestError::Queue(format!("cannot start threads: {error}")))?;
        let queue = runtime.block_on(Queue::open(&options.access, "quincunx coordinator"))?;
        let ability = Ability::coordinator();
        Ok(Self { runtime, queue, options, ability, current: None, set_aside: Vec::new() })
    }

    /// The seed of a contest of this command that was begun and not ended, also on another machine.
    pub fn seed(&self, plan: &Plan) -> Option<u64> {
        let command = command_of(plan);
        let found = self.runtime.block_on(self.queue.states::<Manifest>(subject::ALL_CONTESTS)).ok()?;
        found.into_iter().find_map(|(_, manifest)| match manifest.work {
            Work::Games { seed, .. } if manifest.command == command => Some(seed),
            _ => None,
        })
    }

    /// Everything that workers must know of a plan.
    fn manifest(&self, plan: &Plan) -> Result<(Manifest, Vec<Vec<u8>>), ContestError> {
        self.check_clocks(plan)?;
        let (files, contents): (Vec<Carried>, Vec<_>) = object::gather(&plan.agents)?.into_iter().unzip();
        let programs = plan.agents.iter().any(|spec| is_program(spec));
        let speed = if self.options.cpu_scaled && has_clock(plan) {
            Some(self.ability.bench(plan.rules.about.name).map_err(ContestError::Queue)?.1)
        } else {
            None
        };
        // What a job should hold is tried while the search is measured.
        let (needs, batch) = thread::scope(|scope| {
            let tried = scope.spawn(|| batch(plan));
            (Needs::of(&plan.rules, &self.ability), tried.join().unwrap_or(2))
        });
        let needs = Needs { programs, workers: self.options.workers.clone(), speed, ..needs? };
        let work = Work::Games {
            game: plan.rules.about.name.into(),
            ruleset: plan.rules.to_string(),
            agents: plan.agents.clone(),
            limit: plan.limit.to_string(),
            draws_to_faster: plan.draws_to_faster,
            seed: plan.seed,
        };
        let identity =
            json!([PROTOCOL, plan.identity(), plan.openings, plan.bouts, files, needs.version, needs.signature]);
        let mut manifest = Manifest {
            protocol: PROTOCOL,
            id: hash(&bytes(&identity))[..16].into(),
            command: command_of(plan),
            title: format!("{}: {}", plan.rules.about.name, plan.agents.join(" against ")).chars().take(200).collect(),
            games: Some(plan.bouts.len() as u64),
            work,
            needs,
            silence_ms: self.options.silence.as_millis() as u64,
            batch,
            files,
        };
        let known = self.runtime.block_on(Queue::last(&self.queue.state, &subject::contest(&manifest.id)))?;
        let known = known.and_then(|known| Manifest::read(&known.payload).ok());
        // One that goes on keeps its jobs as they are; the speed it began with stays the measure.
        if let Some(known) = known {
            (manifest.batch, manifest.needs.speed) = (known.batch, known.needs.speed);
        }
        Ok((manifest, contents))
    }

    /// Refuses clocks that would run differently on every machine.
    fn check_clocks(&self, plan: &Plan) -> Result<(), ContestError> {
        if !self.options.workers.is_empty() {
            return Ok(());
        }
        let limits = counted(plan);
        for spec in plan.agents.iter().filter(|spec| !is_program(spec)) {
            if pace(spec, &limits)? == Pace::Clock && !has_clock(plan) {
                return Err(ContestError::wrong(format!(
                    "{spec} thinks by the clock, which runs differently on every machine: give it nodes or a depth, a \
                     --limit with --cpu-scaled, or name the machines with --workers"
                )));
            }
            if self.options.cpu_scaled && pace(spec, &Limits { nodes: Some(1), ..limits })? == Pace::Clock {
                return Err(ContestError::wrong(format!(
                    "the clock of {spec} is its own and cannot be scaled: give the time as a --limit"
                )));
            }
        }
        if has_clock(plan) && !self.options.cpu_scaled {
            return Err(ContestError::wrong(
                "a clock runs differently on every machine: scale it with --cpu-scaled, or name the machines with --workers",
            ));
        }
        Ok(())
    }
}

/// Whether the games of a plan have a clock.
fn has_clock(plan: &Plan) -> bool {
    plan.limit.movetime.is_some() || plan.limit.clock.is_some() || plan.limit.cpu.is_some()
}

/// The limits of a plan that are counted.
fn counted(plan: &Plan) -> Limits {
    Limits { nodes: plan.limit.nodes, depth: plan.limit.depth, ..Limits::default() }
}

/// Whether a game of the plan that is played again comes out the same.
fn is_repeatable(plan: &Plan) -> bool {
    let limits = counted(plan);
    let same = |spec: &String| !is_program(spec) && pace(spec, &limits).is_ok_and(|pace| pace == Pace::Counted);
    !has_clock(plan) && !plan.draws_to_faster && plan.agents.iter().all(same)
}

/// What a command asks for, whatever seed it has drawn.
fn command_of(plan: &Plan) -> String {
    let mut identity = plan.identity();
    identity["seed"] = 0.into();
    hash(&bytes(&json!([identity, plan.bouts.len()])))[..16].into()
}

/// The games of a job: a pair, or as many as take a while if they are very short.
fn batch(plan: &Plan) -> u64 {
    /// What a job should take at least, against what it costs to hand it around.
    const LEAST: Duration = Duration::from_millis(60);
    /// The games of a job, and the bytes a result should have at most.
    const MOST: u64 = 256;
    const MOST_BYTES: usize = 200 << 10;
    if !is_repeatable(plan) || plan.bouts.len() < 1000 {
        return 2;
    }
    let stop = Stop::default();
    let done = Arc::new(AtomicBool::new(false));
    let timer = thread::spawn({
        let (stop, done) = (stop.clone(), Arc::clone(&done));
        move || {
            let began = Instant::now();
            while began.elapsed() < LEAST && !done.load(std::sync::atomic::Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(2));
            }
            stop.stop();
        }
    });
    let (mut games, mut size) = (0, 1);
    let began = Instant::now();
    while games < MOST
        && began.elapsed() < LEAST
        && let Ok(Some(record)) = quincunx_arena::play(plan, games, &stop)
    {
        games += 1;
        size = size.max(bytes(&Claim::of(&record)).len());
    }
    done.store(true, std::sync::atomic::Ordering::Relaxed);
    drop(timer.join());
    let shared_out = plan.bouts.len() as u64 / 32;
    let games = games.min((MOST_BYTES / size) as u64).min(shared_out);
    (games / 2 * 2).max(2)
}

impl Players for Cluster {
    fn play(&mut self, plan: &Plan, pending: &[u64], stop: &Stop, desk: &mut dyn Desk) -> Result<Ended, ContestError> {
        let (manifest, contents) = self.manifest(plan)?;
        self.current = Some(manifest.clone());
        self.set_aside.clear();
        let mut project = Games {
            plan,
            desk,
            wanted: vec![false; plan.bouts.len()],
            left: pending.len() as u64,
            next: 0,
            batch: manifest.batch,
            moves: 0,
            set_aside: &mut self.set_aside,
        };
        for &number in pending {
            project.wanted[number as usize] = true;
        }
        if pending.is_empty() {
            return Ok(Ended::Done(quincunx_arena::Timing::default()));
        }
        let queue = &self.queue;
        self.runtime.block_on(async {
            for (carried, content) in manifest.files.iter().zip(&contents) {
                object::send(queue, carried, content).await?;
            }
            let mut ended = Lead::new(queue, &manifest, &mut project, stop).run().await?;
            if let Ended::Done(timing) = &mut ended {
                timing.moves = project.moves;
            }
            Ok(ended)
        })
    }

    fn finish(&mut self, _plan: &Plan) -> Result<(), ContestError> {
        let Some(manifest) = self.current.take() else { return Ok(()) };
        Ok(self.runtime.block_on(self.queue.forget(&manifest.id))?)
    }

    fn set_aside(&self) -> &[String] {
        &self.set_aside
    }

    fn self_players(&mut self) -> Option<&mut dyn SelfPlayers> {
        Some(self)
    }
}

/// The games of a plan while they come in.
struct Games<'a> {
    plan: &'a Plan,
    desk: &'a mut dyn Desk,
    /// By number, whether a game is still to come.
    wanted: Vec<bool>,
    left: u64,
    /// The first game that is in no job yet.
    next: u64,
    batch: u64,
    moves: u64,
    set_aside: &'a mut Vec<String>,
}

impl Games<'_> {
    fn range(&self, first: u64, games: u64) -> std::ops::Range<usize> {
        let end = self.wanted.len();
        (first as usize).min(end)..(first.saturating_add(games) as usize).min(end)
    }
}

impl Project for Games<'_> {
    fn next_job(&mut self) -> Option<(u64, u64)> {
        while self.next < self.wanted.len() as u64 {
            let (first, games) = (self.next, self.batch.min(self.wanted.len() as u64 - self.next));
            self.next += games;
            if !self.is_settled(first, games) {
                return Some((first, games));
            }
        }
        None
    }

    fn task(&self, first: u64, games: u64) -> Task {
        let numbers = self.range(first, games);
        Task::Games(numbers.filter_map(|number| self.plan.fixture(number as u64).ok()).collect())
    }

    fn is_settled(&self, first: u64, games: u64) -> bool {
        !self.wanted[self.range(first, games)].contains(&true)
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }

    fn take(&mut self, report: &Report) -> Result<Taken, ContestError> {
        let Claims::Games(claims) = &report.claims else {
            return Ok(Taken::Refused("these are no games of a contest".into()));
        };
        let mut records: Vec<GameRecord> = Vec::new();
        for claim in claims {
            // One that is known needs no second look.
            if self.wanted.get(claim.number as usize) == Some(&false) {
                continue;
            }
            match self.plan.accept(claim) {
                Ok(record) => records.push(record),
                Err(error) => return Ok(Taken::Refused(error.to_string())),
            }
        }
        let mut new = Vec::with_capacity(records.len());
        for record in &mut records {
            record.version = Some(quincunx_version::VERSION.into());
            record.worker = Some(report.worker.clone());
            record.scale = report.scale;
            self.moves += record.moves.len() as u64;
            self.wanted[record.number as usize] = false;
            self.left -= 1;
            new.push(record.number);
        }
        let flow = if records.is_empty() {
            ControlFlow::Continue(())
        } else {
            self.desk.take(&mut records.into_iter().map(Ok))?
        };
        Ok(Taken::Accepted(flow, new))
    }

    fn give_up(&mut self, first: u64, games: u64, reason: &str) {
        for number in self.range(first, games) {
            if std::mem::take(&mut self.wanted[number]) {
                self.left -= 1;
                let line = format!("game {number} was put aside: {reason}");
                self.desk.progress().tell(&line);
                self.set_aside.push(line);
            }
        }
    }

    fn is_repeatable(&self) -> bool {
        is_repeatable(self.plan)
    }

    fn judge(&self) -> Judge {
        let plan = Plan { bouts: Vec::new(), openings: Vec::new(), ..self.plan.clone() };
        Arc::new(move |_, task| {
            let Task::Games(fixtures) = task else { return None };
            let play = |fixture| play_fixture(&plan, fixture, &Stop::default()).ok().flatten();
            let records = fixtures.iter().map(play).collect::<Option<Vec<_>>>()?;
            Some(Claims::Games(records.iter().map(Claim::of).collect()))
        })
    }

    fn show_machines(&mut self, machines: &Machines) {
        self.desk.show_machines(machines);
    }

    fn tell(&mut self, line: &str) {
        self.desk.progress().tell(line);
    }
}
