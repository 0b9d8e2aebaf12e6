//! `train`: the weights of an evaluation, made anew.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, bail};
use quincunx_arena::{provenance, selfplay};
use quincunx_formats::{GamesFile, Output, by_name, read};
use quincunx_game::{About, Rules, TextError, text::quoted};
use quincunx_games::{entries, entry};
use quincunx_machine::write_whole;
use quincunx_search::{Stop, train::Training};
use serde_json::json;

use super::{contest::plain, interrupt};
use crate::{cli, tell};

/// More than all games of any year.
const LARGEST_FILE: u64 = 1 << 28;

/// Evaluations have tens of thousands of weights: from fewer positions than this, most of them are never seen.
const FEW_POSITIONS: usize = 100_000;

pub(crate) fn run(wanted: &cli::Train) -> anyhow::Result<()> {
    let entry = entry(&wanted.game)?;
    let Some(train) = entry.train else {
        let trained = entries().into_iter().filter(|entry| entry.train.is_some()).map(|entry| entry.about.name);
        let (name, names) = (quoted(entry.about.name), trained.collect::<Vec<_>>().join(", "));
        return Err(TextError::new(format!("{name} has no weights to train; games that have: {names}")).into());
    };
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let files: Result<Vec<_>, _> = wanted.wthor.iter().map(|path| file_of_games(entry.about, path)).collect();
    let data: Result<Vec<_>, _> = wanted.data.iter().map(|directory| selfplay::file(directory)).collect();
    let (files, data) = (files?, data.map_err(plain)?);
    let &cli::Train { games, epochs, score_share, seed, .. } = wanted;
    let training = Training { files: &files, data: &data, games, epochs, score_share, seed, stop: &stop };
    let Some(trained) = train(&training)? else {
        bail!("interrupted: nothing was written");
    };
    if trained.positions < FEW_POSITIONS {
        tell(&format!("{} positions are too few for weights that play well: take more games", trained.positions));
    }
    let bytes = trained.evaluator.file();
    write(&wanted.out, &bytes)?;
    provenance::write_beside(&wanted.out, Some(seed), &*trained.evaluator, &bytes)?;
    match (&wanted.curve, trained.curve) {
        (Some(path), Some(picture)) => write(path, picture.as_bytes())?,
        (Some(_), None) => return Err(TextError::new(format!("{} keeps no learning curve", entry.about.title)).into()),
        (None, _) => {}
    }
    if wanted.json {
        let report: Vec<&str> = trained.report.lines().collect();
        let document = json!({
            "game": entry.about.name, "positions": trained.positions, "bytes": bytes.len(), "report": report,
            "made_by": provenance::made_by(Some(seed)),
        });
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(());
    }
    writeln!(io::stdout(), "{}{} positions, {} bytes of weights", trained.report, trained.positions, bytes.len())?;
    Ok(())
}

/// A file of games by others, with its name.
fn file_of_games(about: &'static About, path: &Path) -> anyhow::Result<(String, Vec<u8>)> {
    let name = path.display();
    let size = fs::metadata(path).with_context(|| format!("cannot read {name}"))?.len();
    if size > LARGEST_FILE {
        return Err(TextError::new(format!("{name} is too large for a file of games")).into());
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Ok((name.to_string(), as_wthor(about, path, bytes)?))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// A file of games in the format that the training reads, whatever its own. What no format recognises is left to the
/// training to refuse.
fn as_wthor(about: &'static About, path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, TextError> {
    let wthor = by_name("wthor")?;
    let file = GamesFile::open(path)?;
    let expected = Some(Rules::of(about));
    let own = file.with(expected, None, |input| Ok(input.format().is_ok_and(|format| format.name() != wthor.name())));
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) || !own? {
        return Ok(bytes);
    }
    let mut output = Output::new(wthor)?;
    file.with(expected, None, |input| read(input, &mut |found| output.add(&found?)))?;
    Ok(output.finish()?.contents)
}
