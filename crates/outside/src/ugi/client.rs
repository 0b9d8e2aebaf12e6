//! `ugi:COMMAND`: a program that speaks the Universal Game Interface.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use quincunx_game::{AnyGame, Rules, Side, TextError};
use quincunx_games::open;
use quincunx_search::Limits;

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};

use crate::{
    dialogue::client::{LineEngine, check, courtesy},
    settings::Settings,
};

struct UgiAgent {
    command: String,
    settings: Settings,
    rules: Rules,
    engine: Option<LineEngine>,
    start: String,
}

pub(crate) fn build(settings: Settings, command: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    check(command)?;
    let start = open(rules.about.name, Some(&rules.to_string()), None)?.start_text();
    Ok(Box::new(UgiAgent { command: command.to_string(), settings, rules: *rules, engine: None, start }))
}

impl UgiAgent {
    fn started(&self) -> Result<LineEngine, Failure> {
        let mut engine = LineEngine::start(&self.command, &self.settings)?;
        engine.watched(&courtesy(), |engine| {
            engine.send("ugi")?;
            let mut offered = Vec::new();
            engine.wait_for(|line| {
                offered.extend(line.strip_prefix("option name ").map(str::to_lowercase));
                (line == "ugiok").then_some(())
            })?;
            // A program for several games has to be told which.
            for (name, value) in [("Game", self.rules.about.name), ("Ruleset", &self.rules.to_string())] {
                let known = offered.iter().any(|option| option.split_whitespace().next() == Some(&name.to_lowercase()));
                if known {
                    engine.send(&format!("setoption name {name} value {value}"))?;
                }
            }
            for (name, value) in &self.settings.options {
                engine.send(&format!("setoption name {name} value {value}"))?;
            }
            engine.send("uginewgame")?;
            engine.send("isready")?;
            engine.wait_for(|line| (line == "readyok").then_some(()))
        })?;
        Ok(engine)
    }
}

impl Agent for UgiAgent {
    fn get_ready(&mut self) -> Result<(), Failure> {
        if self.engine.is_none() {
            self.engine = Some(self.started()?);
        }
        Ok(())
    }

    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        self.get_ready()?;
        let began = Instant::now();
        let engine = self.engine.as_mut().expect("started above");
        let start = game.start_text();
        let mut position =
            if start == self.start { "position startpos".to_string() } else { format!("position fen {start}") };
        let moves = game.played();
        if !moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&moves.join(" "));
        }
        let go = go_line(&request.limits, game.to_move());
        let mut answer = Answer::default();
        let ((), cpu) = engine.watched(&request.limits, |engine| {
            engine.send(&position)?;
            engine.send(&go)?;
            answer.mv = engine
                .wait_for(|line| {
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
                })?
                .ok_or_else(|| Failure::of(Fault::Protocol, "bestmove without a move"))?;
            Ok(())
        })?;
        answer.seconds = began.elapsed().as_secs_f64();
        answer.cpu = Some(cpu);
        Ok(answer)
    }

    fn new_game(&mut self) {
        self.engine = None;
    }
}

fn go_line(limits: &Limits, side: Side) -> String {
    let mut go = String::from("go");
    let mut add = |name: &str, value: u128| _ = write!(go, " {name} {value}");
    if let Some(time) = limits.movetime {
        add("movetime", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", u128::from(nodes));
    }
    if let Some(depth) = limits.depth {
        add("depth", u128::from(depth));
    }
    let clock = limits.clock.map(|clock| (clock.left, clock.increment));
    if let Some((left, increment)) = clock.or(limits.cpu.map(|left| (left, Duration::ZERO))) {
        // Only the program's own clock matters to it; the other side's is told as the same.
        let order = if side == Side::First { [1, 2] } else { [2, 1] };
        for player in order {
            add(&format!("p{player}time"), left.as_millis().max(1));
            add(&format!("p{player}inc"), increment.as_millis());
        }
    }
    if *limits == Limits::default() {
        add("movetime", 1000);
    }
    go
}
