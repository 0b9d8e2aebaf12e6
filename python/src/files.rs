//! Files of games, for Python.

use std::{io, path::PathBuf};

use pyo3::{exceptions::PyOSError, prelude::*};
use quincunx_formats::{GameRecord, GamesFile, all, by_extension, by_name, convert as convert_games, read};
use quincunx_machine::{write_whole, write_whole_with};
use serde_json::json;

use crate::{rules, wrong};

/// The formats, as JSON.
#[pyfunction]
pub fn formats() -> String {
    let formats: Vec<_> = all()
        .iter()
        .map(|format| json!({ "name": format.name(), "summary": format.summary(), "extensions": format.extensions() }))
        .collect();
    serde_json::Value::from(formats).to_string()
}

/// The games of a file, each as JSON, and what was wrong with those that were left out.
#[pyfunction]
#[pyo3(signature = (path, format=None, game=None, ruleset=None, skip_wrong=false))]
pub fn read_games(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    game: Option<&str>,
    ruleset: Option<&str>,
    skip_wrong: bool,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let expected = game.map(|game| rules(game, ruleset)).transpose().map_err(wrong)?;
    let format = format.map(by_name).transpose().map_err(wrong)?;
    let (mut games, mut left_out) = (Vec::new(), Vec::new());
    py.detach(|| {
        GamesFile::open(&path)?.with(expected, format, |input| {
            read(input, &mut |found| {
                match found {
                    Ok(checked) => {
                        let record = GameRecord::of(&checked.record, &*checked.game, games.len() as u64);
                        let mut value = serde_json::to_value(&record).unwrap_or_default();
                        value["scores"] = json!(checked.record.scores);
                        games.push(value.to_string());
                    }
                    Err(error) if skip_wrong => left_out.push(error.to_string()),
                    Err(error) => return Err(error),
                }
                Ok(())
            })
        })
    })
    .map_err(wrong)?;
    Ok((games, left_out))
}

/// Converts a file of games; returns the number of games and what was wrong with those that were left out.
#[pyfunction]
#[pyo3(signature = (source, target, read=None, write=None, game=None, ruleset=None, skip_wrong=false))]
#[allow(clippy::too_many_arguments)]
pub fn convert(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    read: Option<&str>,
    write: Option<&str>,
    game: Option<&str>,
    ruleset: Option<&str>,
    skip_wrong: bool,
) -> PyResult<(u64, Vec<String>)> {
    let expected = game.map(|game| rules(game, ruleset)).transpose().map_err(wrong)?;
    let reader = read.map(by_name).transpose().map_err(wrong)?;
    let extension = target.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let writer = write.map(by_name).transpose().map_err(wrong)?.or_else(|| by_extension(extension));
    let writer = writer.ok_or_else(|| wrong(format!("no format is written to files like {}", target.display())))?;
    py.detach(|| {
        let file = GamesFile::open(&source).map_err(wrong)?;
        let mut done = None;
        let written = write_whole_with(&target, |out| {
            let conversion = file.with(expected, reader, |input| convert_games(input, writer, skip_wrong, out));
            match conversion {
                Ok(Ok(conversion)) => {
                    done = Some(Ok(conversion));
                    Ok(())
                }
                Ok(Err(error)) => Err(error),
                Err(error) => {
                    done = Some(Err(error));
                    Err(io::Error::other("nothing is written"))
                }
            }
        });
        let failed = |error: io::Error| PyOSError::new_err(format!("cannot write {}: {error}", target.display()));
        match done {
            Some(Err(error)) => Err(wrong(error)),
            Some(Ok(conversion)) => {
                written.map_err(failed)?;
                for (extension, bytes) in &conversion.beside {
                    write_whole(&target.with_extension(extension), bytes).map_err(failed)?;
                }
                Ok((conversion.games, conversion.left_out))
            }
            None => Err(failed(written.err().unwrap_or_else(|| io::ErrorKind::Other.into()))),
        }
    })
}
