//! `convert`: files of games from one format into another.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_formats::{Conversion, GamesFile, all, by_extension, by_name, convert};
use quincunx_game::{TextError, format::Format, text::quoted};
use quincunx_games::rules;
use quincunx_machine::{write_whole, write_whole_with};
use serde_json::json;

use crate::{cli::Convert, tell};

/// Wrong games that are named one by one.
const NAMED: usize = 20;

pub(crate) fn run(wanted: &Convert) -> anyhow::Result<()> {
    let (Some(from), Some(to)) = (&wanted.from, &wanted.to) else { return list(wanted.json) };
    let expected = wanted.game.as_deref().map(|game| rules(game, wanted.ruleset.as_deref())).transpose()?;
    let reader = wanted.read.as_deref().map(by_name).transpose()?;
    let writer = format_to_write(to, wanted)?;
    let file = GamesFile::open(from)?;
    let input =
        |out: &mut dyn Write| file.with(expected, reader, |input| convert(input, writer, wanted.skip_wrong, out));
    let done = if to.as_os_str() == "-" { input(&mut io::stdout().lock())?? } else { convert_to_file(to, input)? };
    for wrong in done.left_out.iter().take(NAMED) {
        tell(&format!("left out: {wrong}"));
    }
    if done.left_out.len() > NAMED {
        tell(&format!("left out: {} more", done.left_out.len() - NAMED));
    }
    let (games, left_out) = (done.games, done.left_out.len());
    if wanted.json {
        let document = json!({ "games": games, "left_out": done.left_out, "format": writer.name() });
        let mut out: Box<dyn Write> =
            if to.as_os_str() == "-" { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        let others = if left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        tell(&format!("{games} games written as {}{others}", writer.name()));
    }
    Ok(())
}

/// Writes the file and what belongs to it, each as a whole or not at all.
fn convert_to_file(
    to: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<io::Result<Conversion>, TextError>,
) -> anyhow::Result<Conversion> {
    let mut done = None;
    let written = write_whole_with(to, |out| match write(out) {
        Ok(Ok(conversion)) => {
            done = Some(Ok(conversion));
            Ok(())
        }
        Ok(Err(error)) => Err(error),
        Err(wrong) => {
            done = Some(Err(wrong));
            Err(io::Error::other("nothing is written"))
        }
    });
    match done {
        Some(Err(wrong)) => Err(wrong.into()),
        Some(Ok(conversion)) => {
            written.with_context(|| format!("cannot write {}", to.display()))?;
            for (extension, bytes) in &conversion.beside {
                let beside = to.with_extension(extension);
                write_whole(&beside, bytes).with_context(|| format!("cannot write {}", beside.display()))?;
            }
            Ok(conversion)
        }
        None => Err(written.err().unwrap_or_else(|| io::ErrorKind::Other.into()))
            .with_context(|| format!("cannot write {}", to.display())),
    }
}

fn format_to_write(to: &Path, wanted: &Convert) -> Result<&'static dyn Format, TextError> {
    let extension = to.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let named = wanted.write.as_deref().map(by_name).transpose()?;
    let format = named.or_else(|| by_extension(extension)).ok_or_else(|| {
        let name = quoted(&to.to_string_lossy());
        TextError::new(format!("no format is written to files like {name}; name one with --write"))
    })?;
    if !wanted.positions || format.name().ends_with("-positions") {
        return Ok(format);
    }
    by_name(&format!("{}-positions", format.name()))
        .map_err(|_| TextError::new(format!("{} has no rows for positions; csv and parquet have", format.name())))
}

fn list(json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let formats: Vec<_> = all()
            .iter()
            .map(|format| {
                json!({
                    "name": format.name(), "summary": format.summary(), "extensions": format.extensions(),
                    "written": format.writer().is_some(),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&json!({ "formats": formats }))?)?;
        return Ok(());
    }
    for format in all() {
        let extension = format.extensions().first().map_or(String::new(), |extension| format!(".{extension}"));
        writeln!(out, "{:18} {extension:12} {}", format.name(), format.summary())?;
    }
    Ok(())
}
