//! The results between every two agents: the one place where results of games are counted.

use std::{
    collections::BTreeMap,
    ops::{AddAssign, Neg},
};

use quincunx_game::Side;

use crate::GameRecord;

/// Causes that are told apart. Honest games have a dozen; a file from elsewhere may claim any number.
const MOST_CAUSES: usize = 100;

/// How one player did in some games; the negative is how the opponent did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Results {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw counting half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, from 0 to 1; 0 if there is no game.
    pub fn share(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, more: Self) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

impl Neg for Results {
    type Output = Self;

    fn neg(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// The results of players against each other, and how their games ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossTable {
    players: usize,
    /// By the numbers of two players, the lower one first, as that one did.
    results: BTreeMap<(usize, usize), Results>,
    causes: BTreeMap<String, u64>,
}

impl CrossTable {
    /// No games yet between this many players.
    pub fn new(players: usize) -> Self {
        Self { players, ..Self::default() }
    }

    /// Counts a game between the players with these numbers, by side. A player not known before makes the table larger.
    pub fn add(&mut self, [first, second]: [usize; 2], record: &GameRecord) {
        let results = Results {
            wins: u64::from(record.winner == Some(Side::First)),
            draws: u64::from(record.winner.is_none()),
            losses: u64::from(record.winner == Some(Side::Second)),
        };
        self.add_results(first, second, results);
        if self.causes.len() < MOST_CAUSES || self.causes.contains_key(&record.cause) {
            *self.causes.entry(record.cause.clone()).or_default() += 1;
        }
    }

    /// Counts games between two players by how the first of them did.
    pub(crate) fn add_results(&mut self, a: usize, b: usize, results: Results) {
        self.players = self.players.max(a.max(b) + 1);
        let (pair, results) = if a <= b { ((a, b), results) } else { ((b, a), -results) };
        *self.results.entry(pair).or_default() += results;
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// All games counted.
    pub fn games(&self) -> u64 {
        self.results.values().map(Results::games).sum()
    }

    /// How the games ended.
    pub fn causes(&self) -> &BTreeMap<String, u64> {
        &self.causes
    }

    /// How one player did against another.
    pub fn between(&self, a: usize, b: usize) -> Results {
        let found = self.results.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
        if a <= b { found } else { -found }
    }

    /// How every player did against all, by number. A game against itself counts once, as the first side did.
    pub fn totals(&self) -> Vec<Results> {
        let mut totals = vec![Results::default(); self.players];
        for (&(a, b), &results) in &self.results {
            totals[a] += results;
            if a != b {
                totals[b] += -results;
            }
        }
        totals
    }

    /// Every two players that have met, the lower number first, and how that one did.
    pub fn pairings(&self) -> impl Iterator<Item = ((usize, usize), Results)> {
        self.results.iter().map(|(&pair, &results)| (pair, results))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(winner: Option<Side>, cause: &str) -> GameRecord {
        GameRecord { winner, cause: cause.into(), ..GameRecord::default() }
    }

    #[test]
    fn a_game_counts_for_both_whoever_had_the_first_side() {
        let mut table = CrossTable::new(2);
        table.add([0, 1], &ended(Some(Side::First), "five in a row"));
        table.add([1, 0], &ended(Some(Side::First), "five in a row"));
        table.add([2, 0], &ended(Some(Side::Second), "timeout"));
        table.add([0, 1], &ended(None, "ply limit"));
        assert_eq!(table.between(0, 1), Results { wins: 1, draws: 1, losses: 1 });
        assert_eq!(table.between(2, 0), Results { wins: 0, draws: 0, losses: 1 });
        assert_eq!(table.between(1, 2), Results::default());
        let totals = table.totals();
        assert_eq!(totals[0], Results { wins: 2, draws: 1, losses: 1 });
        let points: f64 = totals.iter().map(Results::points).sum();
        assert!((points - table.games() as f64).abs() < 1e-9);
        assert!((totals[0].share() - 0.625).abs() < 1e-9);
        assert_eq!(table.causes()["five in a row"], 2);
    }

    #[test]
    fn a_player_against_itself_has_each_game_once() {
        let mut table = CrossTable::default();
        table.add([0, 0], &ended(Some(Side::Second), "five in a row"));
        assert_eq!(table.totals(), [Results { wins: 0, draws: 0, losses: 1 }]);
        assert_eq!(table.games(), 1);
    }

    #[test]
    fn no_file_can_make_causes_without_end() {
        let mut table = CrossTable::default();
        for number in 0..3 * MOST_CAUSES {
            table.add([0, 1], &ended(None, &number.to_string()));
        }
        assert_eq!((table.causes().len(), table.games()), (MOST_CAUSES, 3 * MOST_CAUSES as u64));
    }
}
