//! Files that are written as a whole or not at all, and the limit of open files.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes `contents` to `path` so that no reader ever sees half of it, whatever fails on the way.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(contents.as_ref()))
}

/// As [`write_whole`], with contents that `write` writes piece by piece.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A terminal, a pipe or another device is written to, not replaced.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    let part = part_of(path)?;
    let attempt = || {
        let mut out = BufWriter::new(File::create(&part)?);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&part, path)
    };
    let written = attempt();
    if written.is_err() {
        drop(fs::remove_file(&part));
    }
    written
}

/// A name for the unfinished file, beside `path`, that no other process uses.
fn part_of(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    Ok(path.with_file_name(name))
}

/// Lets this process open as many files, and so connections, as the system allows; how many, if it says so.
pub fn raise_open_files() -> Option<u64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        // If it is refused, the limit stays as it was.
        Some(if setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok() { hard } else { soft })
    }
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("quincunx-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("taken")).unwrap();
        assert!(write_whole(&folder.join("missing/file"), "text").is_err());
        write_whole(&folder.join("file"), "one").unwrap();
        write_whole(&folder.join("file"), "two").unwrap();
        assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }
}
