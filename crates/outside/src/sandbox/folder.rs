//! The working directory of a program: a copy of what its author gave, and files handed over without being fooled.

use std::{
    ffi::CString,
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread::sleep,
    time::Duration,
};

use nix::{
    fcntl::{OFlag, openat},
    sys::stat::{Mode, SFlag, fstat},
    unistd::{UnlinkatFlags, unlinkat},
};

/// What an agent's directory may hold.
const MOST_FILES: usize = 10_000;

/// A directory made for one game and removed after it.
pub(crate) struct Folder {
    path: PathBuf,
    /// The directory itself: what its name leads to may be changed by a program that is not walled in.
    handle: File,
}

/// Why a file of a program cannot be taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It is not there.
    Missing,
    /// It is something else than a file.
    NoFile,
    /// It is larger than it may be.
    TooLarge,
    /// The system refuses.
    Refused(String),
}

impl Folder {
    /// The directory that holds all working directories of this process.
    pub(crate) fn root() -> PathBuf {
        std::env::temp_dir().join(format!("{NAME}{}", std::process::id()))
    }

    /// A new empty directory.
    pub(crate) fn new() -> io::Result<Self> {
        let mut roots = ROOT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut root = match roots.take() {
            Some(root) => root,
            None => Root::new()?,
        };
        let path = Self::root().join(root.made.to_string());
        let attempt = fs::create_dir(&path).and_then(|()| Ok((File::open(&path)?, path.canonicalize()?)));
        root.made += 1;
        root.open += usize::from(attempt.is_ok());
        *roots = Some(root);
        attempt.map(|(handle, path)| Self { path, handle })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Copies a directory into this one: files with their modes, links as links, at most `most` bytes.
    pub(crate) fn fill_from(&self, source: &Path, most: u64) -> io::Result<()> {
        let (mut open, mut files, mut bytes) = (vec![(source.to_path_buf(), self.path.clone())], 0, 0);
        while let Some((from, to)) = open.pop() {
            for entry in fs::read_dir(&from)? {
                let entry = entry?;
                let (from, to) = (entry.path(), to.join(entry.file_name()));
                let kind = entry.file_type()?;
                files += 1;
                if files > MOST_FILES {
                    return Err(io::Error::other(format!("{} holds more than {MOST_FILES} files", source.display())));
                }
                if kind.is_dir() {
                    fs::create_dir(&to)?;
                    open.push((from, to));
                } else if kind.is_symlink() {
                    symlink(fs::read_link(&from)?, &to)?;
                } else if kind.is_file() {
                    bytes += entry.metadata()?.len();
                    if bytes > most {
                        return Err(io::Error::other(format!("{} holds more than {most} bytes", source.display())));
                    }
                    fs::copy(&from, &to)?;
                }
            }
        }
        Ok(())
    }

    /// Makes way for a file, whatever a program has put in its place.
    pub(crate) fn clear(&self, name: &str) -> io::Result<()> {
        let c_name = c_string(name)?;
        match unlinkat(&self.handle, c_name.as_c_str(), UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(nix::Error::ENOENT) => Ok(()),
            Err(nix::Error::EISDIR | nix::Error::EPERM) => fs::remove_dir_all(self.path.join(name)),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a new file, never through a link.
    pub(crate) fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        self.clear(name)?;
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let fd = openat(&self.handle, c_string(name)?.as_c_str(), flags, Mode::from_bits_truncate(0o644))?;
        File::from(fd).write_all(text)
    }

    /// Reads a file of at most `most` bytes; nothing else than a plain file in this very directory is opened.
    pub(crate) fn read(&self, name: &str, most: u64) -> Result<Vec<u8>, Unreadable> {
        let refused = |error: &dyn std::fmt::Display| Unreadable::Refused(error.to_string());
        let c_name = c_string(name).map_err(|error| refused(&error))?;
        // A pipe would wait for its other end without this flag.
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC | OFlag::O_NOCTTY;
        let fd = match openat(&self.handle, c_name.as_c_str(), flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(nix::Error::ENOENT) => return Err(Unreadable::Missing),
            Err(nix::Error::ELOOP | nix::Error::ENXIO) => return Err(Unreadable::NoFile),
            Err(error) => return Err(refused(&error)),
        };
        let found = fstat(&fd).map_err(|error| refused(&error))?;
        if SFlag::from_bits_truncate(found.st_mode) & SFlag::S_IFMT != SFlag::S_IFREG {
            return Err(Unreadable::NoFile);
        }
        if found.st_size as u64 > most {
            return Err(Unreadable::TooLarge);
        }
        let mut bytes = Vec::new();
        File::from(fd).take(most + 1).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
        if bytes.len() as u64 > most { Err(Unreadable::TooLarge) } else { Ok(bytes) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A program may have made its directories unreadable; they are in the way of their own removal only.
        _ = fs::remove_dir_all(&self.path);
        let mut roots = ROOT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = roots.as_mut() {
            root.open -= 1;
            if root.open == 0 {
                _ = fs::remove_dir(Self::root());
                *roots = None;
            }
        }
    }
}

/// The directory of all working directories of this process, while there are any.
static ROOT: Mutex<Option<Root>> = Mutex::new(None);

/// Its name begins with this; the number of the process follows.
const NAME: &str = "quincunx-";

struct Root {
    /// Held locked for as long as this process lives: so others know that the directory is in use, whatever number
    /// this process has among them.
    _handle: File,
    /// Directories made in it, and those still there.
    made: u64,
    open: usize,
}

impl Root {
    fn new() -> io::Result<Self> {
        /// Another process that clears up may hold or remove the directory just when it is made.
        const ATTEMPTS: u32 = 100;
        remove_orphans(&std::env::temp_dir());
        let path = Folder::root();
        for _ in 0..ATTEMPTS {
            if let Err(error) = fs::create_dir(&path)
                && error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(error);
            }
            // The name can be guessed, so a directory that was there is used only if it is ours.
            if let Some(handle) = locked(&path) {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
                return Ok(Self { _handle: handle, made: 0, open: 0 });
            }
            sleep(Duration::from_millis(10));
        }
        Err(io::Error::other(format!("{} is not ours, or in use", path.display())))
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

/// Removes what processes left that were killed: directories of this user with a name of ours that no process holds.
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

/// Removes a working directory whose referee is gone, and what held it if it was the last.
pub(crate) fn remove(path: &Path) {
    _ = fs::remove_dir_all(path);
    if let Some(root) = path.parent() {
        _ = fs::remove_dir(root);
    }
}

fn c_string(name: &str) -> io::Result<CString> {
    CString::new(name).map_err(io::Error::other)
}

/// The bytes on disk below a directory, counted until there are more than `enough`.
pub(crate) fn bytes_below(directory: &Path, enough: u64) -> u64 {
    let (mut open, mut bytes) = (vec![directory.to_path_buf()], 0);
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // An entry costs something even if it is empty.
            bytes += 512;
            if let Ok(found) = entry.metadata() {
                bytes += found.blocks() * 512;
                if found.is_dir() {
                    open.push(entry.path());
                }
            }
            if bytes > enough {
                return bytes;
            }
        }
    }
    bytes
}
