//! The class list: every agent below a directory graded by the same exam.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use quincunx_outside::build;
use quincunx_search::entry::Grading;
use serde_json::{Value, json};

use crate::{ContestError, Runner, error::write, grade::Exam, report::Page};

/// The grades of a class.
#[derive(Clone, Debug)]
pub struct ClassList {
    grading: Grading,
    entries: Vec<Entry>,
}

/// An agent in the class list.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    points: u64,
    /// Games won, by reference agent.
    wins: Vec<usize>,
    faults: usize,
    /// The first fault, or why it could not be graded.
    note: String,
    graded: bool,
}

impl Exam {
    /// Grades every agent. One that cannot be run at all has no points, and the others go on. The directory `out` gets
    /// the list as `class.csv` and `class.html`, and a directory for each agent.
    pub fn class(
        &self,
        folders: &[PathBuf],
        runner: &mut Runner,
        out: Option<&Path>,
    ) -> Result<ClassList, ContestError> {
        let entries = folders.iter().map(|folder| self.entry(folder, runner, out)).collect::<Result<_, _>>()?;
        let list = ClassList { grading: self.grading, entries };
        if let Some(directory) = out {
            write(&directory.join("class.csv"), &list.csv())?;
            write(&directory.join("class.html"), &list.page(self))?;
        }
        Ok(list)
    }

    fn entry(&self, folder: &Path, runner: &mut Runner, out: Option<&Path>) -> Result<Entry, ContestError> {
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let spec = format!("files:{}", folder.display());
        runner.progress.tell(&format!("grading {name}"));
        let opponents = 0..self.grading.opponents.len();
        if let Err(error) = build(&spec, &self.rules, 0) {
            let wins = opponents.map(|_| 0).collect();
            return Ok(Entry { name, points: 0, wins, faults: 0, note: error.to_string(), graded: false });
        }
        let out = out.map(|out| out.join(&name));
        let grade = self.grade(&name, &spec, runner, out.as_deref())?;
        Ok(Entry {
            points: grade.points(),
            wins: opponents.map(|opponent| grade.wins_against(opponent)).collect(),
            faults: grade.faults().count(),
            note: grade.faults().next().unwrap_or_default().to_string(),
            graded: true,
            name,
        })
    }
}

impl ClassList {
    /// The list for a spreadsheet.
    pub fn csv(&self) -> String {
        let against = self.grading.opponents.iter().map(|(_, title)| format!("against_{title}"));
        let mut csv = format!("agent,points,wins,{},faults,note\n", against.collect::<Vec<_>>().join(","));
        for Entry { name, points, wins, faults, note, .. } in &self.entries {
            let all = wins.iter().sum::<usize>();
            let each: Vec<_> = wins.iter().map(ToString::to_string).collect();
            let (name, note) = (csv_field(name), csv_field(note));
            _ = writeln!(csv, "{name},{points},{all},{},{faults},{note}", each.join(","));
        }
        csv
    }

    /// The list in JSON.
    pub fn as_json(&self) -> Value {
        let row = |Entry { name, points, faults, note, .. }: &Entry| json!({ "agent": name, "points": points, "faults": faults, "note": note });
        self.entries.iter().map(row).collect()
    }

    fn page(&self, exam: &Exam) -> String {
        let Grading { opponents, games, points, .. } = self.grading;
        let titles: Vec<_> = opponents.iter().map(|(_, title)| *title).collect();
        let mut page = Page::new(&format!("Class list: {}", exam.rules.about.title));
        page.paragraph(&format!(
            "{} agents, {games} games each against a {} agent, {} s a game, {points} points a win. Seed {}.",
            self.entries.len(),
            titles.join(" and a "),
            exam.time.as_secs_f64(),
            exam.seed
        ));
        let against = titles.iter().map(|title| format!("against {title}"));
        let [agent, points, faults, note] = ["agent", "points", "faults", "note"].map(String::from);
        let mut rows = vec![[agent, points].into_iter().chain(against).chain([faults, note]).collect()];
        for Entry { name, points, wins, faults, note, .. } in &self.entries {
            let wins = wins.iter().map(ToString::to_string);
            let row = [name.clone(), points.to_string()].into_iter().chain(wins);
            rows.push(row.chain([faults.to_string(), note.clone()]).collect());
        }
        page.linked_table(&rows, |row| {
            let entry = self.entries.get(row.checked_sub(1)?).filter(|entry| entry.graded)?;
            Some(format!("{}/grade.html", url_segment(&entry.name)))
        });
        page.finish()
    }
}

/// A name as a part of a path in a link.
fn url_segment(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A field of a CSV file; a spreadsheet must not take it for a formula.
fn csv_field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " "))
}
