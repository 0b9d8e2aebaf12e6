//! A scripted client of an engine protocol, over the real binary.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdout, Command, Stdio},
};

/// The binary: `quincunx`, or the one with a sixth game, whose package runs these tests, too.
pub(crate) const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_quincunx"), option_env!("CARGO_BIN_EXE_quincunx-with-ring")) {
        (Some(program), _) | (None, Some(program)) => program,
        (None, None) => panic!("these are tests of a package with one of the two"),
    };

pub(crate) struct Client {
    pub(crate) process: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Client {
    /// Starts the program with these arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process =
            Command::new(PROGRAM).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.process.stdin.as_ref().unwrap().write_all(bytes).unwrap();
    }

    /// Sends nothing more, and reads everything up to the end of the program.
    pub(crate) fn hang_up(mut self) -> Vec<String> {
        drop(self.process.stdin.take());
        self.lines.by_ref().map(Result::unwrap).collect()
    }

    /// Reads a line.
    pub(crate) fn next(&mut self) -> String {
        self.lines.next().expect("the engine still talks").unwrap()
    }

    /// Reads up to the first line that begins like this, and returns it.
    pub(crate) fn until(&mut self, beginning: &str) -> String {
        loop {
            let line = self.next();
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> String {
        self.send(line);
        self.until(beginning)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
