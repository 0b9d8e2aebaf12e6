//! `bench`: fixed searches of all games; the node counts are a signature of the search, the times its speed.

use std::io::{self, Write};

use quincunx_agents::{Request, Resources, analyst};
use quincunx_game::AnyGame;
use quincunx_games::{all, open};
use quincunx_machine::CpuTimer;
use quincunx_search::Limits;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

/// Random plies before each position searched.
const PLIES: [usize; 6] = [0, 4, 9, 14, 20, 27];
/// The nodes of one search.
const NODES: u64 = 150_000;

pub(crate) fn run(json: bool) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let mut signature = 0;
    let mut out = io::stdout().lock();
    for about in all() {
        let (mut counted, mut visited, mut seconds) = (0, 0, 0.0);
        for plies in PLIES {
            let table = position(about.name, plies)?;
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let request = Request { limits, ..Request::default() };
            // Each search has a new engine, made before the clock starts: unpacking weights is not searching.
            let mut analyst = analyst(table.rules(), Resources { megabytes: 16, threads: 1 }, None);
            // The nodes up to the last complete iteration reveal every change of the search.
            let mut complete = 0;
            let timer = CpuTimer::start();
            let last = analyst.analyse(&*table, 1, &request, &mut |analysis| complete = analysis.nodes)?;
            seconds += timer.elapsed().as_secs_f64();
            counted += complete;
            visited += last.nodes;
        }
        signature += counted;
        let speed = visited as f64 / seconds;
        if !json {
            writeln!(out, "{:9} {counted:9} nodes {:8.3} s {:10.0} nodes/s", about.name, seconds, speed)?;
        }
        rows.push(json!({ "game": about.name, "nodes": counted, "seconds": seconds, "nodes_per_second": speed }));
    }
    if json {
        let document = json!({ "signature": signature, "games": rows });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        writeln!(out, "signature {signature}")?;
    }
    Ok(())
}

/// A position after random moves, the same every time, in which the game is not over.
fn position(game: &str, plies: usize) -> anyhow::Result<Box<dyn AnyGame>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plies as u64);
    loop {
        let mut table = open(game, None, None)?;
        for _ in 0..plies {
            table.play_random(&mut rng);
        }
        if table.outcome().is_none() {
            return Ok(table);
        }
    }
}
