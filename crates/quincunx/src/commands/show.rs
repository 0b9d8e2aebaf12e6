//! `show`: a position with all there is to know about it.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context;
use quincunx_game::{Table, svg, terminal};
use serde_json::json;

use super::style;
use crate::{cli::Setup, whole_file};

pub(crate) fn run(setup: &Setup, json: bool, picture: Option<&Path>) -> anyhow::Result<()> {
    let table = setup.open()?;
    if let Some(path) = picture {
        whole_file::write(path, &svg::picture(&*table)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&as_json(&*table))?)?;
    } else if picture.is_none() {
        write!(out, "{}", as_text(&*table))?;
    }
    Ok(())
}

fn as_json(table: &dyn Table) -> serde_json::Value {
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

fn as_text(table: &dyn Table) -> String {
    let rules = table.rules();
    let mut text = format!("{} ({}), ply {}\n\n", rules.about.title, rules, table.ply());
    text.push_str(&terminal::board(table, style()));
    text.push('\n');
    text.push_str(&tallies(table));
    if let Some(result) = result(table) {
        _ = writeln!(text, "{result}");
    } else {
        let moves: Vec<_> = table.choices().into_iter().map(|choice| choice.text).collect();
        let color = rules.about.sides[table.to_move().index()];
        _ = writeln!(text, "{color} to move, legal moves ({}): {}", moves.len(), moves.join(" "));
    }
    _ = writeln!(text, "position: {}", table.position_text());
    text
}

/// A line for each thing that is counted.
pub(crate) fn tallies(table: &dyn Table) -> String {
    let [first, second] = table.rules().about.sides;
    let line = |tally: quincunx_game::Tally| {
        format!("{}: {first} {}, {second} {}\n", tally.name, tally.values[0], tally.values[1])
    };
    table.tallies().into_iter().map(line).collect()
}

/// How the game ended, in a sentence.
pub(crate) fn result(table: &dyn Table) -> Option<String> {
    let outcome = table.outcome()?;
    Some(match outcome.winner {
        Some(side) => format!("{} wins: {}", table.rules().about.sides[side.index()], outcome.reason),
        None => format!("draw: {}", outcome.reason),
    })
}
