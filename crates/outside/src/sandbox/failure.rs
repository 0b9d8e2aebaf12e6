//! What the end of a program means for the referee.

use nix::sys::signal::Signal;
use quincunx_agents::{Failure, Fault};

use super::messages::{Ending, How};
use crate::words::is_active;

impl Ending {
    /// The verdict on a program that ended without an answer.
    pub(crate) fn failure(&self) -> Failure {
        let (fault, what) = match &self.how {
            How::Exited(0) => (Fault::NoOutput, "it ended without an answer".to_string()),
            How::Exited(code) => (Fault::Crash, format!("it ended with code {code}")),
            How::Signalled(number) => (Fault::Crash, format!("it was ended by {}", signal_name(*number))),
            How::OutOfCpu => (Fault::Timeout, "its CPU time ran out".to_string()),
            How::OutOfTime => (Fault::Timeout, "its time ran out".to_string()),
            How::Stalled => (Fault::Stall, "it neither answered nor computed".to_string()),
            How::Excess(what) => (Fault::Excess, what.clone()),
            How::NotStarted(why) => (Fault::Crash, why.clone()),
        };
        self.failed(fault, what)
    }

    /// A failure whose message ends with the first and the last lines of standard error, all in one line: some languages
    /// name an exception first, others last.
    pub(crate) fn failed(&self, fault: Fault, mut message: String) -> Failure {
        const LAST: usize = 2;
        let lines: Vec<&str> = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if let [first, rest @ ..] = lines.as_slice() {
            let skipped = rest.len().saturating_sub(LAST);
            let dots = if skipped > 0 { &["…"][..] } else { &[] };
            let said: Vec<String> = [&[*first], dots, &rest[skipped..]].concat().into_iter().map(short).collect();
            message.push_str("; it said: ");
            message.push_str(&said.join(" | "));
        }
        Failure { words: self.stderr.trim_end().to_string(), ..Failure::of(fault, message) }
    }
}

/// A line of plain characters, and not too long.
fn short(line: &str) -> String {
    const MOST: usize = 120;
    line.chars().map(|c| if is_active(c) { ' ' } else { c }).take(MOST).collect()
}

/// The name a signal has among programmers.
fn signal_name(number: i32) -> String {
    let name = Signal::try_from(number).map_or("an unnamed signal", Signal::as_str);
    format!("{name} ({number})")
}
