//! `experiment`: published experiments, rerun, and two of our own.

mod aboyne_depths;
mod first_move;
mod ladder;

use std::path::{Path, PathBuf};

use quincunx_game::{About, Rules, TextError, text::quoted};
use quincunx_games::{about, all};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Bout, ContestError, CrossTable, GameRecord, Plan, Results, Runner, Standing, error::write, provenance::made_by,
    report::Page, statistic::Estimate,
};

/// What an experiment has found: a table, a page and a document.
#[derive(Debug)]
pub struct Findings {
    /// The first row is the head.
    rows: Vec<Vec<String>>,
    page: Page,
    document: Vec<Value>,
}

/// The file of an experiment's directory that says what it is.
pub(crate) const FILE: &str = "experiment.json";

/// How an experiment is run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    /// Games for each line of the result, if its default is not wanted.
    pub games: Option<u64>,
    /// Only this game, if the experiment is about several.
    pub game: Option<String>,
    /// The highest level that climbs the ladder.
    pub highest: Option<u64>,
    /// Where the games of the ladder begin.
    pub openings: Option<String>,
    /// The directory that keeps the games.
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// The seed of everything random.
    pub seed: u64,
}

impl Settings {
    /// Name and settings of the experiment that a directory holds, from its description.
    pub(crate) fn read(document: &Value, directory: &Path) -> Result<(String, Self), ContestError> {
        let damaged = || ContestError::wrong(format!("{} is damaged", directory.join(FILE).display()));
        let name = document["experiment"].as_str().ok_or_else(damaged)?;
        let settings = Self::deserialize(&document["settings"]).map_err(|_| damaged())?;
        Ok((name.into(), Self { out: Some(directory.into()), ..settings }))
    }

    /// Says in the directory what it holds, unless that is said there already.
    fn describe(&self, name: &str) -> Result<(), ContestError> {
        let Some(directory) = &self.out else { return Ok(()) };
        let path = directory.join(FILE);
        if path.exists() {
            return Ok(());
        }
        std::fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        let document = json!({ "experiment": name, "settings": self, "made_by": made_by(Some(self.seed)) });
        write(&path, &format!("{document:#}\n"))
    }
}

/// Runs the experiment of this name.
pub fn run(name: &str, settings: &Settings, runner: &mut Runner) -> Result<Findings, ContestError> {
    if name != "ladder" && (settings.highest.is_some() || settings.openings.is_some()) {
        return Err(ContestError::wrong("--highest and --openings belong to the ladder"));
    }
    let run = match name {
        "aboyne-depths" => aboyne_depths::run,
        "ladder" => ladder::run,
        "first-move" => first_move::run,
        other => {
            let known = "aboyne-depths, ladder, first-move";
            return Err(ContestError::wrong(format!("there is no experiment {}; there are {known}", quoted(other))));
        }
    };
    settings.describe(name)?;
    let mut findings = run(settings, runner)?;
    findings.page.heading("All figures");
    findings.page.table(&findings.rows);
    Ok(findings)
}

impl Findings {
    /// Nothing yet, under a title, with the columns of the table to come.
    fn new<const N: usize>(title: &str, introduction: &str, head: [&str; N]) -> Self {
        let mut page = Page::new(title);
        page.paragraph(introduction);
        Self { rows: vec![head.map(String::from).to_vec()], page, document: Vec::new() }
    }

    fn add(&mut self, row: Vec<String>, document: Value) {
        self.rows.push(row);
        self.document.push(document);
    }

    /// The rows in JSON.
    pub fn document(&self) -> &[Value] {
        &self.document
    }

    /// The table for people.
    pub fn text(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>12}")).collect();
            format!("{}\n", cells.join(" ").trim_end())
        };
        self.rows.iter().map(line).collect()
    }

    /// Writes the page with its charts.
    pub fn write_page(&self, path: &Path) -> Result<(), ContestError> {
        write(path, &self.page.finish())
    }
}

/// The games the settings ask for: one, or all.
fn games_asked(settings: &Settings) -> Result<Vec<&'static About>, TextError> {
    settings.game.as_deref().map_or_else(|| Ok(all()), |name| about(name).map(|found| vec![found]))
}

/// A series of games between two agents, the first of which has the first side in all of them, or in every other one.
struct Series<'a> {
    /// Names its directory among those of the experiment.
    name: String,
    rules: Rules,
    agents: [&'a str; 2],
    openings: &'a str,
    games: u64,
    swapped: bool,
}

impl Series<'_> {
    /// Plays it; the records in order.
    fn play(&self, settings: &Settings, runner: &mut Runner) -> Result<Vec<GameRecord>, ContestError> {
        let bouts: Vec<Bout> = if self.swapped {
            Plan::pairs_between(0, 1, self.games, 0).collect()
        } else {
            (0..self.games).map(|pair| Bout { seats: [0, 1], pair }).collect()
        };
        let pairs = bouts.last().map_or(0, |bout| bout.pair + 1);
        let agents = self.agents.map(String::from).to_vec();
        let plan = Plan { bouts, ..Plan::new(self.rules, agents, self.openings, pairs as usize, settings.seed)? };
        let out = settings.out.as_ref().map(|out| out.join(&self.name));
        let records = runner.records(&plan, out.as_deref())?;
        if runner.stop.is_stopped() {
            return Err(ContestError::Stopped { kept: out.is_some() });
        }
        Ok(records)
    }
}

/// How the first side did.
fn by_side(records: &[GameRecord]) -> Results {
    let mut table = CrossTable::new(2);
    for record in records {
        table.add([0, 1], record);
    }
    table.between(0, 1)
}

/// What the pairs of a series with swapped colours say of its first agent.
fn estimate(records: &[GameRecord]) -> Result<Estimate, ContestError> {
    let mut standing = Standing::new(None);
    for record in records {
        standing.add(record);
    }
    standing.estimate().ok_or_else(|| ContestError::wrong("no pair of games was played"))
}

/// An Elo for a table.
fn elo_text(value: f64) -> String {
    if value.is_finite() {
        format!("{value:+.0}")
    } else if value > 0.0 {
        "above".into()
    } else {
        "below".into()
    }
}
