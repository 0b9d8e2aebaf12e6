//! `grade`: the assignment's grading run, for one agent or a whole class.

use std::path::Path;

use quincunx_arena::grade::{Candidates, Exam};
use quincunx_games::{entry, rules};
use quincunx_outside::is_program;
use quincunx_search::limits::parse_duration;
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
    if is_program(&settings.agent) || Path::new(&settings.agent).exists() {
        check_walls(settings.trust_programs)?;
    }
    let candidates = Candidates::find(&settings.agent, &rules)?;
    let exam = Exam { grading: entry(rules.about.name)?.grading, rules, time: parse_duration(&settings.time)?, seed };
    announce_seed(settings.seed, seed);
    let mut runner = runner(settings.concurrency)?;
    match candidates {
        Candidates::One(spec) => {
            let grade = exam.grade(&spec, &spec, &mut runner, out).map_err(plain)?;
            let document = || {
                json!({
                    "game": rules.about.name, "agent": spec, "seed": seed, "time": settings.time,
                    "points": grade.points(), "games": grade.games_json(),
                })
            };
            print(settings.json, document, || grade.text())
        }
        Candidates::Class(folders) => {
            let list = exam.class(&folders, &mut runner, out).map_err(plain)?;
            print(settings.json, || json!({ "seed": seed, "class": list.as_json() }), || list.csv())
        }
    }
}
