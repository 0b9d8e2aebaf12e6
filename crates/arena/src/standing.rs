//! How a match stands: wins, draws and losses of one agent against the other, pair by pair.

use std::collections::BTreeMap;

use quincunx_game::Side;
use serde_json::{Value, json};

use crate::{
    CrossTable, GameRecord, Results,
    statistic::{Decision, Estimate, Pairs, Sprt, elo},
};

/// The results of a match so far, from the side of the agent that has the first seat in even games.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    sprt: Option<Sprt>,
    /// Half points of the agent, by game number.
    points: Vec<Option<u8>>,
    /// The pairs before this one are complete and were looked at by the sequential test.
    looked_at: usize,
    before_decision: Pairs,
    decision: Option<(Decision, u64)>,
    pairs: Pairs,
    table: CrossTable,
}

impl Standing {
    /// A match not yet begun, to be ended by a sequential test if one is given.
    pub fn new(sprt: Option<Sprt>) -> Self {
        Self { sprt, ..Self::default() }
    }

    /// Counts a game. The sequential test looks at pairs in the order of their numbers, not in that of their ends, so that short games
    /// do not weigh more and the same command decides the same.
    pub fn add(&mut self, record: &GameRecord) {
        let (side, seats) =
            if record.number.is_multiple_of(2) { (Side::First, [0, 1]) } else { (Side::Second, [1, 0]) };
        self.table.add(seats, record);
        let points = record.half_points(side);
        let index = record.number as usize;
        if self.points.len() <= index + 1 {
            self.points.resize(index + 2, None);
        }
        self.points[index] = Some(points);
        if let Some(other) = self.points[index ^ 1] {
            self.pairs.add((points + other) as usize);
        }
        let Some(sprt) = self.sprt else { return };
        while self.decision.is_none()
            && let Some(&[Some(a), Some(b)]) = self.points.get(2 * self.looked_at..2 * self.looked_at + 2)
        {
            self.looked_at += 1;
            self.before_decision.add((a + b) as usize);
            self.decision = sprt.decide(&self.before_decision).map(|decision| (decision, self.looked_at as u64));
        }
    }

    /// What the sequential test decided, and after how many pairs.
    pub fn decision(&self) -> Option<(Decision, u64)> {
        self.decision
    }

    /// How the agent did, in all games.
    pub fn results(&self) -> Results {
        self.table.between(0, 1)
    }

    /// The pairs by their points.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// What the complete pairs say.
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate()
    }

    /// The log-likelihood ratio of the sequential test, over the pairs it has looked at.
    pub fn ratio(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.ratio(&self.before_decision))
    }

    /// How the games ended.
    pub fn causes(&self) -> &BTreeMap<String, u64> {
        self.table.causes()
    }

    /// The standing as it stands in JSON; an infinite Elo is null.
    pub fn as_json(&self) -> Value {
        let results = self.results();
        let estimate = self.estimate();
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let mut document = json!({
            "games": results.games(), "a_wins": results.wins, "b_wins": results.losses, "draws": results.draws,
            "a_points": results.points(),
            "elo": finite(estimate.map(|found| elo(found.score))),
            "elo_low": finite(estimate.map(|found| elo(found.interval[0]))),
            "elo_high": finite(estimate.map(|found| elo(found.interval[1]))),
            "los": estimate.map(|found| found.los),
            "causes": self.causes(), "pairs": self.pairs.0,
        });
        if let (Some(sprt), Some(ratio)) = (self.sprt, self.ratio()) {
            let decision = self.decision.map(|(decision, pairs)| {
                json!({
                    "accepted": if decision == Decision::Accepted { "elo1" } else { "elo0" }, "pairs": pairs,
                })
            });
            document["sprt"] = json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": ratio, "bound": Sprt::bound(), "decision": decision,
            });
        }
        document
    }
}
