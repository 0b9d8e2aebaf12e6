//! `games`: the list of games, rulesets and agents.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use quincunx_agents::AGENTS;
use quincunx_games::entries;
use quincunx_outside::PROGRAMS;
use serde_json::json;

use crate::screen::fitted;

pub(crate) fn list(json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let games: Vec<_> = entries()
            .into_iter()
            .map(|entry| {
                let about = entry.about;
                let own = entry.agents.iter().map(|agent| agent.name);
                let agents: Vec<_> = AGENTS.iter().map(|(name, _)| *name).chain(own).collect();
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
                    "sides": about.sides.map(str::to_lowercase), "rulesets": rulesets, "agents": agents,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&json!({ "games": games }))?)?;
        return Ok(());
    }
    let mut text = String::new();
    for entry in entries() {
        let about = entry.about;
        _ = writeln!(text, "{:9} {}", about.name, about.summary);
        _ = writeln!(text, "{:9} {} begins against {}", "", about.sides[0], about.sides[1]);
        for ruleset in about.rulesets {
            _ = writeln!(text, "{:9} --ruleset {:13} {}", "", ruleset.name, ruleset.summary);
        }
        for agent in entry.agents {
            _ = writeln!(text, "{:9} agent {:17} {}", "", agent.name, agent.help);
        }
        text.push('\n');
    }
    for (name, summary) in AGENTS.into_iter().chain(PROGRAMS) {
        _ = writeln!(text, "agent {name:8} {summary}");
    }
    write!(out, "{}", fitted(&text))?;
    Ok(())
}
