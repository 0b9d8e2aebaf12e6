//! What a web app asks of a worker, and what the worker says meanwhile. Nothing of it is kept in a stream: a person waits.

use std::time::Duration;

use quincunx_agents::{Analysis, Answer};
use quincunx_game::AnyGame;
use quincunx_games::{rules, set_up};
use quincunx_search::{Clock, Limits, Score, agent::Line};
use serde::{Deserialize, Serialize};

use crate::message::{Message, PROTOCOL, line};

/// How often a worker says that it still thinks.
pub(crate) const BEAT: Duration = Duration::from_millis(100);

/// More moves than any game of ours can have, and more lines than anybody looks at.
const MOST_MOVES: usize = 20_000;
const MOST_LINES: usize = 20;

/// The longest text of a position, a spec or a move.
const LONGEST: usize = 4000;

/// Something to think about, or the end of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Thought {
    Think(Box<Think>),
    /// Ends the thought of this number.
    Stop(u64),
}

/// Something to think about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Think {
    pub(crate) protocol: u32,
    /// Drawn by whoever asks, to end it.
    pub(crate) number: u64,
    pub(crate) game: String,
    pub(crate) ruleset: String,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    pub(crate) limits: Bounds,
    pub(crate) wanted: Wanted,
}

/// What is wanted of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Wanted {
    /// The move of an agent.
    Move { spec: String, seed: u64 },
    /// The best lines.
    Lines(usize),
}

/// Limits as they travel, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    /// What is left and what each move adds.
    clock: Option<[u64; 2]>,
    cpu: Option<u64>,
}

impl From<&Limits> for Bounds {
    fn from(limits: &Limits) -> Self {
        let us = |time: Duration| time.as_micros() as u64;
        Self {
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.movetime.map(us),
            clock: limits.clock.map(|clock| [us(clock.left), us(clock.increment)]),
            cpu: limits.cpu.map(us),
        }
    }
}

impl From<Bounds> for Limits {
    fn from(bounds: Bounds) -> Self {
        let time = Duration::from_micros;
        Self {
            depth: bounds.depth,
            nodes: bounds.nodes,
            movetime: bounds.movetime.map(time),
            clock: bounds.clock.map(|[left, increment]| Clock { left: time(left), increment: time(increment) }),
            cpu: bounds.cpu.map(time),
        }
    }
}

impl Think {
    /// What is wanted of a position under some limits.
    pub(crate) fn new(game: &dyn AnyGame, limits: &Limits, wanted: Wanted, number: u64) -> Self {
        Self {
            protocol: PROTOCOL,
            number,
            game: game.rules().about.name.into(),
            ruleset: game.rules().to_string(),
            start: game.start_text(),
            moves: game.played(),
            limits: limits.into(),
            wanted,
        }
    }

    /// The game as it stands; the error says in one line what is wrong with it.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, String> {
        let rules = rules(&self.game, Some(&self.ruleset)).map_err(|error| error.to_string())?;
        let game = set_up(rules, Some(&self.start), self.moves.iter().map(String::as_str));
        let game = game.map_err(|error| error.to_string())?;
        if game.outcome().is_some() { Err("the game is over".into()) } else { Ok(game) }
    }
}

/// What a worker says of a thought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Said {
    /// It still thinks.
    Thinking,
    /// It will not, and why.
    Declined(String),
    /// It has found this so far.
    Found(Found),
    /// It has found this and is done.
    Done(Found),
}

/// Something that was found. Lines of a move have one entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    depth: u32,
    nodes: u64,
    seconds: f64,
    lines: Vec<FoundLine>,
}

/// A move, its score in the words of [`Score`], the chance to win, and what is expected to follow.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FoundLine {
    #[serde(rename = "move")]
    mv: String,
    score: Option<Worth>,
    chance: Option<f64>,
    pv: Vec<String>,
}

/// A score as it travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Worth {
    Estimate(i32),
    Exact(i32),
    Win(u32),
    Loss(u32),
}

impl From<Score> for Worth {
    fn from(score: Score) -> Self {
        match score {
            Score::Estimate(value) => Self::Estimate(value),
            Score::Exact(value) => Self::Exact(value),
            Score::Win(plies) => Self::Win(plies),
            Score::Loss(plies) => Self::Loss(plies),
        }
    }
}

impl From<Worth> for Score {
    fn from(worth: Worth) -> Self {
        match worth {
            Worth::Estimate(value) => Self::Estimate(value),
            Worth::Exact(value) => Self::Exact(value),
            Worth::Win(plies) => Self::Win(plies),
            Worth::Loss(plies) => Self::Loss(plies),
        }
    }
}

impl From<&Answer> for Found {
    fn from(answer: &Answer) -> Self {
        let line = FoundLine {
            mv: answer.mv.clone(),
            score: answer.score.map(Worth::from),
            chance: answer.win_probability,
            pv: answer.pv.clone(),
        };
        Self { depth: answer.depth, nodes: answer.nodes, seconds: answer.seconds, lines: vec![line] }
    }
}

impl From<&Analysis> for Found {
    fn from(found: &Analysis) -> Self {
        let line = |line: &Line| FoundLine {
            mv: line.mv.clone(),
            score: Some(line.score.into()),
            chance: Some(line.win_probability),
            pv: line.pv.clone(),
        };
        let lines = found.lines.iter().map(line).collect();
        Self { depth: found.depth, nodes: found.nodes, seconds: found.seconds, lines }
    }
}

impl Found {
    /// The move of an agent, if it is a legal one.
    pub(crate) fn answer(self, game: &dyn AnyGame) -> Option<Answer> {
        let [line] = <[FoundLine; 1]>::try_from(self.lines).ok()?;
        game.boxed_clone().play(&line.mv).ok()?;
        Some(Answer {
            mv: line.mv,
            score: line.score.map(Score::from),
            win_probability: line.chance,
            depth: self.depth,
            nodes: self.nodes,
            seconds: self.seconds,
            pv: line.pv,
            ..Answer::default()
        })
    }

    /// The best lines, if all are legal and each has its worth.
    pub(crate) fn analysis(self, game: &dyn AnyGame) -> Option<Analysis> {
        let line = |line: FoundLine| {
            let mut board = game.boxed_clone();
            let legal = line.pv.first() == Some(&line.mv) && line.pv.iter().all(|mv| board.play(mv).is_ok());
            let (score, win_probability) = (line.score?.into(), line.chance?);
            legal.then_some(Line { mv: line.mv, score, win_probability, pv: line.pv })
        };
        let lines: Option<Vec<Line>> = self.lines.into_iter().map(line).collect();
        let lines = lines.filter(|lines| !lines.is_empty())?;
        let Self { depth, nodes, seconds, .. } = self;
        // The message tells nothing of the table and of longer lines.
        Some(Analysis { depth, selective_depth: depth, nodes, table_fill: 0, seconds, lines })
    }
}

impl Message for Thought {
    const NAME: &'static str = "a thought";

    fn fault(&self) -> Option<String> {
        let Self::Think(think) = self else { return None };
        if think.protocol != PROTOCOL {
            return Some(format!("it speaks protocol {}, this program {PROTOCOL}", think.protocol));
        }
        let texts = [&think.game, &think.ruleset, &think.start];
        let long = texts.into_iter().chain(&think.moves).any(|text| text.len() > LONGEST);
        let wanted = match &think.wanted {
            Wanted::Move { spec, .. } => spec.len() <= LONGEST,
            Wanted::Lines(count) => (1..=MOST_LINES).contains(count),
        };
        (long || !wanted || think.moves.len() > MOST_MOVES).then(|| "it is longer than any game".into())
    }
}

impl Message for Said {
    const NAME: &'static str = "a found move";

    fn fault(&self) -> Option<String> {
        let found = match self {
            Self::Thinking => return None,
            Self::Declined(why) => return (line(why) != *why).then(|| "its reason is not a line".into()),
            Self::Found(found) | Self::Done(found) => found,
        };
        let text = |text: &String| text.len() <= LONGEST;
        let sound = |line: &FoundLine| {
            let chance = line.chance.is_none_or(|chance| (0.0..=1.0).contains(&chance));
            chance && text(&line.mv) && line.pv.len() <= MOST_MOVES && line.pv.iter().all(text)
        };
        let time = (0.0..=1e9).contains(&found.seconds);
        (!time || found.lines.len() > MOST_LINES || !found.lines.iter().all(sound)).then(|| "it makes no sense".into())
    }
}

#[cfg(test)]
mod tests {
    use quincunx_agents::{Request, Resources, analyse, build};

    use super::*;
    use crate::message::bytes;

    fn game() -> Box<dyn AnyGame> {
        set_up(rules("othello", None).unwrap(), None, ["d3"]).unwrap()
    }

    #[test]
    fn what_was_found_comes_out_as_it_went_in() {
        let game = game();
        let request = Request { limits: Limits { depth: Some(3), ..Limits::default() }, ..Request::default() };
        let found = analyse(&*game, 2, Resources { megabytes: 1, threads: 1 }, &request, &mut |_| {}).unwrap();
        let Ok(Said::Done(there)) = Said::read(&bytes(&Said::Done((&found).into()))) else { panic!("not read") };
        assert_eq!(there.analysis(&*game).unwrap(), found);
        let answer = build("engine:depth=2", game.rules(), 1).unwrap().choose(&*game, &Request::default()).unwrap();
        assert_eq!(Found::from(&answer).answer(&*game).unwrap().mv, answer.mv);
    }

    #[test]
    fn a_move_that_the_rules_do_not_know_is_no_answer() {
        let game = game();
        let found = |mv: &str, pv: &[&str]| Found {
            depth: 1,
            nodes: 1,
            seconds: 0.1,
            lines: vec![FoundLine {
                mv: mv.into(),
                score: Some(Worth::Estimate(1)),
                chance: Some(0.5),
                pv: pv.iter().map(ToString::to_string).collect(),
            }],
        };
        assert!(found("c3", &[]).answer(&*game).is_some() && found("a1", &[]).answer(&*game).is_none());
        assert!(found("c3", &["c3"]).analysis(&*game).is_some());
        for (mv, pv) in [("c3", &["c5"][..]), ("c3", &["c3", "c3"]), ("c3", &[]), ("a1", &["a1"])] {
            assert!(found(mv, pv).analysis(&*game).is_none(), "{mv} {pv:?}");
        }
        let mut certain = found("c3", &["c3"]);
        certain.lines[0].chance = Some(f64::NAN);
        assert!(Said::Done(certain).fault().is_some());
        assert!(Said::read(b"{\"done\":[]}").is_err() && Thought::read(b"[[[[").is_err());
    }
}
