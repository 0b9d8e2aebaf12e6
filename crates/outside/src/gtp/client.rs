//! `gtp:COMMAND`: a program that speaks GTP.

use quincunx_agents::{Agent, Answer, Failure, Fault};
use quincunx_game::{AnyGame, Rules, TextError, text::quoted};
use quincunx_games::{NO_MOVES, set_up};
use quincunx_search::Limits;

use super::{colour, size};
use crate::{
    dialogue::{
        client::{Client, Protocol},
        program::Program,
    },
    settings::Settings,
};

struct Gtp {
    /// The position a game begins with: the protocol can set up no other.
    start: String,
    /// The size of its board.
    size: usize,
    /// The moves the program has on its board.
    sent: Vec<String>,
}

pub(crate) fn build(settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    settings.without_options()?;
    let game = set_up(*rules, None, NO_MOVES)?;
    Client::agent(Gtp { start: game.start_text(), size: size(&*game), sent: Vec::new() }, command, settings)
}

/// Sends a command and returns what the program answers to it.
fn ask(program: &mut Program, command: &str) -> Result<String, Failure> {
    program.send(command)?;
    let answer = program.wait_for(|line| {
        let line = line.trim();
        (line.starts_with('=') || line.starts_with('?')).then(|| line.to_string())
    })?;
    match answer.strip_prefix('=') {
        Some(text) => Ok(text.trim().to_string()),
        None => Err(Failure::of(Fault::Protocol, format!("it refused {}: {}", quoted(command), quoted(&answer)))),
    }
}

impl Protocol for Gtp {
    fn greet(&mut self, program: &mut Program) -> Result<(), Failure> {
        self.sent.clear();
        // One that plays on a single size may refuse to be told it.
        _ = ask(program, &format!("boardsize {}", self.size));
        ask(program, "clear_board").map(|_| ())
    }

    fn ask(&mut self, program: &mut Program, game: &dyn AnyGame, limits: &Limits) -> Result<Answer, Failure> {
        if game.start_text() != self.start {
            return Err(Failure::new("GTP has no way to set up a position"));
        }
        let about = game.rules().about;
        let side = game.to_move();
        let moves = game.played();
        let known = if moves.starts_with(&self.sent) { self.sent.len() } else { 0 };
        if known == 0 && !self.sent.is_empty() {
            ask(program, "clear_board")?;
        }
        for (ply, mv) in moves.iter().enumerate().skip(known) {
            let mover = if (moves.len() - ply).is_multiple_of(2) { side } else { !side };
            ask(program, &format!("play {} {mv}", colour(about, mover)))?;
        }
        if let Some(left) = limits.cpu.or(limits.clock.map(|clock| clock.left)).or(limits.movetime) {
            // Not every program keeps time by it.
            _ = ask(program, &format!("time_left {} {} 0", colour(about, side), left.as_secs()));
        }
        let mv = ask(program, &format!("genmove {}", colour(about, side)))?;
        self.sent = moves;
        // The program has played its own move; ours to check is the text.
        self.sent.push(mv.to_lowercase());
        Ok(Answer { mv, ..Answer::default() })
    }
}
