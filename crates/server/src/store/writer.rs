//! The thread that writes: it takes what waits, writes it in one transaction, and answers.
//!
//! Between transactions it keeps house, in slices so short that no move waits for them noticeably.

use std::{
    collections::VecDeque,
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

/// New games that may wait until there is room for them; more are refused.
const MOST_WITHOUT_ROOM: usize = 500;

/// How often to keep house if nothing is to be written.
const HOUSEKEEPING: Duration = Duration::from_secs(5);

/// What became of one write.
enum Applied {
    Done,
    /// There is no room for another game.
    Full,
    /// There is no room now, and another game of the same transaction has looked for some already.
    Later,
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
    /// New games that wait for room. One transaction makes room once, so that no move waits while many games go.
    without_room: VecDeque<Waiting>,
}

impl Writer {
    pub(super) fn new(connection: Connection, keeping: Keeping, health: Arc<Health>) -> rusqlite::Result<Self> {
        let games: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        let (games, kept_house) = (games as usize, Instant::now());
        let writer = Self { connection, keeping, health, games, kept_house, without_room: VecDeque::new() };
        writer.health.games.store(writer.games, Ordering::Relaxed);
        Ok(writer)
    }

    /// Writes until nobody can send any more.
    pub(super) fn run(mut self, waiting: &mpsc::Receiver<Waiting>) {
        let mut pause = HOUSEKEEPING;
        loop {
            match waiting.recv_timeout(pause) {
                Ok(first) => self.serve(Some(first), waiting),
                Err(RecvTimeoutError::Timeout) if !self.without_room.is_empty() => self.serve(None, waiting),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            pause = HOUSEKEEPING.saturating_sub(self.kept_house.elapsed());
            if pause.is_zero() {
                let began = Instant::now();
                let kept = self.keep_house();
                self.health.kept_house(began.elapsed());
                match kept {
                    // There is more to do, after what waits by then.
                    Ok(true) => {}
                    Ok(false) => (self.kept_house, pause) = (Instant::now(), HOUSEKEEPING),
                    Err(error) => {
                        tracing::warn!(%error, "housekeeping failed");
                        (self.kept_house, pause) = (Instant::now(), HOUSEKEEPING);
                    }
                }
            }
            if !self.without_room.is_empty() {
                pause = Duration::ZERO;
            }
        }
    }

    /// Writes what waits, and after it the new games that had no room before.
    fn serve(&mut self, first: Option<Waiting>, waiting: &mpsc::Receiver<Waiting>) {
        let mut together: Vec<Waiting> = first.into_iter().collect();
        together.extend(waiting.try_iter().take(MOST_TOGETHER - together.len()));
        together.extend(self.without_room.drain(..));
        let (writes, answers): (Vec<_>, Vec<_>) = together.into_iter().unzip();
        let before = self.games;
        let results = self.write_together(&writes);
        let unwritten = |applied: &Result<Applied, rusqlite::Error>| applied.is_err();
        let well = results.as_ref().is_ok_and(|results| !results.iter().any(unwritten));
        self.health.wrote(writes.len(), well);
        if let Err(error) = &results {
            tracing::error!(%error, "writing the games failed");
            self.games = before;
        }
        self.health.games.store(self.games, Ordering::Relaxed);
        let mut results = results.ok().map(Vec::into_iter);
        for (write, answer) in writes.into_iter().zip(answers) {
            let answered = match results.as_mut().and_then(Iterator::next) {
                Some(Ok(Applied::Done)) => Ok(()),
                Some(Ok(Applied::Later)) if self.without_room.len() < MOST_WITHOUT_ROOM => {
                    self.without_room.push_back((write, answer));
                    continue;
                }
                Some(Ok(Applied::Full | Applied::Later)) => {
                    Err(refusal!("store.full", "this server keeps as many games as it may"))
                }
                Some(Ok(Applied::Gone)) => Err(refusal!("store.gone", "this game is not kept any more")),
                Some(Err(_)) | None => Err(not_written()),
            };
            // The sender may have gone away by now.
            _ = answer.send(answered);
        }
    }

    fn write_together(&mut self, writes: &[Write]) -> rusqlite::Result<Vec<rusqlite::Result<Applied>>> {
        let now = crate::now_ms();
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut results = Vec::with_capacity(writes.len());
        let mut room = Room { games: self.games, most: self.keeping.most, removed: 0, looked: None };
        for write in writes {
            let applied = apply(&transaction, write, now, &mut room);
            if let Err(error) = &applied {
                tracing::error!(%error, "a write failed");
            }
            results.push(applied);
        }
        transaction.commit()?;
        self.games = room.games;
        self.health.removed(room.removed);
        if let Some(took) = room.looked {
            self.health.kept_house(took);
        }
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

/// The games that are kept, as a transaction changes them.
struct Room {
    games: usize,
    most: usize,
    removed: usize,
    /// How long it took to make room, if that was tried.
    looked: Option<Duration>,
}

impl Room {
    /// Makes room for a game of this owner if there is none: once in a transaction.
    fn make(&mut self, connection: &Connection, owner: Option<&str>, now: i64) -> rusqlite::Result<Applied> {
        if self.games < self.most {
            return Ok(Applied::Done);
        }
        if self.looked.is_some() {
            return Ok(Applied::Later);
        }
        let began = Instant::now();
        let gone = eviction::make_room(connection, owner, now)?;
        self.looked = Some(began.elapsed());
        self.removed += gone;
        self.games -= gone.min(self.games);
        Ok(if gone == 0 { Applied::Full } else { Applied::Done })
    }
}

fn not_written() -> TextError {
    refusal!("store.unwritable", "the game cannot be written to disk")
}

/// Applies one write.
fn apply(connection: &Connection, write: &Write, now: i64, room: &mut Room) -> rusqlite::Result<Applied> {
    let changed = match write {
        Write::Create(kept, moves) => {
            match room.make(connection, kept.owner.as_deref(), now)? {
                Applied::Done => {}
                refused => return Ok(refused),
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
            room.games += 1;
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
            room.games -= gone.min(room.games);
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

#[cfg(test)]
mod tests {
    use quincunx_machine::CpuTimer;

    use super::*;
    use crate::store::{Kept, file};

    /// What no move may wait longer for, in CPU time: a busy machine does not stretch it.
    const UNNOTICED: Duration = Duration::from_millis(50);

    /// A writer that keeps this many games of 60 moves, all from long ago.
    fn writer(games: usize, keeping: Keeping) -> Writer {
        let mut connection = Connection::open_in_memory().unwrap();
        file::migrate(&mut connection).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        connection
            .execute_batch(&format!(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {games})
                 INSERT INTO games (id, game, ruleset, start, created, updated, first, second, plies)
                 SELECT i, 'othello', '8x8', '', 0, 0, '{{}}', '{{}}', 60 FROM n;
                 WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
                 INSERT INTO moves SELECT id, i, 'd3', NULL, NULL FROM games, n;"
            ))
            .unwrap();
        Writer::new(connection, keeping, Arc::default()).unwrap()
    }

    #[test]
    fn no_move_waits_noticeably_for_a_slice_of_housekeeping() {
        let (most, longest) = (100_000, Some(Duration::from_secs(3600)));
        let mut writer = writer(1_000, Keeping { most, longest, patience: Duration::ZERO });
        loop {
            let (before, timer) = (writer.games, CpuTimer::start());
            let more = writer.keep_house().unwrap();
            let (gone, took) = (before - writer.games, timer.elapsed());
            assert!(gone <= 20 && took < UNNOTICED, "{gone} games in {took:?}");
            if !more {
                break;
            }
        }
        assert_eq!(writer.games, 0);
    }

    #[test]
    fn a_transaction_makes_room_once_however_many_new_games_are_in_it() {
        let mut writer = writer(1_000, Keeping { most: 1_000, longest: None, patience: Duration::ZERO });
        let new = |number| Kept { id: format!("new {number}"), game: "othello".into(), ..Kept::default() };
        let mv = KeptMove { text: "d3".into(), left: None };
        let write = Write::Move { id: "1000".into(), ply: 60, mv, ending: None, runs_out: None };
        let mut writes: Vec<_> = (0..100).map(|number| Write::Create(Box::new(new(number)), Vec::new())).collect();
        writes.push(write);
        let timer = CpuTimer::start();
        let results = writer.write_together(&writes).unwrap();
        let took = timer.elapsed();
        let (gone, slices) =
            (writer.health.removed.load(Ordering::Relaxed), writer.health.slices.load(Ordering::Relaxed));
        assert!(
            (1..=20).contains(&gone) && slices == 1 && took < UNNOTICED,
            "{gone} games in {slices} slices, {took:?}"
        );
        assert!(matches!(results.last(), Some(Ok(Applied::Done))), "the move is written");
        let later = results.iter().filter(|applied| matches!(applied, Ok(Applied::Later))).count();
        assert_eq!(later, 100 - gone as usize, "the others wait for room");
    }
}
