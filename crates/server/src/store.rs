//! The games on disk: `SQLite`, written by one thread that commits what has gathered in one transaction.
//!
//! A write is answered only after its transaction is committed and synced, so that no confirmed move is lost if the
//! process is killed or the power fails. Many waiting players share a few commits.

mod eviction;
mod file;
mod health;
mod writer;

use std::{
    net::IpAddr,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use quincunx_game::{TextError, refusal};
use quincunx_messages::Ending;
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use utoipa::ToSchema;

pub use file::Unusable;
pub(crate) use file::{back_up, reserve};
pub(crate) use health::Health;

use crate::{rates::network, refusal::Refusal, secret};

/// Writes that may wait; more are refused.
const MOST_WAITING: usize = 20_000;

/// How often a separate thread empties the log into the database, so that no player waits for it.
const TIDY_EVERY: Duration = Duration::from_secs(2);

/// From this many pages of the log on (80 MB) the writing thread empties it, in case the other thread falls behind.
const LONGEST_LOG: i64 = 20_000;

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
#[derive(Clone, Default, Debug)]
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
    /// When the running clock runs out, in milliseconds since 1970.
    pub(crate) runs_out: Option<i64>,
    /// Who made it, as far as that matters for sharing the server; see `Store::owner`.
    pub(crate) owner: Option<String>,
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
        /// When the clock of the next side runs out, in milliseconds since 1970.
        runs_out: Option<i64>,
    },
    /// Forgets the moves from `ply` on, and an ending with them.
    TakeBack {
        id: String,
        ply: usize,
        runs_out: Option<i64>,
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
    Delete {
        id: String,
    },
    /// The server runs at this moment: clocks do not run while it does not.
    Alive,
}

/// How many games are kept, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Keeping {
    pub(crate) most: usize,
    /// A game that nobody touches for this long is removed.
    pub(crate) longest: Option<Duration>,
    /// How long to wait for another user of the file.
    pub(crate) patience: Duration,
}

type Waiting = (Write, oneshot::Sender<Result<(), TextError>>);

/// The database.
#[derive(Clone)]
pub(crate) struct Store {
    writes: mpsc::SyncSender<Waiting>,
    reader: Arc<Mutex<Connection>>,
    health: Arc<Health>,
    salt: String,
}

impl Store {
    /// Opens the file, or makes it if it is missing.
    pub(crate) fn open(path: &Path, keeping: Keeping) -> Result<Self, Unusable> {
        let mut writer = file::connect(path, keeping.patience)?;
        file::migrate(&mut writer)?;
        resume_clocks(&writer, crate::now_ms())?;
        let salt = writer.query_row("SELECT value FROM server WHERE name = 'salt'", [], |row| row.get(0))?;
        writer.pragma_update(None, "wal_autocheckpoint", LONGEST_LOG)?;
        let reader = Arc::new(Mutex::new(file::connect(path, keeping.patience)?));
        let (tidier, open) = (file::connect(path, keeping.patience)?, Arc::downgrade(&reader));
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
        let health = Arc::new(Health::default());
        let writer = writer::Writer::new(writer, keeping, Arc::clone(&health))?;
        thread::Builder::new()
            .name("store".into())
            .spawn(move || writer.run(&waiting))
            .expect("a thread can be started");
        Ok(Self { writes, reader, health, salt })
    }

    /// How it is doing.
    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    /// What keeps digests of this server apart from those of others.
    pub(crate) fn salt(&self) -> &str {
        &self.salt
    }

    /// A name for whoever has this address, which does not give the address away.
    pub(crate) fn owner(&self, address: IpAddr) -> String {
        let mut name = secret::digest(&format!("{} {}", self.salt, network(address)));
        name.truncate(16);
        name
    }

    /// Writes, and returns once it is safe on disk.
    pub(crate) async fn write(&self, write: Write) -> Result<(), Refusal> {
        let (done, answer) = oneshot::channel();
        self.writes
            .try_send((write, done))
            .map_err(|_| Refusal::unavailable(refusal!("store.busy", "the server has too much to write")))?;
        match answer.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) if error.code() == GONE => Err(Refusal::missing(error)),
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

    /// Games whose clock has run out by `now`, at most `most` of them.
    pub(crate) async fn out_of_time(&self, now: i64, most: usize) -> Result<Vec<String>, Refusal> {
        self.read(move |connection| {
            let query = "SELECT id FROM games WHERE runs_out IS NOT NULL AND runs_out < ?1 ORDER BY runs_out LIMIT ?2";
            connection.prepare_cached(query)?.query_map([now, most as i64], |row| row.get(0))?.collect()
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

const COLUMNS: &str = "id, game, ruleset, start, created, updated, first, second, control, clock, ending, successor, \
     plies, runs_out, owner";

/// The code of the refusal to write to a game that was removed.
const GONE: &str = "store.gone";

/// Lets clocks go on from where they stood when the server was last seen running.
fn resume_clocks(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    let alive: i64 = connection.query_row(
        "SELECT max(CAST(value AS INTEGER), coalesce((SELECT max(updated) FROM games), 0)) FROM server
         WHERE name = 'alive'",
        [],
        |row| row.get(0),
    )?;
    connection
        .execute("UPDATE games SET runs_out = runs_out + ?1 WHERE runs_out IS NOT NULL", [(now - alive).max(0)])?;
    connection.execute("UPDATE server SET value = ?1 WHERE name = 'alive'", [now.to_string()])?;
    Ok(())
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
        runs_out: row.get(13)?,
        owner: row.get(14)?,
    })
}

fn json_text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a plain value is written without error")
}
