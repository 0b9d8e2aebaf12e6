//! A scripted client of an engine protocol, over the real binary.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdout, Command, Stdio},
};

pub(crate) struct Client {
    process: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Client {
    /// Starts the program with these arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_quincunx"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let mut input = self.process.stdin.as_ref().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
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
