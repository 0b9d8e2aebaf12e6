//! This engine behind UGI, on an input and standard output.

use std::{io::BufRead, time::Duration};

use quincunx_agents::{Analysis, HIGHEST_LEVEL, Resources};
use quincunx_game::{AnyGame, FirstMove, Side, TextError, text::quoted};
use quincunx_games::{all, open};
use quincunx_search::{Score, agent::Line};

use super::command::{read_go, read_position};
use crate::{
    ServeError,
    dialogue::engine::{Dialogue, Thinker, converse, say},
};

struct Session {
    game: Box<dyn AnyGame>,
    thinker: Thinker,
    /// Whether the last `position` was refused: nobody wants to know of the one before.
    lost: bool,
    /// The best lines that are told.
    lines: usize,
    /// Draws who begins, if the rules leave that to chance.
    new_seed: fn() -> u64,
    lot: u64,
}

/// The most lines that can be asked for.
const MOST_LINES: usize = 256;

/// Answers the lines of a client on standard output until it leaves; `new_seed` draws the seed of an engine that plays at
/// a level.
pub fn serve(input: impl BufRead, new_seed: fn() -> u64) -> Result<(), ServeError> {
    let game = open(all()[0].name, None, None)?;
    let thinker = Thinker::new(Resources { megabytes: 64, threads: 1 }, new_seed);
    Ok(converse(Session { game, thinker, lost: false, lines: 1, new_seed, lot: 0 }, input)?)
}

impl Dialogue for Session {
    const REFUSAL: &'static str = "info string";

    fn obey(&mut self, command: &str, rest: &str) -> Result<(), TextError> {
        match command {
            "" => {}
            "ugi" => self.greet(),
            "isready" => {
                self.thinker.get_ready(&*self.game);
                say("readyok");
            }
            "uginewgame" => {
                self.thinker.forget();
                self.lot = 0;
                self.position("startpos")?;
            }
            "setoption" => {
                self.thinker.halt();
                self.set_option(rest)?;
            }
            "position" => {
                self.thinker.halt();
                self.position(rest)?;
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
    /// Sets up a position. After one that is refused nothing is searched until another is set up.
    fn position(&mut self, text: &str) -> Result<(), TextError> {
        let rules = *self.game.rules();
        if rules.first == FirstMove::Random && self.lot == 0 {
            // One lot for each game, however often its position is told.
            self.lot = (self.new_seed)() | 1;
        }
        self.lost = true;
        self.game = read_position(text, rules, self.lot)?;
        self.lost = false;
        Ok(())
    }

    fn greet(&self) {
        say(&format!("id name Quincunx {}", env!("CARGO_PKG_VERSION")));
        say("id author the Quincunx authors");
        say("option name Hash type spin default 64 min 1 max 65536");
        say("option name Threads type spin default 1 min 1 max 256");
        say(&format!("option name Level type spin default 0 min 0 max {HIGHEST_LEVEL}"));
        let games: String = all().iter().flat_map(|about| [" var ", about.name]).collect();
        say(&format!("option name Game type combo default {}{games}", self.game.rules().about.name));
        say("option name Ruleset type string default <empty>");
        say(&format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"));
        say("ugiok");
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
            "multipv" => {
                self.lines = number(1, MOST_LINES)?;
                return Ok(());
            }
            "game" => self.game = open(value, None, None)?,
            "ruleset" => {
                let ruleset = Some(value).filter(|value| !value.is_empty() && *value != "<empty>");
                self.game = open(self.game.rules().about.name, ruleset, None)?;
            }
            _ => return Err(TextError::new(format!("there is no option {}", quoted(&name)))),
        }
        self.thinker.forget();
        Ok(())
    }

    fn go(&mut self, text: &str) -> Result<(), TextError> {
        let (limits, strange) = read_go(text, self.game.to_move());
        if !strange.is_empty() {
            say(&format!("info string go: ignored {}", quoted(&strange.join(" "))));
        }
        if self.lost {
            say("bestmove 0000");
            return Err(TextError::new("nothing is searched after a position that was refused"));
        }
        let lines = self.lines;
        if let Some(end) = self.game.outcome() {
            say("bestmove 0000");
            return Err(TextError::new(format!("the game is over: {}", end.reason)));
        }
        self.thinker.think(&*self.game, limits, move |analyst, game, request| {
            match analyst.analyse(game, lines, request, &mut |analysis| tell(analysis, lines > 1)) {
                Ok(analysis) => {
                    // An endless search is answered when it is stopped, not when there is nothing left to find.
                    while limits.is_infinite() && !request.stop.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    tell(&analysis, lines > 1);
                    say(&format!("bestmove {}", analysis.lines[0].mv));
                }
                Err(error) => say(&format!("info string {error}")),
            }
        });
        Ok(())
    }

    fn query(&self, what: &str) -> Result<(), TextError> {
        let outcome = self.game.outcome();
        let answer = match what {
            "p1turn" => (self.game.to_move() == Side::First).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome.map(|end| end.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Side::First)) => "p1win",
                Some(Some(Side::Second)) => "p2win",
            }
            .into(),
            "fen" | "position" => self.game.position_text(),
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

/// Says what was found, a line for each of the best moves; they are numbered if several were asked for.
fn tell(analysis: &Analysis, numbered: bool) {
    for (index, line) in analysis.lines.iter().enumerate() {
        let number = if numbered { format!(" multipv {}", index + 1) } else { String::new() };
        say(&info(analysis, line, &number));
    }
}

fn info(analysis: &Analysis, line: &Line, number: &str) -> String {
    let score = match line.score {
        Score::Estimate(value) | Score::Exact(value) => format!("cp {value}"),
        Score::Win(plies) => format!("mate {plies}"),
        Score::Loss(plies) => format!("mate -{plies}"),
    };
    let speed = analysis.nodes as f64 / analysis.seconds.max(1e-6);
    format!(
        "info depth {} seldepth {}{number} score {score} nodes {} nps {speed:.0} hashfull {} time {:.0} pv {}",
        analysis.depth,
        analysis.selective_depth,
        analysis.nodes,
        analysis.table_fill,
        analysis.seconds * 1000.0,
        line.pv.join(" ")
    )
}
