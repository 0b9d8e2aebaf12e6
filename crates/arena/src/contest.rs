//! A contest: the games of a plan played to the last, kept on disk, gone on with after a kill.

use std::{ops::ControlFlow, path::Path};

use quincunx_game::TextError;
use quincunx_search::Stop;

use crate::{ContestError, Desk, Ended, GameRecord, Journal, Machines, Plan, Players, Timing, Workers};

/// Receives what happens during contests, for a progress bar or a log. Every part of it may be ignored.
pub trait Progress {
    /// A contest of so many games begins.
    fn begin(&mut self, _games: u64) {}
    /// One more of its games is finished.
    fn advance(&mut self) {}
    /// The machines that play, now and then, if this process does not.
    fn show_crew(&mut self, _crew: String) {}
    /// How it stands, now and then.
    fn show(&mut self, _standing: String) {}
    /// It is over.
    fn end(&mut self) {}
    /// A line about what comes next.
    fn tell(&mut self, _line: &str) {}
}

impl Progress for () {}

/// An audience is shown the games of a contest, in the order they end.
pub trait Audience {
    /// Takes a game; it may end the contest.
    fn take(&mut self, record: GameRecord, progress: &mut dyn Progress) -> ControlFlow<()>;

    /// Forgets every game: some turned out to be wrong, and all that hold come again.
    fn begin_again(&mut self);
}

impl Audience for Vec<GameRecord> {
    fn take(&mut self, record: GameRecord, _: &mut dyn Progress) -> ControlFlow<()> {
        self.push(record);
        ControlFlow::Continue(())
    }

    fn begin_again(&mut self) {
        self.clear();
    }
}

/// Plays contests, one after the other.
pub struct Runner {
    /// The threads of this process.
    pub workers: Workers,
    /// The machines that play instead of them, if any.
    pub elsewhere: Option<Box<dyn Players>>,
    /// The signal that ends all contests, keeping what was finished.
    pub stop: Stop,
    /// What is told meanwhile.
    pub progress: Box<dyn Progress>,
}

impl Runner {
    /// Plays the games of a plan that are not in the journal of the directory `out` yet, until `audience` has seen enough
    /// or `stop` is given. Every game, old or new, is shown to it. Returns what the new ones took.
    pub fn play(
        &mut self,
        plan: &Plan,
        out: Option<&Path>,
        audience: &mut dyn Audience,
    ) -> Result<Timing, ContestError> {
        let mut journal = None;
        let timing = loop {
            let progress = &mut *self.progress;
            progress.begin(plan.bouts.len() as u64);
            let mut pending: Vec<u64> = (0..plan.bouts.len() as u64).collect();
            if let Some(directory) = out {
                // A second look at the same directory needs its lock.
                drop(journal.take());
                let (opened, mut old) = Journal::open(directory, plan)?;
                journal = Some(opened);
                old.sort_by_key(|record| record.number);
                pending.retain(|number| old.binary_search_by_key(number, |record| record.number).is_err());
                for record in old {
                    progress.advance();
                    if audience.take(record, progress).is_break() {
                        pending.clear();
                    }
                }
            }
            let mut table = Table { journal: journal.as_mut(), audience, progress };
            let players = self.elsewhere.as_deref_mut().unwrap_or(&mut self.workers);
            match players.play(plan, &pending, &self.stop, &mut table)? {
                Ended::Done(timing) => break timing,
                Ended::Retracted(numbers) => {
                    journal.as_mut().map_or(Ok(()), |journal| journal.retract(&numbers))?;
                    audience.begin_again();
                }
            }
        };
        if let Some(journal) = &mut journal {
            journal.finish(plan)?;
        }
        if let Some(players) = &mut self.elsewhere
            && !self.stop.is_stopped()
        {
            players.finish(plan)?;
        }
        self.progress.end();
        Ok(timing)
    }

    /// The games of the last plan that could not be played, each with the reason in one line.
    pub fn set_aside(&self) -> &[String] {
        self.elsewhere.as_deref().map_or(&[], Players::set_aside)
    }

    /// Plays all games of a plan, as [`play`](Self::play) does; the records in order. Some are missing if it was
    /// stopped.
    pub fn records(&mut self, plan: &Plan, out: Option<&Path>) -> Result<Vec<GameRecord>, ContestError> {
        let mut records = Vec::with_capacity(plan.bouts.len());
        self.play(plan, out, &mut records)?;
        records.sort_by_key(|record| record.number);
        Ok(records)
    }
}

/// Where the games of a contest go: to the journal first, then to the audience.
struct Table<'a> {
    journal: Option<&'a mut Journal>,
    audience: &'a mut dyn Audience,
    progress: &'a mut dyn Progress,
}

impl Desk for Table<'_> {
    fn take(
        &mut self,
        records: &mut dyn Iterator<Item = Result<GameRecord, TextError>>,
    ) -> Result<ControlFlow<()>, ContestError> {
        let mut flow = ControlFlow::Continue(());
        for record in records {
            let record = record?;
            if let Some(journal) = &mut self.journal {
                journal.add(&record);
            }
            self.progress.advance();
            flow = self.audience.take(record, self.progress);
            if flow.is_break() {
                break;
            }
        }
        self.journal.as_mut().map_or(Ok(()), |journal| journal.flush())?;
        Ok(flow)
    }

    fn progress(&mut self) -> &mut dyn Progress {
        self.progress
    }

    fn show_machines(&mut self, machines: &Machines) {
        if let Some(journal) = &mut self.journal {
            journal.keep_machines(machines);
        }
        self.progress.show_crew(machines.to_string());
    }
}
