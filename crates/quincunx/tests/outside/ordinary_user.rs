//! The same programs again, run by an ordinary user, if the tests are run by root.

use std::{
    env, fs,
    os::unix::fs::chown,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::agent::{Folder, lacks, scratch};

/// The number of a user without rights.
const USER: u32 = 65534;

/// What makes a command one of that user.
const BECOME: [&str; 6] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"];

/// Whether this process can start others as an ordinary user; if not, that is told.
fn can_change_user(program: &Path) -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let tried = || Command::new(BECOME[0]).args(&BECOME[1..]).args(["test", "-x"]).arg(program).status();
    let can = root && !lacks("setpriv") && tried().is_ok_and(|status| status.success());
    if !can {
        eprintln!("skipped: only root can become an ordinary user, who must be able to run {}", program.display());
    }
    can
}

/// Control groups that belong to the ordinary user, as systemd makes them for a scope with delegation.
struct Groups(Vec<PathBuf>);

impl Groups {
    fn new() -> Self {
        let listed = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mut made = Vec::new();
        for line in listed.lines() {
            let parts: Vec<&str> = line.splitn(3, ':').collect();
            let [_, controllers, path] = parts[..] else { continue };
            let group = PathBuf::from(format!("/sys/fs/cgroup/{controllers}{path}/outside-{}", std::process::id()));
            let counted = ["", "pids", "memory"].contains(&controllers) || controllers.contains("cpuacct");
            if !counted || fs::create_dir(&group).is_err() {
                continue;
            }
            for place in ["", "cgroup.procs", "tasks", "cgroup.threads", "cgroup.subtree_control"] {
                _ = chown(group.join(place), Some(USER), Some(USER));
            }
            made.push(group);
        }
        Self(made)
    }

    /// Runs a command in the groups, as the ordinary user.
    fn run(&self, command: &mut Command, program: &Path, arguments: &[&str]) -> Output {
        const ENTER: &str = "while [ \"$1\" != -- ]; do echo $$ > \"$1/cgroup.procs\"; shift; done; shift; exec \"$@\"";
        command.args(["-c", ENTER, "sh"]).args(&self.0).arg("--").args(BECOME).arg(program).args(arguments);
        command.output().unwrap()
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in &self.0 {
            _ = fs::remove_dir(group);
        }
    }
}

#[test]
fn every_program_has_the_same_verdict_for_an_ordinary_user() {
    let tests = env::current_exe().unwrap();
    if !can_change_user(&tests) {
        return;
    }
    let place = Folder::new();
    chown(&place.0, Some(USER), Some(USER)).unwrap();
    let mut command = Command::new("sh");
    command.env("OUTSIDE_SCRATCH", &place.0).env("HOME", "/nonexistent");
    let output = Groups::new().run(&mut command, &tests, &["--test-threads=4"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn without_a_control_group_programs_are_refused_unless_they_are_trusted() {
    let program = Path::new(env!("CARGO_BIN_EXE_quincunx"));
    if !can_change_user(program) {
        return;
    }
    let agent = Folder::shell("echo 10K > output.txt");
    let spec = format!("files:{}", agent.0.display());
    let directory = agent.0.display().to_string();
    let commands: [&[&str]; 3] = [
        &["match", "pente", &spec, "random", "--games", "1"],
        &["tournament", "pente", &spec, "random", "--games", "2"],
        &["grade", "pente", &directory],
    ];
    for arguments in commands {
        let output = Groups(Vec::new()).run(&mut Command::new("sh"), program, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("CPU time") && said.contains("--trust-programs") && output.stdout.is_empty(), "{said}");
    }
    let trusted = [commands[0], &["--trust-programs", "--limit", "cpu=5s"]].concat();
    let output = Groups(Vec::new()).run(&mut Command::new("sh"), program, &trusted);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("trusted") && said.contains("CPU time"), "{said}");
    assert!(scratch().exists());
}
