//! `agent` and `calibrate`: this engine as a file agent in the current directory, by the files of its game.

use std::{
    fs,
    io::{self, Read},
    path::Path,
    time::{Duration, Instant},
};

use quincunx_agents::{Request, build};
use quincunx_game::{
    AnyGame, Rules, TextError,
    exchange::{Exchange, LARGEST_FILE},
};
use quincunx_games::{entry, open};
use quincunx_machine::write_whole;
use quincunx_search::Limits;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{CALIBRATION_FILE, PLAY_DATA_FILE};
use crate::ServeError;

/// Positions a second without a calibration: those of a slow machine.
const SLOW: f64 = 100_000.0;

/// The moves of its own that are planned for at the beginning of a game, and at least until its end.
const MOVES_PLANNED: [u32; 2] = [34, 12];

/// The moves of a side that a long game may take.
const LONG_GAME: u32 = 80;
/// CPU time an answer costs beside searching, until a game has told better.
const OVERHEAD: f64 = 0.01;

/// Below this many seconds the engine only looks around: a table and a search cost more than they bring.
const IN_A_HURRY: f64 = 0.06;

/// The time of an answer if the files tell of no clock.
const STEP_TIME: Duration = Duration::from_secs(1);

/// Answers a file in the current directory that hands over a position of the game: that of `step`, if the game has steps
/// and one is given, or the newest. Returns what was played and why, in a line for people.
pub fn answer(game: &str, step: Option<u64>) -> Result<String, ServeError> {
    let files = entry(game)?.files;
    let input = match step {
        Some(step) => input_of_step(game, files, step)?,
        None => newest_input(game, files)?,
    };
    let given = files.read(&input, &read(Path::new(&input))?)?;
    let game = open(game, given.ruleset.as_deref(), Some(&given.position))?;
    let before = PlayData::load();
    let thinking = match given.seconds {
        Some(seconds) => plan(seconds, &before, speed().unwrap_or(SLOW)),
        None => Thinking { spec: "engine".into(), limits: Limits { movetime: Some(STEP_TIME), ..Limits::default() } },
    };
    let request = Request { limits: thinking.limits, ..Request::default() };
    let answer = build(&thinking.spec, game.rules(), 1)?.choose(&*game, &request)?;
    check(&*game, &answer.mv)?;
    write_whole(Path::new(&given.output), files.answer(&*game, &answer.mv))
        .map_err(cannot(format!("cannot write {}", given.output)))?;
    if let Some(seconds) = given.seconds {
        // A game goes on without it.
        drop(write_whole(Path::new(PLAY_DATA_FILE), before.next(seconds, answer.seconds).text()));
    }
    let about = game.rules().about;
    let score = answer.score.map_or(String::new(), |score| score.words(about.sides, game.to_move().index()));
    Ok(format!("{score} {}", answer.mv).trim_start().to_string())
}

/// The file that is answered in a step: the state before it.
fn input_of_step(game: &str, files: &dyn Exchange, step: u64) -> Result<String, ServeError> {
    let first = files.handover(&*open(game, None, None)?, 1.0);
    if first.arguments.is_empty() {
        return Err(TextError::new(format!("the files of {game} have no steps")).into());
    }
    let entries = fs::read_dir(".").map_err(cannot("cannot list the current directory"))?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let wanted = step.checked_sub(1);
    let found = names.into_iter().find(|name| files.input(name).is_some_and(|number| Some(number) == wanted));
    found.ok_or_else(|| TextError::new(format!("there is no state before step {step} in the current directory")).into())
}

/// The name of the newest file in the current directory that hands over a position.
fn newest_input(game: &str, files: &dyn Exchange) -> Result<String, ServeError> {
    let entries = fs::read_dir(".").map_err(cannot("cannot list the current directory"))?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let newest = names.filter_map(|name| Some((files.input(&name)?, name))).max();
    if let Some((_, name)) = newest {
        return Ok(name);
    }
    let expected = files.handover(&*open(game, None, None)?, 1.0).input;
    Err(TextError::new(format!("there is no file such as {expected} in the current directory")).into())
}

fn cannot(what: impl Into<String>) -> impl FnOnce(io::Error) -> ServeError {
    |source| ServeError::File { what: what.into(), source }
}

/// Reads a small text file.
fn read(path: &Path) -> Result<String, ServeError> {
    let mut text = String::new();
    let file =
        fs::File::open(path).map_err(|error| TextError::new(format!("cannot open {}: {error}", path.display())))?;
    file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(cannot(format!("cannot read {}", path.display())))?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(TextError::new(format!("{} is too long", path.display())).into());
    }
    Ok(text)
}

fn check(table: &dyn AnyGame, mv: &str) -> Result<(), ServeError> {
    Ok(table.boxed_clone().play(mv)?)
}

/// How a move is to be found.
#[derive(Debug)]
struct Thinking {
    spec: String,
    limits: Limits,
}

/// Shares the time left out over the moves to come: early moves get a small share of much, late ones a larger share of
/// little, and whatever happens a third of what is left is kept.
fn plan(seconds: f64, before: &PlayData, speed: f64) -> Thinking {
    let left = seconds - before.overhead;
    if left < IN_A_HURRY {
        // About a millisecond of positions, and less if there is less.
        let nodes = (speed * (left.max(0.0) / 20.0).min(0.001)) as u64;
        return Thinking { spec: format!("engine:nodes={},hash=1", nodes.max(1)), limits: Limits::default() };
    }
    let planned = MOVES_PLANNED[0].saturating_sub(before.moves).max(MOVES_PLANNED[1]);
    // What answering alone will cost in a long game is set aside first, as far as there is enough for it.
    let ahead = LONG_GAME.saturating_sub(before.moves).max(MOVES_PLANNED[1]);
    let reserve = (before.overhead * f64::from(ahead)).min(left * 0.8);
    let share = ((left - reserve) / f64::from(planned)).min(left / 3.0);
    // A table is worth its pages only if the search lasts long enough to fill it.
    let megabytes = (share * speed * 16.0 / 1e6).clamp(1.0, 64.0) as u64;
    let nodes = (share * speed * 4.0).max(100.0) as u64;
    Thinking {
        spec: format!("engine:nodes={nodes},hash={megabytes}"),
        limits: Limits { movetime: Some(Duration::from_secs_f64(share)), ..Limits::default() },
    }
}

/// What is known from the moves before, kept in `playdata.txt`.
#[derive(Debug, PartialEq)]
struct PlayData {
    /// Moves made so far.
    moves: u32,
    /// CPU seconds an answer costs beside searching.
    overhead: f64,
    /// The seconds that were left at the last move, and how many the search took.
    last: Option<(f64, f64)>,
}

impl PlayData {
    fn load() -> Self {
        read(Path::new(PLAY_DATA_FILE)).ok().and_then(|text| Self::parse(&text)).unwrap_or(Self {
            moves: 0,
            overhead: OVERHEAD,
            last: None,
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        match numbers?.as_slice() {
            &[moves, overhead, left, searched]
                if (0.0..1000.0).contains(&moves)
                    && (0.0..10.0).contains(&overhead)
                    && left >= 0.0
                    && searched >= 0.0 =>
            {
                Some(Self { moves: moves as u32, overhead, last: Some((left, searched)) })
            }
            _ => None,
        }
    }

    /// What is to be kept after a move that was asked with so many seconds left and searched for so many.
    fn next(&self, seconds: f64, searched: f64) -> Self {
        let cost = self.last.map(|(left, searched)| left - seconds - searched).filter(|cost| (0.0..1.0).contains(cost));
        Self {
            moves: self.moves + 1,
            overhead: cost.map_or(self.overhead, |cost| self.overhead.max(cost)),
            last: Some((seconds, searched)),
        }
    }

    fn text(&self) -> String {
        let (left, searched) = self.last.unwrap_or_default();
        format!("{} {} {left} {searched}\n", self.moves, self.overhead)
    }
}

/// The positions a second that `calibration.txt` tells.
fn speed() -> Option<f64> {
    let text = read(Path::new(CALIBRATION_FILE)).ok()?;
    let number = text.trim().strip_prefix("nodes_per_second ")?.parse::<f64>().ok()?;
    (1e3..1e10).contains(&number).then_some(number)
}

/// Measures the search and writes `calibration.txt`.
pub fn calibrate(game: &str) -> Result<(), ServeError> {
    /// Random plies before the position that is searched: first moves may be forced.
    const PLIES: usize = 6;
    let entry = entry(game)?;
    if !entry.files.has_clock() {
        return Err(TextError::new(format!("{game} needs no calibration: its files tell of no clock")).into());
    }
    let mut game = entry.open(Rules::of(entry.about), None)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..PLIES {
        game.play_random(&mut rng);
    }
    while game.outcome().is_some() {
        game.undo();
    }
    let began = Instant::now();
    let limits = Limits { movetime: Some(Duration::from_secs(2)), ..Limits::default() };
    let answer = build("engine", game.rules(), 1)?.choose(&*game, &Request { limits, ..Request::default() })?;
    let speed = answer.nodes as f64 / began.elapsed().as_secs_f64();
    write_whole(Path::new(CALIBRATION_FILE), format!("nodes_per_second {speed:.0}\n"))
        .map_err(cannot(format!("cannot write {CALIBRATION_FILE}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh() -> PlayData {
        PlayData { moves: 0, overhead: OVERHEAD, last: None }
    }

    #[test]
    fn no_move_is_planned_to_take_more_than_a_third_of_what_is_left() {
        for seconds in [0.01, 0.05, 0.1, 0.5, 1.0, 10.0, 100.0, 300.0] {
            for moves in [0, 10, 30, 100] {
                let thinking = plan(seconds, &PlayData { moves, ..fresh() }, SLOW);
                let time = thinking.limits.movetime.map_or(0.0, |time| time.as_secs_f64());
                assert!(time <= seconds / 3.0, "{seconds}: {thinking:?}");
                assert!(time > 0.0 || seconds < 0.1, "{seconds}: {thinking:?}");
            }
        }
    }

    #[test]
    fn a_game_of_eighty_moves_stays_within_its_time() {
        for start in [100.0, 10.0, 1.0] {
            let (mut left, mut data) = (start, fresh());
            for _ in 0..80 {
                let time = plan(left, &data, SLOW).limits.movetime.map_or(0.001, |time| time.as_secs_f64());
                data = data.next(left, time);
                // What an answer really costs beside the search.
                left -= time + 0.004;
                assert!(left > 0.0, "{start}");
            }
        }
    }

    #[test]
    fn play_data_reads_back_and_garbage_is_ignored() {
        let data = PlayData { moves: 3, overhead: 0.0125, last: Some((88.5, 2.25)) };
        assert_eq!(PlayData::parse(&data.text()), Some(data));
        for garbage in ["", "x", "1 2 3", "-1 0 0 0", "1 nan 0 0", "1 0 0 0 0"] {
            assert_eq!(PlayData::parse(garbage), None, "{garbage}");
        }
    }
}
