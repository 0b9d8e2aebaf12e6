//! Grading: an agent plays each of some reference agents and gets points for its wins.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use quincunx_game::{FirstMove, Rules, Side, TextError};
use quincunx_outside::build;
use quincunx_search::entry::Grading;
use serde_json::{Value, json};

use crate::{Bout, ContestError, GameRecord, Limit, Plan, Runner, error::write, report::Page};

/// What every agent of a class is graded by.
#[derive(Clone, Copy, Debug)]
pub struct Exam {
    /// The grading run.
    pub grading: Grading,
    /// The rules of every game.
    pub rules: Rules,
    /// The CPU time of each side for a game.
    pub time: Duration,
    /// The seed of everything random.
    pub seed: u64,
}

impl Exam {
    /// The games of an agent: it is number 0, the reference agents follow.
    fn plan(&self, spec: &str) -> Result<Plan, TextError> {
        let Grading { opponents, games, first_moves, draws_to_faster, .. } = self.grading;
        let begins = match self.rules.first {
            FirstMove::Default(side) => side,
            FirstMove::Fixed | FirstMove::Random => Side::First,
        };
        let agents = std::iter::once(spec).chain(opponents.iter().map(|(spec, _)| *spec)).map(String::from);
        let bouts = (0..opponents.len() as u64 * games).map(|game| {
            let (opponent, round) = (1 + (game / games) as usize, game % games);
            let first = (round < first_moves) == (begins == Side::First);
            Bout { seats: if first { [0, opponent] } else { [opponent, 0] }, pair: game }
        });
        Ok(Plan {
            limit: Limit { cpu: Some(self.time), ..Limit::default() },
            draws_to_faster,
            bouts: bouts.collect(),
            ..Plan::new(self.rules, agents.collect(), "start", 1, self.seed)?
        })
    }

    /// Grades the agent of a spec. The games go to the directory `out`, with a page under the agent's name.
    pub fn grade(
        &self,
        name: &str,
        spec: &str,
        runner: &mut Runner,
        out: Option<&Path>,
    ) -> Result<Grade, ContestError> {
        let plan = self.plan(spec)?;
        let records = runner.records(&plan, out)?;
        let grade = Grade { name: name.to_string(), grading: self.grading, plan, records };
        if let Some(directory) = out {
            grade.write_page(&directory.join("grade.html"))?;
        }
        Ok(grade)
    }
}

/// What is to be graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// One agent, by its spec.
    One(String),
    /// The agents of a class, by their directories.
    Class(Vec<PathBuf>),
}

impl Candidates {
    /// An agent by its spec or directory, or all agents in the directories below one.
    pub fn find(agent: &str, rules: &Rules) -> Result<Self, TextError> {
        let path = Path::new(agent);
        if !path.is_dir() {
            build(agent, rules, 0)?;
            return Ok(Self::One(agent.to_string()));
        }
        let spec = format!("files:{agent}");
        let Err(error) = build(&spec, rules, 0) else { return Ok(Self::One(spec)) };
        let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        if folders.is_empty() { Err(error) } else { Ok(Self::Class(folders)) }
    }
}

/// The grade of an agent: its games, and what they are worth.
#[derive(Clone, Debug)]
pub struct Grade {
    name: String,
    grading: Grading,
    plan: Plan,
    records: Vec<GameRecord>,
}

impl Grade {
    /// The points of all games won.
    pub fn points(&self) -> u64 {
        self.records.iter().map(|record| self.points_of(record)).sum()
    }

    /// The games won against a reference agent, by its place in the grading run.
    pub(crate) fn wins_against(&self, opponent: usize) -> usize {
        self.records.iter().filter(|record| self.won(record) && self.opponent(record) == opponent + 1).count()
    }

    /// What went wrong in each game that was lost by a fault.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &str> {
        self.records.iter().filter(|record| !self.won(record)).filter_map(|record| record.fault.as_deref())
    }

    /// The side of the graded agent.
    fn side(&self, record: &GameRecord) -> Side {
        if self.plan.bouts[record.number as usize].seats[0] == 0 { Side::First } else { Side::Second }
    }

    /// The number of the reference agent in the plan.
    fn opponent(&self, record: &GameRecord) -> usize {
        self.plan.bouts[record.number as usize].seats[(!self.side(record)).index()]
    }

    fn won(&self, record: &GameRecord) -> bool {
        record.winner == Some(self.side(record))
    }

    fn points_of(&self, record: &GameRecord) -> u64 {
        if self.won(record) { self.grading.points } else { 0 }
    }

    /// The points, of how many.
    fn total(&self) -> String {
        format!("{} of {} points", self.points(), self.grading.points * self.records.len() as u64)
    }

    /// The games in JSON, as they count.
    pub fn games_json(&self) -> Value {
        let game = |record: &GameRecord| {
            let side = self.side(record);
            json!({
                "number": record.number, "opponent": self.plan.agents[self.opponent(record)],
                "side": self.plan.rules.about.side_id(side), "won": self.won(record),
                "points": self.points_of(record), "cause": record.cause, "fault": record.fault,
                "plies": record.plies(), "seconds": record.used[side.index()],
                "moves": record.moves.iter().map(|turn| turn.mv.as_str()).collect::<Vec<_>>(),
            })
        };
        self.records.iter().map(game).collect()
    }

    /// A row for each game under a head.
    fn rows(&self) -> impl Iterator<Item = [String; 7]> {
        let head = ["game", "against", "side", "result", "plies", "seconds", "cause"].map(String::from);
        let rows = self.records.iter().map(|record| {
            let (side, points) = (self.side(record), self.points_of(record));
            let fault = record.fault.as_ref().map_or(String::new(), |fault| format!(": {fault}"));
            [
                record.number.to_string(),
                self.plan.agents[self.opponent(record)].clone(),
                self.plan.rules.about.side_id(side),
                if self.won(record) { format!("won, {points} points") } else { "0 points".into() },
                record.plies().to_string(),
                format!("{:.2}", record.used[side.index()]),
                format!("{}{fault}", record.cause),
            ]
        });
        std::iter::once(head).chain(rows)
    }

    /// The grade for people, game by game.
    pub fn text(&self) -> String {
        let mut text = format!("{}, graded at {}\n", self.name, self.plan.rules.about.title);
        for [number, opponent, side, result, plies, seconds, cause] in self.rows() {
            _ = writeln!(text, "{number:>4}  {opponent:8} {side:6} {result:13} {plies:>5} {seconds:>8}  {cause}");
        }
        _ = writeln!(text, "{}", self.total());
        text
    }

    fn write_page(&self, path: &Path) -> Result<(), ContestError> {
        let mut page = Page::new(&format!("{}: {}", self.name, self.total()));
        page.table(&self.rows().map(Vec::from).collect::<Vec<_>>());
        page.heading("Games");
        page.games(&self.records);
        write(path, &page.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_begins_in_six_of_each_ten_games() {
        let rules = Rules::of(quincunx_games::about("pente").unwrap());
        let exam = Exam {
            grading: quincunx_games::entry(rules.about.name).unwrap().grading,
            rules,
            time: Duration::from_secs(100),
            seed: 1,
        };
        let plan = exam.plan("random").unwrap();
        assert_eq!(plan.agents, ["random", "near", "classic"]);
        assert_eq!(plan.bouts.len(), 20);
        for opponent in [1, 2] {
            let against: Vec<_> = plan.bouts.iter().filter(|bout| bout.seats.contains(&opponent)).collect();
            assert_eq!(against.len(), 10);
            assert_eq!(against.iter().filter(|bout| bout.seats[0] == 0).count(), 6);
        }
    }

    #[test]
    fn a_game_without_an_agent_near_the_stones_is_graded_against_random() {
        let rules = Rules::of(quincunx_games::about("othello").unwrap());
        let specs: Vec<_> =
            quincunx_games::entry(rules.about.name).unwrap().grading.opponents.iter().map(|(spec, _)| *spec).collect();
        assert_eq!(specs, ["random", "classic"]);
    }
}
