//! `bench`: fixed searches of all games; the node counts are a signature of the search, the times its speed.

use std::io::{self, Write};

use quincunx_arena::Bench;
use quincunx_games::all;
use serde_json::json;

pub(crate) fn run(json: bool) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let mut signature = 0;
    let mut out = io::stdout().lock();
    for about in all() {
        let bench = Bench::of(about.name)?;
        let (nodes, seconds, speed) = (bench.signature, bench.seconds, bench.speed());
        signature += nodes;
        if !json {
            writeln!(out, "{:9} {nodes:9} nodes {seconds:8.3} s {speed:10.0} nodes/s", about.name)?;
        }
        rows.push(json!({ "game": about.name, "nodes": nodes, "seconds": seconds, "nodes_per_second": speed }));
    }
    if json {
        let document = json!({ "signature": signature, "games": rows });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        writeln!(out, "signature {signature}")?;
    }
    Ok(())
}
