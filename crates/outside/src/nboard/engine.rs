//! `nboard`: the `NBoard` protocol, version 2, by which the Othello world's boards speak to engines.

use std::time::Duration;

use quincunx_agents::{Analysis, Analyst, Request, Resources};
use quincunx_game::{AnyGame, Side, TextError, text::quoted};
use quincunx_games::open;
use quincunx_search::{Limits, Score};

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

/// Answers a board on standard input and output until it leaves; a move takes at most `movetime`.
pub fn serve(resources: Resources, movetime: Option<Duration>) -> Result<(), ServeError> {
    let game = open("othello", None, None)?;
    // The protocol knows no levels: nothing is drawn.
    let thinker = Thinker::new(resources, || 0);
    Ok(converse(Session { game, thinker, depth: DEPTH, movetime })?)
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
                let game = read_game(value)?;
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
                    let pv: String = line.pv.iter().map(|mv| written(mv)).collect();
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
                    say(&format!("=== {}/{:.2}/{:.2}", written(&best.mv), discs(best.score), analysis.seconds));
                    say("status");
                }
                Err(failure) => say(&format!("status {failure}")),
            }
        });
    }

    /// Tells what every position of the game is worth, the last one first: what was found there helps with those before.
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

/// What a position is worth for the side to move, in discs; `None` where the search was stopped before it knew.
fn value(analyst: &mut Analyst, game: &dyn AnyGame, request: &Request) -> Option<f64> {
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

/// A move as the protocol writes it.
fn written(mv: &str) -> String {
    if mv == "pass" { "PA".into() } else { mv.to_uppercase() }
}

/// Plays `F5`, `F5/1.25/0.3` or `PA`: evaluation and time behind the move are somebody else's.
fn play(game: &mut dyn AnyGame, text: &str) -> Result<(), TextError> {
    game.play(text.split('/').next().unwrap_or("").trim())
}

/// Reads a game in the form of the Generic Game Server: `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[F6];)`.
fn read_game(text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let mut rest = text.trim();
    rest =
        rest.strip_prefix("(;").ok_or_else(|| TextError::new("a game begins with (; and a tag such as GM[Othello]"))?;
    let mut game = None;
    let mut moves = 0;
    while let Some((tag, behind)) = rest.split_once('[') {
        let (value, behind) = behind
            .split_once(']')
            .ok_or_else(|| TextError::new(format!("the tag {} has no end", quoted(tag.trim()))))?;
        match tag.trim().trim_start_matches(';') {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(TextError::new(format!("the game is {}, expected Othello", quoted(value))));
            }
            "BO" => game = Some(read_board(value)?),
            colour @ ("B" | "W") => {
                moves += 1;
                let game = game.as_deref_mut().ok_or_else(|| TextError::new("a move stands before the board"))?;
                let wrong = |error: &dyn std::fmt::Display| TextError::new(format!("move {moves}: {error}"));
                if (game.to_move() == Side::First) != (colour == "B") {
                    return Err(wrong(&format!("{} is not to move", quoted(colour))));
                }
                play(game, value).map_err(|error| wrong(&error))?;
            }
            // Names, dates, clocks, results: nothing that a move depends on.
            _ => {}
        }
        rest = behind;
    }
    game.ok_or_else(|| TextError::new("the game has no board: BO[8 … *]"))
}

/// Reads a board: its size, its squares row by row, the side to move.
fn read_board(text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let (size, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let rest: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
    let (to_move, _) = rest.char_indices().next_back().ok_or_else(|| TextError::new("the board is empty"))?;
    let (squares, to_move) = rest.split_at(to_move);
    open("othello", Some(&format!("{size}x{size}")), Some(&format!("{squares} {to_move}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    #[test]
    fn a_game_of_the_protocols_own_example_is_read() {
        let text = format!(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}B[F5]W[F6//1.5]B[D3/0.2/3]W[C5];)"
        );
        let game = read_game(&text).unwrap();
        assert_eq!(game.played(), ["f5", "f6", "d3", "c5"]);
        let six = read_game("(;GM[Othello]TY[6]BO[6 -------- ------ O*----*O------ -------- *]B[C2];)").unwrap();
        assert_eq!((six.rules().ruleset.name, six.ply()), ("6x6", 1));
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        let unfinished = format!("(;GM[Othello]{START}B[F5");
        let turn = format!("(;{START}W[F5];)");
        let illegal = format!("(;{START}B[A1];)");
        let size = START.replace("BO[8", "BO[7");
        for text in [
            "",
            "F5",
            "(;GM[Chess];)",
            "(;)",
            "(;B[F5];)",
            "(;BO[]",
            "(;BO[8 é];)",
            &unfinished,
            &turn,
            &illegal,
            &size,
        ] {
            let error = read_game(text).map(|_| ()).unwrap_err().to_string();
            assert!(error.len() < 200 && !error.contains('\n'), "{text}: {error}");
        }
    }
}
