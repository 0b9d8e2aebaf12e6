//! Submissions as zip and tar files, which anybody can make: unpacked within bounds, or refused in one line.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{self, Cursor, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use flate2::read::MultiGzDecoder;
use nix::libc;
use quincunx_game::{TextError, text::quoted};
use sha2::{Digest, Sha256};

use super::build::{cache, hex, make_whole};
use crate::sandbox::MOST_FILES;

/// The bytes of an archive, and of everything in it.
const LARGEST_ARCHIVE: u64 = 64 << 20;
const LARGEST_CONTENT: u64 = 256 << 20;

/// What the headers of a tar file may take beside the content.
const HEADERS: u64 = 32 << 20;

/// Folders inside each other.
const DEEPEST: usize = 24;

/// The longest name of a file or folder.
const LONGEST_NAME: usize = 255;

/// The archives unpacked so far by this process.
static UNPACKED: Mutex<BTreeMap<PathBuf, Result<PathBuf, TextError>>> = Mutex::new(BTreeMap::new());

/// Unpacks an archive into a directory of this user, once for the same content.
pub(super) fn unpacked(path: &Path) -> Result<PathBuf, TextError> {
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = unpacked.get(path) {
        return known.clone();
    }
    let made = unpack(path).map_err(|error| TextError::new(format!("{}: {error}", path.display())));
    unpacked.insert(path.to_path_buf(), made.clone());
    made
}

fn unpack(path: &Path) -> io::Result<PathBuf> {
    // A pipe would wait for its other end without this flag.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() || found.len() > LARGEST_ARCHIVE {
        return Err(refused(format!("an archive is a file of at most {} MB", LARGEST_ARCHIVE >> 20)));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_ARCHIVE).read_to_end(&mut bytes)?;
    let mut hasher = Sha256::new();
    hasher.update(&bytes);
    let kept = cache().map_err(refused)?.join(format!("archive-{}", hex(hasher)));
    if !kept.is_dir() {
        make_whole(&kept, |place| Unpacking { place, left: LARGEST_CONTENT, entries: 0 }.all(&bytes))?;
    }
    Ok(kept)
}

fn refused(what: impl Into<String>) -> io::Error {
    io::Error::other(what.into())
}

/// An archive on its way to a directory.
struct Unpacking<'a> {
    place: &'a Path,
    /// The bytes that may still come.
    left: u64,
    entries: usize,
}

impl Unpacking<'_> {
    fn all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match bytes {
            [b'P', b'K', ..] => self.zip(bytes),
            [0x1f, 0x8b, ..] => self.tar(MultiGzDecoder::new(bytes)),
            _ if bytes.get(257..262) == Some(b"ustar") => self.tar(bytes),
            _ => Err(refused("it is neither a zip nor a tar file")),
        }
    }

    fn zip(&mut self, bytes: &[u8]) -> io::Result<()> {
        if entries_told(bytes).is_none_or(|count| count > MOST_FILES) {
            return Err(refused(format!("a zip file holds at most {MOST_FILES} files")));
        }
        if is_zip64(bytes) {
            return Err(refused("its form is that of zip files of more than 4 GB"));
        }
        let damaged = |error: zip::result::ZipError| refused(format!("the zip file is damaged or locked: {error}"));
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(damaged)?;
            let name = entry.name().map_err(damaged)?.into_owned();
            let mode = entry.unix_mode();
            if entry.is_symlink() || mode.is_some_and(is_special) {
                return Err(refused(format!("{} is a link or a device", quoted(&name))));
            }
            let Some(path) = self.next(&name)? else { continue };
            if entry.is_dir() {
                fs::create_dir_all(path)?;
            } else {
                // Archives of systems without modes do not tell programs from other files.
                self.file(&path, &name, mode.is_none_or(|mode| mode & 0o111 != 0), &mut entry)?;
            }
        }
        Ok(())
    }

    fn tar(&mut self, reader: impl Read) -> io::Result<()> {
        let mut archive = tar::Archive::new(reader.take(LARGEST_CONTENT + HEADERS));
        for entry in archive.entries()? {
            let mut entry = entry?;
            let kind = entry.header().entry_type();
            if kind.is_pax_global_extensions() {
                continue;
            }
            let name =
                String::from_utf8(entry.path_bytes().into_owned()).map_err(|_| refused("a name in it is not text"))?;
            if !kind.is_dir() && !kind.is_file() {
                return Err(refused(format!("{} is a link or a device", quoted(&name))));
            }
            let executable = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
            let Some(path) = self.next(&name)? else { continue };
            if kind.is_dir() {
                fs::create_dir_all(path)?;
            } else {
                self.file(&path, &name, executable, &mut entry)?;
            }
        }
        Ok(())
    }

    /// Where the next entry goes; `None` for what systems leave in archives by themselves.
    fn next(&mut self, name: &str) -> io::Result<Option<PathBuf>> {
        self.entries += 1;
        if self.entries > MOST_FILES {
            return Err(refused(format!("it holds more than {MOST_FILES} files")));
        }
        let outside = || refused(format!("{} leads out of it", quoted(name)));
        // Some systems write their own separator into archives.
        let parts: Vec<&str> = name.split(['/', '\\']).collect();
        if parts.first().is_some_and(|first| first.is_empty() || first.ends_with(':')) {
            return Err(outside());
        }
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return Err(outside());
        }
        if parts.len() > DEEPEST || parts.iter().any(|part| part.len() > LONGEST_NAME || part.contains('\0')) {
            return Err(refused(format!("{} is no name for a file", quoted(name))));
        }
        if parts.is_empty()
            || parts.iter().any(|part| *part == "__MACOSX" || *part == ".DS_Store" || part.starts_with("._"))
        {
            return Ok(None);
        }
        Ok(Some(parts.iter().fold(self.place.to_path_buf(), |path, part| path.join(part))))
    }

    fn file(&mut self, path: &Path, name: &str, executable: bool, from: &mut dyn Read) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mode = if executable { 0o755 } else { 0o644 };
        let mut to = OpenOptions::new().write(true).create_new(true).mode(mode).open(path).map_err(|error| {
            let twice = error.kind() == io::ErrorKind::AlreadyExists;
            if twice { refused(format!("it holds {} twice", quoted(name))) } else { error }
        })?;
        let count = io::copy(&mut from.take(self.left + 1), &mut to)
            .map_err(|error| refused(format!("{} cannot be unpacked: {error}", quoted(name))))?;
        to.flush()?;
        self.left = self
            .left
            .checked_sub(count)
            .ok_or_else(|| refused(format!("it unpacks to more than {} MB", LARGEST_CONTENT >> 20)))?;
        Ok(())
    }
}

/// Whether a mode is that of something else than a file or a folder.
fn is_special(mode: u32) -> bool {
    !matches!(mode & 0o170_000, 0 | 0o100_000 | 0o040_000)
}

/// The number of entries that the end of a zip file tells: the reader makes room for as many before it looks at them.
fn entries_told(bytes: &[u8]) -> Option<usize> {
    const END: &[u8] = b"PK\x05\x06";
    const LONGEST_COMMENT: u64 = 65_535;
    let mut file = Cursor::new(bytes);
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let tail = bytes.get(length.saturating_sub(LONGEST_COMMENT + 22) as usize..)?;
    let at = tail.windows(END.len()).rposition(|window| window == END)?;
    let count = tail.get(at + 10..at + 12)?;
    Some(usize::from(u16::from_le_bytes([count[0], count[1]])))
}

/// Whether a part of these bytes can be read as the end of a zip file whose entries are counted elsewhere: a reader
/// that finds the last end wrong goes on to the one before.
fn is_zip64(bytes: &[u8]) -> bool {
    const LOCATOR: &[u8] = b"PK\x06\x07";
    const END: &[u8] = b"PK\x05\x06";
    const BETWEEN: usize = 20;
    bytes.windows(BETWEEN + END.len()).any(|window| window.starts_with(LOCATOR) && window.ends_with(END))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use flate2::{Compression, write::GzEncoder};
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    /// What comes of unpacking these bytes: the files with their texts, or the refusal.
    fn contents(bytes: &[u8]) -> Result<Vec<(String, usize)>, String> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let place = std::env::temp_dir().join(format!("quincunx-archive-{}-{number}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let unpacked = Unpacking { place: &place, left: 1 << 20, entries: 0 }.all(bytes);
        let (mut found, mut open) = (Vec::new(), vec![place.clone()]);
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    open.push(entry.path());
                } else {
                    let name = entry.path().strip_prefix(&place).unwrap().display().to_string();
                    found.push((name, entry.metadata().unwrap().len() as usize));
                }
            }
        }
        found.sort();
        fs::remove_dir_all(&place).unwrap();
        unpacked.map(|()| found).map_err(|error| error.to_string())
    }

    fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(text).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// A tar file whose names are written as they are, which its writer would not do.
    fn tar(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind, text) in entries {
            let mut header = tar::Header::new_ustar();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(text.len() as u64);
            header.set_entry_type(*kind);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, *text).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn entries_that_are_counted_elsewhere_are_refused_whatever_comes_behind() {
        let mut bytes = zip(&[("homework.py", b"pass")]);
        let end = bytes.len() - 22;
        // The count of the larger form, its locator, and the end that leads to them; behind it one that is cut off.
        let record = [&b"PK\x06\x06"[..], &44_u64.to_le_bytes(), &[0; 12], &[0xff; 16], &[0; 16]].concat();
        let locator = [&b"PK\x06\x07\0\0\0\0"[..], &(end as u64).to_le_bytes(), &1_u32.to_le_bytes()].concat();
        let mut last = bytes[end..].to_vec();
        last[16..20].fill(0xff);
        let cut = b"PK\x05\x06\0\0\0\0\x01\0\x01\0";
        bytes.truncate(end);
        bytes.extend([&record[..], &locator, &last, cut].concat());
        assert_eq!(entries_told(&bytes), Some(1));
        assert!(contents(&bytes).unwrap_err().contains("more than 4 GB"));
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn files_and_folders_come_out_and_clutter_does_not() {
        let file = tar::EntryType::Regular;
        let expected = Ok(vec![("a/homework.py".to_string(), 5), ("notes".to_string(), 2)]);
        let entries = [("a/homework.py", &b"print"[..]), ("__MACOSX/a", b"x"), ("a/._x", b"x"), ("notes", b"ab")];
        assert_eq!(contents(&zip(&entries)), expected);
        assert_eq!(contents(&zip(&[("a\\homework.py", b"print"), ("notes", b"ab")])), expected);
        let plain = tar(&entries.map(|(name, text)| (name, file, text)));
        assert_eq!(contents(&plain), expected);
        assert_eq!(contents(&gz(&plain)), expected);
    }

    #[test]
    fn programs_stay_executable() {
        let place = std::env::temp_dir().join(format!("quincunx-modes-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("homework", SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
        writer.start_file("plain", SimpleFileOptions::default().unix_permissions(0o4644)).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        Unpacking { place: &place, left: 1000, entries: 0 }.all(&bytes).unwrap();
        let modes = ["homework", "plain"].map(|name| fs::metadata(place.join(name)).unwrap().permissions().mode());
        assert_eq!(modes.map(|mode| mode & 0o7111), [0o111, 0]);
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn hostile_archives_are_refused_in_one_line() {
        let file = tar::EntryType::Regular;
        let many: Vec<String> = (0..=MOST_FILES).map(|number| number.to_string()).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let many_in_tar: Vec<_> = many.iter().map(|(name, text)| (*name, file, *text)).collect();
        let mut linked = ZipWriter::new(Cursor::new(Vec::new()));
        linked.add_symlink("CMD", "/etc/shadow", SimpleFileOptions::default()).unwrap();
        let deep = "d/".repeat(DEEPEST + 1) + "x";
        let bomb = vec![0; (1 << 19) + 1];
        let cut = zip(&[("homework.py", b"print")]);
        for (name, bytes, says) in [
            ("upwards", zip(&[("../../evil", b"x")]), "leads out"),
            ("absolute", zip(&[("/etc/evil", b"x")]), "leads out"),
            ("drive", zip(&[("C:\\evil", b"x")]), "leads out"),
            ("backwards", zip(&[("a\\..\\..\\evil", b"x")]), "leads out"),
            ("link", linked.finish().unwrap().into_inner(), "link"),
            ("bomb", zip(&[("a", &bomb), ("b", &bomb)]), "more than 256 MB"),
            ("many", zip(&many), "at most"),
            ("deep", zip(&[(&deep, b"x")]), "no name"),
            ("cut", cut[..cut.len() - 10].to_vec(), "damaged"),
            ("garbage", b"PK\x03\x04garbage".to_vec(), "at most"),
            ("nothing", Vec::new(), "neither"),
            ("tar upwards", tar(&[("../evil", file, b"x")]), "leads out"),
            ("tar absolute", tar(&[("/evil", file, b"x")]), "leads out"),
            ("tar link", tar(&[("CMD", tar::EntryType::Symlink, b"")]), "link"),
            ("tar hard link", tar(&[("CMD", tar::EntryType::Link, b"")]), "link"),
            ("tar device", tar(&[("CMD", tar::EntryType::Block, b"")]), "device"),
            ("tar pipe", tar(&[("CMD", tar::EntryType::Fifo, b"")]), "device"),
            ("tar twice", tar(&[("a", file, b"x"), ("a", file, b"y")]), "twice"),
            ("tar file as folder", tar(&[("a", file, b"x"), ("a/b", file, b"y")]), ""),
            ("tar many", gz(&tar(&many_in_tar)), "more than"),
            ("tar bomb", gz(&tar(&[("a", file, &bomb), ("b", file, &bomb)])), "more than 256 MB"),
            ("tar cut", gz(&tar(&[("a", file, b"xyz")]))[..30].to_vec(), ""),
        ] {
            let error = contents(&bytes).expect_err(name);
            assert!(error.contains(says) && !error.contains('\n'), "{name}: {error}");
        }
    }
}
