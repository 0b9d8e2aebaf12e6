//! `train`: trains the weights of an evaluation.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use quincunx_game::{TextError, text::quoted};
use quincunx_games::othello::{
    endgame::Solver,
    evaluation::{
        Evaluation,
        train::{Plan, fit, play_lesson, read_wthor, samples_of},
    },
};
use quincunx_machine::write_whole;
use quincunx_search::Stop;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::interrupt;

/// No file with the games of a year is larger.
const LARGEST_FILE: u64 = 1 << 28;

/// The transposition table of the solver: its positions have few empty squares.
const MEBIBYTES: usize = 8;

pub(crate) struct Options<'a> {
    pub(crate) out: &'a Path,
    pub(crate) wthor: &'a [PathBuf],
    pub(crate) games: u32,
    pub(crate) epochs: u32,
    pub(crate) seed: u64,
}

pub(crate) fn run(game: &str, options: &Options) -> anyhow::Result<()> {
    let about = quincunx_games::about(game)?;
    if about.name != "othello" {
        let name = quoted(about.name);
        return Err(TextError::new(format!("{name} has no weights to train; the game that has is othello")).into());
    }
    let stop = Stop::default();
    interrupt::stops(&stop)?;
    let mut solver = Solver::new(MEBIBYTES, 1);
    let mut samples = Vec::new();
    for path in options.wthor {
        let name = path.display();
        let size = fs::metadata(path).with_context(|| format!("cannot read {name}"))?.len();
        if size > LARGEST_FILE {
            return Err(TextError::new(format!("{name} is too large for a file of games")).into());
        }
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let lessons = read_wthor(&bytes).map_err(|error| TextError::new(format!("{name}: {error}")))?;
        for lesson in lessons {
            check(&stop)?;
            samples_of(&lesson, &mut solver, &mut samples);
        }
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    for _ in 0..options.games {
        check(&stop)?;
        let lesson = play_lesson(Evaluation::embedded(), &mut rng);
        samples_of(&lesson, &mut solver, &mut samples);
    }
    if samples.is_empty() {
        return Err(TextError::new(
            "there are no games to learn from: give files with --wthor or a number with --games",
        )
        .into());
    }
    let (bytes, report) = fit(&samples, Plan { epochs: options.epochs, seed: options.seed });
    check(&stop)?;
    write_whole(options.out, &bytes).with_context(|| format!("cannot write {}", options.out.display()))?;
    writeln!(io::stdout(), "{report}{} positions, {} bytes of weights", samples.len(), bytes.len())?;
    Ok(())
}

fn check(stop: &Stop) -> anyhow::Result<()> {
    if stop.is_stopped() {
        bail!("interrupted: nothing was written");
    }
    Ok(())
}
