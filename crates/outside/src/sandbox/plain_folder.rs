//! A working directory on disk, for programs that are trusted on a system that cannot wall them in.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use nix::{fcntl::OFlag, sys::stat::Mode};

/// Its name begins with this; the number of its warden follows.
const NAME: &str = "quincunx-";

/// A directory that is removed with its warden.
pub(super) struct PlainFolder {
    pub(super) path: PathBuf,
    /// Held locked for as long as the warden lives: so others know that the directory is in use.
    _handle: File,
}

impl PlainFolder {
    pub(super) fn new() -> io::Result<Self> {
        let place = std::env::temp_dir().canonicalize()?;
        remove_orphans(&place);
        let path = place.join(format!("{NAME}{}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        let handle = locked(&path).ok_or_else(|| io::Error::other(format!("{} is in use", path.display())))?;
        Ok(Self { path, _handle: handle })
    }
}

impl Drop for PlainFolder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.path);
    }
}

/// A directory of this user, not a link to one, locked for this process; `None` if it is another user's, held, or gone.
fn locked(path: &Path) -> Option<File> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let handle = File::from(nix::fcntl::open(path, flags, Mode::empty()).ok()?);
    handle.try_lock().ok()?;
    let (held, named) = (handle.metadata().ok()?, fs::symlink_metadata(path).ok()?);
    // It may have been removed since it was opened, and made anew.
    let same = (held.dev(), held.ino()) == (named.dev(), named.ino());
    (same && held.uid() == nix::unistd::geteuid().as_raw()).then_some(handle)
}

/// Removes what wardens left that were killed: directories of this user with a name of ours that no process holds.
fn remove_orphans(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let named = entry.file_name().to_str().is_some_and(|name| {
            let number = name.strip_prefix(NAME).unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if named && let Some(_held) = locked(&entry.path()) {
            _ = fs::remove_dir_all(entry.path());
        }
    }
}
