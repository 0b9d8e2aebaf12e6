//! What the engine protocols share: lines in, lines out, and a search that goes on while the client talks.

use std::{
    io::{self, BufRead, Read, Write},
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use quincunx_agents::{AnyEngine, Request, Resources, analyst};
use quincunx_game::{AnyGame, TextError};
use quincunx_search::{Limits, Stop};

/// No position with its moves needs a longer line.
const LONGEST_LINE: usize = 1 << 20;

/// How long a search with limits of its own goes on when the client has nothing more to say.
const PATIENCE: Duration = Duration::from_secs(10);

/// A protocol whose searches go on while the client talks.
pub(crate) trait Dialogue {
    /// What stands before the reason why something is refused.
    const REFUSAL: &'static str;

    fn obey(&mut self, command: &str, rest: &str) -> Result<(), TextError>;

    fn thinker(&mut self) -> &mut Thinker;
}

/// Obeys line by line up to `quit`, which ends a search under way, or the end of the input.
pub(crate) fn converse<D: Dialogue>(mut dialogue: D, input: impl BufRead) -> io::Result<()> {
    let flow = each_line(input, |line| {
        let line = line.map(|line| line.split_once(char::is_whitespace).unwrap_or((line, "")));
        if let Ok(("quit", _)) = line {
            return ControlFlow::Break(());
        }
        if let Err(error) = line.and_then(|(command, rest)| dialogue.obey(command, rest.trim())) {
            say(&format!("{} {error}", D::REFUSAL));
        }
        ControlFlow::Continue(())
    })?;
    if flow.is_break() {
        dialogue.thinker().halt();
    } else {
        dialogue.thinker().finish(PATIENCE);
    }
    Ok(())
}

/// Hands the lines of the input to `obey`, trimmed, until it breaks or there are none left; tells which. Of a line that
/// is too long it hands over only that.
pub(crate) fn each_line(
    mut lines: impl BufRead,
    mut obey: impl FnMut(Result<&str, TextError>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut bytes = Vec::new();
    while lines.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)? > 0 {
        let flow = if bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n") {
            lines.skip_until(b'\n')?;
            obey(Err(TextError::new(format!("a line may have {LONGEST_LINE} bytes, this one has more"))))
        } else {
            obey(Ok(String::from_utf8_lossy(&bytes).trim()))
        };
        if flow.is_break() {
            return Ok(flow);
        }
        bytes.clear();
    }
    Ok(ControlFlow::Continue(()))
}

/// Prints a line. If it is not read any more the program ends, whatever it is thinking about.
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
        std::process::exit(i32::from(error.kind() != io::ErrorKind::BrokenPipe));
    }
}

/// The engine behind a protocol, and its search under way.
pub(crate) struct Thinker {
    pub(crate) resources: Resources,
    /// The level to play at; `None` is full strength.
    pub(crate) level: Option<u64>,
    /// Draws the seed of an engine that plays at a level.
    new_seed: fn() -> u64,
    /// Kept from one search to the next, so that what was learnt is not lost.
    analyst: Option<Arc<Mutex<Box<dyn AnyEngine>>>>,
    thinking: Option<Thinking>,
}

struct Thinking {
    stop: Stop,
    /// Whether only a stop ends it.
    endless: bool,
    thread: JoinHandle<()>,
}

impl Thinker {
    pub(crate) fn new(resources: Resources, new_seed: fn() -> u64) -> Self {
        Self { resources, level: None, new_seed, analyst: None, thinking: None }
    }

    /// Ends a search under way and forgets what was learnt.
    pub(crate) fn forget(&mut self) {
        self.halt();
        self.analyst = None;
    }

    /// The engine for the rules of the game, made now if there is none: before any clock runs, if the client asks
    /// beforehand.
    pub(crate) fn get_ready(&mut self, game: &dyn AnyGame) -> &Arc<Mutex<Box<dyn AnyEngine>>> {
        self.analyst.get_or_insert_with(|| {
            let level = self.level.map(|level| (level, (self.new_seed)()));
            Arc::new(Mutex::new(analyst(game.rules(), self.resources, level)))
        })
    }

    /// Begins to think about the position of the game, under the limits, beside the caller; a search under way ends
    /// first.
    pub(crate) fn think(
        &mut self,
        game: &dyn AnyGame,
        limits: Limits,
        search: impl FnOnce(&mut dyn AnyEngine, &dyn AnyGame, &Request) + Send + 'static,
    ) {
        self.halt();
        let analyst = Arc::clone(self.get_ready(game));
        let request = Request { limits, ..Request::default() };
        let stop = request.stop.clone();
        let game = game.boxed_clone();
        let thread = std::thread::spawn(move || {
            let mut analyst = analyst.lock().unwrap_or_else(PoisonError::into_inner);
            search(&mut **analyst, &*game, &request);
        });
        self.thinking = Some(Thinking { stop, endless: limits.is_infinite(), thread });
    }

    /// Ends a search under way; it answers with the best it has found.
    pub(crate) fn halt(&mut self) {
        if let Some(Thinking { stop, thread, .. }) = self.thinking.take() {
            stop.stop();
            _ = thread.join();
        }
    }

    /// Ends a search under way, at once if nothing else would, otherwise when patience is at its end.
    fn finish(&mut self, patience: Duration) {
        if let Some(Thinking { endless: false, thread, .. }) = &self.thinking {
            let began = Instant::now();
            while !thread.is_finished() && began.elapsed() < patience {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.halt();
    }
}

#[cfg(test)]
mod tests {
    use quincunx_games::open;

    use super::*;

    #[test]
    fn one_who_is_ready_makes_nothing_more_to_think() {
        let game = open("shobu", None, None).unwrap();
        let mut thinker = Thinker::new(Resources { megabytes: 1, threads: 1 }, || 1);
        let made = Arc::downgrade(thinker.get_ready(&*game));
        thinker.think(&*game, Limits { nodes: Some(1), ..Limits::default() }, |_, _, _| {});
        assert!(Arc::ptr_eq(&made.upgrade().unwrap(), thinker.get_ready(&*game)));
    }

    #[test]
    fn without_a_client_a_search_ends_by_itself_or_when_patience_does() {
        let game = open("shobu", None, None).unwrap();
        let mut thinker = Thinker::new(Resources { megabytes: 1, threads: 1 }, || 1);
        for (limits, patience, steps) in [
            (Limits { nodes: Some(1), ..Limits::default() }, PATIENCE, 20),
            (Limits { nodes: Some(1), ..Limits::default() }, Duration::from_millis(20), u32::MAX),
            (Limits::default(), PATIENCE, u32::MAX),
        ] {
            let done = Arc::new(Mutex::new(0));
            let counted = Arc::clone(&done);
            thinker.think(&*game, limits, move |_, _, request| {
                let mut count = counted.lock().unwrap();
                while *count < steps && !request.stop.is_stopped() {
                    *count += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            thinker.finish(patience);
            let done = *done.lock().unwrap();
            assert!(if steps == u32::MAX { done < 5000 } else { done == steps }, "{limits:?}: {done} steps");
        }
    }
}
