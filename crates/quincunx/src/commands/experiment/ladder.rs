//! The ladder: how much each level of the engine is stronger than the one below, in every game.

use quincunx_game::Rules;
use serde_json::json;

use super::{Findings, Page, Series, elo_of, elo_text, games_asked, telling};
use crate::cli::ExperimentSettings;

/// Games between two neighbours where nothing else is asked.
const GAMES: u64 = 40;

/// The highest level that is played: those above it think so long that a ladder would take days.
const HIGHEST: u64 = 7;

/// Random plies before the engines take over.
const OPENINGS: &str = "random:4";

pub(super) fn run(settings: &ExperimentSettings) -> anyhow::Result<Findings> {
    let games = settings.games.unwrap_or(GAMES).next_multiple_of(2);
    let mut rows = vec![["game", "level", "against", "Elo", "from", "to"].map(String::from).to_vec()];
    let mut document = Vec::new();
    let mut page = Page::new("The level ladder");
    page.paragraph(&format!(
        "Each level against the one below, {games} games in pairs, openings {OPENINGS}, seed {}.",
        settings.seed
    ));
    for about in games_asked(settings)? {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for level in 2..=HIGHEST {
            telling(&format!("{}, level {level} against {}", about.title, level - 1));
            let specs = [level, level - 1].map(|level| format!("engine:level={level}"));
            let agents = [specs[0].as_str(), specs[1].as_str()];
            let series = Series { rules: Rules::of(about), agents, openings: OPENINGS, games, swapped: true };
            let [middle, low, high] = elo_of(&series.play(settings)?);
            rows.push(vec![
                about.name.into(),
                level.to_string(),
                (level - 1).to_string(),
                elo_text(middle),
                elo_text(low),
                elo_text(high),
            ]);
            let finite = |value: f64| value.is_finite().then_some(value);
            document.push(json!({
                "game": about.name, "level": level, "against": level - 1, "games": games,
                "elo": finite(middle), "elo_low": finite(low), "elo_high": finite(high),
            }));
            names.push(format!("level {level} above {}", level - 1));
            // An infinite difference is drawn at the edge of what the games can tell.
            let drawn = if middle.is_finite() { middle } else { low };
            values.push((drawn, if high.is_finite() { (high - low) / 2.0 } else { (drawn - low).abs() }));
        }
        page.heading(about.title);
        page.error_bars(&names, &values, "Elo");
    }
    page.heading("All figures");
    page.table(&rows);
    Ok(Findings { rows, page, document: document.into() })
}
