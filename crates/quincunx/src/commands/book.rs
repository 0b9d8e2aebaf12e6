//! `book`: makes an opening book of a game from searches of the engine.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_game::Rules;
use quincunx_games::{Visitor, about, visit};
use quincunx_machine::write_whole;
use quincunx_search::{Insight, book::Book};
use quincunx_search::{
    Stop,
    book::{Study, study},
};

use super::interrupt;

pub(crate) fn run(game: &str, out: &Path, study: Study) -> anyhow::Result<()> {
    let rules = Rules::of(about(game)?);
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let book = visit(&rules, Make { rules, study, stop }).context("interrupted: nothing was written")?;
    let bytes = book.to_bytes();
    write_whole(out, &bytes).with_context(|| format!("cannot write {}", out.display()))?;
    writeln!(io::stdout(), "{} positions, {} bytes", book.len(), bytes.len())?;
    Ok(())
}

struct Make {
    rules: Rules,
    study: Study,
    stop: Stop,
}

impl Visitor for Make {
    type Output = Option<Book>;

    fn visit<G: Insight>(self) -> Self::Output {
        let shown = io::stderr().is_terminal();
        study::<G>(self.rules, &self.study, &self.stop, &mut |studied| {
            if shown {
                _ = write!(io::stderr(), "\rposition {studied} of {}", self.study.positions);
            }
        })
    }
}
