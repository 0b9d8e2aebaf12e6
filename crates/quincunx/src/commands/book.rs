//! `book`: makes an opening book of a game from searches of the engine.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_arena::provenance;
use quincunx_games::{rules, variant};
use quincunx_machine::write_whole;
use quincunx_search::{Stop, book::Study};
use serde_json::json;

use super::interrupt;

pub(crate) fn run(game: &str, out: &Path, study: Study, json: bool) -> anyhow::Result<()> {
    let rules = rules(game, None)?;
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let shown = io::stderr().is_terminal();
    let evaluator = variant(&rules).evaluator();
    let book = evaluator.study(rules, &study, &stop, &mut |studied| {
        if shown {
            _ = write!(io::stderr(), "\rposition {studied} of {}", study.positions);
        }
    });
    let book = book.context("interrupted: nothing was written")?;
    let bytes = book.to_bytes(&rules);
    write_whole(out, &bytes).with_context(|| format!("cannot write {}", out.display()))?;
    provenance::write_beside(out, None, &*evaluator, &bytes)?;
    if json {
        let document = json!({ "positions": book.len(), "bytes": bytes.len(), "made_by": provenance::made_by(None) });
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(());
    }
    writeln!(io::stdout(), "{} positions, {} bytes", book.len(), bytes.len())?;
    Ok(())
}
