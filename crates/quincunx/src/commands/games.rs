//! `games`: the list of games, rulesets and agents.

use std::io::{self, Write};

use quincunx_agents::AGENTS;
use quincunx_games::all;
use quincunx_outside::PROGRAMS;
use serde_json::json;

pub(crate) fn list(json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let games: Vec<_> = all()
            .into_iter()
            .map(|about| {
                let rulesets: Vec<_> = about
                    .rulesets
                    .iter()
                    .map(|ruleset| {
                        json!({
                            "name": ruleset.name, "summary": ruleset.summary,
                            "repetition": ruleset.repetition, "plies": ruleset.plies,
                        })
                    })
                    .collect();
                json!({
                    "name": about.name, "title": about.title, "summary": about.summary,
                    "sides": about.sides.map(str::to_lowercase), "rulesets": rulesets, "agents": AGENTS.map(|(name, _)| name),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&json!({ "games": games }))?)?;
        return Ok(());
    }
    for about in all() {
        writeln!(out, "{:9} {}", about.name, about.summary)?;
        writeln!(out, "{:9} {} begins against {}", "", about.sides[0], about.sides[1])?;
        for ruleset in about.rulesets {
            writeln!(out, "{:9} --ruleset {:13} {}", "", ruleset.name, ruleset.summary)?;
        }
        writeln!(out)?;
    }
    for (name, summary) in AGENTS.into_iter().chain(PROGRAMS) {
        writeln!(out, "agent {name:8} {summary}")?;
    }
    Ok(())
}
