//! `puzzles`: positions with one clearly best move, from games of the engine, rated by the levels that find it.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_agents::puzzles::{Puzzle, PuzzleRecipe, make_puzzles};
use quincunx_arena::provenance;
use quincunx_game::Rules;
use quincunx_games::variant;
use quincunx_machine::write_whole;
use quincunx_search::Stop;
use serde_json::json;

use super::interrupt;

pub(crate) fn run(rules: Rules, recipe: &PuzzleRecipe, out: Option<&Path>) -> anyhow::Result<()> {
    let shown = io::stderr().is_terminal();
    // Ctrl-C ends the search; what was found is kept.
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let found = make_puzzles(rules, recipe, &stop, &mut |number| {
        if shown {
            _ = write!(io::stderr(), "\rgame {number} of {}", recipe.games);
        }
    })?;
    let text = written(&found);
    match out {
        Some(out) => {
            write_whole(out, text).with_context(|| format!("cannot write {}", out.display()))?;
            provenance::write_beside(out, Some(recipe.seed), &*variant(&rules).evaluator(), &[])?;
        }
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

/// The puzzles as the game's folder holds them: one a line.
fn written(found: &[Puzzle]) -> String {
    let lines = found.iter().map(|Puzzle { position, solution, level, themes }| {
        json!({ "position": position, "solution": solution, "level": level, "themes": themes }).to_string()
    });
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}
