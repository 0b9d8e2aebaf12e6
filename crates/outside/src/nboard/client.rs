//! `nboard:COMMAND`: a program that speaks `NBoard`; `nboard:[depth=12]COMMAND` says how deep it is to search.

use quincunx_agents::{Agent, Answer, Failure, Fault, Options};
use quincunx_game::{AnyGame, Rules, TextError};
use quincunx_search::Limits;

use super::game;
use crate::{
    dialogue::{
        client::{Client, Protocol},
        program::Program,
    },
    settings::Settings,
};

/// The depth a program is asked for if neither its spec nor a limit says one; the time is the referee's to keep.
const DEPTH: u32 = 8;

/// The deepest that may be asked for.
const DEEPEST: u64 = 100;

struct Nboard {
    /// The depth of the spec.
    depth: Option<u32>,
    /// The depth the running program was told: some programs forget what they have learnt when they are told again.
    told: Option<u32>,
}

pub(crate) fn build(mut settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    // The protocol knows one option, how deep to search; all others are complained about.
    let given = std::mem::take(&mut settings.options);
    let mut options = Options::new("nboard", &given);
    let depth = options.number("depth", 1, DEEPEST)?.map(|depth| depth as u32);
    options.finish()?;
    if rules.about.name != "othello" {
        return Err(TextError::new("the NBoard protocol is spoken for Othello only"));
    }
    Client::agent(Nboard { depth, told: None }, command, settings)
}

impl Protocol for Nboard {
    fn greet(&mut self, program: &mut Program) -> Result<(), Failure> {
        self.told = None;
        program.send("nboard 2")?;
        program.send("ping 1")?;
        program.wait_for(|line| (line.trim() == "pong 1").then_some(()))
    }

    fn ask(&mut self, program: &mut Program, game: &dyn AnyGame, limits: &Limits) -> Result<Answer, Failure> {
        let depth = self.depth.or(limits.depth).unwrap_or(DEPTH);
        if self.told.replace(depth) != Some(depth) {
            program.send(&format!("set depth {depth}"))?;
        }
        program.send(&format!("set game {}", game::write(game)))?;
        program.send("go")?;
        let answer = program.wait_for(|line| line.trim().strip_prefix("===").map(|rest| rest.trim().to_string()))?;
        // Evaluation and time may follow the move behind slashes or, with some programs, spaces.
        let mv = answer.split(['/', ' ']).next().unwrap_or_default().to_string();
        if mv.is_empty() {
            return Err(Failure::of(Fault::Protocol, "=== without a move"));
        }
        Ok(Answer { mv, ..Answer::default() })
    }
}
