//! The matches of a contest of many agents: round robin, gauntlet, and the assignment's knockout.

use std::{collections::BTreeSet, path::Path};

use quincunx_game::{TextError, text::quoted};

use crate::{Bout, ContestError, CrossTable, GameRecord, Plan, Results, Runner, Summary};

/// How a tournament is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against everybody else.
    Gauntlet,
    /// In rounds; the loser of more than half of the games of a match is out.
    Knockout,
}

impl Format {
    /// Reads the name on the command line.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            "knockout" => Ok(Self::Knockout),
            _ => Err(TextError::new(format!("{} is none of round-robin, gauntlet, knockout", quoted(text)))),
        }
    }
}

/// The games of a round robin or gauntlet, `games` between each two; the rounds of all matches go on together.
pub fn schedule(format: Format, players: usize, games: u64) -> Vec<Bout> {
    let mut matches = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            if format == Format::RoundRobin || a == 0 {
                matches.push((a, b));
            }
        }
    }
    // All matches share the openings: pair number p of each begins with opening p.
    (0..games.div_ceil(2))
        .flat_map(|pair| matches.iter().flat_map(move |&(a, b)| Plan::pairs_between(a, b, 2, pair)))
        .collect()
}

/// Plays a tournament between the agents of a plan, `games` between each two that meet.
pub fn play(
    mut plan: Plan,
    format: Format,
    games: u64,
    runner: &mut Runner,
    out: Option<&Path>,
) -> Result<Summary, ContestError> {
    if format == Format::Knockout {
        return play_knockout(plan, games, runner, out);
    }
    plan.bouts = schedule(format, plan.agents.len(), games);
    let records = runner.records(&plan, out)?;
    let seats = records.iter().map(|record| plan.bouts[record.number as usize].seats).collect();
    Ok(Summary::new(plan, records, seats, Vec::new(), Vec::new()))
}

/// Plays round after round; each is a contest of its own on disk, since its players depend on what came before.
fn play_knockout(mut plan: Plan, games: u64, runner: &mut Runner, out: Option<&Path>) -> Result<Summary, ContestError> {
    let mut rounds = Rounds::new(plan.agents.len());
    for round in 1.. {
        let matches = rounds.next_round();
        if matches.is_empty() || runner.stop.is_stopped() {
            break;
        }
        plan.bouts = matches.iter().flat_map(|&(a, b)| Plan::pairs_between(a, b, games, 0)).collect();
        let out = out.map(|out| out.join(format!("round-{round}")));
        let records = runner.records(&plan, out.as_deref())?;
        let seats = records.iter().map(|record| plan.bouts[record.number as usize].seats).collect();
        if !rounds.take(records, seats, games) {
            break;
        }
    }
    Ok(rounds.finish(plan))
}

/// The rounds of a knockout, as they are played or as they are read again.
pub(crate) struct Rounds {
    knockout: Knockout,
    records: Vec<GameRecord>,
    /// The players of each record, by side.
    seats: Vec<[usize; 2]>,
    /// The matches of the rounds that were played to their end.
    matches: Vec<Vec<(usize, usize)>>,
}

impl Rounds {
    /// No round so far, of a knockout between this many players.
    pub(crate) fn new(players: usize) -> Self {
        Self { knockout: Knockout::new(players), records: Vec::new(), seats: Vec::new(), matches: Vec::new() }
    }

    /// The matches of the next round; none at the end.
    pub(crate) fn next_round(&self) -> Vec<(usize, usize)> {
        self.knockout.next_round()
    }

    /// Takes the games of the next round, with the players of each. False if it was stopped: one of its matches has
    /// fewer than `games`, and nobody is out for games that were not played.
    pub(crate) fn take(&mut self, mut records: Vec<GameRecord>, seats: Vec<[usize; 2]>, games: u64) -> bool {
        let mut table = CrossTable::new(self.knockout.players);
        let before = self.records.len() as u64;
        for (record, seats) in records.iter_mut().zip(&seats) {
            table.add(*seats, record);
            // On disk each round counts from the beginning, in the report the games go on.
            record.number += before;
        }
        self.records.append(&mut records);
        self.seats.extend(seats);
        let matches = self.next_round();
        if matches.iter().any(|&(a, b)| table.between(a, b).games() < games) {
            return false;
        }
        for &(a, b) in &matches {
            self.knockout.take((a, b), table.between(a, b));
        }
        self.matches.push(matches);
        true
    }

    /// What came out of all of them.
    pub(crate) fn finish(self, plan: Plan) -> Summary {
        Summary::new(plan, self.records, self.seats, self.knockout.alive, self.matches)
    }
}

/// A knockout by the rule of the assignment: both go on unless one lost more than half of the games, so several may
/// win.
#[derive(Clone, Debug)]
pub struct Knockout {
    players: usize,
    alive: Vec<usize>,
    met: BTreeSet<(usize, usize)>,
}

impl Knockout {
    /// A knockout between this many players.
    pub fn new(players: usize) -> Self {
        Self { players, alive: (0..players).collect(), met: BTreeSet::new() }
    }

    /// The matches of the next round, between players that have not met, each player in one at most; none at the end.
    pub fn next_round(&self) -> Vec<(usize, usize)> {
        let mut open = self.alive.clone();
        let mut round = Vec::new();
        while !open.is_empty() {
            let a = open.remove(0);
            let unmet = open.iter().position(|&b| !self.met.contains(&(a.min(b), a.max(b))));
            if let Some(index) = unmet {
                round.push((a, open.remove(index)));
            }
        }
        round
    }

    /// Takes the result of a match, as the first of the two did.
    pub fn take(&mut self, (a, b): (usize, usize), results: Results) {
        self.met.insert((a.min(b), a.max(b)));
        for (player, lost) in [(a, results.losses), (b, results.wins)] {
            if 2 * lost > results.games() {
                self.alive.retain(|&other| other != player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_robin_plays_every_two_with_both_colours_and_a_gauntlet_only_the_first() {
        let bouts = schedule(Format::RoundRobin, 4, 6);
        assert_eq!(bouts.len(), 6 * 6);
        for a in 0..4 {
            for b in 0..4 {
                let count = bouts.iter().filter(|bout| bout.seats == [a, b]).count();
                assert_eq!(count, if a == b { 0 } else { 3 });
            }
        }
        let gauntlet = schedule(Format::Gauntlet, 4, 2);
        assert_eq!(gauntlet.len(), 6);
        assert!(gauntlet.iter().all(|bout| bout.seats.contains(&0)));
    }

    #[test]
    fn a_knockout_keeps_both_of_an_even_match_and_may_have_several_winners() {
        let results = |wins, draws, losses| Results { wins, draws, losses };
        let mut knockout = Knockout::new(4);
        assert_eq!(knockout.next_round(), [(0, 1), (2, 3)]);
        knockout.take((0, 1), results(9, 0, 1));
        knockout.take((2, 3), results(5, 0, 5));
        assert_eq!(knockout.alive, [0, 2, 3]);
        assert_eq!(knockout.next_round(), [(0, 2)]);
        knockout.take((0, 2), results(5, 0, 5));
        assert_eq!(knockout.next_round(), [(0, 3)]);
        knockout.take((0, 3), results(5, 1, 4));
        // 2 and 3 have met, 0 has met both: nobody is left to play, three have won.
        assert!(knockout.next_round().is_empty());
        assert_eq!(knockout.alive, [0, 2, 3]);
    }
}
