//! Any agent behind GTP, on an input and standard output.

use std::{fmt::Write as _, io::BufRead, ops::ControlFlow, time::Duration};

use quincunx_agents::{Agent, Failure, Request};
use quincunx_game::{
    AnyGame, Side, TextError,
    hash::mix,
    terminal::{self, Style},
    text::quoted,
};
use quincunx_games::{NO_MOVES, open, set_up};
use quincunx_search::{Clock, Limits};

use super::colour;
use crate::{
    ServeError, build,
    dialogue::engine::{each_line, say},
};

const COMMANDS: [&str; 18] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "loadposition",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

struct Session {
    game: Box<dyn AnyGame>,
    /// The agent that makes the moves: its spec, and built for the rules of the game.
    spec: String,
    seed: u64,
    agent: Box<dyn Agent>,
    /// How many turns each `play` and `genmove` made: a pass that was not told comes with the move behind it.
    turns: Vec<usize>,
    /// What is left on each side's clock.
    clocks: [Option<Limits>; 2],
    /// Games begun so far: each draws anew.
    games: u64,
    /// Whether the controller calls the sides by each other's colours, because for it black always begins.
    swapped: bool,
    /// Whether the controller set up a position: it knows then who is to move.
    loaded: bool,
}

/// Answers the lines of a controller on standard output until it leaves, with the moves of the agent that `spec` names.
pub fn serve(input: impl BufRead, game: Box<dyn AnyGame>, spec: &str, seed: u64) -> Result<(), ServeError> {
    let mut session = Session::new(game, spec, seed)?;
    _ = each_line(input, |line| match line {
        Ok(line) => session.answer(line),
        Err(error) => {
            say(&format!("? {error}\n"));
            ControlFlow::Continue(())
        }
    })?;
    Ok(())
}

impl Session {
    fn new(game: Box<dyn AnyGame>, spec: &str, seed: u64) -> Result<Self, TextError> {
        let agent = build(spec, game.rules(), seed)?;
        Ok(Self {
            game,
            spec: spec.to_string(),
            seed,
            agent,
            turns: Vec::new(),
            clocks: [None; 2],
            games: 0,
            swapped: false,
            loaded: false,
        })
    }

    /// Answers one line: nothing to an empty one or a comment, `=` or `?` with the number of the command to others.
    fn answer(&mut self, line: &str) -> ControlFlow<()> {
        let line: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            return ControlFlow::Continue(());
        }
        let (first, behind) = line.split_once(' ').unwrap_or((line, ""));
        let numbered = first.len() <= 10 && first.bytes().all(|byte| byte.is_ascii_digit());
        let (number, line) = if numbered { (first, behind.trim()) } else { ("", line) };
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match self.obey(command, rest.trim()) {
            Ok(text) => say(&format!("={number} {text}\n")),
            Err(error) => say(&format!("?{number} {error}\n")),
        }
        if command == "quit" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn obey(&mut self, command: &str, rest: &str) -> Result<String, TextError> {
        match command {
            "protocol_version" => return Ok("2".into()),
            "name" => return Ok("Quincunx".into()),
            "version" => return Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => return Ok(COMMANDS.contains(&rest).to_string()),
            "list_commands" => return Ok(COMMANDS.join("\n")),
            "boardsize" => self.set_size(rest)?,
            "clear_board" => self.set_up(None)?,
            "loadposition" => self.set_up(Some(rest))?,
            // It changes the score of no game of ours.
            "komi" => _ = rest.parse::<f64>().map_err(|_| TextError::new("syntax error: komi is a number"))?,
            "play" => self.play(rest)?,
            "genmove" => return self.generate(rest, true),
            "reg_genmove" => return self.generate(rest, false),
            "undo" => self.undo()?,
            "showboard" => return Ok(format!("\n{}", terminal::board(&*self.game, Style::Plain).trim_end())),
            "final_score" => return self.final_score(),
            "time_settings" => self.set_clocks(rest)?,
            "time_left" => self.set_clock(rest)?,
            "quit" => {}
            _ => return Err(TextError::new("unknown command")),
        }
        Ok(String::new())
    }

    /// Chooses the ruleset played on a board of this size.
    fn set_size(&mut self, text: &str) -> Result<(), TextError> {
        let size: usize = text.parse().map_err(|_| TextError::new("syntax error: a size is a whole number"))?;
        let rules = self.game.rules();
        let fits = |game: &dyn AnyGame| super::size(game) == size;
        if !fits(&*self.game) {
            let others = rules.about.rulesets.iter();
            let mut tables = others.filter_map(|ruleset| open(rules.about.name, Some(ruleset.name), None).ok());
            let game = tables.find(|game| fits(&**game)).ok_or_else(|| TextError::new("unacceptable size"))?;
            *self = Self { clocks: self.clocks, games: self.games, ..Self::new(game, &self.spec, self.seed)? };
        }
        self.set_up(None)
    }

    fn set_up(&mut self, position: Option<&str>) -> Result<(), TextError> {
        self.game = set_up(*self.game.rules(), position, NO_MOVES)?;
        self.turns.clear();
        (self.swapped, self.loaded) = (false, position.is_some());
        self.games += 1;
        self.agent = build(&self.spec, self.game.rules(), mix(self.seed, self.games))?;
        Ok(())
    }

    /// Understands a controller for which black begins in every game: the colour it names first is that of the side that
    /// begins.
    fn get_used_to(&mut self, colour: &str) -> Result<(), TextError> {
        if self.turns.is_empty() && self.game.ply() == 0 && !self.loaded && self.side(colour)? != self.game.to_move() {
            self.swapped = !self.swapped;
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), TextError> {
        let (colour, mv) = text.split_once(' ').ok_or_else(|| TextError::new("syntax error: play COLOUR MOVE"))?;
        self.get_used_to(colour)?;
        if self.game.outcome().is_some() && mv.trim().eq_ignore_ascii_case("pass") {
            // Controllers of Go end a game by two passes.
            self.turns.push(0);
            return Ok(());
        }
        let before = self.game.ply();
        let played = self.give_turn(self.side(colour)?).and_then(|()| self.game.play(mv.trim()));
        self.keep(before, played).map_err(|error| TextError::new(format!("illegal move: {error}")))
    }

    /// The move the agent makes for a side, played if `keep` says so.
    fn generate(&mut self, colour: &str, keep: bool) -> Result<String, TextError> {
        self.get_used_to(colour)?;
        let side = self.side(colour)?;
        if self.game.outcome().is_some() {
            if keep {
                self.turns.push(0);
            }
            return Ok("pass".into());
        }
        let before = self.game.ply();
        let mv = self.give_turn(side).and_then(|()| self.choose(side));
        let played = match &mv {
            Ok(mv) if keep => self.game.play(mv),
            Ok(_) => Err(TextError::new("not to be played")),
            Err(error) => Err(error.clone()),
        };
        let kept = self.keep(before, played);
        let mv = mv?;
        if keep {
            kept?;
        }
        Ok(named_as_a_vertex(&mv))
    }

    fn choose(&mut self, side: Side) -> Result<String, TextError> {
        // A forced pass needs no thought, and some agents expect not to be asked.
        if let [only] = self.game.choices().as_slice()
            && only.pass
        {
            return Ok(only.text.clone());
        }
        let request = Request { limits: self.clocks[side.index()].unwrap_or_default(), ..Request::default() };
        let answer = self.agent.choose(&*self.game, &request);
        answer.map(|answer| answer.mv).map_err(|failure: Failure| TextError::new(failure.to_string()))
    }

    /// Makes it a side's turn, by the pass of the other if that is forced.
    fn give_turn(&mut self, side: Side) -> Result<(), TextError> {
        if self.game.to_move() == side {
            return Ok(());
        }
        if let [only] = self.game.choices().as_slice()
            && only.pass
        {
            return self.game.play(&only.text);
        }
        let turn = self.game.rules().about.side(self.game.to_move());
        Err(TextError::new(format!("it is the turn of {turn}")))
    }

    /// Remembers what was played since `before`, or takes it back if it failed.
    fn keep(&mut self, before: usize, played: Result<(), TextError>) -> Result<(), TextError> {
        match played {
            Ok(()) => self.turns.push(self.game.ply() - before),
            Err(_) => while self.game.ply() > before && self.game.undo() {},
        }
        played
    }

    fn undo(&mut self) -> Result<(), TextError> {
        let turns = self.turns.pop().ok_or_else(|| TextError::new("cannot undo"))?;
        for _ in 0..turns {
            self.game.undo();
        }
        Ok(())
    }

    fn side(&self, text: &str) -> Result<Side, TextError> {
        let about = self.game.rules().about;
        let letter = match text.to_ascii_lowercase().as_str() {
            "b" | "black" => "b",
            "w" | "white" => "w",
            _ => return Err(TextError::new(format!("syntax error: {} is no colour", quoted(text)))),
        };
        Ok(if (colour(about, Side::First) == letter) == self.swapped { Side::Second } else { Side::First })
    }

    /// The result in the form of Go: colour and margin, or the colour alone if nothing is counted.
    fn final_score(&self) -> Result<String, TextError> {
        let outcome = self.game.outcome().ok_or_else(|| TextError::new("cannot score: the game is not over"))?;
        let Some(winner) = outcome.winner else { return Ok("0".into()) };
        let winner = if self.swapped { !winner } else { winner };
        let mut text = format!("{}+", colour(self.game.rules().about, winner).to_uppercase());
        if let Some(score) = self.game.tallies().iter().find(|tally| tally.name == "score") {
            let [first, second] = score.values;
            _ = write!(text, "{}", first.abs_diff(second));
        }
        Ok(text)
    }

    fn set_clocks(&mut self, text: &str) -> Result<(), TextError> {
        let [main, period, stones] = numbers(text)?;
        // A period without stones means, in this protocol, that there is no limit at all.
        let clock = if period > 0 && stones == 0 {
            None
        } else if main > 0 || period == 0 {
            Some(left(main, 0))
        } else {
            Some(left(period, stones))
        };
        self.clocks = [clock; 2];
        Ok(())
    }

    fn set_clock(&mut self, text: &str) -> Result<(), TextError> {
        let (colour, rest) = text.split_once(' ').unwrap_or((text, ""));
        let side = self.side(colour)?;
        let [seconds, stones] = numbers(rest)?;
        self.clocks[side.index()] = Some(left(seconds, stones));
        Ok(())
    }
}

/// The limits of a clock with this many seconds left, for so many moves (0: for the rest of the game).
fn left(seconds: u64, stones: u64) -> Limits {
    let time = Duration::from_secs(seconds);
    match stones {
        0 => Limits { clock: Some(Clock { left: time, increment: Duration::ZERO }), ..Limits::default() },
        // A tenth is kept back for what is not thinking.
        _ => Limits { movetime: Some(time.mul_f64(0.9 / stones as f64)), ..Limits::default() },
    }
}

fn numbers<const COUNT: usize>(text: &str) -> Result<[u64; COUNT], TextError> {
    let numbers: Option<Vec<u64>> = text
        .split_whitespace()
        // Some clients send fractions of a second.
        .map(|word| word.parse::<f64>().ok().filter(|number| (0.0..=1e9).contains(number)).map(|number| number as u64))
        .collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| TextError::new(format!("syntax error: expected {COUNT} numbers of at least 0")))
}

/// A place written row first, such as `10K`, as the protocol writes it: `K10`.
fn named_as_a_vertex(mv: &str) -> String {
    let row = mv.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let place = !row.is_empty() && row.len() + 1 == mv.len() && row.bytes().all(|byte| byte.is_ascii_digit());
    if place { format!("{}{row}", &mv[row.len()..]) } else { mv.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_column_first() {
        assert_eq!(named_as_a_vertex("10K"), "K10");
        for other in ["d3", "pass", "e1-e2", "ab1:db1:NE2", ""] {
            assert_eq!(named_as_a_vertex(other), other);
        }
    }

    #[test]
    fn games_of_one_process_differ_and_a_pass_at_the_end_is_taken() {
        let mut session = Session::new(open("othello", None, None).unwrap(), "random", 1).unwrap();
        let mut games = Vec::new();
        for _ in 0..2 {
            session.obey("clear_board", "").unwrap();
            let mut moves = Vec::new();
            while session.game.outcome().is_none() {
                let turn = ["b", "w"][session.game.to_move().index()];
                moves.push(session.obey("genmove", turn).unwrap());
            }
            games.push(moves);
            assert_eq!(session.obey("genmove", "b").unwrap(), "pass");
            assert_eq!(session.obey("play", "w pass").unwrap(), "");
            let ply = session.game.ply();
            session.obey("undo", "").unwrap();
            session.obey("undo", "").unwrap();
            assert_eq!(session.game.ply(), ply);
        }
        assert_ne!(games[0], games[1]);
    }

    #[test]
    fn black_may_begin_in_a_game_in_which_white_does() {
        for (first, second) in [("b", "w"), ("w", "b"), ("black", "white")] {
            let mut session = Session::new(open("pente", None, None).unwrap(), "random", 1).unwrap();
            assert_eq!(session.obey("genmove", first).unwrap(), "K10");
            session.obey("genmove", second).unwrap();
            assert!(session.obey("genmove", second).is_err());
            session.obey("clear_board", "").unwrap();
            session.obey("play", &format!("{second} 10K")).unwrap();
        }
    }

    #[test]
    fn every_command_listed_is_known_to_the_session() {
        let mut session = Session::new(open("othello", None, None).unwrap(), "random", 1).unwrap();
        for command in COMMANDS {
            let unknown = session.obey(command, "").is_err_and(|error| error.to_string() == "unknown command");
            assert!(!unknown, "{command}");
        }
        assert!(session.obey("frobnicate", "").is_err());
    }
}
