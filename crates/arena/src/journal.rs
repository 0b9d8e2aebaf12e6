//! The journal: finished games on disk, so that a run that was killed goes on where it was.
//!
//! A directory holds `contest.json`, which says what is played and what began it, and `games.jsonl`, to which
//! each finished game is added as one line. A line counts once its newline is there; what a kill left of a half-written
//! one is cut off on opening. `games.txt` is made from it for people at the end of a run. Another version may go on
//! with a contest: each game names the version that refereed it.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use quincunx_machine::{write_whole, write_whole_with};
use serde_json::Value;

use crate::{ContestError, GameRecord, Machines, Plan, provenance};

/// Finished games on disk.
#[derive(Debug)]
pub struct Journal {
    directory: PathBuf,
    games: File,
    buffer: Vec<u8>,
    /// When the machines that play were last written.
    machines_kept: Option<Instant>,
    /// Keeps a second run away from the directory for as long as this one lives.
    _lock: File,
}

/// A longer line is no record of ours.
const LONGEST_LINE: usize = 64 << 20;

impl Journal {
    /// Opens the journal of a plan in a directory, which is made if it is missing, and returns every game finished
    /// before, each number once. An error if the directory belongs to another contest, is in use, or is damaged.
    pub fn open(directory: &Path, plan: &Plan) -> Result<(Self, Vec<GameRecord>), ContestError> {
        fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        let lock = lock(directory)?;
        let identity = plan.identity();
        provenance::reserve(directory, "contest.json", "contest", &identity, || {
            let mut document = provenance::document(identity.clone(), &plan.agents, &plan.rules);
            document["games"] = plan.bouts.len().into();
            document
        })?;
        let path = directory.join("games.jsonl");
        let mut games = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(&path)
            .map_err(ContestError::keeping(&path))?;
        let (whole, found) = read_games(&games, &path, plan)?;
        games.set_len(whole).map_err(ContestError::keeping(&path))?;
        games.seek(SeekFrom::End(0)).map_err(ContestError::keeping(&path))?;
        let directory = directory.to_path_buf();
        Ok((Self { directory, games, buffer: Vec::new(), machines_kept: None, _lock: lock }, found))
    }

    /// The seed of the contest in a directory, or of any below it: the rounds of a knockout and the agents of a class
    /// share theirs. `None` if there is none that can be read.
    pub fn seed(directory: &Path) -> Option<u64> {
        let of = |directory: &Path| {
            let read = |name: &str| fs::read_to_string(directory.join(name)).ok();
            let text = read("contest.json").or_else(|| read("class.json"))?;
            serde_json::from_str::<Value>(&text).ok()?.get("seed")?.as_u64()
        };
        of(directory).or_else(|| fs::read_dir(directory).ok()?.flatten().find_map(|entry| of(&entry.path())))
    }

    /// Takes a finished game; it is safe once [`flush`](Self::flush) has returned.
    pub fn add(&mut self, record: &GameRecord) {
        self.buffer.extend(line(record).as_bytes());
        self.buffer.push(b'\n');
    }

    /// Hands all games taken so far to the system.
    pub fn flush(&mut self) -> Result<(), ContestError> {
        if !self.buffer.is_empty() {
            self.games.write_all(&self.buffer).map_err(ContestError::keeping(&self.directory.join("games.jsonl")))?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Takes the games with these numbers out again: they turned out to be wrong.
    pub(crate) fn retract(&mut self, numbers: &[u64]) -> Result<(), ContestError> {
        self.flush()?;
        let path = self.directory.join("games.jsonl");
        let wrong: HashSet<u64> = numbers.iter().copied().collect();
        let kept = load_games(&path)?.into_iter().filter(|record| !wrong.contains(&record.number));
        write_whole_with(&path, |out| kept.into_iter().try_for_each(|record| writeln!(out, "{}", line(&record))))
            .map_err(ContestError::keeping(&path))?;
        self.games = OpenOptions::new().append(true).read(true).open(&path).map_err(ContestError::keeping(&path))?;
        Ok(())
    }

    /// Writes the machines that play into the directory, for the contest page; nothing depends on it.
    pub(crate) fn keep_machines(&mut self, machines: &Machines) {
        const BETWEEN: Duration = Duration::from_secs(2);
        if self.machines_kept.is_none_or(|kept| kept.elapsed() >= BETWEEN) {
            self.machines_kept = Some(Instant::now());
            let text = serde_json::to_string(machines).expect("names and numbers are plain data");
            _ = write_whole(&self.directory.join(Machines::FILE), text + "\n");
        }
    }

    /// Writes `games.txt`, all games in order of their numbers for people to read, and makes sure everything is on the
    /// disk.
    pub fn finish(&mut self, plan: &Plan) -> Result<(), ContestError> {
        self.flush()?;
        // It may never have been there.
        _ = fs::remove_file(self.directory.join(Machines::FILE));
        let path = self.directory.join("games.jsonl");
        self.games.sync_all().map_err(ContestError::keeping(&path))?;
        let file = File::open(&path).map_err(ContestError::keeping(&path))?;
        let (_, mut records) = read_games(&file, &path, plan)?;
        records.sort_by_key(|record| record.number);
        let text_path = self.directory.join("games.txt");
        write_whole_with(&text_path, |out| {
            records.iter().try_for_each(|record| out.write_all(record.to_text().as_bytes()))
        })
        .map_err(ContestError::keeping(&text_path))
    }
}

/// A game as it stands in `games.jsonl`, without the newline.
fn line(record: &GameRecord) -> String {
    serde_json::to_string(record).expect("a record is plain data")
}

/// Reads all games of a `games.jsonl` or `games.txt`.
pub fn load_games(path: &Path) -> Result<Vec<GameRecord>, ContestError> {
    const LARGEST: u64 = 1 << 30;
    let found =
        fs::metadata(path).map_err(|error| ContestError::wrong(format!("cannot read {}: {error}", path.display())))?;
    if !found.is_file() || found.len() > LARGEST {
        return Err(ContestError::wrong(format!("{} is not a file of games of at most 1 GiB", path.display())));
    }
    let bytes = fs::read(path).map_err(ContestError::keeping(path))?;
    let text = String::from_utf8(bytes).map_err(|_| ContestError::wrong(format!("{} is not text", path.display())))?;
    let named = |error: String| ContestError::wrong(format!("{}: {error}", path.display()));
    if !text.trim_start().starts_with('{') {
        return GameRecord::parse_texts(&text).map_err(|error| named(error.to_string()));
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| named(format!("line {} is no game: {error}", index + 1)))
        })
        .collect()
}

/// Keeps other runs away from a directory for as long as the file lives.
pub(crate) fn lock(directory: &Path) -> Result<File, ContestError> {
    let path = directory.join("lock");
    let lock = File::create(&path).map_err(ContestError::keeping(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(ContestError::wrong(format!("{} is in use by another run", directory.display())))
        }
        Err(TryLockError::Error(error)) => Err(ContestError::keeping(&path)(error)),
    }
}

/// How many bytes the whole games of the file take, and those of them that the plan has.
fn read_games(file: &File, path: &Path, plan: &Plan) -> Result<(u64, Vec<GameRecord>), ContestError> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    reader.seek(SeekFrom::Start(0)).map_err(ContestError::keeping(path))?;
    let mut found = Vec::new();
    let mut seen = vec![false; plan.bouts.len()];
    let (mut whole, mut line, mut number) = (0u64, Vec::new(), 0u64);
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(ContestError::keeping(path))?;
        if line.last() != Some(&b'\n') {
            return Ok((whole, found));
        }
        number += 1;
        let damaged = |what: &str| ContestError::wrong(format!("{}, line {number}: {what}", path.display()));
        if length > LONGEST_LINE {
            return Err(damaged("too long for a game"));
        }
        let record: GameRecord =
            serde_json::from_slice(&line).map_err(|error| damaged(&format!("not a game: {error}")))?;
        // A game beyond the number asked for now is kept, and not counted.
        if let Some(seen) = seen.get_mut(record.number as usize) {
            if std::mem::replace(seen, true) {
                return Err(damaged(&format!("game {} is there twice", record.number)));
            }
            found.push(record);
        }
        whole += length as u64;
    }
}
