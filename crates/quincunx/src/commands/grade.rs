//! `grade`: the assignment's grading run, for one agent or a whole class.

use std::path::Path;

use quincunx_arena::{
    ClassRun, Limit,
    grade::{Candidates, Exam, needs_walls},
};
use quincunx_game::TextError;
use quincunx_games::{entry, rules};
use quincunx_version::VERSION;
use serde_json::json;

use super::{
    announce_seed,
    contest::{self, check_walls, plain, print, runner},
};
use crate::cli::GradeSettings;

pub(crate) fn run(settings: &GradeSettings) -> anyhow::Result<()> {
    let rules = rules(&settings.game, None)?;
    let out = settings.out.as_deref();
    let seed = contest::seed(settings.seed, out);
    if needs_walls(&settings.agent) {
        check_walls(settings.trust_programs)?;
    }
    let mut limit = Limit::default();
    // Here a number alone is seconds: the assignment counts in them.
    let with_unit = |time: &str| if time.parse::<f64>().is_ok() { format!("{time}s") } else { time.to_string() };
    limit.set_cpu(&settings.time.split("..").map(with_unit).collect::<Vec<_>>().join(".."))?;
    let exam = Exam {
        grading: entry(rules.about.name)?.grading,
        rules,
        limit,
        openings: settings.openings.clone(),
        strict: settings.strict,
        seed,
    };
    if let Some(number) = settings.number.filter(|number| *number >= exam.games()) {
        return Err(TextError::new(format!("there is no game {number} among the {} of an agent", exam.games())).into());
    }
    keep_apart(&settings.agent, out)?;
    let candidates = Candidates::find(&settings.agent, &rules)?;
    announce_seed(settings.seed, seed);
    let mut runner = runner(settings.concurrency, false, &settings.spread)?;
    match candidates {
        Candidates::One(spec) => {
            if !settings.only.is_empty() {
                return Err(TextError::new("--only chooses among the agents of a class, and this is one agent").into());
            }
            let grade = exam.grade(&spec, &spec, &mut runner, out, settings.number).map_err(plain)?;
            let document = || {
                json!({
                    "game": rules.about.name, "agent": spec, "seed": seed, "time": settings.time,
                    "points": grade.points(), "different_games": grade.different(), "version": VERSION,
                    "games": grade.games_json(),
                })
            };
            print(settings.json, document, || grade.text())
        }
        Candidates::Class(class) => {
            if settings.number.is_some() {
                return Err(TextError::new("--game chooses a game of one agent, and this is a class").into());
            }
            let list = exam.class(&class, &ClassRun { out, only: &settings.only }, &mut runner).map_err(plain)?;
            let document = || {
                json!({
                    "seed": seed, "version": VERSION, "complete": list.is_complete(), "class": list.as_json(),
                })
            };
            print(settings.json, document, || list.csv())
        }
    }
}

/// Refuses to put results into the folder with what was handed in, where somebody could have put results before.
fn keep_apart(agent: &str, out: Option<&Path>) -> Result<(), TextError> {
    let Some((agent, out)) = Path::new(agent).canonicalize().ok().zip(out) else { return Ok(()) };
    // The directory may not be there yet, so the innermost one that is decides.
    let mut there = out.ancestors().map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { path });
    match there.find_map(|path| path.canonicalize().ok()) {
        Some(place) if place.starts_with(&agent) => {
            Err(TextError::new(format!("--out {} is inside what is to be graded: choose another place", out.display())))
        }
        _ => Ok(()),
    }
}
