//! Files that are there as a whole or not at all.

use std::{fs, io, path::Path};

/// Writes `contents` to `path` such that no reader ever finds half of it, whatever fails on the way.
pub(crate) fn write(path: &Path, contents: &(impl AsRef<[u8]> + ?Sized)) -> io::Result<()> {
    // A terminal, a pipe or another device is written to, not replaced.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, contents);
    }
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = fs::write(&part, contents).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        drop(fs::remove_file(&part));
    }
    written
}
