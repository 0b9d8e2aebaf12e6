//! The ladder: how much each level of the engine is stronger than the one below, in every game.

use quincunx_agents::HIGHEST_LEVEL;
use quincunx_game::Rules;
use serde_json::json;

use super::{Findings, Series, Settings, by_side, elo_text, estimate, games_asked};
use crate::{ContestError, Runner, statistic::elo};

/// Games between two neighbours if nothing else is asked, and where they begin.
const GAMES: u64 = 40;
const OPENINGS: &str = "random:4";

pub(super) fn run(settings: &Settings, runner: &mut Runner) -> Result<Findings, ContestError> {
    let games = settings.games.unwrap_or(GAMES).next_multiple_of(2);
    let openings = settings.openings.as_deref().unwrap_or(OPENINGS);
    let introduction = format!(
        "Each level against the one below, {games} games in pairs, openings {openings}, seed {}; 95 % intervals from the pairs.",
        settings.seed
    );
    let head = ["game", "level", "against", "games", "score %", "+-", "Elo", "from", "to"];
    let mut findings = Findings::new("The level ladder", &introduction, head);
    for about in games_asked(settings)? {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for level in 2..=settings.highest.unwrap_or(HIGHEST_LEVEL) {
            runner.progress.tell(&format!("playing {}, level {level} against {}", about.title, level - 1));
            let specs = [level, level - 1].map(|level| format!("engine:level={level},book=off"));
            let series = Series {
                name: format!("{}-{level}", about.name),
                rules: Rules::of(about),
                agents: [&specs[0], &specs[1]],
                openings,
                games,
                swapped: true,
            };
            let records = series.play(settings, runner)?;
            let found = estimate(&records)?;
            let [low, high] = found.interval;
            let error = (high - low) / 2.0;
            let elos = [found.score, low, high].map(elo);
            let mut row = vec![about.name.into(), level.to_string(), (level - 1).to_string(), games.to_string()];
            row.extend([found.score, error].map(|share| format!("{:.1}", 100.0 * share)));
            row.extend(elos.map(elo_text));
            let [elo, elo_low, elo_high] = elos.map(|elo| elo.is_finite().then_some(elo));
            let document = json!({
                "game": about.name, "level": level, "against": level - 1, "games": games,
                "draws": by_side(&records).draws, "score": found.score, "score_low": low, "score_high": high,
                "elo": elo, "elo_low": elo_low, "elo_high": elo_high,
            });
            findings.add(row, document);
            names.push(format!("level {level} against {}", level - 1));
            values.push((100.0 * (found.score - 0.5), 100.0 * error));
        }
        findings.page.heading(about.title);
        findings.page.error_bars(&names, &values, "% above half");
    }
    Ok(findings)
}
