//! `tune`: fits the weights of a game's evaluation to games of the engine against itself.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_arena::provenance;
use quincunx_game::TextError;
use quincunx_games::{rules, variant};
use quincunx_machine::write_whole;
use quincunx_search::tune::Recipe;
use serde_json::json;

pub(crate) fn run(
    game: &str,
    ruleset: Option<&str>,
    recipe: Recipe,
    out: Option<&Path>,
    json: bool,
) -> anyhow::Result<()> {
    let rules = rules(game, ruleset)?;
    let shown = io::stderr().is_terminal();
    let fitted = variant(&rules).evaluator().tune(rules, &recipe, &mut |games| {
        if shown {
            _ = write!(io::stderr(), "\rgame {games} of {}", recipe.games);
        }
    });
    let title = rules.about.title;
    let no_sum =
        || TextError::new(format!("the evaluation of {title} is not a weighted sum: `quincunx train` fits it"));
    let (fit, evaluator) = fitted.ok_or_else(no_sum)?;
    if let Some(out) = out {
        let bytes = evaluator.file();
        write_whole(out, &bytes).with_context(|| format!("cannot write {}", out.display()))?;
        provenance::write_beside(out, Some(recipe.seed), &*evaluator, &bytes)?;
    }
    let mut out = io::stdout().lock();
    if json {
        let weights = fit.weights.iter();
        let weights: Vec<_> =
            weights.map(|(name, weight, error)| json!({ "name": name, "weight": weight, "error": error })).collect();
        let document = json!({
            "game": rules.about.name, "games": recipe.games, "positions": fit.positions, "loss": fit.loss.0,
            "loss_without": fit.loss.1, "weights": weights, "made_by": provenance::made_by(Some(recipe.seed)),
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{} games, {} nodes a move, {} random plies, seed {}: {} quiet positions",
        recipe.games, recipe.nodes, recipe.random_plies, recipe.seed, fit.positions
    )?;
    writeln!(out, "loss {:.5} (without any term {:.5})", fit.loss.0, fit.loss.1)?;
    for (name, weight, error) in &fit.weights {
        writeln!(out, "{name:24} {weight:9.2} ± {error:.2}")?;
    }
    Ok(())
}
