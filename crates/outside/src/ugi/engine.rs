//! `ugi`: the Universal Game Interface, for all games and rulesets, on standard input and output.

use std::{fmt::Write as _, time::Duration};

use quincunx_agents::{Analysis, HIGHEST_LEVEL, Resources};
use quincunx_game::{AnyGame, Side, TextError, text::quoted};
use quincunx_games::{all, open};
use quincunx_search::{Clock, Limits, Score};

use crate::{
    ServeError,
    dialogue::engine::{Dialogue, Thinker, converse, say},
};

/// What it thinks where a limit was wanted that it does not understand.
const USUAL_TIME: Duration = Duration::from_secs(1);

struct Session {
    game: String,
    ruleset: Option<String>,
    table: Box<dyn AnyGame>,
    thinker: Thinker,
}

/// Answers a client on standard input and output until it leaves; `new_seed` draws the seed of an engine that plays at a
/// level.
pub fn serve(new_seed: fn() -> u64) -> Result<(), ServeError> {
    let game = all()[0].name.to_string();
    let table = open(&game, None, None)?;
    let thinker = Thinker::new(Resources { megabytes: 64, threads: 1 }, new_seed);
    Ok(converse(Session { game, ruleset: None, table, thinker })?)
}

impl Dialogue for Session {
    const REFUSAL: &'static str = "info string";

    fn obey(&mut self, command: &str, rest: &str) -> Result<(), TextError> {
        match command {
            "" => {}
            "ugi" => self.greet(),
            "isready" => {
                self.thinker.get_ready(&*self.table);
                say("readyok");
            }
            "uginewgame" => {
                self.thinker.forget();
                self.table = self.open(None)?;
            }
            "setoption" => {
                self.thinker.halt();
                self.set_option(rest)?;
            }
            "position" => {
                self.thinker.halt();
                self.table = self.set_up(rest)?;
            }
            "go" => {
                self.thinker.halt();
                self.go(rest)?;
            }
            "stop" => self.thinker.halt(),
            "query" => self.query(rest)?,
            _ => return Err(TextError::new(format!("unknown command {}", quoted(command)))),
        }
        Ok(())
    }

    fn thinker(&mut self) -> &mut Thinker {
        &mut self.thinker
    }
}

impl Session {
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
        say(&format!("option name Game type combo default {}{games}", self.game));
        say("option name Ruleset type string default <empty>");
        say("ugiok");
    }

    fn open(&self, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
        open(&self.game, self.ruleset.as_deref(), position)
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
            "hash" => self.thinker.resources.megabytes = number(1, 65536)?,
            "threads" => self.thinker.resources.threads = number(1, 256)?,
            "level" => self.thinker.level = Some(number(0, HIGHEST_LEVEL as usize)? as u64).filter(|&level| level > 0),
            "game" => {
                let table = open(value, None, None)?;
                (self.game, self.ruleset, self.table) = (value.to_string(), None, table);
            }
            "ruleset" => {
                let ruleset = (!value.is_empty() && value != "<empty>").then(|| value.to_string());
                let table = open(&self.game, ruleset.as_deref(), None)?;
                (self.ruleset, self.table) = (ruleset, table);
            }
            _ => return Err(TextError::new(format!("there is no option {}", quoted(&name)))),
        }
        self.thinker.forget();
        Ok(())
    }

    /// The game that `startpos` or `fen TEXT`, and the moves behind it, describe.
    fn set_up(&self, text: &str) -> Result<Box<dyn AnyGame>, TextError> {
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
            table.play(text).map_err(|error| error.of_move(number))?;
        }
        Ok(table)
    }

    fn go(&mut self, text: &str) -> Result<(), TextError> {
        let limits = self.limits(text);
        if let Some(end) = self.table.outcome() {
            say("bestmove 0000");
            return Err(TextError::new(format!("the game is over: {}", end.reason)));
        }
        self.thinker.think(&*self.table, limits, move |analyst, table, request| {
            match analyst.analyse(table, 1, request, &mut |analysis| say(&info(analysis))) {
                Ok(analysis) => {
                    // An endless search is answered when it is stopped, not when there is nothing left to find.
                    while limits.is_infinite() && !request.stop.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    say(&info(&analysis));
                    say(&format!("bestmove {}", analysis.lines[0].mv));
                }
                Err(error) => say(&format!("info string {error}")),
            }
        });
        Ok(())
    }

    /// The limits a client asks for; what is not understood is left out, so that it gets an answer all the same.
    fn limits(&self, text: &str) -> Limits {
        let milliseconds = |number: u64| Duration::from_millis(number.min(1 << 40));
        let mut limits = Limits::default();
        let mut clocks = [None::<Duration>; 2];
        let mut increments = [Duration::ZERO; 2];
        let mut endless = text.is_empty();
        let mut strange = Vec::new();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let number = words.peek().and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
            match (word, number) {
                ("depth", Some(depth)) => limits.depth = Some(depth.clamp(1, 100) as u32),
                ("nodes", Some(nodes)) => limits.nodes = Some(nodes.max(1)),
                ("movetime", Some(time)) => limits.movetime = Some(milliseconds(time)),
                ("p1time", Some(time)) => clocks[0] = Some(milliseconds(time)),
                ("p2time", Some(time)) => clocks[1] = Some(milliseconds(time)),
                ("p1inc", Some(time)) => increments[0] = milliseconds(time),
                ("p2inc", Some(time)) => increments[1] = milliseconds(time),
                ("infinite", _) => {
                    endless = true;
                    continue;
                }
                _ => {
                    strange.push(word);
                    continue;
                }
            }
            words.next();
        }
        if !strange.is_empty() {
            say(&format!("info string go: ignored {}", quoted(&strange.join(" "))));
        }
        if endless {
            return Limits::default();
        }
        // A client that tells one clock only has the same for both sides.
        let side = self.table.to_move().index();
        let told = if clocks[side].is_some() { side } else { 1 - side };
        limits.clock = clocks[told].map(|left| Clock { left, increment: increments[told] });
        if limits.is_infinite() {
            limits.movetime = Some(USUAL_TIME);
        }
        limits
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
}

fn info(analysis: &Analysis) -> String {
    let best = &analysis.lines[0];
    let score = match best.score {
        Score::Estimate(value) | Score::Exact(value) => format!("cp {value}"),
        Score::Win(plies) => format!("mate {plies}"),
        Score::Loss(plies) => format!("mate -{plies}"),
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
