//! The working directory of a program: a copy of what its author gave, and files handed over without being fooled.

use std::{
    ffi::CString,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::{
        fd::{AsFd, AsRawFd},
        unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown, lchown, symlink},
    },
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    fcntl::{OFlag, openat, renameat},
    libc,
    sys::{
        stat::{Mode, SFlag, fstat},
        statvfs::fstatvfs,
    },
    unistd::{UnlinkatFlags, unlinkat},
};

/// What an agent's directory may hold.
pub(crate) const MOST_FILES: usize = 10_000;

/// Directories inside each other in what is copied: removing deeper ones takes more open files than a process has.
const DEEPEST: usize = 100;

/// The directory in which the programs of a sandbox run. It is gone with the sandbox.
pub(crate) struct Folder {
    /// The directory itself: its name means something inside the walls only.
    handle: File,
    /// The user its files are given to, if that is another one.
    owner: Option<u32>,
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
    pub(super) fn open(path: &Path, owner: Option<u32>) -> io::Result<Self> {
        Ok(Self { handle: File::open(path)?, owner })
    }

    /// Copies a directory into this one before any program has run here: files with their modes, links as links, at
    /// most `most` bytes.
    pub(crate) fn fill_from(&self, source: &Path, most: u64) -> io::Result<()> {
        copy_all(source, &self.path(), most, self.owner)
    }

    /// Copies everything in this directory to another one, after all programs have ended; bounded in the same way.
    pub(crate) fn copy_to(&self, target: &Path, most: u64) -> io::Result<()> {
        copy_all(&self.path(), target, most, None)
    }

    /// The names in this directory, at most so many.
    pub(crate) fn names(&self, most: usize) -> Vec<String> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().flatten().take(most);
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Its path, as long as this handle is open.
    fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_fd().as_raw_fd()))
    }

    /// Makes way for a file, whatever a program has put in its place: a directory is put aside, since to remove all that
    /// may be in it could take for ever.
    pub(crate) fn clear(&self, name: &str) -> io::Result<()> {
        const ASIDE: u32 = 1000;
        let c_name = c_string(name)?;
        match unlinkat(&self.handle, c_name.as_c_str(), UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => return Ok(()),
            Err(Errno::EISDIR | Errno::EPERM) => {}
            Err(error) => return Err(error.into()),
        }
        let mut refused = Errno::EEXIST;
        for number in 0..ASIDE {
            let aside = c_string(&format!(".aside-{number}"))?;
            match renameat(&self.handle, c_name.as_c_str(), &self.handle, aside.as_c_str()) {
                Ok(()) => return Ok(()),
                Err(error) => refused = error,
            }
        }
        Err(refused.into())
    }

    /// Writes a new file, never through a link.
    pub(crate) fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        self.clear(name)?;
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let fd = openat(&self.handle, c_string(name)?.as_c_str(), flags, Mode::from_bits_truncate(0o644))?;
        fchown(&fd, self.owner, self.owner)?;
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
            Err(Errno::ENOENT) => return Err(Unreadable::Missing),
            Err(Errno::ELOOP | Errno::ENXIO) => return Err(Unreadable::NoFile),
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

    /// Whether no more than so many bytes are free in its file system, or no more files can be made.
    pub(super) fn is_full(&self, bytes: u64) -> bool {
        fstatvfs(&self.handle)
            .is_ok_and(|found| found.blocks_free() * found.fragment_size() < bytes || found.files_free() == 0)
    }
}

/// Copies all that is in a directory: files with their modes, links as links, at most `most` bytes, for `owner` if that is
/// another user.
fn copy_all(source: &Path, target: &Path, most: u64, owner: Option<u32>) -> io::Result<()> {
    let (mut open, mut files, mut left) = (vec![(source.to_path_buf(), target.to_path_buf(), 0)], 0, most);
    while let Some((from, to, depth)) = open.pop() {
        if depth > DEEPEST {
            return Err(io::Error::other(format!("there are more than {DEEPEST} directories inside each other")));
        }
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            files += 1;
            if files > MOST_FILES {
                return Err(io::Error::other(format!("there are more than {MOST_FILES} files")));
            }
            if kind.is_dir() {
                fs::create_dir(&to)?;
                open.push((from, to.clone(), depth + 1));
            } else if kind.is_symlink() {
                symlink(fs::read_link(&from)?, &to)?;
            } else if kind.is_file() {
                left = copy(&from, &to, left)?
                    .ok_or_else(|| io::Error::other(format!("there are more than {most} bytes")))?;
            } else {
                continue;
            }
            if owner.is_some() {
                lchown(&to, owner, owner)?;
            }
        }
    }
    Ok(())
}

/// Copies a file that is not a link, with its mode; the bytes of `most` that are left, `None` if it is larger.
fn copy(from: &Path, to: &Path, most: u64) -> io::Result<Option<u64>> {
    let source = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from)?;
    let mode = source.metadata()?.mode() & 0o777;
    let mut copy = File::create_new(to)?;
    let count = io::copy(&mut source.take(most + 1), &mut copy)?;
    copy.set_permissions(fs::Permissions::from_mode(mode))?;
    Ok(most.checked_sub(count))
}

fn c_string(name: &str) -> io::Result<CString> {
    CString::new(name).map_err(io::Error::other)
}
