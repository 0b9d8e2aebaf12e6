//! What a coordinator leads: a source of jobs that takes claims and believes none of them.

use std::{ops::ControlFlow, sync::Arc};

use quincunx_arena::{ContestError, Machines};

use crate::message::{Claims, Report, Task};

/// The games of a contest, as far as the coordinator's loop must know them.
pub(crate) trait Project {
    /// The first number and the number of games of the next job that nobody was given yet; `None` if there is none now.
    fn next_job(&mut self) -> Option<(u64, u64)>;

    /// The games of a job.
    fn task(&self, first: u64, games: u64) -> Task;

    /// Whether all games of a job were taken, or are not wanted any more.
    fn is_settled(&self, first: u64, games: u64) -> bool;

    /// Whether all games were taken.
    fn is_done(&self) -> bool;

    /// Checks what a worker claims and takes the games that are wanted. `Refused` tells what is wrong with it.
    fn take(&mut self, report: &Report) -> Result<Taken, ContestError>;

    /// The games of a job will not come.
    fn give_up(&mut self, first: u64, games: u64, reason: &str);

    /// Whether a game that is played again must come out the same.
    fn is_repeatable(&self) -> bool;

    /// Plays a job on this machine, to settle what two workers say.
    fn judge(&self) -> Judge;

    /// Tells who plays.
    fn show_machines(&mut self, machines: &Machines);

    /// Tells a line.
    fn tell(&mut self, line: &str);
}

/// Plays a job on this machine; `None` if it cannot.
pub(crate) type Judge = Arc<dyn Fn(u64, &Task) -> Option<Claims> + Send + Sync>;

/// What became of a claim.
pub(crate) enum Taken {
    /// It holds; whether more is wanted, and the numbers of the games that were new.
    Accepted(ControlFlow<()>, Vec<u64>),
    /// It does not hold, in one line.
    Refused(String),
}
