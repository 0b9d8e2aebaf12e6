//! The games on disk: `SQLite`, written by one thread that commits what has gathered in one transaction.
//!
//! A write is answered only after its transaction is committed and synced, so that no confirmed move is lost if the
//! process is killed or the power fails. Many waiting players share a few commits.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use quincunx_game::{TextError, refusal};
use quincunx_messages::Ending;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// Writes that may wait; more are refused.
const MOST_WAITING: usize = 20_000;

/// Writes in one transaction.
const MOST_TOGETHER: usize = 500;

/// How long to wait for another user of the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a separate thread empties the log into the database, so that no player waits for it.
const TIDY_EVERY: Duration = Duration::from_secs(2);

/// From this many pages of the log on (80 MB) the writing thread empties it, in case the other thread falls behind.
const LONGEST_LOG: i64 = 20_000;

/// What makes each version of the file out of the one before; version 1 is also made of files without a version.
const MIGRATIONS: [&str; 1] = ["
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        ruleset TEXT NOT NULL,
        start TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        control TEXT,
        clock TEXT,
        ending TEXT,
        successor TEXT,
        plies INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX IF NOT EXISTS games_by_update ON games (updated);
    CREATE TABLE IF NOT EXISTS moves (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        text TEXT NOT NULL,
        left_first INTEGER,
        left_second INTEGER,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
"];

/// A seat and its player.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Seat {
    pub(crate) name: String,
    /// The spec of the agent; none for a person.
    pub(crate) engine: Option<String>,
    /// The digest of the token of a person who has sat down.
    pub(crate) token: Option<String>,
    /// The digest of the invitation to this seat.
    pub(crate) invite: Option<String>,
}

/// The time each player has.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[schema(as = Clock)]
pub(crate) struct ClockSetting {
    /// Seconds for the game.
    #[schema(minimum = 1, maximum = 86_400)]
    pub(crate) initial: u32,
    /// Seconds added after each move.
    #[schema(maximum = 600)]
    pub(crate) increment: u32,
}

/// A game as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) ruleset: String,
    pub(crate) start: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) seats: [Seat; 2],
    pub(crate) control: Option<String>,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) ending: Option<Ending>,
    pub(crate) successor: Option<String>,
    pub(crate) plies: usize,
}

/// A move as it is kept, with what was left on the clocks after it, in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeptMove {
    pub(crate) text: String,
    pub(crate) left: Option<[u64; 2]>,
}

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Write {
    /// A new game, with the moves it begins behind.
    Create(Box<Kept>, Vec<KeptMove>),
    /// Move number `ply` (from 0) of a game.
    Move {
        id: String,
        ply: usize,
        mv: KeptMove,
        /// How the game ended with it, if it did.
        ending: Option<Ending>,
    },
    /// Forgets the moves from `ply` on, and an ending with them.
    TakeBack {
        id: String,
        ply: usize,
    },
    End {
        id: String,
        ending: Ending,
    },
    SitDown {
        id: String,
        side: usize,
        seat: Seat,
    },
    Succeed {
        id: String,
        successor: String,
    },
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// Another server has it open.
    #[error("another server uses it")]
    InUse,
    /// It was written by a later version of this program.
    #[error("a newer version of Quincunx wrote it (version {0} of the file)")]
    Newer(i64),
    /// Its contents are not what was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The copy would replace a file.
    #[error("{0} exists already")]
    Exists(PathBuf),
    /// The system refused it.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The database refused it.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
}

/// Reserves the games for this server, until the returned file is closed.
///
/// It is a file of its own: closing a second handle of the database would take the locks of `SQLite` away.
pub(crate) fn reserve(path: &Path) -> Result<File, Unusable> {
    let lock = File::options().create(true).append(true).open(beside(path, "-lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Unusable::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Copies the games to a new file, also while a server uses them.
pub(crate) fn back_up(from: &Path, to: &Path) -> Result<(), Unusable> {
    if to.exists() {
        return Err(Unusable::Exists(to.into()));
    }
    let games = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    games.busy_timeout(PATIENCE)?;
    // A copy that was interrupted must not look like a whole one.
    let part = beside(to, ".part");
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    games.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
    File::open(&part)?.sync_all()?;
    Ok(fs::rename(&part, to)?)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Checks the file and brings it to the newest version.
fn migrate(connection: &mut Connection) -> Result<(), Unusable> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let done = usize::try_from(version).unwrap_or(usize::MAX);
    if done > MIGRATIONS.len() {
        return Err(Unusable::Newer(version));
    }
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(Unusable::Damaged(found.replace('\n', " ")));
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for migration in &MIGRATIONS[done..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    Ok(transaction.commit()?)
}

type Waiting = (Write, oneshot::Sender<Result<(), TextError>>);

/// The database.
#[derive(Clone)]
pub(crate) struct Store {
    writes: mpsc::SyncSender<Waiting>,
    reader: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens the file, or makes it if it is missing. `most_games` bounds how many games are kept.
    pub(crate) fn open(path: &Path, most_games: usize) -> Result<Self, Unusable> {
        let mut writer = connect(path)?;
        migrate(&mut writer)?;
        writer.pragma_update(None, "wal_autocheckpoint", LONGEST_LOG)?;
        let reader = Arc::new(Mutex::new(connect(path)?));
        let (tidier, open) = (connect(path)?, Arc::downgrade(&reader));
        thread::Builder::new()
            .name("tidier".into())
            .spawn(move || {
                while open.strong_count() > 0 {
                    thread::sleep(TIDY_EVERY);
                    if let Err(error) = tidier.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
                        tracing::warn!(%error, "the log cannot be emptied");
                    }
                }
            })
            .expect("a thread can be started");
        let (writes, waiting) = mpsc::sync_channel(MOST_WAITING);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || write_all(&mut writer, &waiting, most_games))
            .expect("a thread can be started");
        Ok(Self { writes, reader })
    }

    /// Writes, and returns once it is safe on disk.
    pub(crate) async fn write(&self, write: Write) -> Result<(), Refusal> {
        let (done, answer) = oneshot::channel();
        self.writes
            .try_send((write, done))
            .map_err(|_| Refusal::unavailable(refusal!("store.busy", "the server has too much to write")))?;
        match answer.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Refusal::unavailable(error)),
            Err(_) => Err(Refusal::unavailable(refusal!("server.ending", "the server is shutting down"))),
        }
    }

    /// A game with its moves.
    pub(crate) async fn load(&self, id: &str) -> Result<Option<(Kept, Vec<KeptMove>)>, Refusal> {
        let id = id.to_string();
        self.read(move |connection| {
            let mut query = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE id = ?1"))?;
            let Some(kept) = query.query_row([&id], kept_from_row).optional()? else { return Ok(None) };
            let mut query = connection
                .prepare_cached("SELECT text, left_first, left_second FROM moves WHERE game = ?1 ORDER BY ply")?;
            let moves = query
                .query_map([&id], |row| {
                    let left: (Option<i64>, Option<i64>) = (row.get(1)?, row.get(2)?);
                    let left = left.0.zip(left.1).map(|(first, second)| [first, second].map(|ms| ms.max(0) as u64));
                    Ok(KeptMove { text: row.get(0)?, left })
                })?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(Some((kept, moves)))
        })
        .await
    }

    /// The games of these names, or (with none given) all, the last touched first; at most `most`.
    pub(crate) async fn list(&self, ids: Option<Vec<String>>, most: usize) -> Result<Vec<Kept>, Refusal> {
        self.read(move |connection| {
            let Some(ids) = ids else {
                let query = format!("SELECT {COLUMNS} FROM games ORDER BY updated DESC LIMIT ?1");
                let mut query = connection.prepare_cached(&query)?;
                return query.query_map([most as i64], kept_from_row)?.collect();
            };
            let mut query = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE id = ?1"))?;
            let mut games = Vec::new();
            for id in ids.into_iter().take(most) {
                games.extend(query.query_row([&id], kept_from_row).optional()?);
            }
            games.sort_by_key(|kept| std::cmp::Reverse(kept.updated));
            Ok(games)
        })
        .await
    }

    async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let reader = Arc::clone(&self.reader);
        let answer = tokio::task::spawn_blocking(move || {
            question(&reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
        });
        match answer.await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                tracing::error!(%error, "reading the games failed");
                Err(Refusal::unavailable(refusal!("store.unreadable", "the games cannot be read")))
            }
            Err(_) => Err(Refusal::unavailable(refusal!("server.ending", "the server is shutting down"))),
        }
    }
}

const COLUMNS: &str =
    "id, game, ruleset, start, created, updated, first, second, control, clock, ending, successor, plies";

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -4000)?;
    Ok(connection)
}

fn kept_from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Kept> {
    /// A column of JSON that this program wrote; anything else reads as nothing.
    fn json<T: serde::de::DeserializeOwned>(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = row.get(column)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }
    Ok(Kept {
        id: row.get(0)?,
        game: row.get(1)?,
        ruleset: row.get(2)?,
        start: row.get(3)?,
        created: row.get(4)?,
        updated: row.get(5)?,
        seats: [json(row, 6)?.unwrap_or_default(), json(row, 7)?.unwrap_or_default()],
        control: row.get(8)?,
        clock: json(row, 9)?,
        ending: json(row, 10)?,
        successor: row.get(11)?,
        plies: row.get::<_, i64>(12)?.max(0) as usize,
    })
}

/// The writing thread: takes what waits, writes it in one transaction, answers.
fn write_all(connection: &mut Connection, waiting: &mpsc::Receiver<Waiting>, most_games: usize) {
    while let Ok(first) = waiting.recv() {
        let mut together = vec![first];
        together.extend(waiting.try_iter().take(MOST_TOGETHER - 1));
        let (writes, answers): (Vec<_>, Vec<_>) = together.into_iter().unzip();
        let results = write_together(connection, &writes, most_games);
        for (index, answer) in answers.into_iter().enumerate() {
            let result = match &results {
                Ok(results) => results[index].clone(),
                Err(error) => {
                    tracing::error!(%error, "writing the games failed");
                    Err(not_written())
                }
            };
            // The sender may have gone away by now.
            _ = answer.send(result);
        }
    }
}

fn not_written() -> TextError {
    refusal!("store.unwritable", "the game cannot be written to disk")
}

fn write_together(
    connection: &mut Connection,
    writes: &[Write],
    most_games: usize,
) -> rusqlite::Result<Vec<Result<(), TextError>>> {
    let now = crate::now_ms();
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(writes.len());
    for write in writes {
        results.push(match apply(&transaction, write, now, most_games) {
            Ok(true) => Ok(()),
            Ok(false) => Err(refusal!("store.full", "this server keeps as many games as it may")),
            Err(error) => {
                tracing::error!(%error, "a write failed");
                Err(not_written())
            }
        });
    }
    transaction.commit()?;
    Ok(results)
}

/// Applies one write; false if there is no room for it.
fn apply(connection: &Connection, write: &Write, now: i64, most_games: usize) -> rusqlite::Result<bool> {
    let touch = |id: &str| -> rusqlite::Result<()> {
        connection.prepare_cached("UPDATE games SET updated = ?2 WHERE id = ?1")?.execute(params![id, now])?;
        Ok(())
    };
    match write {
        Write::Create(kept, moves) => {
            if !make_room(connection, most_games, now)? {
                return Ok(false);
            }
            let [first, second] = kept.seats.each_ref().map(json_text);
            connection
                .prepare_cached(&format!("INSERT INTO games ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"))?
                .execute(params![
                    kept.id,
                    kept.game,
                    kept.ruleset,
                    kept.start,
                    kept.created,
                    now,
                    first,
                    second,
                    kept.control,
                    kept.clock.as_ref().map(json_text),
                    kept.ending.as_ref().map(json_text),
                    kept.successor,
                    moves.len() as i64
                ])?;
            for (ply, mv) in moves.iter().enumerate() {
                insert_move(connection, &kept.id, ply, mv)?;
            }
        }
        Write::Move { id, ply, mv, ending } => {
            insert_move(connection, id, *ply, mv)?;
            connection
                .prepare_cached("UPDATE games SET plies = ?2, updated = ?3, ending = ?4 WHERE id = ?1")?
                .execute(params![id, *ply as i64 + 1, now, ending.as_ref().map(json_text)])?;
        }
        Write::TakeBack { id, ply } => {
            connection
                .prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply >= ?2")?
                .execute(params![id, *ply as i64])?;
            connection
                .prepare_cached("UPDATE games SET plies = ?2, ending = NULL, updated = ?3 WHERE id = ?1")?
                .execute(params![id, *ply as i64, now])?;
        }
        Write::End { id, ending } => {
            connection
                .prepare_cached("UPDATE games SET ending = ?2 WHERE id = ?1")?
                .execute(params![id, json_text(ending)])?;
            touch(id)?;
        }
        Write::SitDown { id, side, seat } => {
            let column = if *side == 0 { "first" } else { "second" };
            connection
                .prepare_cached(&format!("UPDATE games SET {column} = ?2 WHERE id = ?1"))?
                .execute(params![id, json_text(seat)])?;
            touch(id)?;
        }
        Write::Succeed { id, successor } => {
            connection
                .prepare_cached("UPDATE games SET successor = ?2 WHERE id = ?1")?
                .execute(params![id, successor])?;
        }
    }
    Ok(true)
}

fn insert_move(connection: &Connection, game: &str, ply: usize, mv: &KeptMove) -> rusqlite::Result<()> {
    let left = mv.left.map(|left| left.map(|ms| ms as i64));
    connection.prepare_cached("INSERT INTO moves VALUES (?,?,?,?,?)")?.execute(params![
        game,
        ply as i64,
        mv.text,
        left.map(|left| left[0]),
        left.map(|left| left[1])
    ])?;
    Ok(())
}

/// Removes the oldest games if there are too many: first those that ended, then those untouched for a month.
fn make_room(connection: &Connection, most_games: usize, now: i64) -> rusqlite::Result<bool> {
    const MONTH: i64 = 30 * 24 * 3600 * 1000;
    let count = |connection: &Connection| -> rusqlite::Result<i64> {
        connection.prepare_cached("SELECT count(*) FROM games")?.query_row([], |row| row.get(0))
    };
    if (count(connection)? as usize) < most_games {
        return Ok(true);
    }
    // Several at a time, so that a full server does not do this for every new game.
    let share = (most_games / 20).max(1) as i64;
    for condition in ["ending IS NOT NULL", "updated < ?2"] {
        let sql = format!(
            "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE {condition} AND ?2 = ?2 ORDER BY updated LIMIT ?1)"
        );
        if connection.prepare_cached(&sql)?.execute(params![share, now - MONTH])? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn json_text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a plain value is written without error")
}
