//! `probcut`: fits how well shallow searches of a game predict deep ones.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, bail};
use quincunx_agents::load_weights;
use quincunx_arena::provenance::made_by;
use quincunx_game::{TextError, text::quoted};
use quincunx_games::{rules, variant};
use quincunx_machine::write_whole;
use quincunx_search::{Stop, probcut::Sampling};
use serde_json::{Map, Value, json};

use super::interrupt;

/// Fits a table for the weights of the first file, or those of the program, and keeps it with them in the second file.
pub(crate) fn run(
    game: &str,
    sampling: Sampling,
    (weights, out): (Option<&str>, Option<&Path>),
    json: bool,
) -> anyhow::Result<()> {
    let (rules, seed) = (rules(game, None)?, sampling.seed);
    let evaluator = match weights {
        Some(path) => load_weights(&rules, path)?,
        None => variant(&rules).evaluator(),
    };
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let table = evaluator.fit_probcut(rules, sampling, &stop).context("interrupted: nothing was fitted")?;
    if table.is_empty() {
        bail!("{} positions are too few to fit anything; take more with --positions", sampling.positions);
    }
    if let Some(path) = out {
        let with_table = evaluator.with_probcut(table.clone());
        let none = || TextError::new(format!("the weights of {} keep no ProbCut table", quoted(game)));
        let file = with_table.ok_or_else(none)?.file();
        write_whole(path, &file).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let table = table.to_string();
    if !json {
        return Ok(io::stdout().write_all(table.as_bytes())?);
    }
    // The first line names the columns.
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").trim_start_matches('#').split_whitespace().collect();
    let row = |line: &str| {
        let numbers = line.split_whitespace().map(|number| number.parse::<i64>().map_or(Value::Null, Value::from));
        Value::from(names.iter().map(|name| (*name).to_string()).zip(numbers).collect::<Map<_, _>>())
    };
    let rows: Vec<Value> = lines.map(row).collect();
    let document = json!({ "game": rules.about.name, "rows": rows, "made_by": made_by(Some(seed)) });
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
    Ok(())
}
