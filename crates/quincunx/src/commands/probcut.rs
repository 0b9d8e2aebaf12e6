//! `probcut`: fits how well shallow searches of a game predict deep ones.

use std::io::{self, Write};

use anyhow::{Context, bail};
use quincunx_games::{rules, variant};
use quincunx_search::{Stop, probcut::Sampling};

use serde_json::{Map, Value, json};

use super::{interrupt, provenance::made_by};

pub(crate) fn run(game: &str, sampling: Sampling, json: bool) -> anyhow::Result<()> {
    let (rules, seed) = (rules(game, None)?, sampling.seed);
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let table = variant(&rules).evaluator().fit_probcut(rules, sampling, &stop);
    let table = table.context("interrupted: nothing was fitted")?;
    if table.lines().all(|line| line.starts_with('#')) {
        bail!("{} positions are too few to fit anything; take more with --positions", sampling.positions);
    }
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
