//! The commands, one file each.

mod bench;
mod book;
mod chaos;
mod cluster;
mod completions;
mod contest;
mod convert;
mod data;
mod experiment;
mod games;
mod grade;
mod interrupt;
mod learn;
pub(crate) mod load;
mod man;
mod match_;
mod overrun;
mod perft;
mod play;
mod playouts;
mod probcut;
mod puzzles;
mod report;
mod selfplay;
mod serve;
mod setup;
mod show;
mod similar;
mod solve;
mod spsa;
mod think;
mod tournament;
mod train;
mod tune;

use std::io;

use quincunx_agents::{Resources, puzzles::PuzzleRecipe};
use quincunx_games::open;
use quincunx_outside::{ServeError, gtp, nboard, ugi};
use quincunx_search::{book::Study, probcut::Sampling, tune::Recipe};

use crate::{
    cli::{Arguments, Command, Serve},
    tell,
};

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        None => serve::run(&Serve::and_open()),
        Some(Command::Serve(wanted)) => serve::run(&wanted),
        Some(Command::Site { dir }) => serve::site(&dir),
        Some(Command::Backup { file, data }) => serve::back_up(data, &file),
        Some(Command::Load(wanted)) => load::run(&wanted),
        Some(Command::Games { json }) => games::list(json),
        Some(Command::Show { setup, json, svg, record, number, ply }) => {
            let table = match record {
                Some(file) => show::recorded(&setup.game, &file, number, ply)?,
                None => setup.open_by_lot()?,
            };
            show::run(&*table, json, svg.as_deref())
        }
        Some(Command::Contest(command)) => contest::run(&command),
        Some(Command::Worker(settings)) => cluster::work(&settings),
        Some(Command::Cluster(command)) => cluster::run(&command),
        Some(Command::Convert(wanted)) => convert::run(&wanted),
        Some(Command::Perft { setup, depth, divide, made, unfinished, json }) => {
            perft::run(&setup, depth, &perft::Options { divide, made, unfinished, json })
        }
        Some(Command::Playouts { setup, seconds, seed, json }) => playouts::run(&setup, seconds, seed, json),
        Some(Command::Think { setup, agent, seed, json }) => think::think(&setup, &agent, seed, json),
        Some(Command::Analyse { setup, lines, movetime, hash, threads, json }) => {
            think::lines(&setup, lines, movetime, Resources { megabytes: hash, threads }, json)
        }
        Some(Command::Probcut { game, positions, depth, seed, weights, out, json }) => {
            let files = (weights.as_deref(), out.as_deref());
            probcut::run(&game, Sampling { positions, depth, seed }, files, json)
        }
        Some(Command::Book { game, out, positions, nodes, lines, json }) => {
            book::run(&game, &out, Study { positions, nodes, lines: lines.into() }, json)
        }
        Some(Command::Tune { game, ruleset, games, nodes, random_plies, seed, out, json }) => {
            tune::run(&game, ruleset.as_deref(), Recipe { games, nodes, random_plies, seed }, out.as_deref(), json)
        }
        Some(Command::Puzzles { game, ruleset, games, nodes, each, seed, out }) => {
            let rules = quincunx_games::rules(&game, ruleset.as_deref())?;
            let seed_used = seed_or_new(seed);
            announce_seed(seed, seed_used);
            let recipe = PuzzleRecipe { games, nodes, each: each as usize, seed: seed_used };
            puzzles::run(rules, &recipe, out.as_deref())
        }
        Some(Command::Selfplay(wanted)) => selfplay::run(&wanted),
        Some(Command::Data { directory, json }) => data::run(&directory, json),
        Some(Command::Ugi) => served(ugi::serve(io::stdin().lock(), || {
            let seed = seed_or_new(None);
            announce_seed(None, seed);
            seed
        })),
        Some(Command::Gtp { game, ruleset, agent, seed }) => {
            let game = open(&game, ruleset.as_deref(), None)?;
            served(gtp::serve(io::stdin().lock(), game, &agent, seed_or_new(seed)))
        }
        Some(Command::Nboard { movetime, hash, threads }) => {
            served(nboard::serve(io::stdin().lock(), Resources { megabytes: hash, threads }, movetime))
        }
        Some(Command::Bench { overrun: true, json }) => overrun::run(json),
        Some(Command::Bench { overrun: false, json }) => bench::run(json),
        Some(Command::Solve { setup, file, winner, threads, hash, json }) => {
            let (threads, mebibytes) = (usize::from(threads), hash as usize);
            solve::run(&setup, &solve::Options { file: file.as_deref(), winner, threads, mebibytes, json })
        }
        Some(Command::Train(wanted)) => train::run(&wanted),
        Some(Command::Learn(wanted)) => learn::run(&wanted),
        Some(Command::Spsa(wanted)) => spsa::run(&wanted),
        Some(Command::Completions { shell }) => completions::run(shell),
        Some(Command::Man { command }) => man::run(command.as_deref()),
        Some(Command::Play { setup, first, second, record, seed }) => {
            play::run(&setup, &[first, second], record.as_deref(), seed)
        }
    }
}

/// Keeps a wrong request apart from a failure: they have different exit codes.
fn served<T>(outcome: Result<T, ServeError>) -> anyhow::Result<T> {
    outcome.map_err(|error| match error {
        ServeError::Asked(error) => error.into(),
        error => error.into(),
    })
}

/// The given seed, or a new one.
fn seed_or_new(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        quincunx_game::hash::mix(now.map_or(0, |time| time.as_nanos() as u64), u64::from(std::process::id())) >> 32
    })
}

/// Prints a seed that was not given, so that the run can be repeated.
fn announce_seed(asked: Option<u64>, seed: u64) {
    if asked.is_none() {
        tell(&format!("seed {seed}"));
    }
}
