//! `spsa`: numbers of the search tuned by games.

use std::path::Path;

use anyhow::Context;
use quincunx_arena::{provenance, spsa::Spsa};
use quincunx_games::rules;
use quincunx_machine::write_whole;
use serde_json::json;

use super::contest::{local_runner, plain, print};
use crate::{cli, tell};

pub(crate) fn run(wanted: &cli::Spsa) -> anyhow::Result<()> {
    let rules = rules(&wanted.game, wanted.ruleset.as_deref())?;
    let cli::Spsa { weights, numbers, openings, .. } = wanted;
    let &cli::Spsa { iterations, pairs, nodes, rate, seed, .. } = wanted;
    let (weights, numbers, openings) = (weights.clone(), numbers.clone(), openings.clone());
    let spsa = Spsa { rules, weights, numbers, iterations, pairs, nodes, openings, rate, seed };
    let mut runner = local_runner(wanted.concurrency.map(usize::from), false)?;
    let tuned = spsa.run(&wanted.out, &mut runner).map_err(plain)?;
    let file = tuned.evaluator.file();
    write(&wanted.out, &file)?;
    provenance::write_beside(&wanted.out, Some(seed), &*tuned.evaluator, &file)?;
    if let Some(path) = &wanted.curve {
        write(path, tuned.picture(rules.about.title).as_bytes())?;
    }
    if !tuned.complete {
        tell("stopped; the weights have the numbers found so far, and the same command goes on");
    }
    let document = || {
        let mut document = tuned.as_json();
        document["game"] = json!(rules.about.name);
        document["made_by"] = provenance::made_by(Some(seed));
        document
    };
    print(wanted.json, document, || tuned.text())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
