//! `learn`: self-play, training and matches in a loop.

use std::{
    io::{self, Write},
    thread,
};

use quincunx_arena::{Limit, learn::Learning, statistic::Sprt};
use quincunx_games::rules;

use super::contest::{plain, runner};
use crate::{cli, tell};

pub(crate) fn run(wanted: &cli::Learn) -> anyhow::Result<()> {
    let learning = Learning {
        rules: rules(&wanted.game, wanted.ruleset.as_deref())?,
        weights: wanted.weights.clone(),
        positions: wanted.positions,
        nodes: wanted.nodes,
        random_plies: wanted.random_plies,
        window: wanted.window.into(),
        data: wanted.data.clone(),
        games: wanted.games,
        limit: Limit::parse(&wanted.limit)?,
        openings: wanted.openings.clone(),
        sprt: Sprt::parse(&wanted.sprt)?,
        steps: wanted.steps,
        seed: wanted.seed.into(),
    };
    let mut runner = runner(wanted.concurrency.map(usize::from), false, &wanted.spread)?;
    let (stop, hours) = (runner.stop.clone(), wanted.hours);
    thread::spawn(move || {
        thread::sleep(hours);
        stop.stop();
    });
    let steps = learning.run(&wanted.out, &mut runner, &mut |line| tell(line)).map_err(plain)?;
    let mut out = io::stdout().lock();
    for step in &steps {
        writeln!(out, "step {}: {}", step.number, step.verdict())?;
    }
    let adopted = steps.iter().filter(|step| step.adopted).count();
    writeln!(
        out,
        "{} steps, {adopted} adopted; the best weights are {}",
        steps.len(),
        wanted.out.join("best.bin").display()
    )?;
    Ok(())
}
