//! `ugi`: the Universal Game Interface, for all games and rulesets, on standard input and output.

use std::{
    fmt::Write as _,
    io::{self, BufRead, Read, Write},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::Duration,
};

use quincunx_agents::{Analysis, Analyst, HIGHEST_LEVEL, Request, Resources};
use quincunx_game::{Side, Table, TextError, text::quoted};
use quincunx_games::{all, open};
use quincunx_search::{Clock, Limits, Score, Stop};

/// A longer line is cut off: no position with its moves needs as much.
const LONGEST_LINE: u64 = 1 << 20;

/// What the client has set.
struct Settings {
    game: String,
    ruleset: Option<String>,
    resources: Resources,
    /// The level to play at; `None` is full strength.
    level: Option<u64>,
}

/// A search under way.
struct Thinking {
    stop: Stop,
    /// Whether only a stop ends it.
    endless: bool,
    thread: JoinHandle<()>,
}

struct Session {
    settings: Settings,
    table: Box<dyn Table>,
    /// Kept from one search to the next, so that what was learnt is not lost.
    analyst: Option<Arc<Mutex<Analyst>>>,
    thinking: Option<Thinking>,
}

pub(crate) fn run() -> anyhow::Result<()> {
    let settings = Settings {
        game: "othello".into(),
        ruleset: None,
        resources: Resources { megabytes: 64, threads: 1 },
        level: None,
    };
    let table = open(&settings.game, None, None)?;
    let mut session = Session { settings, table, analyst: None, thinking: None };
    let mut lines = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
            // A search that ends by itself is still answered; an endless one has nobody left to answer to.
            session.finish();
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if line == "quit" {
            session.halt();
            return Ok(());
        }
        if let Err(error) = session.obey(line) {
            say(&format!("info string {error}"));
        }
    }
}

/// Prints a line; a client that has gone needs no answer.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

impl Session {
    fn obey(&mut self, line: &str) -> Result<(), TextError> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => {}
            "ugi" => self.greet(),
            "isready" => say("readyok"),
            "uginewgame" => {
                self.halt();
                self.analyst = None;
                self.table = self.open(None)?;
            }
            "setoption" => {
                self.halt();
                self.set_option(rest)?;
            }
            "position" => {
                self.halt();
                self.table = self.set_up(rest)?;
            }
            "go" => {
                self.halt();
                self.go(rest)?;
            }
            "stop" => self.halt(),
            "query" => self.query(rest)?,
            _ => return Err(TextError::new(format!("unknown command {}", quoted(command)))),
        }
        Ok(())
    }

    fn greet(&self) {
        say(&format!("id name Quincunx {}", env!("CARGO_PKG_VERSION")));
        say("id author the Quincunx authors");
        say("option name Hash type spin default 64 min 1 max 65536");
        say("option name Threads type spin default 1 min 1 max 256");
        say(&format!("option name Level type spin default 0 min 0 max {HIGHEST_LEVEL}"));
        let games: String = all().iter().fold(String::new(), |mut text, about| {
            _ = write!(text, " var {}", about.name);
            text
        });
        say(&format!("option name Game type combo default {}{games}", self.settings.game));
        say("option name Ruleset type string default <empty>");
        say("ugiok");
    }

    fn open(&self, position: Option<&str>) -> Result<Box<dyn Table>, TextError> {
        open(&self.settings.game, self.settings.ruleset.as_deref(), position)
    }

    fn set_option(&mut self, text: &str) -> Result<(), TextError> {
        let text = text.strip_prefix("name ").unwrap_or(text);
        let (name, value) = text.split_once(" value ").unwrap_or((text.trim_end_matches(" value"), ""));
        let (name, value) = (name.trim().to_lowercase(), value.trim());
        let number = |least: usize, most: usize| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| TextError::new(format!("{name} is a whole number from {least} to {most}")))
        };
        match name.as_str() {
            "hash" => self.settings.resources.megabytes = number(1, 65536)?,
            "threads" => self.settings.resources.threads = number(1, 256)?,
            "level" => self.settings.level = Some(number(0, HIGHEST_LEVEL as usize)? as u64).filter(|&level| level > 0),
            "game" => {
                let table = open(value, None, None)?;
                (self.settings.game, self.settings.ruleset, self.table) = (value.to_string(), None, table);
            }
            "ruleset" => {
                let ruleset = (!value.is_empty() && value != "<empty>").then(|| value.to_string());
                let table = open(&self.settings.game, ruleset.as_deref(), None)?;
                (self.settings.ruleset, self.table) = (ruleset, table);
            }
            _ => return Err(TextError::new(format!("there is no option {}", quoted(&name)))),
        }
        self.analyst = None;
        Ok(())
    }

    /// The game that `startpos` or `fen TEXT`, and the moves behind it, describe.
    fn set_up(&self, text: &str) -> Result<Box<dyn Table>, TextError> {
        let (setup, moves) = match text.find("moves") {
            Some(at) => (text[..at].trim(), text[at + 5..].trim()),
            None => (text, ""),
        };
        let mut table = match setup.split_once(char::is_whitespace) {
            Some(("fen", position)) => self.open(Some(position.trim()))?,
            None if setup == "startpos" => self.open(None)?,
            _ => return Err(TextError::new("expected position startpos or position fen TEXT")),
        };
        for (number, text) in (1..).zip(moves.split_whitespace()) {
            table.play(text).map_err(|error| TextError::new(format!("move {number}: {error}")))?;
        }
        Ok(table)
    }

    fn go(&mut self, text: &str) -> Result<(), TextError> {
        let limits = self.limits(text)?;
        if let Some(end) = self.table.outcome() {
            say("bestmove 0000");
            return Err(TextError::new(format!("the game is over: {}", end.reason)));
        }
        let fresh = || Analyst::new(self.table.rules(), self.settings.resources, self.settings.level);
        let analyst = Arc::clone(self.analyst.get_or_insert_with(|| Arc::new(Mutex::new(fresh()))));
        let request = Request { limits, ..Request::default() };
        let stop = request.stop.clone();
        let table = self.table.boxed_clone();
        let thread = std::thread::spawn(move || {
            let mut analyst = analyst.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match analyst.analyse(&*table, 1, &request, &mut |analysis| say(&info(analysis))) {
                Ok(analysis) => {
                    // An endless search is answered when it is stopped, not when there is nothing left to find.
                    while request.limits.is_infinite() && !request.stop.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    say(&format!("bestmove {}", analysis.lines[0].mv));
                }
                Err(error) => say(&format!("info string {error}")),
            }
        });
        self.thinking = Some(Thinking { stop, endless: limits.is_infinite(), thread });
        Ok(())
    }

    fn limits(&self, text: &str) -> Result<Limits, TextError> {
        let mut limits = Limits::default();
        let mut clocks = [None::<Duration>; 2];
        let mut increments = [Duration::ZERO; 2];
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                limits = Limits::default();
                continue;
            }
            let value: u64 = words
                .next()
                .and_then(|value| value.parse::<i64>().ok())
                .map(|value| value.max(0) as u64)
                .ok_or_else(|| TextError::new(format!("go {}: expected a whole number behind it", quoted(word))))?;
            let time = Duration::from_millis(value.min(1 << 40));
            match word {
                "depth" => limits.depth = Some(value.clamp(1, 100) as u32),
                "nodes" => limits.nodes = Some(value.max(1)),
                "movetime" => limits.movetime = Some(time),
                "p1time" => clocks[0] = Some(time),
                "p2time" => clocks[1] = Some(time),
                "p1inc" => increments[0] = time,
                "p2inc" => increments[1] = time,
                // How the clock is shared out is our own business.
                "movestogo" => {}
                _ => return Err(TextError::new(format!("go: unknown limit {}", quoted(word)))),
            }
        }
        let side = self.table.to_move().index();
        limits.clock = clocks[side].map(|left| Clock { left, increment: increments[side] });
        Ok(limits)
    }

    fn query(&self, what: &str) -> Result<(), TextError> {
        let outcome = self.table.outcome();
        let answer = match what {
            "p1turn" => (self.table.to_move() == Side::First).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome.map(|end| end.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Side::First)) => "p1win",
                Some(Some(Side::Second)) => "p2win",
            }
            .into(),
            "fen" | "position" => self.table.position_text(),
            _ => {
                return Err(TextError::new(format!(
                    "query {}: expected p1turn, gameover, result or fen",
                    quoted(what)
                )));
            }
        };
        say(&format!("response {answer}"));
        Ok(())
    }

    /// Ends a search under way; it answers with the best move found.
    fn halt(&mut self) {
        if let Some(Thinking { stop, thread, .. }) = self.thinking.take() {
            stop.stop();
            _ = thread.join();
        }
    }

    /// Waits for a search that ends by itself, ends one that does not.
    fn finish(&mut self) {
        if let Some(Thinking { stop, endless, thread }) = self.thinking.take() {
            if endless {
                stop.stop();
            }
            _ = thread.join();
        }
    }
}

fn info(analysis: &Analysis) -> String {
    let best = &analysis.lines[0];
    let score = match best.score {
        Score::Estimate(value) | Score::Exact(value) => format!("cp {value}"),
        Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::Loss(plies) => format!("mate -{}", plies.div_ceil(2)),
    };
    let speed = analysis.nodes as f64 / analysis.seconds.max(1e-6);
    format!(
        "info depth {} score {score} nodes {} nps {speed:.0} time {:.0} pv {}",
        analysis.depth,
        analysis.nodes,
        analysis.seconds * 1000.0,
        best.pv.join(" ")
    )
}
