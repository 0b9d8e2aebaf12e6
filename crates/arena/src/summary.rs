//! What came out of a tournament, as text, JSON and a page.

use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use serde_json::{Value, json};

use crate::{
    ContestError, CrossTable, GameRecord, Plan, Results, Standing,
    error::write,
    rating::Rating,
    report::{Contender, Page},
    statistic::Sprt,
};

/// What came out of a tournament: ratings, cross table, every game.
#[derive(Debug)]
pub struct Summary {
    plan: Plan,
    records: Vec<GameRecord>,
    /// The players of each record, by side.
    seats: Vec<[usize; 2]>,
    table: CrossTable,
    totals: Vec<Results>,
    ratings: Vec<Rating>,
    /// The agents, the best first.
    order: Vec<usize>,
    /// Those left at the end of a knockout.
    winners: Vec<usize>,
    /// The matches of each round of a knockout.
    rounds: Vec<Vec<(usize, usize)>>,
    /// What the agents are called.
    labels: Vec<String>,
}

impl Summary {
    /// The summary of records in order, with the players of each by side; `winners` are those left at the end of a
    /// knockout.
    pub(crate) fn new(
        plan: Plan,
        records: Vec<GameRecord>,
        seats: Vec<[usize; 2]>,
        winners: Vec<usize>,
        rounds: Vec<Vec<(usize, usize)>>,
    ) -> Self {
        let mut table = CrossTable::new(plan.agents.len());
        for (record, seats) in records.iter().zip(&seats) {
            table.add(*seats, record);
        }
        let ratings = table.ratings();
        let mut order: Vec<usize> = (0..plan.agents.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let labels = plan.agents.clone();
        Self { plan, records, seats, totals: table.totals(), table, ratings, order, winners, rounds, labels }
    }

    /// Calls the agents by these names from now on, in texts, JSON, pages and the games on them.
    #[must_use]
    pub fn named(mut self, labels: Vec<String>) -> Self {
        for (seats, record) in self.seats.iter().zip(&mut self.records) {
            for side in 0..2 {
                record.agents[side].clone_from(&labels[seats[side]]);
            }
        }
        self.labels = labels;
        self
    }

    /// The seed of the contest.
    pub fn seed(&self) -> u64 {
        self.plan.seed
    }

    /// The plan that was played.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The contest as a match of two agents, told as a sequential test saw it if one is given; `None` for more agents.
    pub fn as_match(&self, sprt: Option<Sprt>) -> Option<(Standing, [&str; 2])> {
        let [a, b] = &self.labels[..] else { return None };
        let mut standing = Standing::new(sprt);
        for record in &self.records {
            standing.add(record);
        }
        Some((standing, [a, b]))
    }

    fn played(&self) -> impl Iterator<Item = (&[usize; 2], &GameRecord)> {
        self.seats.iter().zip(&self.records)
    }

    /// The names of these agents.
    fn names(&self, agents: &[usize]) -> Vec<String> {
        agents.iter().map(|&agent| self.labels[agent].clone()).collect()
    }

    /// The ratings and the cross table for people.
    pub fn text(&self) -> String {
        let mut text = String::from("rank  rating  95 % +-    points  agent\n");
        for (rank, &agent) in self.order.iter().enumerate() {
            let Rating { elo, error } = self.ratings[agent];
            let (points, games) = (self.totals[agent].points(), self.totals[agent].games());
            _ = writeln!(text, "{:4} {elo:+7.0} {error:9.0} {points:6.1}/{games:<4} {}", rank + 1, self.labels[agent]);
        }
        text.push_str("\npoints against");
        for rank in 1..=self.order.len() {
            _ = write!(text, "{rank:>8}");
        }
        text.push('\n');
        for (rank, &agent) in self.order.iter().enumerate() {
            _ = write!(text, "{:14}", rank + 1);
            for &other in &self.order {
                let results = self.table.between(agent, other);
                let cell = if results.games() > 0 { share_text(results) } else { "-".into() };
                _ = write!(text, "{cell:>8}");
            }
            text.push('\n');
        }
        if !self.winners.is_empty() {
            _ = writeln!(text, "\nstill in at the end: {}", self.names(&self.winners).join(", "));
        }
        text
    }

    /// Everything but the games in JSON.
    pub fn as_json(&self) -> Value {
        let agents: Vec<_> = self
            .order
            .iter()
            .map(|&agent| {
                let (points, games) = (self.totals[agent].points(), self.totals[agent].games() as f64);
                let Rating { elo, error } = self.ratings[agent];
                let cross: Vec<_> = self.order.iter().map(|&other| self.table.between(agent, other).points()).collect();
                json!({
                    "agent": self.labels[agent], "elo": elo, "error": error, "points": points, "games": games,
                    "points_against": cross,
                })
            })
            .collect();
        json!({
            "game": self.plan.rules.about.name, "seed": self.plan.seed, "games": self.records.len(), "agents": agents,
            "winners": self.names(&self.winners), "causes": self.table.causes(),
            "rounds": self.rounds_json(), "version": quincunx_version::VERSION,
        })
    }

    /// Writes a page that stands alone, with plots and all games.
    pub fn write_page(&self, path: &Path) -> Result<(), ContestError> {
        let plan = &self.plan;
        let mut page = Page::new(&format!("{} tournament", plan.rules.about.title));
        page.paragraph(&format!(
            "{} games between {} agents, ruleset {}, limit {}, openings {}, seed {}.",
            self.records.len(),
            plan.agents.len(),
            plan.rules,
            if plan.limit.to_string().is_empty() { "none".into() } else { plan.limit.to_string() },
            plan.openings_word,
            plan.seed
        ));
        let names = self.names(&self.order);
        if !self.rounds.is_empty() {
            page.heading("Bracket");
            page.paragraph(&format!(
                "Whoever loses more than half of the games of a match is out. Still in at the end: {}.",
                self.names(&self.winners).join(", ")
            ));
            page.bracket(&self.bracket());
        }
        page.heading("Ratings");
        page.paragraph("Bradley-Terry by maximum likelihood, with 95 % intervals; one drawn game against an average agent is added for each, so that nobody's rating is infinite.");
        let values: Vec<_> =
            self.order.iter().map(|&agent| (self.ratings[agent].elo, self.ratings[agent].error)).collect();
        page.error_bars(&names, &values, "Elo");
        page.heading("Points against each other");
        let cells: Vec<Vec<_>> = self
            .order
            .iter()
            .map(|&agent| {
                let cell = |&other: &usize| {
                    let results = self.table.between(agent, other);
                    (results.games() > 0).then(|| (results.share(), share_text(results)))
                };
                self.order.iter().map(cell).collect()
            })
            .collect();
        page.heat_map(&names, &cells);
        page.heading("Length of games, in plies");
        page.columns(&self.lengths(), "games");
        page.heading("How games ended");
        let mut rows = vec![vec!["cause".to_string(), "games".to_string()]];
        rows.extend(self.table.causes().iter().map(|(cause, count)| vec![cause.clone(), count.to_string()]));
        page.table(&rows);
        page.heading("How each agent lost");
        page.table(&self.losses());
        page.heading("Seconds a game");
        let time = |agent: usize| {
            let used = self.played().flat_map(|(seats, record)| {
                (0..2).filter(move |&side| seats[side] == agent).map(|side| record.used[side])
            });
            let used: Vec<f64> = used.collect();
            used.iter().sum::<f64>() / used.len().max(1) as f64
        };
        let times: Vec<_> = names.iter().cloned().zip(self.order.iter().map(|&agent| time(agent))).collect();
        page.columns(&times, "s");
        page.heading("Games");
        page.games(&self.records);
        write(path, &page.finish())
    }

    /// The matches of each round.
    fn bracket(&self) -> Vec<Vec<[Contender; 2]>> {
        let of = |&(a, b): &(usize, usize)| {
            [(a, b), (b, a)].map(|(one, other)| {
                let results = self.table.between(one, other);
                let out = 2 * results.losses > results.games();
                Contender { name: self.labels[one].clone(), points: results.points(), out }
            })
        };
        self.rounds.iter().map(|matches| matches.iter().map(of).collect()).collect()
    }

    fn rounds_json(&self) -> Value {
        let of =
            |[a, b]: [Contender; 2]| json!({ "a": a.name, "b": b.name, "a_points": a.points, "b_points": b.points });
        self.bracket().into_iter().map(|matches| matches.into_iter().map(of).collect::<Value>()).collect()
    }

    /// A row for each agent: its lost games by their causes.
    fn losses(&self) -> Vec<Vec<String>> {
        let lost = |agent: usize| {
            self.played()
                .filter(move |(seats, record)| record.winner.is_some_and(|winner| seats[(!winner).index()] == agent))
        };
        let causes: BTreeSet<&str> =
            self.order.iter().flat_map(|&agent| lost(agent)).map(|(_, record)| record.cause.as_str()).collect();
        let mut rows = vec![["agent", "lost"].into_iter().chain(causes.iter().copied()).map(String::from).collect()];
        for &agent in &self.order {
            let by_cause = causes.iter().map(|cause| lost(agent).filter(|(_, record)| record.cause == *cause).count());
            let counts = std::iter::once(lost(agent).count()).chain(by_cause);
            rows.push(std::iter::once(self.labels[agent].clone()).chain(counts.map(|n| n.to_string())).collect());
        }
        rows
    }

    /// Games by their length, in a dozen steps.
    fn lengths(&self) -> Vec<(String, f64)> {
        let lengths: Vec<usize> = self.records.iter().map(GameRecord::plies).collect();
        let (shortest, longest) =
            (lengths.iter().copied().min().unwrap_or(0), lengths.iter().copied().max().unwrap_or(0));
        let step = (longest - shortest) / 12 + 1;
        (0..=(longest - shortest) / step)
            .map(|bin| {
                let from = shortest + bin * step;
                let within = lengths.iter().filter(|&&length| (from..from + step).contains(&length)).count();
                let name = if step == 1 { from.to_string() } else { format!("{from}-{}", from + step - 1) };
                (name, within as f64)
            })
            .collect()
    }
}

/// The points of so many games.
fn share_text(results: Results) -> String {
    format!("{}/{}", results.points(), results.games())
}
