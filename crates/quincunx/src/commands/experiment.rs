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
    let mut runner = runner(asked.concurrency, false, &asked.spread)?;
    let findings = experiment::run(&asked.name, &settings, &mut runner).map_err(plain)?;
    if let Some(path) = &asked.report {
        findings.write_page(path).map_err(plain)?;
    }
    let document = || json!({ "experiment": asked.name, "seed": asked.seed, "rows": findings.document() });
    print(asked.json, document, || findings.text())
}
