//! The machines that play a contest, as its coordinator sees them: told on the terminal, and kept for the contest page.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The machines that play a contest now.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Machines {
    /// The workers, by name.
    pub workers: Vec<Machine>,
    /// Games a second since the coordinator began.
    pub rate: f64,
}

/// A worker.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Games at the same time.
    pub cores: usize,
    /// The games of the contest that came from it.
    pub games: u64,
}

impl Machines {
    /// The name of the file in the directory of a contest.
    pub const FILE: &'static str = "workers.json";
}

impl fmt::Display for Machines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.workers.is_empty() {
            return f.write_str("waiting for workers: quincunx worker --queue …");
        }
        let (count, cores) = (self.workers.len(), self.workers.iter().map(|worker| worker.cores).sum::<usize>());
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        write!(f, "{count} worker{}, {cores} core{}, {:.1} games a second", plural(count), plural(cores), self.rate)
    }
}
