//! Files that travel: weights, books and the folders of agents, named by the hash of their content.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use quincunx_agents::Spec;
use quincunx_outside::is_program;
use serde::{Deserialize, Serialize};

use crate::{QueueError, message::line, queue::Queue, seal::hash, subject};

/// The bytes of a part of a file.
const PART: usize = 512 << 10;

/// The most bytes of a file or folder, and the most files of a folder.
const LARGEST: usize = 256 << 20;
const MOST_FILES: usize = 10_000;

/// The first bytes of a folder that was packed.
const PACKED: &[u8] = b"quincunx folder 1\n";

/// A file or folder that agents of a contest need.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Carried {
    /// How agents name it.
    pub(crate) path: String,
    /// The SHA-256 hash of its content.
    pub(crate) hash: String,
    /// Its size.
    pub(crate) bytes: u64,
    /// Whether it is a folder.
    pub(crate) folder: bool,
}

/// What a spec names of the file system: the words before and behind, a path, whether it is a folder.
fn named(spec: &str) -> Result<Vec<(String, bool)>, QueueError> {
    if is_program(spec) {
        let (kind, rest) = spec.trim().split_once(':').unwrap_or((spec, ""));
        if kind != "files" {
            return Err(QueueError::wrong(format!(
                "{kind}: programs do not travel to other machines; only files:DIR does"
            )));
        }
        let path = folder_of(rest).1;
        return Ok(vec![(path.to_string(), Path::new(path).is_dir())]);
    }
    let options = Spec::parse(spec)?.options;
    let files = options
        .into_iter()
        .filter(|(name, value)| name == "weights" || name == "book" && !["on", "off"].contains(&value.as_str()));
    Ok(files.map(|(_, path)| (path, false)).collect())
}

/// The settings in brackets in front of a folder, and the folder.
fn folder_of(rest: &str) -> (&str, &str) {
    let end = if rest.starts_with('[') { rest.find(']').map_or(0, |end| end + 1) } else { 0 };
    (&rest[..end], rest[end..].trim())
}

/// The files that the agents of some specs need, each with its content.
pub(crate) fn gather(specs: &[String]) -> Result<Vec<(Carried, Vec<u8>)>, QueueError> {
    let mut found: Vec<(Carried, Vec<u8>)> = Vec::new();
    for spec in specs {
        for (path, folder) in named(spec)? {
            if found.iter().any(|(known, _)| known.path == path) {
                continue;
            }
            found.push(load(&path, folder)?);
        }
    }
    Ok(found)
}

/// A file or folder of this machine, ready to travel.
pub(crate) fn load(path: &str, folder: bool) -> Result<(Carried, Vec<u8>), QueueError> {
    let cannot = |why: &dyn std::fmt::Display| QueueError::wrong(format!("cannot send {path}: {why}"));
    let content = if folder { pack(Path::new(path)) } else { read(Path::new(path)) };
    let content = content.map_err(|why| cannot(&why))?;
    let carried = Carried { hash: hash(&content), bytes: content.len() as u64, folder, path: path.into() };
    Ok((carried, content))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let found = fs::metadata(path).map_err(|error| error.to_string())?;
    if !found.is_file() || found.len() > LARGEST as u64 {
        return Err(format!("it is not a file of at most {LARGEST} bytes"));
    }
    fs::read(path).map_err(|error| error.to_string())
}

/// A folder as one file: a line for each of its files, and their contents. Links are not followed.
fn pack(folder: &Path) -> Result<Vec<u8>, String> {
    let mut files = Vec::new();
    list(folder, Path::new(""), &mut files)?;
    files.sort();
    let mut packed = PACKED.to_vec();
    for (path, executable) in files {
        let content = read(&folder.join(&path))?;
        let name = path.to_str().filter(|name| !name.contains('\n')).ok_or("a file has a name that is no text")?;
        packed.extend(format!("{} {} {name}\n", u8::from(executable), content.len()).bytes());
        packed.extend(content);
        if packed.len() > LARGEST {
            return Err(format!("it has more than {LARGEST} bytes"));
        }
    }
    Ok(packed)
}

fn list(root: &Path, below: &Path, files: &mut Vec<(PathBuf, bool)>) -> Result<(), String> {
    let entries = fs::read_dir(root.join(below)).map_err(|error| error.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        let (path, found) = (below.join(entry.file_name()), entry.metadata().map_err(|error| error.to_string())?);
        if found.is_dir() {
            list(root, &path, files)?;
        } else if found.is_file() {
            files.push((path, is_executable(&found)));
        }
        if files.len() > MOST_FILES {
            return Err(format!("it has more than {MOST_FILES} files"));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// Writes a packed folder out again. Nothing is written outside of `to`.
fn unpack(packed: &[u8], to: &Path) -> Result<(), String> {
    let mut rest = packed.strip_prefix(PACKED).ok_or("it is not a folder")?;
    let broken = || "it is not a whole folder".to_string();
    let mut files = 0;
    fs::create_dir_all(to).map_err(|error| error.to_string())?;
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(broken)?;
        let head = std::str::from_utf8(&rest[..end]).map_err(|_| broken())?;
        let mut words = head.splitn(3, ' ');
        let mut word = || words.next().ok_or_else(broken);
        let (executable, length, name) = (word()? == "1", word()?, word()?);
        let length: usize = length.parse().map_err(|_| broken())?;
        let path = Path::new(name);
        let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        files += 1;
        if !inside || name.is_empty() || files > MOST_FILES {
            return Err(line(&format!("a file in it is named {name:?}")));
        }
        let content = rest[end + 1..].get(..length).ok_or_else(broken)?;
        let path = to.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        }
        fs::write(&path, content).map_err(|error| error.to_string())?;
        if executable {
            make_executable(&path).map_err(|error| error.to_string())?;
        }
        rest = &rest[end + 1 + length..];
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Sends a file, unless the server has it.
pub(crate) async fn send(queue: &Queue, carried: &Carried, content: &[u8]) -> Result<(), QueueError> {
    let there = Queue::subjects(&queue.objects, &subject::object_parts(&carried.hash)).await?.len();
    if there == parts(carried) {
        return Ok(());
    }
    for (number, part) in content.chunks(PART).enumerate() {
        queue.store(subject::object(&carried.hash, number), part.to_vec(), None).await?;
    }
    Ok(())
}

/// Fetches a file into the folder `scratch` and says where it is. Its hash must be its name.
pub(crate) async fn fetch(queue: &Queue, carried: &Carried, scratch: &Path) -> Result<PathBuf, String> {
    if carried.bytes > LARGEST as u64 {
        return Err(format!("a file of {} bytes is too large", carried.bytes));
    }
    // Under its own name: what a program is called may say what it is.
    let name = Path::new(&carried.path).file_name().unwrap_or("file".as_ref());
    let folder = scratch.join(&carried.hash);
    let place = folder.join(name);
    let mut content = Vec::new();
    for number in 0..parts(carried) {
        let found = Queue::last(&queue.objects, &subject::object(&carried.hash, number)).await;
        let part = found.map_err(|error| error.to_string())?.ok_or("a file that the agents need is missing")?;
        content.extend_from_slice(&part.payload);
        if content.len() as u64 > carried.bytes {
            break;
        }
    }
    if content.len() as u64 != carried.bytes || hash(&content) != carried.hash {
        return Err("a file that the agents need is not what its name says".into());
    }
    let write = || {
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        if carried.folder {
            unpack(&content, &place)
        } else {
            fs::write(&place, &content).map_err(|error| error.to_string())
        }
    };
    write().map_err(|why| format!("a file that the agents need cannot be written: {why}"))?;
    Ok(place)
}

fn parts(carried: &Carried) -> usize {
    (carried.bytes as usize).div_ceil(PART)
}

/// A spec whose files are those that were fetched, each under the path it had.
pub(crate) fn relocated(spec: &str, places: &[(String, PathBuf)]) -> Result<String, String> {
    let place = |path: &str| {
        let found = places.iter().find(|(known, _)| known == path);
        let found = found.and_then(|(_, place)| place.to_str());
        found.map(String::from).ok_or_else(|| line(&format!("the file {path} did not come along")))
    };
    if is_program(spec) {
        let (kind, rest) = spec.trim().split_once(':').unwrap_or((spec, ""));
        if kind != "files" {
            return Err(format!("{kind}: programs do not travel"));
        }
        let (settings, path) = folder_of(rest);
        return Ok(format!("files:{settings}{}", place(path)?));
    }
    let parsed = Spec::parse(spec).map_err(|error| error.to_string())?;
    if named(spec).map_err(|error| error.to_string())?.is_empty() {
        return Ok(spec.to_string());
    }
    let option = |(name, value): &(String, String)| {
        let is_file = name == "weights" || name == "book" && !["on", "off"].contains(&value.as_str());
        Ok(format!("{name}={}", if is_file { place(value)? } else { value.clone() }))
    };
    let options: Vec<String> = parsed.options.iter().map(option).collect::<Result<_, String>>()?;
    Ok(format!("{}:{}", parsed.kind, options.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("quincunx-object-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_folder_comes_out_as_it_went_in() {
        let root = scratch("whole");
        let (from, to) = (root.join("from"), root.join("to"));
        fs::create_dir_all(from.join("sub")).unwrap();
        fs::write(from.join("homework"), "#!/bin/sh\n").unwrap();
        make_executable(&from.join("homework")).unwrap();
        fs::write(from.join("sub/a b.txt"), [0u8, 10, 255]).unwrap();
        let packed = pack(&from).unwrap();
        unpack(&packed, &to).unwrap();
        assert_eq!(pack(&to).unwrap(), packed);
        assert!(is_executable(&fs::metadata(to.join("homework")).unwrap()));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_poisoned_folder_is_refused_and_writes_nothing_outside() {
        let root = scratch("poisoned");
        let to = root.join("to");
        for (body, reason) in [
            ("1 3 ../evil\nabc", "named"),
            ("1 3 /etc/evil\nabc", "named"),
            ("1 3 a/../../evil\nabc", "named"),
            ("1 3 \nabc", "named"),
            ("1 9 short\nabc", "not a whole folder"),
            ("1 99999999999999999999 long\nabc", "not a whole folder"),
            ("no newline", "not a whole folder"),
        ] {
            let error = unpack(&[PACKED, body.as_bytes()].concat(), &to).unwrap_err();
            assert!(error.contains(reason), "{body}: {error}");
        }
        assert!(unpack(b"garbage", &to).is_err());
        assert!(!root.join("evil").exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_spec_names_the_files_that_were_fetched() {
        let places = vec![("w.bin".to_string(), PathBuf::from("/s/1")), ("agents/a".into(), PathBuf::from("/s/2"))];
        let relocated = |spec| super::relocated(spec, &places);
        assert_eq!(relocated("engine:nodes=9,weights=w.bin,book=off").unwrap(), "engine:nodes=9,weights=/s/1,book=off");
        assert_eq!(relocated("files:agents/a").unwrap(), "files:/s/2");
        assert_eq!(relocated("files:[memory=1G]agents/a").unwrap(), "files:[memory=1G]/s/2");
        assert_eq!(relocated("random").unwrap(), "random");
        assert!(relocated("engine:weights=/etc/passwd").unwrap_err().contains("did not come along"));
        assert!(relocated("files:/home").unwrap_err().contains("did not come along"));
        assert!(relocated("ugi:/bin/sh").is_err());
        assert!(gather(&["ugi:prog".into()]).unwrap_err().to_string().contains("do not travel"));
    }
}
