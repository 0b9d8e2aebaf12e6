//! Which games go if there are too many, a few at a time.
//!
//! What is abandoned and empty goes first. A flood of games takes room from those who sent it. An ended game goes only
//! for a new one of the same owner, never because of strangers.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, params};

/// Games removed at once, so that a full server does not look for some at every new game.
const SLICE: i64 = 20;

/// Removing goes on for this long at most; the rest waits for the next time.
const LONGEST_SLICE: Duration = Duration::from_millis(10);

/// A game that nobody has touched for this long, in milliseconds, may go if it has hardly begun.
const EMPTY: i64 = 10 * 60 * 1000;

/// A game that nobody has touched for this long, in milliseconds, counts as abandoned.
const ABANDONED: i64 = 7 * 24 * 3600 * 1000;

/// An owner with fewer unfinished games than this does not lose any to others.
const FEW: i64 = 20;

/// Who has the most unfinished games, and how many.
const LARGEST: &str = "SELECT owner, count(*) AS games FROM games WHERE ending IS NULL AND owner IS NOT NULL
     GROUP BY owner ORDER BY games DESC LIMIT 1";

/// How many unfinished games an owner has.
const OWN: &str = "SELECT count(*) FROM games WHERE owner = ?1 AND ending IS NULL";

/// Makes room for a game of this owner; how many games were removed.
pub(super) fn make_room(connection: &Connection, owner: Option<&str>, now: i64) -> rusqlite::Result<usize> {
    let empty = "SELECT id FROM games WHERE ending IS NULL AND plies < 2 AND updated < ?1 ORDER BY updated LIMIT ?2";
    let gone = remove(connection, &ids(connection, empty, params![now - EMPTY, SLICE])?)?;
    if gone > 0 {
        return Ok(gone);
    }
    let abandoned = "SELECT id FROM games WHERE ending IS NULL AND updated < ?1 ORDER BY updated LIMIT ?2";
    let gone = remove(connection, &ids(connection, abandoned, params![now - ABANDONED, SLICE])?)?;
    if gone > 0 {
        return Ok(gone);
    }
    if let Some(largest) = largest_owner(connection, owner)? {
        let theirs = "SELECT id FROM games WHERE owner = ?1 AND ending IS NULL AND updated < ?2
             ORDER BY updated LIMIT ?3";
        let gone = remove(connection, &ids(connection, theirs, params![largest, now - EMPTY, SLICE])?)?;
        if gone > 0 {
            return Ok(gone);
        }
    }
    let own = "SELECT id FROM games WHERE owner = ?1 AND ending IS NOT NULL ORDER BY updated LIMIT 1";
    remove(connection, &ids(connection, own, params![owner])?)
}

/// Removes some of the games that nobody has touched since; how many.
pub(super) fn remove_untouched(connection: &Connection, since: i64) -> rusqlite::Result<usize> {
    let old = "SELECT id FROM games WHERE updated < ?1 ORDER BY updated LIMIT ?2";
    remove(connection, &ids(connection, old, params![since, SLICE])?)
}

/// The owner with the most unfinished games, if there are many, and more than twice as many as `owner` has.
fn largest_owner(connection: &Connection, owner: Option<&str>) -> rusqlite::Result<Option<String>> {
    let largest: Option<(String, i64)> =
        connection.prepare_cached(LARGEST)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let own: i64 = connection.prepare_cached(OWN)?.query_row([owner], |row| row.get(0))?;
    Ok(largest.filter(|&(_, games)| games >= FEW && games > 2 * own).map(|(name, _)| name))
}

fn ids(connection: &Connection, query: &str, values: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<Vec<String>> {
    connection.prepare_cached(query)?.query_map(values, |row| row.get(0))?.collect()
}

fn remove(connection: &Connection, ids: &[String]) -> rusqlite::Result<usize> {
    let started = Instant::now();
    let mut removed = 0;
    for id in ids {
        removed += connection.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])?;
        if started.elapsed() > LONGEST_SLICE {
            break;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::file;

    const DAY: i64 = 24 * 3600 * 1000;
    const NOW: i64 = 100 * DAY;

    fn database() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        file::migrate(&mut connection).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        connection
    }

    /// Adds a game that was last touched `ago` milliseconds before now.
    fn add(connection: &Connection, id: &str, owner: &str, plies: i64, ended: bool, ago: i64) {
        let ending = ended.then_some("{}");
        connection
            .execute(
                "INSERT INTO games (id, game, ruleset, start, created, updated, first, second, plies, ending, owner)
                 VALUES (?1, '', '', '', 0, ?2, '', '', ?3, ?4, ?5)",
                params![id, NOW - ago, plies, ending, owner],
            )
            .unwrap();
        for ply in 0..plies {
            connection.execute("INSERT INTO moves VALUES (?1, ?2, 'd3', NULL, NULL)", params![id, ply]).unwrap();
        }
    }

    fn kept(connection: &Connection) -> Vec<String> {
        ids(connection, "SELECT id FROM games ORDER BY id", &[]).unwrap()
    }

    #[test]
    fn what_is_empty_goes_first_and_then_what_is_abandoned() {
        let connection = database();
        add(&connection, "abandoned", "a", 10, false, 8 * DAY);
        add(&connection, "empty", "a", 1, false, EMPTY + 1);
        add(&connection, "ended", "a", 10, true, 90 * DAY);
        add(&connection, "just made", "a", 0, false, 1000);
        add(&connection, "slow", "a", 10, false, 6 * DAY);
        assert_eq!(make_room(&connection, Some("b"), NOW).unwrap(), 1);
        assert_eq!(kept(&connection), ["abandoned", "ended", "just made", "slow"]);
        assert_eq!(make_room(&connection, Some("b"), NOW).unwrap(), 1);
        assert_eq!(kept(&connection), ["ended", "just made", "slow"]);
        assert_eq!(make_room(&connection, Some("b"), NOW).unwrap(), 0, "nothing of others goes any more");
        assert_eq!(make_room(&connection, Some("a"), NOW).unwrap(), 1, "one's own ended game does");
        assert_eq!(kept(&connection), ["just made", "slow"]);
    }

    #[test]
    fn a_flood_of_games_makes_room_for_others_and_not_for_itself() {
        let connection = database();
        for number in 0..100 {
            add(&connection, &format!("flood {number:03}"), "flood", 5, false, DAY - number);
        }
        add(&connection, "mine", "me", 5, false, DAY);
        add(&connection, "ended", "me", 5, true, DAY);
        assert_eq!(make_room(&connection, Some("flood"), NOW).unwrap(), 0);
        assert_eq!(make_room(&connection, Some("me"), NOW).unwrap(), SLICE as usize);
        let kept = kept(&connection);
        assert!(kept.contains(&"mine".into()) && kept.contains(&"ended".into()));
        assert!(!kept.contains(&"flood 000".into()) && kept.contains(&"flood 099".into()), "the oldest go");
    }

    #[test]
    fn the_largest_owner_is_found_in_an_index_however_many_games_there_are() {
        let connection = database();
        for question in [LARGEST, OWN] {
            let plan: String = connection
                .query_row(&format!("EXPLAIN QUERY PLAN {}", question.replace("?1", "'a'")), [], |row| row.get(3))
                .unwrap();
            assert!(plan.contains("COVERING INDEX games_unfinished_by_owner"), "{plan}");
        }
    }

    #[test]
    fn a_slice_ends_when_its_time_is_over() {
        let connection = database();
        for number in 0..SLICE {
            add(&connection, &format!("{number}"), "a", 4_000, true, 40 * DAY);
        }
        let mut slices = Vec::new();
        while slices.last() != Some(&0) {
            slices.push(remove_untouched(&connection, NOW - 30 * DAY).unwrap());
        }
        // A game of that length takes a millisecond or more.
        assert!(slices.len() > 2, "{slices:?}");
    }

    #[test]
    fn old_games_go_in_slices_with_their_moves() {
        let connection = database();
        for number in 0..50 {
            add(&connection, &format!("{number}"), "a", 3, number % 2 == 0, 40 * DAY);
        }
        add(&connection, "new", "a", 3, true, 20 * DAY);
        let mut slices = Vec::new();
        while slices.last() != Some(&0) {
            slices.push(remove_untouched(&connection, NOW - 30 * DAY).unwrap());
        }
        assert_eq!(slices.iter().sum::<usize>(), 50);
        assert!(slices.iter().all(|&slice| slice <= SLICE as usize), "{slices:?}");
        let moves: i64 = connection.query_row("SELECT count(*) FROM moves", [], |row| row.get(0)).unwrap();
        assert_eq!(moves, 3);
    }
}
