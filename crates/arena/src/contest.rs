//! A contest: the games of a plan played to the last, kept on disk, gone on with after a kill.

use std::{ops::ControlFlow, path::Path};

use quincunx_search::Stop;

use crate::{ContestError, GameRecord, Journal, Plan, Timing, Workers, run::run};

/// Receives what happens during contests, for a progress bar or a log. Every part of it may be ignored.
pub trait Progress {
    /// A contest of so many games begins.
    fn begin(&mut self, _games: u64) {}
    /// One more of its games is finished.
    fn advance(&mut self) {}
    /// How it stands, now and then.
    fn show(&mut self, _standing: String) {}
    /// It is over.
    fn end(&mut self) {}
    /// A line about what comes next.
    fn tell(&mut self, _line: &str) {}
}

impl Progress for () {}

/// Plays contests, one after the other.
pub struct Runner {
    /// The threads that play.
    pub workers: Workers,
    /// The signal that ends all contests, keeping what was finished.
    pub stop: Stop,
    /// What is told meanwhile.
    pub progress: Box<dyn Progress>,
}

impl Runner {
    /// Plays the games of a plan that are not in the journal of the directory `out` yet, until `take` has seen enough
    /// or `stop` is given. Every game, old or new, goes through `take`. Returns what the new ones took.
    pub fn play(
        &mut self,
        plan: &Plan,
        out: Option<&Path>,
        mut take: impl FnMut(GameRecord, &mut dyn Progress) -> ControlFlow<()>,
    ) -> Result<Timing, ContestError> {
        let progress = &mut *self.progress;
        progress.begin(plan.bouts.len() as u64);
        let mut pending: Vec<u64> = (0..plan.bouts.len() as u64).collect();
        let mut journal = None;
        if let Some(directory) = out {
            let (opened, mut old) = Journal::open(directory, plan)?;
            journal = Some(opened);
            old.sort_by_key(|record| record.number);
            pending.retain(|number| old.binary_search_by_key(number, |record| record.number).is_err());
            for record in old {
                progress.advance();
                if take(record, progress).is_break() {
                    pending.clear();
                }
            }
        }
        let timing = run(plan, &pending, self.workers, &self.stop, |records| {
            let mut flow = ControlFlow::Continue(());
            for record in records {
                let record = record?;
                if let Some(journal) = &mut journal {
                    journal.add(&record);
                }
                progress.advance();
                flow = take(record, progress);
                if flow.is_break() {
                    break;
                }
            }
            journal.as_mut().map_or(Ok(()), Journal::flush)?;
            Ok(flow)
        })?;
        if let Some(journal) = &mut journal {
            journal.finish(plan)?;
        }
        self.progress.end();
        Ok(timing)
    }

    /// Plays all games of a plan, as [`play`](Self::play) does; the records in order. Some are missing if it was
    /// stopped.
    pub fn records(&mut self, plan: &Plan, out: Option<&Path>) -> Result<Vec<GameRecord>, ContestError> {
        let mut records = Vec::with_capacity(plan.bouts.len());
        self.play(plan, out, |record, _| {
            records.push(record);
            ControlFlow::Continue(())
        })?;
        records.sort_by_key(|record| record.number);
        Ok(records)
    }
}
