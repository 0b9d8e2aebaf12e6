//! Control groups: the system's own count of the tasks and the CPU time of a program with everything it started.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

/// The groups made for the programs of one warden, one in each hierarchy of the system that counts something of theirs.
///
/// Looking at the processes now and then is too slow for a fork bomb and misses processes that are not waited for;
/// these counts are complete, and hold for root too. A system or a user without such groups has none of this, and the
/// warden's looks have to do.
pub(super) struct ControlGroup {
    /// Every directory.
    all: Vec<PathBuf>,
    /// The one that limits tasks.
    tasks: Option<PathBuf>,
    /// The file with the CPU time.
    cpu: Option<PathBuf>,
}

/// The name of a group begins with this; the number of its warden follows.
const NAME: &str = "quincunx-";

impl ControlGroup {
    /// Groups in which no more than so many tasks can be.
    pub(super) fn new(most_tasks: u64) -> Self {
        let mut group = Self { all: Vec::new(), tasks: None, cpu: None };
        let listed = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        for line in listed.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let counts = |name: &str| controllers.split(',').any(|found| found == name);
            // One hierarchy for everything, or one for each controller under its name.
            let root = match controllers {
                "" => "/sys/fs/cgroup".to_string(),
                _ if counts("pids") || counts("cpuacct") => format!("/sys/fs/cgroup/{controllers}"),
                _ => continue,
            };
            let parent = PathBuf::from(format!("{root}{path}"));
            // Beside the others the common hierarchy may be mounted elsewhere, and hold nothing we count.
            if !parent.join("cgroup.procs").exists() {
                continue;
            }
            remove_orphans(&parent);
            group.make(&parent.join(format!("{NAME}{}", std::process::id())), most_tasks);
        }
        group
    }

    fn make(&mut self, path: &Path, most_tasks: u64) {
        if fs::create_dir(path).is_err() {
            return;
        }
        let limited = self.tasks.is_none() && fs::write(path.join("pids.max"), most_tasks.to_string()).is_ok();
        let cpu = ["cpuacct.usage", "cpu.stat"].map(|name| path.join(name)).into_iter().find(|file| file.exists());
        if !limited && cpu.is_none() {
            _ = fs::remove_dir(path);
            return;
        }
        self.all.push(path.to_path_buf());
        if limited {
            self.tasks = Some(path.to_path_buf());
        }
        self.cpu = self.cpu.take().or(cpu);
    }

    /// Puts this process, and all it will start, into the groups.
    pub(super) fn enter(&self) {
        for path in &self.all {
            // Without it the warden still looks.
            _ = fs::write(path.join("cgroup.procs"), "0");
        }
    }

    /// The CPU time of everything that was ever in the group, if it is counted.
    pub(super) fn cpu(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.cpu.as_ref()?).ok()?;
        match text.lines().find_map(|line| line.strip_prefix("usage_usec ")) {
            Some(micros) => micros.trim().parse().ok().map(Duration::from_micros),
            None => text.trim().parse().ok().map(Duration::from_nanos),
        }
    }

    /// The processes in the group now, if it can tell.
    pub(super) fn processes(&self) -> Option<Vec<i32>> {
        let text = fs::read_to_string(self.all.first()?.join("cgroup.procs")).ok()?;
        Some(text.lines().filter_map(|line| line.trim().parse().ok()).collect())
    }

    /// How often a task was refused because there were too many.
    pub(super) fn refusals(&self) -> u64 {
        let text = self.tasks.as_ref().and_then(|path| fs::read_to_string(path.join("pids.events")).ok());
        let count = text.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("max ")));
        count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
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
