//! `show`: a position, its legal moves and its result.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context;
use quincunx_arena::load_games;
use quincunx_formats::{GamesFile, read};
use quincunx_game::{AnyGame, TextError, svg};
use quincunx_games::rules;
use quincunx_machine::write_whole;
use serde_json::json;

use super::contest::plain;
use crate::screen::{board, wrapped};

/// The game with this number in a file of games, taken back to a ply if one is given.
pub(crate) fn recorded(
    game: &str,
    file: &Path,
    number: Option<u64>,
    ply: Option<usize>,
) -> anyhow::Result<Box<dyn AnyGame>> {
    let contest =
        GamesFile::open(file)?.with(None, None, |input| Ok(["jsonl", "text"].contains(&input.format()?.name())));
    if !contest.unwrap_or(false) {
        return collected(game, file, number, ply);
    }
    let games = load_games(file).map_err(plain)?;
    let found = games.iter().find(|record| number.is_none_or(|number| record.number == number));
    let record = found.ok_or_else(|| {
        let which = number.map_or("no game".into(), |number| format!("no game number {number}"));
        TextError::new(format!("{} holds {which}", file.display()))
    })?;
    if record.game != game {
        return Err(TextError::new(format!("{} holds a game of {}, not of {game}", file.display(), record.game)).into());
    }
    taken_back(record.replay()?, ply)
}

/// The game with this number, counted from 1, in a file of any other format.
fn collected(game: &str, file: &Path, number: Option<u64>, ply: Option<usize>) -> anyhow::Result<Box<dyn AnyGame>> {
    let wanted = number.unwrap_or(1);
    let (mut count, mut found) = (0, None);
    GamesFile::open(file)?.with(Some(rules(game, None)?), None, |input| {
        read(input, &mut |checked| {
            count += 1;
            // Games that nobody asked for may be wrong.
            if count == wanted {
                found = Some(checked?.game);
            }
            Ok(())
        })
    })?;
    let table = found
        .ok_or_else(|| TextError::new(format!("{} holds no game number {wanted}: it has {count}", file.display())))?;
    let name = table.rules().about.name;
    if name != game {
        return Err(TextError::new(format!("{} holds a game of {name}, not of {game}", file.display())).into());
    }
    taken_back(table, ply)
}

/// A game taken back to a ply, if one is given.
fn taken_back(mut table: Box<dyn AnyGame>, ply: Option<usize>) -> anyhow::Result<Box<dyn AnyGame>> {
    let last = table.ply();
    if ply.is_some_and(|ply| ply > last) {
        return Err(TextError::new(format!("that game has {last} plies")).into());
    }
    while ply.is_some_and(|ply| table.ply() > ply) {
        table.undo();
    }
    Ok(table)
}

pub(crate) fn run(table: &dyn AnyGame, json: bool, picture: Option<&Path>) -> anyhow::Result<()> {
    if picture == Some(Path::new("-")) {
        if json {
            return Err(TextError::new("--svg - and --json cannot both be on standard output").into());
        }
        io::stdout().lock().write_all(svg::picture(table).as_bytes())?;
        return Ok(());
    }
    if let Some(path) = picture {
        write_whole(path, svg::picture(table)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&as_json(table))?)?;
    } else if picture.is_none() {
        write!(out, "{}", as_text(table))?;
    }
    Ok(())
}

fn as_json(table: &dyn AnyGame) -> serde_json::Value {
    let rules = table.rules();
    let outcome = table.outcome();
    let winner = outcome.map(|end| end.winner.map_or("draw".into(), |side| rules.about.side_id(side)));
    json!({
        "game": rules.about.name,
        "ruleset": rules.to_string(),
        "position": table.position_text(),
        "ply": table.ply(),
        "to_move": rules.about.side_id(table.to_move()),
        "over": outcome.is_some(),
        "winner": winner,
        "reason": outcome.map(|end| end.reason),
        "moves": table.choices().into_iter().map(|choice| choice.text).collect::<Vec<_>>(),
    })
}

fn as_text(table: &dyn AnyGame) -> String {
    let rules = table.rules();
    let mut text = format!("{} ({}), ply {}\n\n", rules.about.title, rules, table.ply());
    text.push_str(&board(table));
    text.push('\n');
    text.push_str(&tallies(table));
    if let Some(result) = result(table) {
        _ = writeln!(text, "{result}");
    } else {
        let moves: Vec<_> = table.choices().into_iter().map(|choice| choice.text).collect();
        let color = rules.about.side(table.to_move());
        let line = format!("{color} to move, legal moves ({}): {}", moves.len(), moves.join(" "));
        _ = writeln!(text, "{}", wrapped(&line));
    }
    _ = writeln!(text, "position: {}", table.position_text());
    text
}

/// A line for each tally.
pub(crate) fn tallies(table: &dyn AnyGame) -> String {
    let [first, second] = table.rules().about.sides;
    let line = |tally: quincunx_game::Tally| {
        format!("{}: {first} {}, {second} {}\n", tally.name, tally.values[0], tally.values[1])
    };
    table.tallies().into_iter().map(line).collect()
}

/// How the game ended, in a sentence.
pub(crate) fn result(table: &dyn AnyGame) -> Option<String> {
    let outcome = table.outcome()?;
    Some(match outcome.winner {
        Some(side) => format!("{} wins: {}", table.rules().about.side(side), outcome.reason),
        None => format!("draw: {}", outcome.reason),
    })
}
