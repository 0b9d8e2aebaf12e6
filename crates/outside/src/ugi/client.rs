//! `ugi:COMMAND`: a program that speaks UGI.

use quincunx_agents::{Agent, Answer, Failure, Fault};
use quincunx_game::{AnyGame, Rules, TextError};
use quincunx_games::{NO_MOVES, set_up};
use quincunx_search::Limits;

use super::command::{go_line, position_line};
use crate::{
    dialogue::{
        client::{Client, Protocol},
        program::Program,
    },
    settings::Settings,
};

struct Ugi {
    rules: Rules,
    /// The position a game begins with that is not set up.
    start: String,
    /// What the spec asks the program to set.
    options: Vec<(String, String)>,
}

pub(crate) fn build(settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    let start = set_up(*rules, None, NO_MOVES)?.start_text();
    let options = settings.options.clone();
    Client::agent(Ugi { rules: *rules, start, options }, command, settings)
}

impl Protocol for Ugi {
    fn greet(&mut self, program: &mut Program) -> Result<(), Failure> {
        program.send("ugi")?;
        let mut offered = Vec::new();
        program.wait_for(|line| {
            offered.extend(line.strip_prefix("option name ").map(str::to_lowercase));
            (line == "ugiok").then_some(())
        })?;
        // A program for several games has to be told which.
        for (name, value) in [("Game", self.rules.about.name), ("Ruleset", &self.rules.to_string())] {
            let known = offered.iter().any(|option| option.split_whitespace().next() == Some(&name.to_lowercase()));
            if known {
                set_option(program, name, value)?;
            }
        }
        for (name, value) in &self.options {
            set_option(program, name, value)?;
        }
        program.send("uginewgame")?;
        program.send("isready")?;
        program.wait_for(|line| (line == "readyok").then_some(()))
    }

    fn ask(&mut self, program: &mut Program, game: &dyn AnyGame, limits: &Limits) -> Result<Answer, Failure> {
        program.send(&position_line(game, &self.start))?;
        program.send(&go_line(limits, game.to_move()))?;
        let mut answer = Answer::default();
        let best = program.wait_for(|line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => Some(words.next().map(str::to_string)),
                Some("info") => {
                    let number = |name| {
                        let mut words = line.split_whitespace().skip_while(|word| *word != name);
                        words.nth(1)?.parse::<u64>().ok()
                    };
                    answer.depth = number("depth").map_or(answer.depth, |depth| depth.min(1000) as u32);
                    answer.nodes = number("nodes").unwrap_or(answer.nodes);
                    None
                }
                _ => None,
            }
        })?;
        answer.mv = best.ok_or_else(|| Failure::of(Fault::Protocol, "bestmove without a move"))?;
        Ok(answer)
    }
}

fn set_option(program: &mut Program, name: &str, value: &str) -> Result<(), Failure> {
    program.send(&format!("setoption name {name} value {value}"))
}
