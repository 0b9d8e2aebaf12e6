//! The table of the Aboyne document: the same agent at different depths, with the printed figures beside ours.

use quincunx_game::{Rules, TextError};
use quincunx_games::about;
use serde_json::json;

use super::{Findings, Results, Series, Settings, by_side};
use crate::{ContestError, GameRecord, Runner};

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

/// The average seconds of a move of Blue, and of one of Red.
fn seconds_a_move(records: &[GameRecord]) -> [f64; 2] {
    let (mut seconds, mut moves) = ([0.0; 2], [0u64; 2]);
    for record in records {
        for (ply, turn) in record.moves.iter().enumerate() {
            seconds[ply % 2] += turn.us as f64 / 1e6;
            moves[ply % 2] += 1;
        }
    }
    [0, 1].map(|side| seconds[side] / moves[side].max(1) as f64)
}

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
    let head = [
        "ruleset",
        "search",
        "depths",
        "blue %",
        "red %",
        "draws %",
        "printed",
        "blue s/move",
        "red s/move",
        "s/game",
        "seconds",
        "printed s",
        "speed-up",
    ];
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
                let percent = [blue_wins, red_wins, draws].map(|count| 100.0 * count as f64 / games as f64);
                let [blue_move, red_move] = seconds_a_move(&records);
                let a_game = seconds / games as f64;
                let row = vec![
                    ruleset.into(),
                    search.into(),
                    format!("{blue}-{red}"),
                    format!("{:.1}", percent[0]),
                    format!("{:.1}", percent[1]),
                    format!("{:.1}", percent[2]),
                    printed.map(|count| count.to_string()).join(" "),
                    format!("{blue_move:.5}"),
                    format!("{red_move:.5}"),
                    format!("{a_game:.4}"),
                    format!("{seconds:.2}"),
                    printed_seconds.to_string(),
                    format!("{speed_up:.0}"),
                ];
                let beside = percent.iter().zip(printed).flat_map(|(ours, printed)| [*ours, printed as f64]);
                bars.push((format!("{blue}-{red}"), beside.collect()));
                let document = json!({
                    "ruleset": ruleset, "fixed": fixed, "blue_depth": blue, "red_depth": red, "games": games,
                    "blue_wins": blue_wins, "red_wins": red_wins, "draws": draws, "seconds": seconds,
                    "blue_percent": percent[0], "red_percent": percent[1], "draws_percent": percent[2],
                    "blue_seconds_per_move": blue_move, "red_seconds_per_move": red_move, "seconds_per_game": a_game,
                    "printed": printed, "printed_seconds": printed_seconds, "speed_up": speed_up,
                });
                findings.add(row, document);
            }
            findings.page.heading(&format!("{ruleset}, search {search}: {games} games a pair of depths"));
            findings.page.paragraph(
                "Percent won by Blue, won by Red, and drawn; beside each of ours the figure that is printed, of 100 games.",
            );
            findings.page.grouped_columns(&bars, "%", Some(100.0));
        }
    }
    Ok(findings)
}
