//! `tune`: fits the weights of a game's evaluation to games of the engine against itself.

use std::io::{self, IsTerminal, Write};

use quincunx_game::{Rules, TextError};
use quincunx_games::{Visitor, about, visit};
use quincunx_search::Insight;
use quincunx_search::tune::{Fit, Recipe, tune};

pub(crate) fn run(game: &str, ruleset: Option<&str>, recipe: Recipe) -> anyhow::Result<()> {
    let about = about(game)?;
    let rules = ruleset.map_or(Ok(Rules::of(about)), |text| Rules::parse(about, text))?;
    let fit = visit(&rules, Tune { rules, recipe })
        .ok_or_else(|| TextError::new(format!("the evaluation of {} is not a weighted sum", about.title)))?;
    let mut out = io::stdout().lock();
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

struct Tune {
    rules: Rules,
    recipe: Recipe,
}

impl Visitor for Tune {
    type Output = Option<Fit>;

    fn visit<G: Insight>(self) -> Self::Output {
        let shown = io::stderr().is_terminal();
        tune::<G>(self.rules, &self.recipe, &mut |games| {
            if shown {
                _ = write!(io::stderr(), "\rgame {games} of {}", self.recipe.games);
            }
        })
    }
}
