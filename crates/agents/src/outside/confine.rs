//! The walls around a program: resource limits, what it may read and write, and a namespace for its processes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::{
    sched::{CloneFlags, unshare},
    sys::resource::{Resource, setrlimit},
    unistd::{getgid, getuid},
};

use super::order::Order;

/// A directory with more entries than this, on the way to a hidden one, is hidden with all of them.
const MOST_ENTRIES: usize = 512;

/// The version of the system's interface we know; an older system enforces what it can.
const INTERFACE: ABI = ABI::V6;

/// Puts the processes this one starts from now on into a namespace of their own; whether the system let us.
pub(super) fn own_process_namespace() -> bool {
    if unshare(CloneFlags::CLONE_NEWPID).is_ok() {
        return true;
    }
    let (user, group) = (getuid(), getgid());
    if unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID).is_err() {
        return false;
    }
    // Inside, the user keeps its own number; a refusal only makes it look like nobody.
    _ = fs::write("/proc/self/setgroups", "deny");
    _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    true
}

/// Tasks beyond those allowed before the system itself refuses more: room for the warden to see that there are too many.
const SPARE_TASKS: u64 = 32;

/// A control group that holds no more than a number of tasks. Counting them now and then is too slow for a fork bomb; this is the
/// system's own count, and holds for root too.
pub(super) struct TaskLimit {
    path: PathBuf,
}

impl TaskLimit {
    /// A group for this many tasks, where the system lets us make one.
    pub(super) fn new(tasks: u64) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':');
            let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
            let root = match controllers {
                "" => "/sys/fs/cgroup",
                _ if controllers.split(',').any(|name| name == "pids") => "/sys/fs/cgroup/pids",
                _ => return None,
            };
            let path = PathBuf::from(format!("{root}{path}")).join(format!("quincunx-{}", std::process::id()));
            fs::create_dir(&path).ok()?;
            let limit = Self { path };
            fs::write(limit.path.join("pids.max"), (tasks + SPARE_TASKS).to_string()).ok()?;
            Some(limit)
        })
    }

    /// Puts this process, and all it will start, into the group.
    pub(super) fn enter(&self) {
        // Without it the warden still counts.
        _ = fs::write(self.path.join("cgroup.procs"), "0");
    }
}

impl Drop for TaskLimit {
    fn drop(&mut self) {
        // The system takes a moment to see that the last task has gone.
        for _ in 0..50 {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// Limits what this process and all it starts may use. `namespace` says that the processes are counted apart from the user's others.
pub(super) fn limit_resources(order: &Order, namespace: bool) -> io::Result<()> {
    if namespace && !getuid().is_root() {
        let most = order.tasks + SPARE_TASKS;
        setrlimit(Resource::RLIMIT_NPROC, most, most)?;
    }
    let limits = [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_DATA, order.memory),
        (Resource::RLIMIT_FSIZE, order.disk),
        (Resource::RLIMIT_NOFILE, 1024),
    ];
    for (resource, most) in limits {
        setrlimit(resource, most, most)?;
    }
    if let Some(watch) = &order.watch
        && let Some(cpu) = watch.cpu
    {
        let seconds = cpu / 1_000_000 + 2;
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    }
    Ok(())
}

/// Lets this process and all it starts write to the directory of the order only, read everything but what is hidden, reach no network and
/// signal no process outside; whether the system knows how.
pub(super) fn wall_in(order: &Order) -> bool {
    let attempt = || -> Result<bool, landlock::RulesetError> {
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(INTERFACE))?
            .handle_access(AccessNet::from_all(INTERFACE))?
            .scope(Scope::from_all(INTERFACE))?
            .create()?;
        for path in readable(&order.hidden) {
            ruleset = allow(ruleset, &path, AccessFs::from_read(INTERFACE))?;
        }
        for device in ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"] {
            ruleset = allow(ruleset, Path::new(device), AccessFs::from_all(INTERFACE))?;
        }
        ruleset = allow(ruleset, &order.directory, AccessFs::from_all(INTERFACE))?;
        let status = ruleset.restrict_self()?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    };
    attempt().unwrap_or(false)
}

fn allow(
    ruleset: landlock::RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(ruleset) };
    // On anything but a directory only the rights of a file make sense.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(INTERFACE) };
    ruleset.add_rule(PathBeneath::new(opened, access))
}

/// The paths that together hold everything but what is hidden: the walls can only allow, so what leads to a hidden directory is allowed
/// piece by piece.
fn readable(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let (mut allowed, mut open) = (Vec::new(), vec![PathBuf::from("/")]);
    while let Some(path) = open.pop() {
        if hidden.contains(&path) {
            continue;
        }
        if !hidden.iter().any(|hidden| hidden.starts_with(&path)) {
            allowed.push(path);
            continue;
        }
        let entries: Vec<PathBuf> = fs::read_dir(&path)
            .into_iter()
            .flatten()
            .flatten()
            .take(MOST_ENTRIES + 1)
            .map(|entry| entry.path())
            .collect();
        if entries.len() <= MOST_ENTRIES {
            open.extend(entries);
        } else {
            open.extend(entries.into_iter().filter(|entry| hidden.iter().any(|hidden| hidden.starts_with(entry))));
        }
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_readable_but_what_is_hidden() {
        let root = std::env::temp_dir().canonicalize().unwrap().join(format!("quincunx-hidden-{}", std::process::id()));
        let (hidden, open) = (root.join("a/rival"), root.join("a/own"));
        for path in [&hidden, &open] {
            fs::create_dir_all(path).unwrap();
        }
        let allowed = readable(std::slice::from_ref(&hidden));
        let reachable = |path: &Path| allowed.iter().any(|allowed| path.starts_with(allowed));
        assert!(reachable(&open) && reachable(Path::new("/usr/bin/env")));
        assert!(!reachable(&hidden) && !reachable(&hidden.join("playdata.txt")));
        fs::remove_dir_all(&root).unwrap();
    }
}
