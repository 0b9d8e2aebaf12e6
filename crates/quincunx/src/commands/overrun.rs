//! `bench --overrun`: whether the engine keeps to its time.

use std::{
    io::{self, Write},
    time::Duration,
};

use quincunx_agents::{Request, build};
use quincunx_games::{all, open};
use quincunx_machine::CpuTimer;
use quincunx_search::Limits;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

const MOVES: usize = 1000;
const MOVETIME: Duration = Duration::from_millis(10);
/// One ply in so many is random, so that no two games are the same.
const RANDOM_EVERY: usize = 5;

pub(crate) fn run(json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut rows = Vec::new();
    for about in all() {
        let overruns = overruns(about.name)?;
        // That share of the moves takes at most this much.
        let percentile = |share: f64| overruns[(share * MOVES as f64).ceil() as usize - 1];
        let (median, high, most) = (percentile(0.5), percentile(0.999), overruns[MOVES - 1]);
        if !json {
            writeln!(
                out,
                "{:9} {MOVES} moves at {} ms: CPU beyond that {median:.3} ms in the middle, {high:.3} ms at 99.9 %, {most:.3} ms at most",
                about.name,
                MOVETIME.as_millis()
            )?;
        }
        rows.push(json!({ "game": about.name, "moves": MOVES, "median_ms": median, "p999_ms": high, "most_ms": most }));
    }
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&json!({ "games": rows }))?)?;
    }
    Ok(())
}

/// The milliseconds of CPU time by which each move overran its time, in ascending order; negative if time was left.
fn overruns(game: &str) -> anyhow::Result<Vec<f64>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut table = open(game, None, None)?;
    let mut engine = build("engine:book=off", table.rules(), 1)?;
    let request = Request { limits: Limits { movetime: Some(MOVETIME), ..Limits::default() }, ..Request::default() };
    let mut overruns = Vec::with_capacity(MOVES);
    for ply in 0.. {
        if overruns.len() == MOVES {
            break;
        }
        if table.outcome().is_some() {
            table = open(game, None, None)?;
            engine.new_game();
        }
        if ply % RANDOM_EVERY == 0 {
            table.play_random(&mut rng);
            continue;
        }
        let timer = CpuTimer::start();
        let answer = engine.choose(&*table, &request)?;
        overruns.push(1000.0 * (timer.elapsed().as_secs_f64() - MOVETIME.as_secs_f64()));
        table.play(&answer.mv)?;
    }
    overruns.sort_by(f64::total_cmp);
    Ok(overruns)
}
