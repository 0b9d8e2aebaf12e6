//! `book`: makes an opening book of a game from searches of the engine.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_games::{rules, variant};
use quincunx_machine::write_whole;
use quincunx_search::{Stop, book::Study};

use super::interrupt;

pub(crate) fn run(game: &str, out: &Path, study: Study) -> anyhow::Result<()> {
    let rules = rules(game, None)?;
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let shown = io::stderr().is_terminal();
    let book = variant(&rules).evaluator().study(rules, &study, &stop, &mut |studied| {
        if shown {
            _ = write!(io::stderr(), "\rposition {studied} of {}", study.positions);
        }
    });
    let book = book.context("interrupted: nothing was written")?;
    let bytes = book.to_bytes(&rules);
    write_whole(out, &bytes).with_context(|| format!("cannot write {}", out.display()))?;
    writeln!(io::stdout(), "{} positions, {} bytes", book.len(), bytes.len())?;
    Ok(())
}
