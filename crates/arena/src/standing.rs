//! How a match stands: wins, draws and losses of one agent against the other, pair by pair.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    GameRecord,
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
    /// Games lost, drawn and won.
    by_points: [u64; 3],
    causes: BTreeMap<String, u64>,
}

impl Standing {
    /// A match not yet begun, to be ended by a sequential test if one is given.
    pub fn new(sprt: Option<Sprt>) -> Self {
        Self { sprt, ..Self::default() }
    }

    /// Counts a game. The sequential test looks at pairs in the order of their numbers, not in that of their ends, so that short games
    /// do not weigh more and the same command decides the same.
    pub fn add(&mut self, record: &GameRecord) {
        let first = record.first_half_points() as u8;
        let points = if record.number.is_multiple_of(2) { first } else { 2 - first };
        let index = record.number as usize;
        if self.points.len() <= index + 1 {
            self.points.resize(index + 2, None);
        }
        self.points[index] = Some(points);
        self.by_points[points as usize] += 1;
        if let Some(other) = self.points[index ^ 1] {
            self.pairs.add((points + other) as usize);
        }
        *self.causes.entry(record.cause.clone()).or_default() += 1;
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

    /// The number of games counted.
    pub fn games(&self) -> u64 {
        self.by_points.iter().sum()
    }

    /// Games won, drawn and lost.
    pub fn wins_draws_losses(&self) -> [u64; 3] {
        let [losses, draws, wins] = self.by_points;
        [wins, draws, losses]
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
        &self.causes
    }

    /// The standing as it stands in JSON; an infinite Elo is null.
    pub fn as_json(&self) -> Value {
        let [wins, draws, losses] = self.wins_draws_losses();
        let estimate = self.estimate();
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let mut document = json!({
            "games": self.games(), "a_wins": wins, "b_wins": losses, "draws": draws,
            "a_points": wins as f64 + draws as f64 / 2.0,
            "elo": finite(estimate.map(|found| elo(found.score))),
            "elo_low": finite(estimate.map(|found| elo(found.interval[0]))),
            "elo_high": finite(estimate.map(|found| elo(found.interval[1]))),
            "los": estimate.map(|found| found.los),
            "causes": self.causes, "pairs": self.pairs.0,
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
