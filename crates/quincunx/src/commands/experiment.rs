//! `experiment`: published experiments, rerun, and two of our own.

use quincunx_arena::experiment::{self, Settings};
use serde_json::json;

use super::contest::{plain, print, runner};
use crate::cli::ExperimentSettings;

pub(crate) fn run(asked: &ExperimentSettings) -> anyhow::Result<()> {
    let settings = Settings {
        games: asked.games,
        game: asked.game.clone(),
        highest: asked.highest,
        openings: asked.openings.clone(),
        out: asked.out.clone(),
        seed: asked.seed,
    };
    let findings = experiment::run(&asked.name, &settings, &mut runner(asked.concurrency)?).map_err(plain)?;
    if let Some(path) = &asked.report {
        findings.write_page(path).map_err(plain)?;
    }
    let document = || json!({ "experiment": asked.name, "seed": asked.seed, "rows": findings.document() });
    print(asked.json, document, || findings.text())
}
