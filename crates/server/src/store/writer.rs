//! The thread that writes: it takes what waits, writes it in one transaction, and answers.
//!
//! Between transactions it keeps house, in slices so short that no move waits for them noticeably.

use std::{
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use quincunx_game::{TextError, refusal};
use rusqlite::{Connection, params};

use super::{COLUMNS, Keeping, KeptMove, Waiting, Write, eviction, health::Health, json_text};

/// Writes in one transaction.
const MOST_TOGETHER: usize = 500;

/// How often to keep house if nothing is to be written.
const HOUSEKEEPING: Duration = Duration::from_secs(5);

/// The code of the refusal if the disk or the database does not take a write.
const UNWRITABLE: &str = "store.unwritable";

/// What became of one write.
enum Applied {
    Done,
    /// There is no room for another game.
    Full,
    /// The game is not kept any more.
    Gone,
}

pub(super) struct Writer {
    connection: Connection,
    keeping: Keeping,
    health: Arc<Health>,
    /// How many games are kept.
    games: usize,
    /// When house was kept last.
    kept_house: Instant,
}

impl Writer {
    pub(super) fn new(connection: Connection, keeping: Keeping, health: Arc<Health>) -> rusqlite::Result<Self> {
        let games: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        let writer = Self { connection, keeping, health, games: games as usize, kept_house: Instant::now() };
        writer.health.games.store(writer.games, Ordering::Relaxed);
        Ok(writer)
    }

    /// Writes until nobody can send any more.
    pub(super) fn run(mut self, waiting: &mpsc::Receiver<Waiting>) {
        let mut pause = HOUSEKEEPING;
        loop {
            match waiting.recv_timeout(pause) {
                Ok(first) => self.serve(first, waiting),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            pause = HOUSEKEEPING.saturating_sub(self.kept_house.elapsed());
            if pause.is_zero() {
                match self.keep_house() {
                    // There is more to do, after what waits by then.
                    Ok(true) => {}
                    Ok(false) => (self.kept_house, pause) = (Instant::now(), HOUSEKEEPING),
                    Err(error) => {
                        tracing::warn!(%error, "housekeeping failed");
                        (self.kept_house, pause) = (Instant::now(), HOUSEKEEPING);
                    }
                }
            }
        }
    }

    fn serve(&mut self, first: Waiting, waiting: &mpsc::Receiver<Waiting>) {
        let mut together = vec![first];
        together.extend(waiting.try_iter().take(MOST_TOGETHER - 1));
        let (writes, answers): (Vec<_>, Vec<_>) = together.into_iter().unzip();
        let before = self.games;
        let results = self.write_together(&writes);
        let unwritten = |result: &Result<(), TextError>| result.as_ref().is_err_and(|error| error.code() == UNWRITABLE);
        let well = results.as_ref().is_ok_and(|results| !results.iter().any(unwritten));
        self.health.wrote(writes.len(), well);
        if let Err(error) = &results {
            tracing::error!(%error, "writing the games failed");
            self.games = before;
        }
        self.health.games.store(self.games, Ordering::Relaxed);
        for (index, answer) in answers.into_iter().enumerate() {
            // The sender may have gone away by now.
            _ = answer.send(results.as_ref().map_or_else(|_| Err(not_written()), |results| results[index].clone()));
        }
    }

    fn write_together(&mut self, writes: &[Write]) -> rusqlite::Result<Vec<Result<(), TextError>>> {
        let now = crate::now_ms();
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut results = Vec::with_capacity(writes.len());
        for write in writes {
            results.push(match apply(&transaction, write, now, &mut self.games, self.keeping.most) {
                Ok(Applied::Done) => Ok(()),
                Ok(Applied::Full) => Err(refusal!("store.full", "this server keeps as many games as it may")),
                Ok(Applied::Gone) => Err(refusal!("store.gone", "this game is not kept any more")),
                Err(error) => {
                    tracing::error!(%error, "a write failed");
                    Err(not_written())
                }
            });
        }
        transaction.commit()?;
        Ok(results)
    }

    /// Does a slice of what is due; whether there is more.
    fn keep_house(&mut self) -> rusqlite::Result<bool> {
        let now = crate::now_ms();
        // Nothing is written if no clock runs.
        self.connection
            .prepare_cached(
                "UPDATE server SET value = ?1
                 WHERE name = 'alive' AND EXISTS (SELECT 1 FROM games WHERE runs_out IS NOT NULL)",
            )?
            .execute([now.to_string()])?;
        let Some(longest) = self.keeping.longest else { return Ok(false) };
        let transaction = self.connection.transaction()?;
        let gone = eviction::remove_untouched(&transaction, now - longest.as_millis() as i64)?;
        transaction.commit()?;
        self.games -= gone.min(self.games);
        self.health.removed(gone);
        self.health.games.store(self.games, Ordering::Relaxed);
        Ok(gone > 0)
    }
}

fn not_written() -> TextError {
    refusal!("store.unwritable", "the game cannot be written to disk")
}

/// Applies one write.
fn apply(
    connection: &Connection,
    write: &Write,
    now: i64,
    games: &mut usize,
    most: usize,
) -> rusqlite::Result<Applied> {
    let changed = match write {
        Write::Create(kept, moves) => {
            if *games >= most {
                let gone = eviction::make_room(connection, kept.owner.as_deref(), now)?;
                if gone == 0 {
                    return Ok(Applied::Full);
                }
                *games -= gone.min(*games);
            }
            let [first, second] = kept.seats.each_ref().map(json_text);
            let made = connection
                .prepare_cached(&format!("INSERT INTO games ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"))?
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
                    moves.len() as i64,
                    kept.runs_out,
                    kept.owner
                ])?;
            for (ply, mv) in moves.iter().enumerate() {
                insert_move(connection, &kept.id, ply, mv)?;
            }
            *games += 1;
            made
        }
        Write::Move { id, ply, mv, ending, runs_out } => {
            let changed = connection
                .prepare_cached("UPDATE games SET plies = ?2, updated = ?3, ending = ?4, runs_out = ?5 WHERE id = ?1")?
                .execute(params![id, *ply as i64 + 1, now, ending.as_ref().map(json_text), runs_out])?;
            if changed > 0 {
                insert_move(connection, id, *ply, mv)?;
            }
            changed
        }
        Write::TakeBack { id, ply, runs_out } => {
            connection
                .prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply >= ?2")?
                .execute(params![id, *ply as i64])?;
            connection
                .prepare_cached(
                    "UPDATE games SET plies = ?2, ending = NULL, updated = ?3, runs_out = ?4 WHERE id = ?1",
                )?
                .execute(params![id, *ply as i64, now, runs_out])?
        }
        Write::End { id, ending } => connection
            .prepare_cached("UPDATE games SET ending = ?2, updated = ?3, runs_out = NULL WHERE id = ?1")?
            .execute(params![id, json_text(ending), now])?,
        Write::SitDown { id, side, seat } => {
            let column = if *side == 0 { "first" } else { "second" };
            connection
                .prepare_cached(&format!("UPDATE games SET {column} = ?2, updated = ?3 WHERE id = ?1"))?
                .execute(params![id, json_text(seat), now])?
        }
        Write::Succeed { id, successor } => connection
            .prepare_cached("UPDATE games SET successor = ?2 WHERE id = ?1")?
            .execute(params![id, successor])?,
        Write::Delete { id } => {
            let gone = connection.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])?;
            *games -= gone.min(*games);
            gone
        }
        Write::Alive => connection
            .prepare_cached("UPDATE server SET value = ?1 WHERE name = 'alive'")?
            .execute([now.to_string()])?,
    };
    Ok(if changed == 0 { Applied::Gone } else { Applied::Done })
}

fn insert_move(connection: &Connection, game: &str, ply: usize, mv: &KeptMove) -> rusqlite::Result<()> {
    let left = mv.left.map(|left| left.map(|ms| ms as i64));
    // The room knows best: a write that was reported as failed may be there all the same.
    connection.prepare_cached("INSERT OR REPLACE INTO moves VALUES (?,?,?,?,?)")?.execute(params![
        game,
        ply as i64,
        mv.text,
        left.map(|left| left[0]),
        left.map(|left| left[1])
    ])?;
    Ok(())
}
