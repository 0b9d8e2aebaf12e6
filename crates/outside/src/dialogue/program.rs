//! A program that runs for a whole game and is spoken to line by line.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::ChildStdin,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use quincunx_agents::{Failure, Fault};
use quincunx_game::TextError;
use quincunx_search::Limits;

use crate::{
    sandbox::{Folder, Sandbox, Watch},
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
    // The warden goes first, and with it the program; then its directory.
    sandbox: Sandbox,
    _folder: Folder,
}

impl Program {
    /// Starts a command of the shell; it runs in an empty directory, and relative paths in it begin in our own.
    pub(super) fn start(command: &str, settings: &Settings) -> Result<Self, Failure> {
        let broken = |error: std::io::Error| Failure::of(Fault::Crash, format!("it cannot be started: {error}"));
        let folder = Folder::new().map_err(broken)?;
        let here = std::env::current_dir().map_err(broken)?;
        let command = absolute(command, &here);
        let shell = vec!["/bin/sh".into(), "-c".into(), format!("exec {command}")];
        let mut sandbox = Sandbox::start(&folder, settings, true)?;
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
        Ok(Self { stdin, lines, stall: settings.stall, sandbox, _folder: folder })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.stdin.flush())
            .map_err(|_| self.sandbox.reason())
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
        for _ in 0..MOST_LINES {
            let line = loop {
                match self.lines.recv_timeout(LOOK) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Disconnected) => return Err(self.sandbox.reason()),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Some(ending) = self.sandbox.ended(Duration::from_millis(1)) {
                            return Err(ending.failure());
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
pub(super) fn check(command: &str) -> Result<(), TextError> {
    let program = command.split_whitespace().next().unwrap_or_default();
    if program.contains('/') && !program.starts_with(['"', '\'']) && !std::path::Path::new(program).exists() {
        return Err(TextError::new(format!("there is no program {program}")));
    }
    Ok(())
}
