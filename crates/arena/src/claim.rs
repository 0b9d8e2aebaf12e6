//! What another machine claims to have played, and what of it holds under our own rules.
//!
//! A claim has the moves and the times of a game and how it is said to have ended. Everything else of a record comes from
//! the plan, and the result from the rules: whoever played the game is believed nothing that can be checked.

use quincunx_agents::Fault;
use quincunx_formats::winner;
use quincunx_game::{Outcome, Side, TextError, text::quoted};
use serde::{Deserialize, Serialize};

use crate::{
    GameRecord, Plan, TurnRecord,
    game::MORE_TIME_LEFT,
    play::{begin, drawn_seconds},
};

/// More moves than any game of ours can have.
const MOST_MOVES: usize = 20_000;

/// The longest word for a score, and the longest line about a fault, in bytes.
const LONGEST_SCORE: usize = 40;
const LONGEST_FAULT: usize = 1000;

/// The most that is kept of what a program says, in bytes.
const LONGEST_WORDS: usize = 16 << 10;

/// The longest time anybody can have used, in seconds.
const LONGEST_TIME: f64 = 1e9;

/// A finished game as it travels, as small as can be.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its number in the contest.
    pub number: u64,
    /// The moves of the agents, separated by spaces.
    pub moves: String,
    /// Microseconds of wall-clock time, by move.
    pub us: Vec<u64>,
    /// Microseconds of CPU time, by move; empty if none was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpu_us: Vec<Option<u64>>,
    /// What the agents thought of their moves; empty if they said nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<String>>,
    /// What else they said of them; empty if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Option<String>>,
    /// Plies searched, by move; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<u32>,
    /// Positions visited, by move; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// Who is said to have won.
    #[serde(with = "winner")]
    pub winner: Option<Side>,
    /// Why it is said to have ended.
    pub cause: String,
    /// The fault that ended it, if it did not end by the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Seconds used, by side.
    pub used: [f64; 2],
    /// What the program that made the fault has said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

impl Claim {
    /// What is claimed of a game that was played here.
    pub fn of(record: &GameRecord) -> Self {
        let turns = &record.moves;
        Self {
            number: record.number,
            moves: turns.iter().map(|turn| turn.mv.as_str()).collect::<Vec<_>>().join(" "),
            us: turns.iter().map(|turn| turn.us).collect(),
            cpu_us: unless_all(turns.iter().map(|turn| turn.cpu_us)),
            scores: unless_all(turns.iter().map(|turn| turn.score.clone())),
            remarks: unless_all(turns.iter().map(|turn| turn.remark.clone())),
            depths: unless_all(turns.iter().map(|turn| turn.depth)),
            nodes: unless_all(turns.iter().map(|turn| turn.nodes)),
            winner: record.winner,
            cause: record.cause.clone(),
            fault: record.fault.clone(),
            used: record.used,
            words: record.words.clone(),
        }
    }

    /// Whether two claims tell the same game: everything but the times.
    pub fn agrees(&self, other: &Self) -> bool {
        let timeless = |claim: &Self| Self { us: Vec::new(), cpu_us: Vec::new(), used: [0.0; 2], ..claim.clone() };
        timeless(self) == timeless(other)
    }
}

impl Plan {
    /// The record of the game that is claimed, replayed by the rules; an error says in one line what is wrong with the
    /// claim.
    pub fn accept(&self, claim: &Claim) -> Result<GameRecord, TextError> {
        let (bout, opening) = self.game(claim.number)?;
        let wrong = |what: &str| TextError::new(format!("game {}: {what}", claim.number));
        let mut game = begin(self, bout.pair, opening)?;
        let (start, opening) = (game.start_text(), game.played());
        let moves = turns(claim).map_err(wrong)?;
        for (index, turn) in moves.iter().enumerate() {
            game.play(&turn.mv).map_err(|error| wrong(&format!("move {}: {error}", index + 1)))?;
        }
        self.check_end(claim, game.outcome()).map_err(|what| wrong(&what))?;
        if claim.words.iter().any(|words| words.len() > LONGEST_WORDS) {
            return Err(wrong("a program has said too much"));
        }
        if claim.used.iter().any(|used| !(0.0..=LONGEST_TIME).contains(used)) {
            return Err(wrong("the time used is not one"));
        }
        Ok(GameRecord {
            number: claim.number,
            pair: bout.pair,
            game: self.rules.about.name.to_string(),
            ruleset: self.rules.to_string(),
            agents: bout.seats.map(|seat| self.agents[seat].clone()),
            seats: Some(bout.seats),
            start,
            opening,
            moves,
            position: game.position_text(),
            winner: claim.winner,
            cause: claim.cause.clone(),
            fault: claim.fault.clone(),
            used: claim.used,
            seconds: drawn_seconds(self, bout.pair),
            words: claim.words.clone(),
            version: None,
            worker: None,
            scale: None,
            ..GameRecord::default()
        })
    }

    /// Compares how a game is said to have ended with what the rules say.
    fn check_end(&self, claim: &Claim, outcome: Option<Outcome>) -> Result<(), String> {
        let said = format!("{} by {}", winner::name(claim.winner), quoted(&claim.cause));
        let Some(outcome) = outcome else {
            let fault = claim.fault.as_deref().ok_or("the moves end before the game does")?;
            let loser = claim.winner.map(|winner| self.rules.about.sides[(!winner).index()]);
            let named = loser.is_some_and(|loser| fault.strip_prefix(loser).is_some_and(|rest| rest.starts_with(": ")));
            let known = Fault::ALL.iter().any(|kind| kind.name() == claim.cause);
            if !named || !known || fault.len() > LONGEST_FAULT || fault.contains('\n') {
                return Err(format!("the game goes on, and {said} is no fault of a player"));
            }
            return Ok(());
        };
        let [first, second] = claim.used;
        let faster = (first < second).then_some(Side::First).or((second < first).then_some(Side::Second));
        let to_faster = self.draws_to_faster && outcome.winner.is_none() && faster.is_some();
        let (winner, cause) = if to_faster { (faster, MORE_TIME_LEFT) } else { (outcome.winner, outcome.reason) };
        if claim.fault.is_some() || claim.winner != winner || claim.cause != cause {
            return Err(format!("{said} was claimed, and the rules say {} by {cause:?}", winner::name(winner)));
        }
        Ok(())
    }
}

/// The moves of a claim, each with what belongs to it.
fn turns(claim: &Claim) -> Result<Vec<TurnRecord>, &'static str> {
    let count = claim.us.len();
    let fits = |length: usize| length == 0 || length == count;
    let lengths = [claim.cpu_us.len(), claim.scores.len(), claim.remarks.len(), claim.depths.len(), claim.nodes.len()];
    if count > MOST_MOVES || !lengths.into_iter().all(fits) || claim.moves.split_whitespace().count() != count {
        return Err("there are not as many moves as times");
    }
    let turn = |(index, mv): (usize, &str)| {
        let score = claim.scores.get(index).cloned().flatten();
        let remark = claim.remarks.get(index).cloned().flatten();
        let long = |text: &Option<String>, most| {
            text.as_ref().is_some_and(|text: &String| text.len() > most || text.contains(char::is_control))
        };
        if long(&score, LONGEST_SCORE) || long(&remark, LONGEST_FAULT) {
            return Err("a score is not one");
        }
        Ok(TurnRecord {
            mv: mv.to_string(),
            score,
            remark,
            depth: claim.depths.get(index).copied().unwrap_or_default(),
            nodes: claim.nodes.get(index).copied().unwrap_or_default(),
            us: claim.us[index],
            cpu_us: claim.cpu_us.get(index).copied().flatten(),
        })
    };
    claim.moves.split_whitespace().enumerate().map(turn).collect()
}

/// The values, or none if all are the default.
fn unless_all<T: Default + PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let values: Vec<T> = values.collect();
    if values.iter().all(|value| *value == T::default()) { Vec::new() } else { values }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Rules;
    use quincunx_search::Stop;

    use super::*;
    use crate::play;

    fn plan(agents: [&str; 2]) -> Plan {
        let rules = Rules::of(quincunx_games::about("shobu").unwrap());
        let mut plan = Plan::new(rules, agents.map(String::from).to_vec(), "random:3", 2, 7).unwrap();
        plan.bouts = Plan::pairs_between(0, 1, 4, 0).collect();
        plan
    }

    #[test]
    fn a_claim_gives_back_the_record_it_was_made_of() {
        let plan = plan(["engine:nodes=200", "random"]);
        for number in 0..4 {
            let record = play(&plan, number, &Stop::default()).unwrap().unwrap();
            let claim: Claim = serde_json::from_str(&serde_json::to_string(&Claim::of(&record)).unwrap()).unwrap();
            assert_eq!(plan.accept(&claim).unwrap(), GameRecord { version: None, ..record });
        }
    }

    #[test]
    fn a_claim_that_the_rules_contradict_is_refused_in_one_line() {
        let plan = plan(["random", "random"]);
        let honest = Claim::of(&play(&plan, 1, &Stop::default()).unwrap().unwrap());
        assert!(plan.accept(&honest).is_ok());
        let winner = honest.winner.unwrap();
        let loser = plan.rules.about.sides[(!winner).index()];
        let mut half: Vec<&str> = honest.moves.split(' ').collect();
        half.pop();
        let (moves, us) = (half.join(" "), honest.us[1..].to_vec());
        let early = |fault: Option<String>, cause: &str| Claim {
            moves: moves.clone(),
            us: us.clone(),
            fault,
            cause: cause.into(),
            ..honest.clone()
        };
        let fault = Some(format!("{loser}: it slept"));
        assert!(plan.accept(&early(fault.clone(), "stall")).is_ok());
        for (forged, reason) in [
            (Claim { number: 9, ..honest.clone() }, "no game 9"),
            (Claim { number: 2, ..honest.clone() }, "game 2: move"),
            (Claim { winner: Some(!winner), ..honest.clone() }, "the rules say"),
            (Claim { winner: None, ..honest.clone() }, "the rules say"),
            (Claim { cause: "boredom".into(), ..honest.clone() }, "the rules say"),
            (Claim { fault: fault.clone(), ..honest.clone() }, "the rules say"),
            (Claim { us: us.clone(), ..honest.clone() }, "as many moves as times"),
            (Claim { nodes: vec![1], ..honest.clone() }, "as many moves as times"),
            (Claim { used: [f64::NAN, 0.0], ..honest.clone() }, "time used"),
            (Claim { used: [-1.0, 0.0], ..honest.clone() }, "time used"),
            (Claim { scores: vec![Some("x".repeat(99)); honest.us.len()], ..honest.clone() }, "score"),
            (early(None, &honest.cause), "before the game does"),
            (early(fault, "boredom"), "no fault of a player"),
            (early(Some("somebody: it slept".into()), "stall"), "no fault of a player"),
        ] {
            let error = plan.accept(&forged).unwrap_err().to_string();
            assert!(error.contains(reason) && !error.contains('\n'), "{reason}: {error}");
        }
    }

    #[test]
    fn claims_agree_if_only_times_differ() {
        let plan = plan(["random", "random"]);
        let claim = Claim::of(&play(&plan, 0, &Stop::default()).unwrap().unwrap());
        let slower = Claim { us: vec![7; claim.us.len()], used: [1.0, 2.0], ..claim.clone() };
        assert!(claim.agrees(&slower));
        let other = Claim::of(&play(&plan, 1, &Stop::default()).unwrap().unwrap());
        assert!(!claim.agrees(&Claim { number: 0, ..other }));
    }
}
