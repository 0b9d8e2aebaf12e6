//! The processes a program has started, as the system lists them: their CPU time, memory and number.

use std::{
    collections::{HashMap, HashSet},
    fs,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::{Pid, SysconfVar, sysconf},
};

/// One process.
#[derive(Clone, Copy)]
struct Process {
    parent: i32,
    /// Ticks of its own and of those it has waited for.
    own: u64,
    waited_for: u64,
    threads: u64,
    pages: u64,
    started: u64,
}

/// Follows the processes below one.
pub(super) struct Tree {
    root: i32,
    tick: Duration,
    page: u64,
    /// The most own ticks each process was ever seen with. One whose parent ignores its end vanishes from the books of the system, not
    /// from these.
    seen: HashMap<(i32, u64), u64>,
}

/// What the processes use together.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    pub(super) cpu: Duration,
    pub(super) tasks: u64,
    pub(super) bytes: u64,
}

impl Tree {
    /// The processes below `root`, which itself is not counted.
    pub(super) fn below(root: Pid) -> Self {
        let ticks = sysconf(SysconfVar::CLK_TCK).ok().flatten().filter(|&ticks| ticks > 0).unwrap_or(100);
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().filter(|&page| page > 0).unwrap_or(4096);
        Self {
            root: root.as_raw(),
            tick: Duration::from_secs(1) / ticks as u32,
            page: page as u64,
            seen: HashMap::new(),
        }
    }

    /// Looks at all of them.
    pub(super) fn measure(&mut self) -> Use {
        let (mut booked, mut tasks, mut pages) = (0, 0, 0);
        for (pid, process) in self.processes() {
            let seen = self.seen.entry((pid, process.started)).or_default();
            *seen = process.own.max(*seen);
            booked += process.own + process.waited_for;
            tasks += process.threads;
            pages += process.pages;
        }
        let ticks = booked.max(self.seen.values().sum());
        Use { cpu: self.tick * ticks.min(u64::from(u32::MAX)) as u32, tasks, bytes: pages * self.page }
    }

    /// The CPU time of all processes ever seen, as far as it was seen.
    pub(super) fn cpu_seen(&self) -> Duration {
        self.tick * self.seen.values().sum::<u64>().min(u64::from(u32::MAX)) as u32
    }

    /// Kills every process below the root that is there now; whether there was one.
    pub(super) fn kill(&self) -> bool {
        let pids: Vec<i32> = self.processes().map(|(pid, _)| pid).collect();
        // Those that are stopped start no others while the rest is dealt with.
        for signal in [Signal::SIGSTOP, Signal::SIGKILL] {
            for &pid in &pids {
                _ = kill(Pid::from_raw(pid), signal);
            }
        }
        !pids.is_empty()
    }

    fn processes(&self) -> impl Iterator<Item = (i32, Process)> + use<> {
        let all: HashMap<i32, Process> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|pid: i32| Some((pid, parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?)))
            .collect();
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        for (&pid, process) in &all {
            children.entry(process.parent).or_default().push(pid);
        }
        let (mut below, mut open) = (HashSet::new(), vec![self.root]);
        while let Some(pid) = open.pop() {
            for &child in children.get(&pid).into_iter().flatten() {
                if below.insert(child) {
                    open.push(child);
                }
            }
        }
        all.into_iter().filter(move |(pid, _)| below.contains(pid))
    }
}

/// Reads the fields of a `/proc/PID/stat`. The name in parentheses may hold anything, so the fields are counted from its end.
fn parse(stat: &str) -> Option<Process> {
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        own: number(11)? + number(12)?,
        waited_for: number(13)? + number(14)?,
        threads: number(17)?,
        pages: number(21)?,
        started: number(19)?,
    })
}
