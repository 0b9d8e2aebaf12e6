//! `think` and `analyse`: the engine's view of a position.

use std::{
    io::{self, Write},
    time::Duration,
};

use quincunx_agents::{Analysis, Answer, Request, Resources, analyse};
use quincunx_game::{AnyGame, TextError};
use quincunx_outside::build;
use quincunx_search::{Limits, Score};
use serde_json::json;

use super::{announce_seed, interrupt, seed_or_new};
use crate::{cli::Setup, screen::fitted};

pub(crate) fn think(setup: &Setup, spec: &str, asked_seed: Option<u64>, json: bool) -> anyhow::Result<()> {
    let game = open_unfinished(setup)?;
    if spec == "human" {
        return Err(TextError::new("a person is asked by play; think asks an agent, such as engine:level=5").into());
    }
    let seed = seed_or_new(asked_seed);
    let mut agent = build(spec, game.rules(), seed)?;
    let request = Request::default();
    interrupt::stops(&request.stop)?;
    let answer = agent.choose(&*game, &request)?;
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&as_json(&answer, &*game))?)?;
    } else {
        announce_seed(asked_seed, seed);
        let score = answer.score.map_or(String::new(), |score| format!("  {}", words(score, &*game)));
        let chance = answer.win_probability.map_or(String::new(), |chance| format!("  {:.0} %", 100.0 * chance));
        writeln!(out, "{}{score}{chance}", answer.mv)?;
        if answer.nodes > 0 {
            writeln!(out, "depth {}, {} nodes, {:.3} s", answer.depth, answer.nodes, answer.seconds)?;
            writeln!(out, "{}", fitted(&answer.pv.join(" ")))?;
        }
    }
    Ok(())
}

/// The given game, refused if it is over.
fn open_unfinished(setup: &Setup) -> Result<Box<dyn AnyGame>, TextError> {
    let game = setup.open()?;
    match game.outcome() {
        None => Ok(game),
        Some(end) => Err(TextError::new(format!("the game is over ({}): there is no move to think about", end.reason))),
    }
}

/// A score in words, with the names of the sides.
fn words(score: Score, game: &dyn AnyGame) -> String {
    score.words(game.rules().about.sides, game.to_move().index())
}

fn as_json(answer: &Answer, game: &dyn AnyGame) -> serde_json::Value {
    json!({
        "move": answer.mv,
        "score": answer.score.map(Score::number),
        "score_text": answer.score.map(|score| words(score, game)),
        "win_probability": answer.win_probability,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": answer.seconds,
        "pv": answer.pv,
    })
}

pub(crate) fn lines(
    setup: &Setup,
    count: usize,
    movetime: Duration,
    resources: Resources,
    json: bool,
) -> anyhow::Result<()> {
    let game = open_unfinished(setup)?;
    let limits = Limits { movetime: Some(movetime), ..Limits::default() };
    let request = Request { limits, ..Request::default() };
    interrupt::stops(&request.stop)?;
    let (mut told, mut shown) = (false, Ok(()));
    let last = analyse(&*game, count, resources, &request, &mut |analysis| {
        if !json && shown.is_ok() {
            told = true;
            shown = write_analysis(analysis, &*game);
            if shown.is_err() {
                request.stop.stop();
            }
        }
    })?;
    shown?;
    if json {
        let lines = last.lines.iter().map(|line| {
            json!({
                "move": line.mv, "score": line.score.number(), "score_text": words(line.score, &*game),
                "win_probability": line.win_probability, "pv": line.pv,
            })
        });
        let document = json!({
            "depth": last.depth, "nodes": last.nodes, "seconds": last.seconds, "lines": lines.collect::<Vec<_>>(),
        });
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
    } else if !told {
        write_analysis(&last, &*game)?;
    }
    Ok(())
}

fn write_analysis(analysis: &Analysis, game: &dyn AnyGame) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (rank, line) in (1..).zip(&analysis.lines) {
        let (score, chance) = (words(line.score, game), 100.0 * line.win_probability);
        let text = format!("depth {:2}  {rank}. {score:>12}  {chance:3.0} %  {}", analysis.depth, line.pv.join(" "));
        writeln!(out, "{}", fitted(&text))?;
    }
    out.flush()
}
