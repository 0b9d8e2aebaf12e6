//! Control groups: the system's own count of the tasks, the memory and the CPU time of a program with everything it
//! started.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use nix::unistd::{AccessFlags, Pid, access};

/// The groups made for the programs of one warden, one in each hierarchy of the system that counts something of theirs.
///
/// A group of its own for the processors as well: programs that run at the same time get the same share, however many
/// processes one of them has.
///
/// Looking at the processes now and then is too slow for a fork bomb and misses processes that are not waited for;
/// these counts are complete. Without one for CPU time a wall is missing; without those for tasks and memory, the limits
/// of the user and the warden's looks have to do.
pub(super) struct ControlGroup {
    /// Every directory.
    all: Vec<PathBuf>,
    /// The one that limits tasks.
    tasks: Option<PathBuf>,
    /// The one that limits memory.
    memory: Option<PathBuf>,
    /// The file with the CPU time.
    cpu: Option<PathBuf>,
}

/// The name of a group begins with this; the number of its warden follows.
const NAME: &str = "quincunx-";

impl ControlGroup {
    /// Groups in which no more than so many tasks can be, with so many bytes.
    pub(super) fn new(most_tasks: u64, most_bytes: u64) -> Self {
        let mut group = Self { all: Vec::new(), tasks: None, memory: None, cpu: None };
        let listed = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        for line in listed.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let counts = |name: &str| controllers.split(',').any(|found| found == name);
            match controllers {
                // One hierarchy for everything, which may be beside the others.
                "" => {
                    let root = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new);
                    if let Some(root) = root.into_iter().find(|root| root.join("cgroup.procs").exists()) {
                        group.make_common(root, path.trim_start_matches('/'), most_tasks, most_bytes);
                    }
                }
                // One for each controller under its name.
                _ if ["pids", "cpuacct", "memory", "cpu"].into_iter().any(counts) => {
                    group.make(Path::new(&format!("/sys/fs/cgroup/{controllers}{path}")), most_tasks, most_bytes);
                }
                _ => {}
            }
        }
        group
    }

    /// Makes a group in the common hierarchy: below the first of this process's own groups, from the innermost outwards,
    /// that has tasks and memory counted, which one with processes of its own cannot; otherwise below the innermost.
    fn make_common(&mut self, root: &Path, path: &str, most_tasks: u64, most_bytes: u64) {
        let own = root.join(path);
        let counts = |parent: &&Path| {
            let enabled = fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
            let has = |name| enabled.split_whitespace().any(|found| found == name);
            has("pids") && has("memory") && access(&parent.join("cgroup.procs"), AccessFlags::W_OK).is_ok()
        };
        // One that is empty but for its groups may have them counted.
        for wanted in ["+pids +memory", "+cpu"] {
            _ = fs::write(own.join("cgroup.subtree_control"), wanted);
        }
        let outwards = own.ancestors().take_while(|group| group.starts_with(root)).find(counts);
        self.make(outwards.unwrap_or(&own), most_tasks, most_bytes);
    }

    fn make(&mut self, parent: &Path, most_tasks: u64, most_bytes: u64) {
        remove_orphans(parent);
        let path = parent.join(format!("{NAME}{}", std::process::id()));
        if fs::create_dir(&path).is_err() {
            return;
        }
        let limits = |file: &str, most: u64| fs::write(path.join(file), most.to_string()).is_ok();
        let tasks = self.tasks.is_none() && limits("pids.max", most_tasks);
        let memory =
            self.memory.is_none() && (limits("memory.limit_in_bytes", most_bytes) || limits("memory.max", most_bytes));
        _ = limits("memory.swap.max", 0);
        _ = limits("memory.memsw.limit_in_bytes", most_bytes);
        let counts =
            || ["cpuacct.usage", "cpu.stat"].map(|name| path.join(name)).into_iter().find(|file| is_count(file));
        let cpu = self.cpu.is_none().then(counts).flatten();
        let shares = ["cpu.shares", "cpu.weight"].into_iter().any(|name| path.join(name).exists());
        if !tasks && !memory && !shares && cpu.is_none() {
            _ = fs::remove_dir(&path);
            return;
        }
        self.tasks = self.tasks.take().or(tasks.then(|| path.clone()));
        self.memory = self.memory.take().or(memory.then(|| path.clone()));
        self.cpu = self.cpu.take().or(cpu);
        self.all.push(path);
    }

    /// Puts this process, and all it will start, into the groups.
    pub(super) fn enter(&self) {
        for path in &self.all {
            // The system moves the thread that asks for it at once; to move any other process, it stops all of them.
            let file =
                Some(path.join("tasks")).filter(|file| file.exists()).unwrap_or_else(|| path.join("cgroup.procs"));
            _ = fs::write(file, "0");
        }
    }

    /// Forgets the groups that have not taken in this process: they count nothing.
    pub(super) fn keep_those_of(&mut self, process: Pid) {
        let held = |path: &Path| processes_in(path).is_some_and(|found| found.contains(&process.as_raw()));
        for path in self.all.clone().into_iter().filter(|path| !held(path)) {
            _ = fs::remove_dir(&path);
            self.all.retain(|other| *other != path);
            for place in [&mut self.tasks, &mut self.memory, &mut self.cpu] {
                place.take_if(|place| place.starts_with(&path));
            }
        }
    }

    /// The CPU time of everything that was ever in the group, if it is counted.
    pub(super) fn cpu(&self) -> Option<Duration> {
        read_time(self.cpu.as_ref()?)
    }

    /// The processes in the group now, if it can tell.
    pub(super) fn processes(&self) -> Option<Vec<i32>> {
        processes_in(self.all.first()?)
    }

    /// How often a task was refused because there were too many.
    pub(super) fn refusals(&self) -> u64 {
        event(self.tasks.as_deref(), "pids.events", "max ")
    }

    /// How often a process was killed because there was too little memory.
    pub(super) fn kills(&self) -> u64 {
        let old = event(self.memory.as_deref(), "memory.oom_control", "oom_kill ");
        old.max(event(self.memory.as_deref(), "memory.events", "oom_kill "))
    }
}

fn processes_in(group: &Path) -> Option<Vec<i32>> {
    let text = fs::read_to_string(group.join("cgroup.procs")).ok()?;
    Some(text.lines().filter_map(|line| line.trim().parse().ok()).collect())
}

/// A count among the events of a group.
fn event(group: Option<&Path>, file: &str, name: &str) -> u64 {
    let text = group.and_then(|path| fs::read_to_string(path.join(file)).ok()).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or(0)
}

/// Whether a file tells a CPU time.
fn is_count(file: &Path) -> bool {
    read_time(file).is_some()
}

fn read_time(file: &Path) -> Option<Duration> {
    let text = fs::read_to_string(file).ok()?;
    match text.lines().find_map(|line| line.strip_prefix("usage_usec ")) {
        Some(micros) => micros.trim().parse().ok().map(Duration::from_micros),
        None => text.trim().parse().ok().map(Duration::from_nanos),
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for path in &self.all {
            // The system takes a moment to see that the last task has gone.
            for _ in 0..50 {
                if fs::remove_dir(path).is_ok() {
                    break;
                }
                sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Removes the groups of wardens that were killed. One with a task in it cannot be removed.
fn remove_orphans(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.strip_prefix(NAME)?.parse::<u32>().ok());
        if number.is_some_and(|number| !Path::new(&format!("/proc/{number}")).exists()) {
            _ = fs::remove_dir(entry.path());
        }
    }
}
