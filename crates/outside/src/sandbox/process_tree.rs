//! The processes a program has started, as the system lists them: their CPU time, memory and number.

use std::{
    collections::{HashMap, HashSet},
    fs,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    time::{clock_getcpuclockid, clock_gettime},
    unistd::{Pid, SysconfVar, sysconf},
};

/// One process.
#[derive(Clone, Copy)]
struct Process {
    parent: i32,
    /// Ticks of those it has waited for.
    waited_for: u64,
    threads: u64,
    pages: u64,
    started: u64,
}

/// Follows the processes below one.
pub(super) struct ProcessTree {
    root: i32,
    /// One among them that is ours: what it uses itself is not counted.
    ours: i32,
    tick: Duration,
    page: u64,
    /// The most time of its own each process was ever seen with. One whose parent ignores its end vanishes from the
    /// books of the system, not from these.
    seen: HashMap<(i32, u64), Duration>,
}

/// What the processes use together.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    pub(super) cpu: Duration,
    pub(super) tasks: u64,
    pub(super) bytes: u64,
}

impl ProcessTree {
    /// The processes below `root`, which itself is not counted, nor is `ours`.
    pub(super) fn below(root: Pid, ours: Pid) -> Self {
        let ticks = sysconf(SysconfVar::CLK_TCK).ok().flatten().filter(|&ticks| ticks > 0).unwrap_or(100);
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().filter(|&page| page > 0).unwrap_or(4096);
        Self {
            root: root.as_raw(),
            ours: ours.as_raw(),
            tick: Duration::from_secs(1) / ticks as u32,
            page: page as u64,
            seen: HashMap::new(),
        }
    }

    /// Looks at all of them: those the system has listed, or all below the root if it lists none.
    pub(super) fn measure(&mut self, listed: Option<Vec<i32>>) -> Use {
        let processes: Vec<(i32, Process)> = match listed {
            Some(pids) => pids.into_iter().filter_map(|pid| Some((pid, look_at(pid)?))).collect(),
            None => self.processes().collect(),
        };
        let (mut booked, mut tasks, mut pages) = (Duration::ZERO, 0, 0);
        for (pid, process) in processes {
            let waited_for = self.tick * process.waited_for.min(u64::from(u32::MAX)) as u32;
            booked += waited_for;
            if pid == self.ours {
                continue;
            }
            let own = own_time(Pid::from_raw(pid));
            let seen = self.seen.entry((pid, process.started)).or_default();
            *seen = own.max(*seen);
            booked += own;
            tasks += process.threads;
            pages += process.pages;
        }
        Use { cpu: booked.max(self.cpu_seen()), tasks, bytes: pages * self.page }
    }

    /// The CPU time of all processes ever seen, as far as it was seen.
    pub(super) fn cpu_seen(&self) -> Duration {
        self.seen.values().sum()
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
            .filter_map(|pid: i32| Some((pid, look_at(pid)?)))
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

/// The CPU time of a process and the threads it has had, to the nanosecond; none of one that has gone.
pub(super) fn own_time(pid: Pid) -> Duration {
    clock_getcpuclockid(pid).and_then(clock_gettime).map(Duration::from).unwrap_or_default()
}

fn look_at(pid: i32) -> Option<Process> {
    parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads the fields of a `/proc/PID/stat`. The name in parentheses may hold anything, also what is no text, so the
/// fields are counted from its end.
fn parse(stat: &[u8]) -> Option<Process> {
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields: Vec<&str> = str::from_utf8(&stat[end + 1..]).ok()?.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        waited_for: number(13)? + number(14)?,
        threads: number(17)?,
        pages: number(21)?,
        started: number(19)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_seen_whatever_its_name_is() {
        let numbers = (4..30).map(|field| field.to_string()).collect::<Vec<_>>().join(" ");
        for name in [&b"sh"[..], b"a) b", b"\xff\xfe", b")\n("] {
            let stat = [b"7 (", name, b") S ", numbers.as_bytes(), b"\n"].concat();
            let found = parse(&stat).unwrap();
            assert_eq!((found.parent, found.waited_for, found.threads), (4, 16 + 17, 20));
            assert_eq!((found.started, found.pages), (22, 24));
        }
        assert!(parse(b"").is_none() && parse(b"7 (sh) S").is_none());
    }
}
