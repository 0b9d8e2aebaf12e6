//! What the engine protocols share: lines in, lines out, and a search that goes on while the client talks.

use std::{
    io::{self, BufRead, Read, Write},
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
};

use quincunx_agents::{Analyst, Request, Resources};
use quincunx_game::Table;
use quincunx_search::{Limits, Stop};

/// A longer line is cut off: no position with its moves needs as much.
const LONGEST_LINE: u64 = 1 << 20;

/// Hands the lines of standard input to `obey`, trimmed, until it breaks or there are none left; tells which.
pub(super) fn each_line(mut obey: impl FnMut(&str) -> ControlFlow<()>) -> io::Result<ControlFlow<()>> {
    let mut lines = io::stdin().lock();
    let mut bytes = Vec::new();
    while lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? > 0 {
        let flow = obey(String::from_utf8_lossy(&bytes).trim());
        if flow.is_break() {
            return Ok(flow);
        }
        bytes.clear();
    }
    Ok(ControlFlow::Continue(()))
}

/// Prints a line; a client that has gone needs no answer.
pub(super) fn say(line: &str) {
    let mut out = io::stdout().lock();
    _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// The engine behind a protocol, and its search under way.
pub(super) struct Thinker {
    pub(super) resources: Resources,
    /// The level to play at; `None` is full strength.
    pub(super) level: Option<u64>,
    /// Kept from one search to the next, so that what was learnt is not lost.
    analyst: Option<Arc<Mutex<Analyst>>>,
    thinking: Option<Thinking>,
}

struct Thinking {
    stop: Stop,
    /// Whether only a stop ends it.
    endless: bool,
    thread: JoinHandle<()>,
}

impl Thinker {
    pub(super) fn new(resources: Resources) -> Self {
        Self { resources, level: None, analyst: None, thinking: None }
    }

    /// Ends a search under way and forgets what was learnt.
    pub(super) fn forget(&mut self) {
        self.halt();
        self.analyst = None;
    }

    /// Begins to think under the limits where the game stands, beside the caller; a search under way ends first.
    pub(super) fn think(
        &mut self,
        table: &dyn Table,
        limits: Limits,
        search: impl FnOnce(&mut Analyst, &dyn Table, &Request) + Send + 'static,
    ) {
        self.halt();
        let fresh = || Arc::new(Mutex::new(Analyst::new(table.rules(), self.resources, self.level)));
        let analyst = Arc::clone(self.analyst.get_or_insert_with(fresh));
        let request = Request { limits, ..Request::default() };
        let stop = request.stop.clone();
        let table = table.boxed_clone();
        let thread = std::thread::spawn(move || {
            let mut analyst = analyst.lock().unwrap_or_else(PoisonError::into_inner);
            search(&mut analyst, &*table, &request);
        });
        self.thinking = Some(Thinking { stop, endless: limits.is_infinite(), thread });
    }

    /// Ends a search under way; it answers with the best it has found.
    pub(super) fn halt(&mut self) {
        if let Some(Thinking { stop, thread, .. }) = self.thinking.take() {
            stop.stop();
            _ = thread.join();
        }
    }

    /// Waits for a search that ends by itself, ends one that does not: nobody is left who could.
    pub(super) fn finish(&mut self) {
        if let Some(Thinking { stop, endless, thread }) = self.thinking.take() {
            if endless {
                stop.stop();
            }
            _ = thread.join();
        }
    }
}
