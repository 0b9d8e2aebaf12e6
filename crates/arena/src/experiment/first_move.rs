//! How much the first move is worth: the engine against itself, at three strengths, in every game.

use quincunx_game::{Rules, TextError};
use serde_json::json;

use super::{Findings, Results, Series, Settings, by_side, games_asked};
use crate::{ContestError, Opening, Runner, statistic::Pairs};

/// Games for each strength if nothing else is asked.
const GAMES: u64 = 100;

/// The strengths, in positions a move.
const STRENGTHS: [u32; 3] = [100, 1_000, 10_000];

/// Random plies before the engine takes over, as many of each side, so that the first move is the first side's: as few
/// as give every game an opening of its own. The engine plays the same game twice from the same opening.
const PLIES: [u32; 4] = [2, 4, 6, 8];

pub(super) fn run(settings: &Settings, runner: &mut Runner) -> Result<Findings, ContestError> {
    let games = settings.games.unwrap_or(GAMES);
    let introduction = format!(
        "The engine against itself, {games} games a strength, each after two random plies or more where those give too few openings, seed {}. \
         Score of the side that begins, in per cent.",
        settings.seed
    );
    let head = ["game", "nodes", "first wins", "second wins", "draws", "score %", "from", "to"];
    let mut findings = Findings::new("What the first move is worth", &introduction, head);
    for about in games_asked(settings)? {
        let rules = Rules::of(about);
        let openings = openings(&rules, games, settings.seed)?;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for nodes in STRENGTHS {
            runner.progress.tell(&format!("playing {}, {nodes} positions a move", about.title));
            let spec = format!("engine:nodes={nodes},book=off");
            let agents = [spec.as_str(); 2];
            let series = Series {
                name: format!("{}-{nodes}", about.name),
                rules,
                agents,
                openings: &openings,
                games,
                swapped: false,
            };
            let records = series.play(settings, runner)?;
            let Results { wins: first, draws, losses: second } = by_side(&records);
            // Single games are counted where pairs usually are: a game with one result is a pair with the same score.
            let found = Pairs([second, 0, draws, 0, first]).estimate();
            let [score, low, high] = found
                .map_or([0.5; 3], |found| [found.score, found.interval[0], found.interval[1]])
                .map(|share| 100.0 * share);
            let row = vec![
                about.name.into(),
                nodes.to_string(),
                first.to_string(),
                second.to_string(),
                draws.to_string(),
                format!("{score:.1}"),
                format!("{low:.1}"),
                format!("{high:.1}"),
            ];
            let document = json!({
                "game": about.name, "nodes": nodes, "games": games, "first_wins": first, "second_wins": second,
                "draws": draws, "score": score, "score_low": low, "score_high": high,
            });
            findings.add(row, document);
            names.push(format!("{nodes} positions"));
            values.push((score - 50.0, (high - low) / 2.0));
        }
        findings.page.heading(&format!("{}: {} begins", about.title, about.sides[0]));
        findings.page.error_bars(&names, &values, "% above half");
    }
    Ok(findings)
}

/// The shortest random openings of which there is one for each game.
fn openings(rules: &Rules, games: u64, seed: u64) -> Result<String, TextError> {
    for plies in PLIES {
        let word = format!("random:{plies}");
        if Opening::list(&word, rules, games as usize, seed)?.len() as u64 >= games {
            return Ok(word);
        }
    }
    Err(TextError::new(format!("{} has not enough openings for {games} games", rules.about.title)))
}
