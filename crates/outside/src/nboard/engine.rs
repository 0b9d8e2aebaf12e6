//! This engine behind `NBoard`, on an input and standard output.

use std::{io::BufRead, time::Duration};

use quincunx_agents::{Analysis, AnyEngine, Request, Resources};
use quincunx_game::{AnyGame, Side, TextError, text::quoted};
use quincunx_games::open;
use quincunx_search::{Limits, Score};

use super::game::{self, play, write_move};
use crate::{
    ServeError,
    dialogue::engine::{Dialogue, Thinker, converse, say},
};

/// The depth until one is set; the board sets it before it asks for anything.
const DEPTH: u32 = 12;
/// Plies deeper than any game.
const DEEPEST: u32 = 60;
/// More lines than a position has moves.
const MOST_HINTS: usize = 60;

struct Session {
    game: Box<dyn AnyGame>,
    thinker: Thinker,
    depth: u32,
    /// The most time a move may take.
    movetime: Option<Duration>,
}

/// Answers the lines of a board on standard output until it leaves; a move takes at most `movetime`.
pub fn serve(input: impl BufRead, resources: Resources, movetime: Option<Duration>) -> Result<(), ServeError> {
    let game = open("othello", None, None)?;
    // The protocol knows no levels: nothing is drawn.
    let thinker = Thinker::new(resources, || 0);
    Ok(converse(Session { game, thinker, depth: DEPTH, movetime }, input)?)
}

impl Dialogue for Session {
    /// The protocol has no word for errors; a status is shown to the person at the board.
    const REFUSAL: &'static str = "status";

    fn obey(&mut self, command: &str, rest: &str) -> Result<(), TextError> {
        match command {
            "" => {}
            "nboard" => {
                self.name();
                if rest != "2" {
                    return Err(TextError::new(format!("this engine speaks NBoard 2, not {}", quoted(rest))));
                }
            }
            "set" => self.set(rest)?,
            "move" => {
                self.thinker.halt();
                play(&mut *self.game, rest)?;
            }
            "hint" => self.hint(rest)?,
            "go" => self.go(),
            "ping" => {
                // What is still said about the old position must be said before the answer.
                self.thinker.halt();
                self.thinker.get_ready(&*self.game);
                let number: String = rest.chars().filter(|c| !c.is_control()).take(20).collect();
                say(&format!("pong {number}"));
            }
            // Nothing is kept of games: the book is made beforehand.
            "learn" => say("learned"),
            "analyze" => self.analyse(),
            _ => return Err(TextError::new(format!("unknown command {}", quoted(command)))),
        }
        Ok(())
    }

    fn thinker(&mut self) -> &mut Thinker {
        &mut self.thinker
    }
}

impl Session {
    fn name(&self) {
        say(&format!("set myname Quincunx{}", self.depth));
    }

    fn set(&mut self, text: &str) -> Result<(), TextError> {
        self.thinker.halt();
        let (what, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match what {
            "depth" => {
                let depth = value.trim().parse::<u32>().ok().filter(|depth| (1..=1000).contains(depth));
                self.depth = depth.ok_or_else(|| TextError::new("a depth is a whole number above 0"))?.min(DEEPEST);
                self.name();
            }
            "game" => {
                let game = game::read(value)?;
                // The engine is made for one size of the board.
                if game.rules().ruleset.name != self.game.rules().ruleset.name {
                    self.thinker.forget();
                }
                self.game = game;
            }
            // Every draw is a draw to us.
            "contempt" => _ = value.trim().parse::<i64>().map_err(|_| TextError::new("contempt is a whole number"))?,
            _ => return Err(TextError::new(format!("there is no setting {}", quoted(what)))),
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        Limits { depth: Some(self.depth), movetime: self.movetime, ..Limits::default() }
    }

    fn hint(&mut self, text: &str) -> Result<(), TextError> {
        let count: usize = text.parse().map_err(|_| TextError::new("hint: expected a number of moves"))?;
        let count = count.clamp(1, MOST_HINTS);
        if self.game.outcome().is_some() {
            say("status");
            return Ok(());
        }
        say("status Quincunx is thinking");
        self.thinker.think(&*self.game, self.limits(), move |analyst, game, request| {
            let told = analyst.analyse(game, count, request, &mut |analysis| {
                for line in &analysis.lines {
                    let pv: String = line.pv.iter().map(|mv| write_move(mv)).collect();
                    say(&format!("search {pv} {:.2} 0 {}", discs(line.score), depth_of(line.score, analysis.depth)));
                }
                tell_nodes(analysis);
            });
            say(&told.map_or_else(|failure| format!("status {failure}"), |_| "status".into()));
        });
        Ok(())
    }

    fn go(&mut self) {
        if self.game.outcome().is_some() {
            say("=== PA/0.00/0.0");
            say("status the game is over");
            return;
        }
        say("status Quincunx is thinking");
        self.thinker.think(&*self.game, self.limits(), |analyst, game, request| {
            match analyst.analyse(game, 1, request, &mut |_| {}) {
                Ok(analysis) => {
                    tell_nodes(&analysis);
                    let best = &analysis.lines[0];
                    say(&format!("=== {}/{:.2}/{:.2}", write_move(&best.mv), discs(best.score), analysis.seconds));
                    say("status");
                }
                Err(failure) => say(&format!("status {failure}")),
            }
        });
    }

    /// Tells what every position of the game is worth, the last one first: what was found there helps with those
    /// before.
    fn analyse(&mut self) {
        say("status Quincunx is analysing");
        self.thinker.think(&*self.game, self.limits(), |analyst, game, request| {
            let mut game = game.boxed_clone();
            while let Some(value) = value(analyst, &*game, request) {
                say(&format!("analysis {} {value:.2}", game.ply()));
                if !game.undo() {
                    break;
                }
            }
            say("status");
        });
    }
}

/// What a position is worth for the side to move, in discs; `None` if the search was stopped before it knew.
fn value(analyst: &mut dyn AnyEngine, game: &dyn AnyGame, request: &Request) -> Option<f64> {
    if game.outcome().is_some() {
        let tallies = game.tallies();
        let [black, white] = tallies.iter().find(|tally| tally.name == "score")?.values.map(f64::from);
        return Some(if game.to_move() == Side::First { black - white } else { white - black });
    }
    let analysis = analyst.analyse(game, 1, request, &mut |_| {}).ok()?;
    (!request.stop.is_stopped()).then(|| discs(analysis.lines[0].score))
}

fn tell_nodes(analysis: &Analysis) {
    say(&format!("nodestats {} {:.2}", analysis.nodes, analysis.seconds));
}

/// A score in discs, within those of a board.
fn discs(score: Score) -> f64 {
    score.number().clamp(-64.0, 64.0)
}

/// The depth of a line as the board shows it.
fn depth_of(score: Score, depth: u32) -> String {
    if matches!(score, Score::Estimate(_)) { depth.to_string() } else { "100%".into() }
}
