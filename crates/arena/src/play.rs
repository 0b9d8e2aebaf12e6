//! One game of a plan: the job that a contest consists of.

use std::time::Duration;

use quincunx_game::{AnyGame, TextError, hash::mix};
use quincunx_outside::build;
use quincunx_search::Stop;
use quincunx_version::VERSION;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::{Bout, GameRecord, Limit, Opening, Plan, game::referee};

/// Plays the game of a plan with this number; `None` if `stop` ended it.
///
/// It is a pure function of plan and number: opening, seats and seeds come from there, and no game knows of another. So
/// the games of a plan may be played in any order, on any thread or machine, and again. The same plan and number give
/// the same record, except for the times in it, and for whatever depends on these: the moves of agents that think by
/// the clock, and draws that go to the faster player.
pub fn play(plan: &Plan, number: u64, stop: &Stop) -> Result<Option<GameRecord>, TextError> {
    Ok(timed_game(plan, number, stop)?.map(|(record, _)| record))
}

/// All that one game of a plan needs beside what the games share: enough to play it where the rest of the plan is not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// The number of the game.
    pub number: u64,
    /// The players, and the pair it belongs to.
    pub bout: Bout,
    /// Where it begins.
    pub opening: Opening,
}

/// Plays a game whose bout and opening are given, whatever `plan` has of them; otherwise like [`play`].
pub fn play_fixture(plan: &Plan, fixture: &Fixture, stop: &Stop) -> Result<Option<GameRecord>, TextError> {
    Ok(timed(plan, fixture.number, fixture.bout, &fixture.opening, stop)?.map(|(record, _)| record))
}

/// Like [`play`], with the time both agents took to answer.
pub(crate) fn timed_game(plan: &Plan, number: u64, stop: &Stop) -> Result<Option<(GameRecord, Duration)>, TextError> {
    let (bout, opening) = plan.game(number)?;
    timed(plan, number, bout, opening, stop)
}

/// The game of a pair before its first agent is asked.
pub(crate) fn begin(plan: &Plan, pair: u64, opening: &Opening) -> Result<Box<dyn AnyGame>, TextError> {
    let mut game = opening.set_up(&plan.rules)?;
    if opening.position.is_none() {
        // Both games of a pair draw the same.
        let pair_seed = mix(plan.seed, pair.wrapping_add(0x5EED));
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(pair_seed));
    }
    Ok(game)
}

/// The limit of the games of a pair; a time that varies is drawn for each.
fn limit_of(plan: &Plan, pair: u64) -> Limit {
    plan.limit.drawn(mix(plan.seed, pair))
}

/// The CPU seconds of the games of a pair, if they vary.
pub(crate) fn drawn_seconds(plan: &Plan, pair: u64) -> Option<f64> {
    plan.limit.cpu_most?;
    limit_of(plan, pair).cpu.map(|time| time.as_secs_f64())
}

fn timed(
    plan: &Plan,
    number: u64,
    bout: Bout,
    opening: &Opening,
    stop: &Stop,
) -> Result<Option<(GameRecord, Duration)>, TextError> {
    let mut game = begin(plan, bout.pair, opening)?;
    let (start, opening) = (game.start_text(), game.played());
    let agent = |seat: usize| {
        let spec = plan.agents.get(seat);
        spec.ok_or_else(|| TextError::new(format!("there is no agent {seat} in the plan")))
    };
    let specs = [agent(bout.seats[0])?, agent(bout.seats[1])?];
    let [first, second] = [0, 1].map(|side| build(specs[side], &plan.rules, mix(mix(plan.seed, number), side as u64)));
    // Both games of a pair have the same time.
    let limit = limit_of(plan, bout.pair);
    let played = referee(&mut *game, &mut [first?, second?], &limit, plan.draws_to_faster, stop);
    let Some(outcome) = played.outcome else { return Ok(None) };
    let about = plan.rules.about;
    let record = GameRecord {
        number,
        pair: bout.pair,
        game: about.name.to_string(),
        ruleset: plan.rules.to_string(),
        agents: specs.map(String::clone),
        seats: Some(bout.seats),
        start,
        opening,
        moves: played.moves,
        position: game.position_text(),
        winner: outcome.winner,
        cause: outcome.reason.to_string(),
        fault: played.fault.map(|(side, line)| format!("{}: {line}", about.sides[side.index()])),
        used: played.used.map(|time| time.as_secs_f64()),
        seconds: drawn_seconds(plan, bout.pair),
        words: played.words,
        version: Some(VERSION.into()),
        ..GameRecord::default()
    };
    Ok(Some((record, played.thinking)))
}

#[cfg(test)]
mod tests {
    use quincunx_game::Rules;

    use super::*;

    fn plan(game: &str, agents: [&str; 2]) -> Plan {
        let rules = Rules::of(quincunx_games::about(game).unwrap());
        let mut plan = Plan::new(rules, agents.map(String::from).to_vec(), "random:3", 2, 7).unwrap();
        plan.bouts = Plan::pairs_between(0, 1, 4, 0).collect();
        plan
    }

    fn without_times(plan: &Plan, number: u64) -> GameRecord {
        let mut record = play(plan, number, &Stop::default()).unwrap().unwrap();
        record.used = [0.0; 2];
        for turn in &mut record.moves {
            (turn.us, turn.cpu_us) = (0, None);
        }
        record
    }

    #[test]
    fn the_same_plan_and_number_give_the_same_record_whatever_was_played_before() {
        quincunx_games::register(&quincunx_ring::ENTRY);
        for about in quincunx_games::all() {
            let plan = plan(about.name, ["engine:nodes=200,overlook=20,noise=50", "mcts:playouts=40"]);
            let last = without_times(&plan, 3);
            let all: Vec<_> = (0..4).map(|number| without_times(&plan, number)).collect();
            assert_eq!(all[3], last, "{}", about.name);
            assert_eq!(all[1], without_times(&plan.clone(), 1), "{}", about.name);
            assert_ne!(all[0].moves, all[2].moves, "{}", about.name);
        }
    }

    #[test]
    fn a_game_that_is_stopped_or_not_in_the_plan_has_no_record() {
        let plan = plan("othello", ["random", "random"]);
        let stop = Stop::default();
        stop.stop();
        assert_eq!(play(&plan, 0, &stop).unwrap(), None);
        let error = play(&plan, 4, &Stop::default()).unwrap_err().to_string();
        assert!(error.contains("no game 4 among the 4"), "{error}");
    }
}
