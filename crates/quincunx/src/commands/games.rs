//! `games`, and what is shown where no command is given.

use std::io::{self, Write};

use quincunx_agents::AGENTS;
use quincunx_games::all;
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
    for (name, summary) in AGENTS {
        writeln!(out, "agent {name:8} {summary}")?;
    }
    Ok(())
}

pub(crate) fn welcome() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Quincunx: play, referee and study two-player board games.\n")?;
    for about in all() {
        writeln!(out, "  {:9} {}", about.name, about.summary)?;
    }
    writeln!(out, "\nTo play here:       quincunx play othello --second random")?;
    writeln!(out, "To see a board:     quincunx show othello --moves \"d3 c5\"")?;
    writeln!(out, "For all commands:   quincunx --help")?;
    Ok(())
}
