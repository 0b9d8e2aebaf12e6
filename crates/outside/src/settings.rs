//! What a spec may say of a program from outside, in brackets before its path: `files:[stall=5s,memory=1G]DIR`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use quincunx_game::{TextError, text::quoted};
use quincunx_search::limits::parse_duration;

/// The bounds a program is kept in, and the options it is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// How long it may neither answer nor compute.
    pub(crate) stall: Duration,
    /// Bytes of memory, over all its processes.
    pub(crate) memory: u64,
    /// Processes and threads.
    pub(crate) tasks: u64,
    /// Bytes in its directory.
    pub(crate) disk: u64,
    /// The folder it starts in and may read, if it needs one.
    pub(crate) dir: Option<PathBuf>,
    /// Whether an answer must have its exact form, to the last byte.
    pub(crate) strict: bool,
    /// Options of its own, handed on by the protocol.
    pub(crate) options: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        let stall = Duration::from_secs(20);
        Self { stall, memory: 4 << 30, tasks: 256, disk: 256 << 20, dir: None, strict: false, options: Vec::new() }
    }
}

impl Settings {
    /// Takes `[name=value,…]REST` apart; without brackets everything is the rest.
    pub(crate) fn parse(text: &str) -> Result<(Self, &str), TextError> {
        let mut settings = Self::default();
        // What a path ends with is a part of it, blanks too: they may be all that tells two submissions apart.
        let text = text.trim_start();
        let Some(inner) = text.strip_prefix('[') else { return Ok((settings, text)) };
        let (inner, rest) =
            inner.split_once(']').ok_or_else(|| TextError::new(format!("{}: a [ without its ]", quoted(text))))?;
        for part in inner.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| TextError::new(format!("{}: settings are name=value", quoted(part))))?;
            let (name, value) = (name.trim(), value.trim());
            match name {
                "stall" => settings.stall = parse_duration(value)?.max(Duration::from_millis(100)),
                "memory" => settings.memory = bytes(value)?,
                "disk" => settings.disk = bytes(value)?,
                "dir" => settings.dir = Some(directory(value)?),
                "strict" => {
                    settings.strict = match value {
                        "yes" => true,
                        "no" => false,
                        _ => return Err(TextError::new(format!("strict={} is neither yes nor no", quoted(value)))),
                    }
                }
                "tasks" => {
                    settings.tasks =
                        value.parse().ok().filter(|count| (1..=100_000).contains(count)).ok_or_else(|| {
                            TextError::new(format!("tasks={} is not a number from 1 to 100000", quoted(value)))
                        })?;
                }
                _ => settings.options.push((name.to_string(), value.to_string())),
            }
        }
        Ok((settings, rest.trim_start()))
    }

    /// Complains about options, for protocols that have no way to hand them on.
    pub(crate) fn without_options(&self) -> Result<(), TextError> {
        self.options.first().map_or(Ok(()), |(name, _)| Err(unknown(name, "stall, memory, disk, tasks and dir")))
    }

    /// Complains about options and a folder, for programs that run in a copy of their own.
    pub(crate) fn without_options_and_folder(&self) -> Result<(), TextError> {
        let dir = self.dir.as_ref().map(|_| "dir");
        let first = dir.or(self.options.first().map(|(name, _)| name.as_str()));
        first.map_or(Ok(()), |name| Err(unknown(name, "stall, memory, disk, tasks and strict")))
    }
}

fn unknown(name: &str, known: &str) -> TextError {
    TextError::new(format!("{} is not a setting here; the settings are {known}", quoted(name)))
}

/// A directory that exists, by its absolute path.
fn directory(text: &str) -> Result<PathBuf, TextError> {
    let found = Path::new(text).canonicalize().ok().filter(|path| path.is_dir());
    found.ok_or_else(|| TextError::new(format!("dir={}: there is no such directory", quoted(text))))
}

/// Reads a number of bytes such as `512M` or `2G`.
fn bytes(text: &str) -> Result<u64, TextError> {
    let (number, shift) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number = number.parse::<u64>().ok().filter(|&number| number > 0 && number <= u64::MAX >> 40);
    number
        .map(|number| number << shift)
        .ok_or_else(|| TextError::new(format!("{} is not a size such as 512M or 2G", quoted(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_hold_settings_and_the_rest_is_left_alone() {
        let (settings, rest) = Settings::parse("[stall=2s, memory=1G,Hash=64]/a dir/with, commas=x").unwrap();
        assert_eq!((settings.stall, settings.memory), (Duration::from_secs(2), 1 << 30));
        assert_eq!(settings.options, [("Hash".to_string(), "64".to_string())]);
        assert_eq!(rest, "/a dir/with, commas=x");
        for (text, path) in [(" /bob ", "/bob "), ("[stall=2s] /bob\n", "/bob\n")] {
            assert_eq!(Settings::parse(text).unwrap().1, path);
        }
        for wrong in ["[stall=2s", "[memory=x]a", "[tasks=0]a", "[word]a", "[memory=99999999999999999999G]a"] {
            assert!(Settings::parse(wrong).is_err(), "{wrong}");
        }
    }
}
