//! A program that runs for a whole game and is spoken to line by line.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{ChildStdin, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use quincunx_search::Limits;

use quincunx_agents::{Failure, Fault};

use crate::{
    files::client::hidden,
    sandbox::{Folder, Sandbox, Watch, failure_of, order},
    settings::Settings,
};

/// A longer line is cut.
const LONGEST_LINE: u64 = 1 << 16;
/// More lines than this before an answer are too much output.
const MOST_LINES: usize = 100_000;
/// The wall-clock time beyond a limit after which a program is ended.
const GRACE: Duration = Duration::from_millis(500);
/// Between two looks whether the program is still there, while it says nothing.
const LOOK: Duration = Duration::from_millis(50);

/// The time a program has to say hello, get ready, or take a position.
pub(crate) fn courtesy() -> Limits {
    Limits { movetime: Some(Duration::from_secs(30)), ..Limits::default() }
}

/// A program, its pipes, and the warden over it.
pub(crate) struct LineEngine {
    stdin: ChildStdin,
    lines: Receiver<String>,
    settings: Settings,
    // The warden goes first, and with it the program; then its directory.
    sandbox: Sandbox,
    _folder: Folder,
}

impl LineEngine {
    /// Starts a command of the shell; it runs in an empty directory, and relative paths in it begin where we are.
    pub(crate) fn start(command: &str, settings: &Settings) -> Result<Self, Failure> {
        let broken = |error: std::io::Error| Failure::of(Fault::Crash, format!("it cannot be started: {error}"));
        let folder = Folder::new().map_err(broken)?;
        let here = std::env::current_dir().map_err(broken)?;
        let command = absolute(command, &here);
        let shell = vec!["/bin/sh".into(), "-c".into(), format!("exec {command}")];
        let order = order(folder.path().to_path_buf(), hidden(), settings);
        let mut sandbox = Sandbox::start(&order, Stdio::piped(), Stdio::piped())?;
        sandbox.run(shell, None)?;
        let (stdin, stdout) = sandbox.pipes().ok_or_else(|| Failure::of(Fault::Crash, "it has no pipes"))?;
        // A program that writes and writes waits here until somebody reads.
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
        Ok(Self { stdin, lines, settings: settings.clone(), sandbox, _folder: folder })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.stdin.flush())
            .map_err(|_| self.sandbox.reason())
    }

    /// Does `talk` under the watch of the limits; the CPU time it took with what came out of it.
    pub(crate) fn watched<T>(
        &mut self,
        limits: &Limits,
        talk: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<(T, Duration), Failure> {
        let micros = |time: Duration| time.as_micros() as u64;
        let wall = limits.movetime.or(limits.clock.map(|clock| clock.left)).map(|time| micros(time + GRACE));
        self.sandbox.watch(Watch { cpu: limits.cpu.map(micros), wall, stall: micros(self.settings.stall) })?;
        let said = talk(self)?;
        let cpu = self.sandbox.rest()?;
        Ok((said, cpu))
    }

    /// The next line for which `wanted` has an answer; others are passed over.
    pub(crate) fn wait_for<T>(&mut self, mut wanted: impl FnMut(&str) -> Option<T>) -> Result<T, Failure> {
        for _ in 0..MOST_LINES {
            let line = loop {
                match self.lines.recv_timeout(LOOK) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Disconnected) => return Err(self.sandbox.reason()),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Some(ending) = self.sandbox.ended(Duration::from_millis(1)) {
                            return Err(failure_of(&ending));
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

/// A command whose program is named by a relative path, with the path made absolute.
fn absolute(command: &str, here: &std::path::Path) -> String {
    let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
    let relative = program.contains('/') && !program.starts_with(['/', '"', '\'']);
    if !relative {
        return command.to_string();
    }
    let path = here.join(program).display().to_string().replace('\'', r"'\''");
    format!("'{path}' {rest}")
}

/// Whether a relative program can be found at all, to say so before a contest begins.
pub(crate) fn check(command: &str) -> Result<(), quincunx_game::TextError> {
    let program = command.split_whitespace().next().unwrap_or_default();
    if program.contains('/') && !program.starts_with(['"', '\'']) && !std::path::Path::new(program).exists() {
        return Err(quincunx_game::TextError::new(format!("there is no program {program}")));
    }
    Ok(())
}
