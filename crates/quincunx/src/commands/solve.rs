//! `solve`: exact values of one position, or of the positions in a file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, bail};
use quincunx_game::{AnyGame, TextError};
use quincunx_games::{rules, variant};
use quincunx_search::{
    Stop,
    solver::{AnySolver, Bounds, Goal},
};
use serde_json::{Value, json};

use super::interrupt;
use crate::cli::Setup;

/// No line and no file of positions needs more.
const LONGEST_LINE: u64 = 4096;

pub(crate) struct Options<'a> {
    pub(crate) file: Option<&'a Path>,
    pub(crate) winner: bool,
    pub(crate) threads: usize,
    pub(crate) mebibytes: usize,
    pub(crate) json: bool,
}

/// A position to solve, and its score if it is known.
struct Task {
    table: Box<dyn AnyGame>,
    expected: Option<i32>,
}

pub(crate) fn run(setup: &Setup, options: &Options) -> anyhow::Result<()> {
    let rules = rules(&setup.game, setup.ruleset.as_deref())?;
    let Some(mut solver) = variant(&rules).evaluator().solver(options.mebibytes, options.threads) else {
        return Err(TextError::new(format!("there is no solver for {}", rules.about.name)).into());
    };
    let tasks = match options.file {
        None => vec![Task { table: setup.open()?, expected: None }],
        Some(path) => read_tasks(setup, path)?,
    };
    if tasks.iter().any(|task| task.table.rules().plies != 0) {
        return Err(TextError::new("a solver plays to the end of the game: plies= cannot be kept").into());
    }
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let goal = if options.winner { Goal::Winner } else { Goal::Score };
    let (mut solved, mut wrong, mut nodes, mut seconds) = (Vec::new(), 0, 0, 0.0);
    for task in &tasks {
        let Some((value, right)) = solve(&mut *solver, task, goal, &stop)? else { break };
        wrong += usize::from(!right);
        nodes += value["nodes"].as_u64().unwrap_or(0);
        seconds += value["seconds"].as_f64().unwrap_or(0.0);
        if !options.json {
            write_line(&value, right)?;
        }
        solved.push(value);
    }
    if options.json {
        let document = json!({ "positions": solved });
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
    } else if solved.len() > 1 {
        let speed = nodes as f64 / seconds / 1e6;
        writeln!(io::stdout(), "{} solved: {nodes} nodes, {seconds:.3} s, {speed:.1} M nodes/s", solved.len())?;
    }
    if solved.len() < tasks.len() {
        let why = if stop.is_stopped() { "interrupted" } else { "no value was found for the next" };
        bail!("{why}: {} of {} positions were solved", solved.len(), tasks.len());
    }
    if wrong > 0 {
        bail!("{wrong} of {} scores differ from the expected ones", solved.len());
    }
    Ok(())
}

/// The value of a position, the cost of finding it, and whether it is the expected one; `None` after Ctrl-C.
fn solve(solver: &mut dyn AnySolver, task: &Task, goal: Goal, stop: &Stop) -> Result<Option<(Value, bool)>, TextError> {
    let begin = Instant::now();
    let stopped = || stop.is_stopped();
    let Some(found) = solver.solve(&*task.table, goal, &Bounds { stopped: &stopped, ..Bounds::NONE })? else {
        return Ok(None);
    };
    let seconds = begin.elapsed().as_secs_f64();
    let right = task.expected.is_none_or(|expected| match goal {
        Goal::Score => found.score == expected,
        Goal::Winner => found.score.signum() == expected.signum(),
    });
    let score = if goal == Goal::Score { found.score } else { found.score.signum() };
    let value = json!({
        "position": task.table.position_text(), "score": score, "move": found.mv, "nodes": found.nodes,
        "seconds": seconds, "expected": task.expected,
    });
    Ok(Some((value, right)))
}

fn write_line(value: &Value, right: bool) -> io::Result<()> {
    let seconds = value["seconds"].as_f64().unwrap_or(0.0);
    let nodes = value["nodes"].as_u64().unwrap_or(0);
    let mut out = io::stdout().lock();
    write!(
        out,
        "{:+3} {:4} {nodes:12} nodes {seconds:9.3} s {:6.1} M nodes/s  {}",
        value["score"].as_i64().unwrap_or(0),
        value["move"].as_str().unwrap_or("-"),
        nodes as f64 / seconds.max(1e-9) / 1e6,
        value["position"].as_str().unwrap_or(""),
    )?;
    match (right, value["expected"].as_i64()) {
        (_, None) => {}
        (true, Some(_)) => write!(out, "  as expected")?,
        (false, Some(expected)) => write!(out, "  WRONG, expected {expected:+}")?,
    }
    writeln!(out)?;
    out.flush()
}

/// The positions of a file, one a line: the position, then after semicolons moves with their scores, best first.
fn read_tasks(setup: &Setup, path: &Path) -> anyhow::Result<Vec<Task>> {
    let name = path.display();
    let mut reader = BufReader::new(File::open(path).with_context(|| format!("cannot read {name}"))?);
    let mut tasks = Vec::new();
    for number in 1.. {
        let mut line = String::new();
        let length = reader.by_ref().take(LONGEST_LINE).read_line(&mut line);
        let length = length.with_context(|| format!("cannot read line {number} of {name}"))?;
        if length == 0 {
            break;
        }
        if length as u64 == LONGEST_LINE {
            return Err(TextError::new(format!("line {number} of {name} is longer than {LONGEST_LINE} bytes")).into());
        }
        // In the endgame suites a percent sign begins a comment.
        let line = line.split('%').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |error: TextError| TextError::new(format!("line {number} of {name}: {error}"));
        let (position, scores) = line.split_once(';').unwrap_or((line, ""));
        let table = quincunx_games::open(&setup.game, setup.ruleset.as_deref(), Some(position)).map_err(wrong)?;
        tasks.push(Task { table, expected: expected_score(scores).map_err(wrong)? });
    }
    Ok(tasks)
}

/// The score of the first move in `A2:+38; C7:+36; …`.
fn expected_score(scores: &str) -> Result<Option<i32>, TextError> {
    let first = scores.split(';').next().unwrap_or("").trim();
    if first.is_empty() {
        return Ok(None);
    }
    let number = first.split_once(':').and_then(|(_, score)| score.trim().parse().ok());
    number.map(Some).ok_or_else(|| {
        let shown: String = first.chars().take(20).collect();
        TextError::new(format!("{shown:?} is not a move and its score, such as A2:+38"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_score_is_that_of_the_first_move() {
        assert_eq!(expected_score(" A2:+38; C7:+36; ").unwrap(), Some(38));
        assert_eq!(expected_score("G3:-12;").unwrap(), Some(-12));
        assert_eq!(expected_score("  ").unwrap(), None);
        for text in ["A2", "A2:", "A2:x", ":"] {
            assert!(expected_score(text).unwrap_err().to_string().contains("such as"), "{text}");
        }
    }
}
