//! The client of a protocol of lines: an agent that drives a program which speaks it.

use std::time::{Duration, Instant};

use quincunx_agents::{Agent, Answer, Failure, Request};
use quincunx_game::{AnyGame, TextError};
use quincunx_search::Limits;

use super::program::{Program, check};
use crate::settings::Settings;

/// The time a program has to say hello and get ready.
const COURTESY: Duration = Duration::from_secs(30);

/// What is said to a program, and how its answers are read.
pub(crate) trait Protocol: Send {
    /// Greets a program that was just started, and waits until it is ready for a new game.
    fn greet(&mut self, program: &mut Program) -> Result<(), Failure>;

    /// Asks for a move in the position of the game.
    fn ask(&mut self, program: &mut Program, game: &dyn AnyGame, limits: &Limits) -> Result<Answer, Failure>;
}

/// A program that is started for each game, behind its protocol.
pub(crate) struct Client<P> {
    protocol: P,
    command: String,
    settings: Settings,
    program: Option<Program>,
}

impl<P: Protocol + 'static> Client<P> {
    /// The agent behind a command of the shell, which is not started yet.
    pub(crate) fn agent(protocol: P, command: &str, settings: Settings) -> Result<Box<dyn Agent>, TextError> {
        check(command)?;
        Ok(Box::new(Self { protocol, command: command.to_string(), settings, program: None }))
    }

    /// The program, started and ready.
    fn ready(&mut self) -> Result<Program, Failure> {
        if let Some(program) = self.program.take() {
            return Ok(program);
        }
        let mut program = Program::start(&self.command, &self.settings)?;
        let limits = Limits { movetime: Some(COURTESY), ..Limits::default() };
        program.watched(&limits, |program| self.protocol.greet(program))?;
        Ok(program)
    }
}

impl<P: Protocol + 'static> Agent for Client<P> {
    fn get_ready(&mut self) -> Result<(), Failure> {
        self.program = Some(self.ready()?);
        Ok(())
    }

    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        let mut program = self.ready()?;
        let began = Instant::now();
        let limits = &request.limits;
        let (answer, cpu) = program.watched(limits, |program| self.protocol.ask(program, game, limits))?;
        // One that has failed is not asked again.
        self.program = Some(program);
        Ok(Answer { seconds: began.elapsed().as_secs_f64(), cpu: Some(cpu), ..answer })
    }

    fn new_game(&mut self) {
        self.program = None;
    }
}
