//! What the end of a program means for the referee.

use nix::sys::signal::Signal;
use quincunx_agents::{Failure, Fault};

use super::messages::{Ending, How};

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

    /// A failure whose message ends with the last lines of standard error, all in one line.
    pub(crate) fn failed(&self, fault: Fault, mut message: String) -> Failure {
        const LINES: usize = 3;
        const MOST: usize = 300;
        let lines: Vec<&str> = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(LINES)..].join(" | ");
        if !last.is_empty() {
            let clean: Vec<char> = last.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let tail: String = clean[clean.len().saturating_sub(MOST)..].iter().collect();
            message.push_str("; it said: ");
            message.push_str(&tail);
        }
        Failure { words: self.stderr.trim_end().to_string(), ..Failure::of(fault, message) }
    }
}

/// The name a signal has among programmers.
fn signal_name(number: i32) -> String {
    let name = Signal::try_from(number).map_or("an unnamed signal", Signal::as_str);
    format!("{name} ({number})")
}
