//! Files of games on disk, and the way from one of them to another format.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use quincunx_game::{
    Rules, TextError,
    format::{Format, Source},
};

use crate::{Input, Output, read};

/// A larger file is none of games.
const LARGEST: u64 = 1 << 30;

/// A file of games that was read into memory, and where it stands.
pub struct GamesFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl GamesFile {
    /// Reads a file; the error names it.
    pub fn open(path: &Path) -> Result<Self, TextError> {
        let name = path.display();
        let unreadable = |error: io::Error| TextError::new(format!("cannot read {name}: {error}"));
        let found = fs::metadata(path).map_err(unreadable)?;
        if found.is_dir() {
            return Err(TextError::new(format!("{name} is a directory, not a file of games")));
        }
        if found.len() > LARGEST {
            return Err(TextError::new(format!("{name} is larger than a gibibyte: split it")));
        }
        Ok(Self { path: path.to_path_buf(), bytes: fs::read(path).map_err(unreadable)? })
    }

    /// Has `visit` read it; an error names the file.
    pub fn with<T>(
        &self,
        expected: Option<Rules>,
        format: Option<&'static dyn Format>,
        visit: impl FnOnce(&Input<'_>) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        let beside = |extension: &str| beside(&self.path, extension);
        let input = Input { source: Source { bytes: &self.bytes, expected, beside: &beside }, format };
        visit(&input).map_err(|error| TextError::new(format!("{}: {error}", self.path.display())))
    }
}

/// The file with this extension that belongs to another: of the same name, or else the only one in its folder.
fn beside(path: &Path, extension: &str) -> Option<Vec<u8>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let has = |found: &PathBuf| found.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(has).collect();
    let own = files.iter().position(|file| file.file_stem() == path.file_stem());
    let file = match (own, files.len()) {
        (Some(own), _) => files.swap_remove(own),
        (None, 1) => files.pop()?,
        _ => return None,
    };
    let length = fs::metadata(&file).ok()?.len();
    (length <= LARGEST).then(|| fs::read(&file).ok())?
}

/// What a conversion did.
#[derive(Debug, Default)]
pub struct Conversion {
    /// The games that were written.
    pub games: u64,
    /// What was wrong with those that were left out.
    pub left_out: Vec<String>,
    /// Files that belong to the one that was written, each with its extension.
    pub beside: Vec<(&'static str, Vec<u8>)>,
}

/// Writes all games of a file in another format. A game that is wrong ends it with an error, unless `skip` leaves such
/// games out.
pub fn convert(
    input: &Input<'_>,
    to: &dyn Format,
    skip: bool,
    out: &mut dyn Write,
) -> Result<io::Result<Conversion>, TextError> {
    /// What is kept in memory before it is written.
    const CHUNK: usize = 1 << 20;
    let mut output = Output::new(to)?;
    let (mut left_out, mut failed) = (Vec::new(), None);
    let ended = read(input, &mut |found| {
        let added = found.and_then(|checked| output.add(&checked));
        match added {
            Err(error) if skip => left_out.push(error.to_string()),
            added => added?,
        }
        if output.pending() > CHUNK
            && let Err(error) = out.write_all(&output.take())
        {
            failed = Some(error);
            return Err(TextError::new("cannot be written"));
        }
        Ok(())
    });
    if let Some(error) = failed {
        return Ok(Err(error));
    }
    ended?;
    let written = output.finish()?;
    if written.games == 0 && !left_out.is_empty() {
        return Err(TextError::new(format!("no game could be converted: {}", left_out[0])));
    }
    let games = written.games;
    Ok(out.write_all(&written.contents).map(|()| Conversion { games, left_out, beside: written.beside }))
}
