//! The table of the Aboyne document: the same agent at different depths, with the printed figures beside ours.

use quincunx_game::{Rules, TextError};
use quincunx_games::about;
use serde_json::json;

use super::{Findings, Results, Series, Settings, by_side};
use crate::{ContestError, Runner};

/// A printed row: depth of Blue and Red, wins of Blue and Red, draws, seconds for 100 games.
const PRINTED: [(u32, u32, [u64; 3], u32); 9] = [
    (1, 1, [42, 47, 11], 33),
    (2, 1, [56, 36, 8], 184),
    (2, 2, [38, 41, 21], 297),
    (3, 1, [78, 12, 10], 708),
    (3, 2, [57, 32, 11], 855),
    (3, 3, [39, 33, 28], 2626),
    (4, 1, [55, 30, 15], 3528),
    (4, 2, [67, 20, 13], 5102),
    (4, 3, [43, 36, 21], 6086),
];

/// Games a row in the document.
const PRINTED_GAMES: u64 = 100;

pub(super) fn run(settings: &Settings, runner: &mut Runner) -> Result<Findings, ContestError> {
    if settings.game.as_deref().is_some_and(|game| game != "aboyne") {
        return Err(TextError::new("aboyne-depths is about Aboyne alone").into());
    }
    let games = settings.games.unwrap_or(PRINTED_GAMES);
    let introduction = format!(
        "Minimax with alpha-beta and the evaluation f8 of the document, {games} games a row, seed {}. The printed search does not see a reached \
         goal; the fixed one does.",
        settings.seed
    );
    let head = ["ruleset", "search", "depths", "blue", "red", "draws", "printed", "seconds", "printed s", "speed-up"];
    let mut findings = Findings::new("Aboyne: what depth is worth", &introduction, head);
    for ruleset in ["seed-program", "seed", "official"] {
        for fixed in [false, true] {
            let search = if fixed { "fixed" } else { "as printed" };
            let rules = Rules::parse(about("aboyne")?, ruleset)?;
            let mut bars = Vec::new();
            for (blue, red, printed, printed_seconds) in PRINTED {
                runner.progress.tell(&format!("playing {ruleset}, {search}, depth {blue} against {red}"));
                let specs = [blue, red].map(|depth| format!("classic:eval=f8,depth={depth},fixed={fixed}"));
                let series = Series {
                    name: format!("{ruleset}-{}-{blue}-{red}", if fixed { "fixed" } else { "printed" }),
                    rules,
                    agents: [&specs[0], &specs[1]],
                    openings: "start",
                    games,
                    swapped: false,
                };
                let records = series.play(settings, runner)?;
                let Results { wins: blue_wins, draws, losses: red_wins } = by_side(&records);
                let seconds: f64 = records.iter().flat_map(|record| record.used).sum();
                let printed_for_as_many = f64::from(printed_seconds) * games as f64 / PRINTED_GAMES as f64;
                let speed_up = printed_for_as_many / seconds.max(1e-9);
                let row = vec![
                    ruleset.into(),
                    search.into(),
                    format!("{blue}-{red}"),
                    blue_wins.to_string(),
                    red_wins.to_string(),
                    draws.to_string(),
                    printed.map(|count| count.to_string()).join(" "),
                    format!("{seconds:.2}"),
                    printed_seconds.to_string(),
                    format!("{speed_up:.0}"),
                ];
                bars.push((format!("{blue}-{red}"), 100.0 * blue_wins as f64 / games as f64));
                let document = json!({
                    "ruleset": ruleset, "fixed": fixed, "blue_depth": blue, "red_depth": red, "games": games,
                    "blue_wins": blue_wins, "red_wins": red_wins, "draws": draws, "seconds": seconds,
                    "printed": printed, "printed_seconds": printed_seconds, "speed_up": speed_up,
                });
                findings.add(row, document);
            }
            findings.page.heading(&format!("{ruleset}, search {search}: games Blue won, of 100"));
            findings.page.columns(&bars, "of 100");
        }
    }
    Ok(findings)
}
