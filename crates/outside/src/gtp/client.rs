//! `gtp:COMMAND`: a program that speaks the Go Text Protocol with the moves of our game, as the Othello world does.

use std::time::Instant;

use quincunx_game::{AnyGame, Rules, TextError, text::quoted};
use quincunx_games::open;

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};

use crate::{
    dialogue::client::{LineEngine, check, courtesy},
    settings::Settings,
};

struct GtpAgent {
    command: String,
    settings: Settings,
    engine: Option<LineEngine>,
    start: String,
    /// The moves the program has on its board.
    sent: Vec<String>,
    /// The side of the square board, where the board is one.
    size: usize,
}

pub(crate) fn build(settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    settings.without_options()?;
    check(command)?;
    let game = open(rules.about.name, Some(&rules.to_string()), None)?;
    let size = game.geometry().cells.len().isqrt();
    let start = game.start_text();
    Ok(Box::new(GtpAgent { command: command.to_string(), settings, engine: None, start, sent: Vec::new(), size }))
}

/// Sends a command and returns what the program answers to it.
fn ask(engine: &mut LineEngine, command: &str) -> Result<String, Failure> {
    engine.send(command)?;
    let answer = engine.wait_for(|line| {
        let line = line.trim();
        (line.starts_with('=') || line.starts_with('?')).then(|| line.to_string())
    })?;
    match answer.strip_prefix('=') {
        Some(text) => Ok(text.trim().to_string()),
        None => Err(Failure::of(Fault::Protocol, format!("it refused {}: {}", quoted(command), quoted(&answer)))),
    }
}

impl Agent for GtpAgent {
    fn get_ready(&mut self) -> Result<(), Failure> {
        if self.engine.is_none() {
            let size = self.size;
            let mut engine = LineEngine::start(&self.command, &self.settings)?;
            self.sent.clear();
            engine.watched(&courtesy(), |engine| {
                // One that plays on a single size may refuse to be told it.
                _ = ask(engine, &format!("boardsize {size}"));
                ask(engine, "clear_board")
            })?;
            self.engine = Some(engine);
        }
        Ok(())
    }

    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        if game.start_text() != self.start {
            return Err(Failure::new("GTP has no way to set up a position"));
        }
        self.get_ready()?;
        let began = Instant::now();
        let mut engine = self.engine.take().expect("started above");
        let about = game.rules().about;
        let colour = |side| super::colour(about, side);
        let moves = game.played();
        let side_after =
            |ply: usize| if (moves.len() - ply).is_multiple_of(2) { game.to_move() } else { !game.to_move() };
        let known = if moves.starts_with(&self.sent) { self.sent.len() } else { 0 };
        let limits = &request.limits;
        let left = limits.cpu.or(limits.clock.map(|clock| clock.left)).or(limits.movetime);
        let side = game.to_move();
        let (mv, cpu) = engine.watched(limits, |engine| {
            if known == 0 && !self.sent.is_empty() {
                ask(engine, "clear_board")?;
            }
            for (ply, mv) in moves.iter().enumerate().skip(known) {
                ask(engine, &format!("play {} {mv}", colour(side_after(ply))))?;
            }
            if let Some(left) = left {
                // Not every program keeps time by it.
                _ = ask(engine, &format!("time_left {} {} 0", colour(side), left.as_secs()));
            }
            ask(engine, &format!("genmove {}", colour(side)))
        })?;
        self.sent = moves;
        // The program has played its own move; ours to check is the text.
        self.sent.push(mv.to_lowercase());
        self.engine = Some(engine);
        Ok(Answer { mv, seconds: began.elapsed().as_secs_f64(), cpu: Some(cpu), ..Answer::default() })
    }

    fn new_game(&mut self) {
        self.engine = None;
        self.sent.clear();
    }
}
