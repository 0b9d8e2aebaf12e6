//! `nboard:COMMAND`: a program that speaks the `NBoard` protocol of the Othello world; `nboard:[depth=12]COMMAND` says how deep it is to
//! search.

use std::{fmt::Write as _, time::Instant};

use quincunx_game::{AnyGame, Rules, Side, TextError};

use quincunx_agents::{Agent, Answer, Failure, Fault, Options, Request};

use crate::{
    dialogue::client::{LineEngine, check, courtesy},
    settings::Settings,
};

/// The depth a program is asked for where neither its spec nor a limit says one; the time is the referee's to keep.
const DEPTH: u32 = 8;

/// The deepest that may be asked for.
const DEEPEST: u64 = 100;

struct NboardAgent {
    command: String,
    settings: Settings,
    /// The depth of the spec.
    depth: Option<u32>,
    engine: Option<LineEngine>,
    /// The depth the running program was told: some programs forget what they have learnt when they are told again.
    told: Option<u32>,
}

pub(crate) fn build(mut settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    // The protocol knows one option, how deep to search; all others are complained about.
    let given = std::mem::take(&mut settings.options);
    let mut options = Options::new("nboard", &given);
    let depth = options.number("depth", 1, DEEPEST)?.map(|depth| depth as u32);
    options.finish()?;
    check(command)?;
    if rules.about.name != "othello" {
        return Err(TextError::new("the NBoard protocol is spoken for Othello only"));
    }
    Ok(Box::new(NboardAgent { command: command.to_string(), settings, depth, engine: None, told: None }))
}

impl Agent for NboardAgent {
    fn get_ready(&mut self) -> Result<(), Failure> {
        if self.engine.is_none() {
            let mut engine = LineEngine::start(&self.command, &self.settings)?;
            engine.watched(&courtesy(), |engine| {
                engine.send("nboard 2")?;
                engine.send("ping 1")?;
                engine.wait_for(|line| (line.trim() == "pong 1").then_some(()))
            })?;
            (self.engine, self.told) = (Some(engine), None);
        }
        Ok(())
    }

    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        self.get_ready()?;
        let began = Instant::now();
        let engine = self.engine.as_mut().expect("started above");
        let depth = self.depth.or(request.limits.depth).unwrap_or(DEPTH);
        let news = self.told.replace(depth) != Some(depth);
        let game = game_text(game);
        let (mv, cpu) = engine.watched(&request.limits, |engine| {
            if news {
                engine.send(&format!("set depth {depth}"))?;
            }
            engine.send(&format!("set game {game}"))?;
            engine.send("go")?;
            let answer = engine.wait_for(|line| line.trim().strip_prefix("===").map(|rest| rest.trim().to_string()))?;
            // Evaluation and time may follow the move behind slashes or, with some programs, spaces.
            let mv = answer.split(['/', ' ']).next().unwrap_or_default().to_string();
            if mv.is_empty() { Err(Failure::of(Fault::Protocol, "=== without a move")) } else { Ok(mv) }
        })?;
        Ok(Answer { mv, seconds: began.elapsed().as_secs_f64(), cpu: Some(cpu), ..Answer::default() })
    }

    fn new_game(&mut self) {
        self.engine = None;
    }
}

/// The game in the form of the protocol: the start board, then the moves.
fn game_text(game: &dyn AnyGame) -> String {
    let start = game.start_text();
    let (board, to_move) = start.split_once(' ').unwrap_or((&start, "X"));
    let mark = |text: &str| text.replace('X', "*");
    let size = board.len().isqrt();
    let mut text = format!(
        "(;GM[Othello]PC[Quincunx]PB[Black]PW[White]RE[?]TI[0]TY[{size}]BO[{size} {} {}]",
        mark(board),
        mark(to_move)
    );
    let moves = game.played();
    let mut side = if moves.len().is_multiple_of(2) { game.to_move() } else { !game.to_move() };
    for mv in moves {
        let name = if mv == "pass" { "PA".into() } else { mv.to_uppercase() };
        _ = write!(text, "{}[{name}]", if side == Side::First { "B" } else { "W" });
        side = !side;
    }
    text.push_str(";)");
    text
}
