//! A program that runs for a whole game and is spoken to line by line.

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::ChildStdin,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use nix::unistd::geteuid;
use quincunx_agents::{Failure, Fault};
use quincunx_game::TextError;
use quincunx_search::Limits;

use crate::{
    sandbox::{Needs, Sandbox, Watch, in_system, locate},
    settings::Settings,
};

/// A longer line is cut.
const LONGEST_LINE: u64 = 1 << 16;
/// More lines than this before an answer are too much output.
const MOST_LINES: usize = 100_000;
/// Between two looks whether the program is still there, while it says nothing.
const LOOK: Duration = Duration::from_millis(50);

/// A program, its pipes, and the warden over it.
pub(crate) struct Program {
    stdin: ChildStdin,
    lines: Receiver<String>,
    /// How long it may do nothing.
    stall: Duration,
    sandbox: Sandbox,
    /// Why it is gone, once it is. Its warden says so once, and keeps the pipes open: whoever asks again would wait for
    /// ever.
    gone: Option<Failure>,
}

impl Program {
    /// Starts a command of the shell; it runs in an empty directory, or in that of its settings,
    /// and relative paths in it begin in our own.
    pub(super) fn start(command: &str, settings: &Settings) -> Result<Self, Failure> {
        let broken = |error: std::io::Error| Failure::of(Fault::Crash, format!("it cannot be started: {error}"));
        let here = std::env::current_dir().map_err(broken)?;
        let (command, readable) = resolve(command, &here);
        let shell = vec!["/bin/sh".into(), "-c".into(), format!("exec {command}")];
        let needs = Needs { readable, start_in: settings.dir.clone() };
        let mut sandbox = Sandbox::start(settings, true, &needs)?;
        sandbox.run(shell, None)?;
        let (stdin, stdout) = sandbox.pipes().ok_or_else(|| Failure::of(Fault::Crash, "it has no pipes"))?;
        // A program that writes and writes waits here until its lines are read.
        let (sender, lines) = sync_channel(256);
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut bytes = Vec::new();
            while stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
                bytes.clear();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { stdin, lines, stall: settings.stall, sandbox, gone: None })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Failure> {
        if let Some(why) = &self.gone {
            return Err(why.clone());
        }
        let sent = self.stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.stdin.flush());
        sent.map_err(|_| {
            let why = self.sandbox.reason();
            self.is_gone(why)
        })
    }

    fn is_gone(&mut self, why: Failure) -> Failure {
        self.gone.get_or_insert(why).clone()
    }

    /// Does `talk` under the watch of the limits; the CPU time it took with what came out of it.
    pub(super) fn watched<T>(
        &mut self,
        limits: &Limits,
        talk: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<(T, Duration), Failure> {
        self.sandbox.watch(Watch::under(limits, self.stall))?;
        let said = talk(self)?;
        let cpu = self.sandbox.rest()?;
        Ok((said, cpu))
    }

    /// The next line for which `wanted` has an answer; others are passed over.
    pub(crate) fn wait_for<T>(&mut self, mut wanted: impl FnMut(&str) -> Option<T>) -> Result<T, Failure> {
        if let Some(why) = &self.gone {
            return Err(why.clone());
        }
        for _ in 0..MOST_LINES {
            let line = loop {
                match self.lines.recv_timeout(LOOK) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Disconnected) => {
                        let why = self.sandbox.reason();
                        return Err(self.is_gone(why));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if let Some(ending) = self.sandbox.ended(Duration::from_millis(1)) {
                            return Err(self.is_gone(ending.failure()));
                        }
                    }
                }
            };
            if let Some(found) = wanted(&line) {
                return Ok(found);
            }
        }
        Err(Failure::of(Fault::Excess, format!("more than {MOST_LINES} lines without an answer")))
    }
}

/// A command with the files that it names, which it may read; those named by a relative path have become absolute.
fn resolve(command: &str, here: &Path) -> (String, Vec<PathBuf>) {
    let mut files = Vec::new();
    let mut words = Vec::new();
    for (index, word) in command.split(' ').enumerate() {
        let bare = word.trim_matches(['"', '\'']);
        let file = |text: &str| text.contains('/').then(|| here.join(text)).filter(|path| path.is_file());
        // The value of an option is named as it is.
        if let Some(path) = bare.split_once('=').and_then(|(_, value)| file(value)) {
            files.push(path);
        }
        let named = file(bare);
        // A program that only the user's shell would find.
        let found = || (index == 0).then(|| locate(bare)).flatten().filter(|path| !in_system(path));
        let Some(path) = named.or_else(found) else {
            words.push(word.to_string());
            continue;
        };
        let plain = bare == word && !word.starts_with('/');
        words.push(if plain {
            format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
        } else {
            word.into()
        });
        files.push(path);
    }
    (words.join(" "), files)
}

/// Whether a relative program can be found at all, to say so before a contest begins.
pub(super) fn check(command: &str) -> Result<(), TextError> {
    let program = command.split_whitespace().next().unwrap_or_default();
    if program.contains('/') && !program.starts_with(['"', '\'']) && !std::path::Path::new(program).exists() {
        return Err(TextError::new(format!("there is no program {program}")));
    }
    // Inside its walls it belongs to nobody, whoever it belongs to outside.
    if geteuid().is_root()
        && let Ok(found) = std::path::Path::new(program).metadata()
        && found.is_file()
        && found.permissions().mode() & 0o001 == 0
    {
        return Err(TextError::new(format!(
            "{program} can only be run by its owner, and root has programs run by other users: chmod o+rx {program}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_only_root_can_run_is_refused_beforehand() {
        use std::os::unix::fs::OpenOptionsExt;
        let path = std::env::temp_dir().join(format!("quincunx-private-{}", std::process::id()));
        _ = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o700).open(&path).unwrap();
        let checked = check(path.to_str().unwrap());
        assert_eq!(checked.is_err(), geteuid().is_root());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(check(path.to_str().unwrap()).is_ok());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_that_a_command_names_are_found_and_no_others() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (command, files) =
            resolve("src/lib.rs --from=/etc/passwd 'Cargo.toml' ./Cargo.toml /etc/passwd src none/such -x", here);
        let (lib, toml) = (here.join("src/lib.rs"), here.join("./Cargo.toml"));
        let passwd = PathBuf::from("/etc/passwd");
        assert_eq!(files, [lib.clone(), passwd.clone(), toml.clone(), passwd]);
        let (lib, toml) = (lib.display(), toml.display());
        assert_eq!(command, format!("'{lib}' --from=/etc/passwd 'Cargo.toml' '{toml}' /etc/passwd src none/such -x"));
        // What every program sees is left to the shell.
        assert_eq!(resolve("sh -c x", here), ("sh -c x".to_string(), Vec::new()));
    }
}
