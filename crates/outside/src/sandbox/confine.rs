//! The walls around a program: resource limits, what it may read and write, and a namespace for its processes.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::{
    sched::{CloneFlags, unshare},
    sys::resource::{Resource, setrlimit},
    unistd::{getgid, getuid},
};

use super::messages::Order;

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
    // Inside, the user keeps its own number; a refusal only makes it look like the user `nobody`.
    _ = fs::write("/proc/self/setgroups", "deny");
    _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    true
}

/// Tasks beyond those allowed before the system itself refuses more, if only the user's tasks can be counted: room to
/// see that there are too many.
const SPARE_TASKS: u64 = 32;

/// Limits what this process and all it starts may use. `namespace` says that the processes are counted apart from the
/// user's others; `cpu` is the time of this process.
pub(super) fn limit_resources(order: &Order, namespace: bool, cpu: Option<Duration>) -> io::Result<()> {
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
    if let Some(cpu) = cpu {
        let seconds = cpu.as_secs() + 2;
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    }
    Ok(())
}

/// What a program may reach: it writes to the directory of its order only, reads everything but what is hidden, reaches
/// no network and signals no process outside. Found out once, put up around any number of processes.
pub(super) struct Walls(Option<RulesetCreated>);

impl Walls {
    pub(super) fn of(order: &Order) -> Self {
        let attempt = || -> Result<RulesetCreated, landlock::RulesetError> {
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
            allow(ruleset, &order.directory, AccessFs::from_all(INTERFACE))
        };
        Self(attempt().ok())
    }

    /// Puts them up around this process and all it starts; whether the system knows how.
    pub(super) fn put_up(&self) -> bool {
        let ruleset = self.0.as_ref().and_then(|ruleset| ruleset.try_clone().ok());
        let status = ruleset.and_then(|ruleset| ruleset.restrict_self().ok());
        status.is_some_and(|status| status.ruleset != RulesetStatus::NotEnforced)
    }
}

fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(ruleset) };
    // On anything but a directory only the rights of a file make sense.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(INTERFACE) };
    ruleset.add_rule(PathBeneath::new(opened, access))
}

/// The paths that together hold everything but what is hidden: the walls can only allow, so what leads to a hidden
/// directory is allowed piece by piece.
fn readable(hidden: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
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
        let allowed = readable(&BTreeSet::from([hidden.clone()]));
        let reachable = |path: &Path| allowed.iter().any(|allowed| path.starts_with(allowed));
        assert!(reachable(&open) && reachable(Path::new("/usr/bin/env")));
        assert!(!reachable(&hidden) && !reachable(&hidden.join("playdata.txt")));
        fs::remove_dir_all(&root).unwrap();
    }
}
