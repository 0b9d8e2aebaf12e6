//! The file of the games: who may use it, which version it has, and copies of it.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

/// What makes each version of the file out of the one before; version 1 is also made of files without a version.
const MIGRATIONS: [&str; 3] = [
    "
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
",
    "
    CREATE INDEX IF NOT EXISTS games_by_clock ON games (runs_out) WHERE runs_out IS NOT NULL;
    CREATE INDEX IF NOT EXISTS games_empty ON games (updated) WHERE ending IS NULL AND plies < 2;
    CREATE INDEX IF NOT EXISTS games_unfinished ON games (updated) WHERE ending IS NULL;
    CREATE INDEX IF NOT EXISTS games_by_owner ON games (owner, updated);
    CREATE TABLE IF NOT EXISTS server (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT OR IGNORE INTO server VALUES ('alive', '0'), ('salt', lower(hex(randomblob(16))));
",
    // Whose unfinished games are the most is counted in the index alone.
    "CREATE INDEX IF NOT EXISTS games_unfinished_by_owner ON games (owner, ending) WHERE ending IS NULL",
];

/// Columns of the games that later versions added, with the version.
const ADDED: [(usize, &str, &str); 2] = [
    // When the running clock of a game runs out, in milliseconds since 1970.
    (2, "runs_out", "INTEGER"),
    // Who made it.
    (2, "owner", "TEXT"),
];

/// How long a copy waits for a server that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes the log may keep on disk when everything in it has been copied into the database.
const LARGEST_EMPTY_LOG: i64 = 4 << 20;

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
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Unusable> {
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
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        for (_, name, kind) in ADDED.iter().filter(|(version, ..)| *version == index + 1) {
            let known: bool = transaction.query_row(
                "SELECT count(*) > 0 FROM pragma_table_info('games') WHERE name = ?1",
                [name],
                |row| row.get(0),
            )?;
            if !known {
                transaction.execute_batch(&format!("ALTER TABLE games ADD COLUMN {name} {kind}"))?;
            }
        }
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    Ok(transaction.commit()?)
}

/// Opens the file, waiting `patience` for other users of it.
pub(super) fn connect(path: &Path, patience: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(patience)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -4000)?;
    connection.pragma_update(None, "journal_size_limit", LARGEST_EMPTY_LOG)?;
    Ok(connection)
}
