//! `playouts`: random games by the thousand.

use std::io::{self, Write};

use quincunx_game::any_game::PlayoutTally;
use quincunx_machine::CpuTimer;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use super::{announce_seed, seed_or_new};
use crate::cli::Setup;

/// Games between two checks of the clock.
const BATCH: u32 = 50;

pub(crate) fn run(setup: &Setup, seconds: f64, asked_seed: Option<u64>, json: bool) -> anyhow::Result<()> {
    let game = setup.open()?;
    let seed = seed_or_new(asked_seed);
    announce_seed(asked_seed, seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = PlayoutTally::default();
    let timer = CpuTimer::start();
    let mut spent = 0.0;
    while spent < seconds {
        game.playouts(BATCH, &mut rng, &mut tally);
        spent = timer.elapsed().as_secs_f64();
    }

    let mut out = io::stdout().lock();
    let about = game.rules().about;
    if json {
        let document = json!({
            "game": about.name, "ruleset": game.rules().to_string(), "seed": seed,
            "playouts": tally.playouts, "turns": tally.turns, "cpu_seconds": spent,
            "first_wins": tally.wins[0], "second_wins": tally.wins[1], "draws": tally.draws,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        let games = tally.playouts as f64;
        writeln!(out, "{} random games in {spent:.3} s: {:.0} a second", tally.playouts, games / spent)?;
        writeln!(out, "{:.1} turns a game", tally.turns as f64 / games)?;
        let outcomes = [(about.sides[0], tally.wins[0]), (about.sides[1], tally.wins[1]), ("draw", tally.draws)];
        for (name, count) in outcomes {
            writeln!(out, "{name:6} {:5.1} %", 100.0 * count as f64 / games)?;
        }
    }
    Ok(())
}
