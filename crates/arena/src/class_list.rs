//! The class list: what every submission has got, as a table for spreadsheets, programs and people.

use std::fmt::Write as _;

use quincunx_outside::words::is_active;
use quincunx_search::entry::Grading;
use quincunx_version::VERSION;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    grade::{Exam, Grade},
    report::Page,
};

/// The grades of a class.
#[derive(Clone, Debug)]
pub struct ClassList {
    grading: Grading,
    entries: Vec<Entry>,
}

/// How far the grading of a submission has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// No game was played yet.
    Waiting,
    /// Some games are missing.
    Unfinished,
    /// Everything is known.
    Graded,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Unfinished => "unfinished",
            Self::Graded => "graded",
        }
    }
}

/// A submission in the class list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// A number for the content of what was handed in.
    pub(crate) content: String,
    pub(crate) state: State,
    points: u64,
    /// Games won, by reference agent.
    wins: Vec<usize>,
    faults: usize,
    games: usize,
    /// How many of them are different, move by move.
    different: usize,
    /// The first fault, or why it could not be graded.
    note: String,
    /// The version of Quincunx that graded it.
    version: String,
}

impl Entry {
    /// A submission of which nothing is known.
    pub(crate) fn waiting(name: &str, exam: &Exam) -> Self {
        Self {
            name: name.to_string(),
            content: String::new(),
            state: State::Waiting,
            points: 0,
            wins: vec![0; exam.grading.opponents.len()],
            faults: 0,
            games: 0,
            different: 0,
            note: String::new(),
            version: VERSION.into(),
        }
    }

    /// Nothing of it can be run, and this is why.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.state = State::Graded;
        self.note = why.to_string();
    }

    /// What is known after some games, or after the last.
    pub(crate) fn follow(&mut self, grade: &Grade, complete: bool) {
        self.state = if complete { State::Graded } else { State::Unfinished };
        self.points = grade.points();
        self.wins = (0..self.wins.len()).map(|opponent| grade.wins_against(opponent)).collect();
        self.faults = grade.faults().count();
        self.games = grade.records().len();
        self.different = grade.different();
        self.note = grade.faults().next().unwrap_or_default().to_string();
        self.version = VERSION.into();
    }
}

impl ClassList {
    pub(crate) fn new(exam: &Exam, entries: Vec<Entry>) -> Self {
        Self { grading: exam.grading, entries }
    }

    /// The list for a spreadsheet.
    pub fn csv(&self) -> String {
        let against = self.grading.opponents.iter().map(|(_, title)| format!("against_{title}"));
        let against = against.collect::<Vec<_>>().join(",");
        let mut csv = format!("agent,points,wins,{against},faults,note,state,games,different_games,version\n");
        for entry in &self.entries {
            let Entry { points, faults, games, different, state, .. } = entry;
            let all = entry.wins.iter().sum::<usize>();
            let each: Vec<_> = entry.wins.iter().map(ToString::to_string).collect();
            let [name, note, version] = [&entry.name, &entry.note, &entry.version].map(|text| csv_field(text));
            let (each, state) = (each.join(","), state.name());
            _ = writeln!(csv, "{name},{points},{all},{each},{faults},{note},{state},{games},{different},{version}");
        }
        csv
    }

    /// The list in JSON.
    pub fn as_json(&self) -> Value {
        let row = |entry: &Entry| {
            json!({
                "agent": entry.name, "points": entry.points, "faults": entry.faults, "note": entry.note,
                "state": entry.state, "games": entry.games, "different_games": entry.different,
                "version": entry.version,
            })
        };
        self.entries.iter().map(row).collect()
    }

    /// Whether every submission was graded to its end.
    pub fn is_complete(&self) -> bool {
        self.entries.iter().all(|entry| entry.state == State::Graded)
    }

    pub(crate) fn page(&self, exam: &Exam) -> String {
        let Grading { opponents, games, points, .. } = self.grading;
        let titles: Vec<_> = opponents.iter().map(|(_, title)| *title).collect();
        let mut page = Page::new(&format!("Class list: {}", exam.rules.about.title));
        page.paragraph(&format!(
            "{} agents, {games} games each against a {} agent, {} a game, {points} points a win. Openings {}, seed {}{}.",
            self.entries.len(),
            titles.join(" and a "),
            exam.limit.cpu_words(),
            exam.openings,
            exam.seed,
            if exam.strict { ", exact form of answers" } else { "" },
        ));
        let graded = self.entries.iter().filter(|entry| entry.state == State::Graded).count();
        if graded < self.entries.len() {
            page.paragraph(&format!("{graded} of {} agents are graded so far.", self.entries.len()));
        }
        let against = titles.iter().map(|title| format!("against {title}"));
        let mut head: Vec<String> = ["agent", "points"].map(String::from).to_vec();
        head.extend(against);
        head.extend(["faults", "games", "different", "state", "note"].map(String::from));
        let mut rows = vec![head];
        for entry in &self.entries {
            let mut row = vec![entry.name.clone(), entry.points.to_string()];
            row.extend(entry.wins.iter().map(ToString::to_string));
            row.extend([entry.faults, entry.games, entry.different].map(|count| count.to_string()));
            row.extend([entry.state.name().to_string(), entry.note.clone()]);
            rows.push(row);
        }
        page.linked_table(&rows, |row| {
            let entry = self.entries.get(row.checked_sub(1)?).filter(|entry| entry.state != State::Waiting)?;
            Some(format!("{}/grade.html", url_segment(&entry.name)))
        });
        page.heading("Points");
        page.columns(&self.histogram(exam), "agents");
        page.finish()
    }

    /// Graded agents by their points, in ten steps.
    fn histogram(&self, exam: &Exam) -> Vec<(String, f64)> {
        let most = self.grading.points * exam.games();
        let step = most.div_ceil(10).max(1);
        (0..=most / step)
            .map(|bin| {
                let (from, to) = (bin * step, ((bin + 1) * step - 1).min(most));
                let within = |entry: &&Entry| entry.state == State::Graded && (from..=to).contains(&entry.points);
                let name = if from == to { from.to_string() } else { format!("{from}-{to}") };
                (name, self.entries.iter().filter(within).count() as f64)
            })
            .collect()
    }
}

/// A name as a part of a path in a link.
fn url_segment(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let mut segment = String::new();
    for byte in name.bytes() {
        _ = if plain(byte) { write!(segment, "{}", char::from(byte)) } else { write!(segment, "%{byte:02X}") };
    }
    segment
}

/// A field of a CSV file; a spreadsheet must not take it for a formula, nor a terminal for an order.
fn csv_field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\"").replace(is_active, " "))
}
