//! `match`: two agents, colours swapped in pairs.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use quincunx_arena::{
    Plan, Results, Standing,
    statistic::{Decision, Sprt, elo},
};
use serde_json::json;

use super::{announce_seed, contest, seed_or_new};
use crate::{cli::ContestSettings, tell};

/// Between two looks of a person at the table.
const REFRESH: Duration = Duration::from_millis(200);

/// Faults that are told one by one; the record has them all.
const MOST_FAULTS: usize = 10;

/// What is told of a match beside its result, and how.
pub(crate) struct Shown {
    pub(crate) timing: bool,
    pub(crate) json: bool,
}

pub(crate) fn run(
    settings: &ContestSettings,
    [a, b]: [&str; 2],
    games: u64,
    sprt: Option<&str>,
    shown: &Shown,
) -> anyhow::Result<()> {
    let sprt = sprt.map(Sprt::parse).transpose()?;
    let seed = settings.seed_or(seed_or_new(settings.seed));
    let mut plan = settings.plan(vec![a.to_string(), b.to_string()], games.div_ceil(2) as usize, seed)?;
    plan.bouts = Plan::pairs_between(0, 1, games, 0).collect();
    announce_seed(settings.seed, seed);

    let mut standing = Standing::new(sprt);
    let mut faults = Vec::new();
    let (mut seen, mut repeated) = (HashSet::new(), 0);
    let mut refreshed = Instant::now();
    let began = Instant::now();
    let timing = contest::play(&plan, settings.workers(), settings.out.as_deref(), |record, bar| {
        standing.add(&record);
        let mut game = DefaultHasher::new();
        (&record.agents, &record.start, &record.opening).hash(&mut game);
        record.moves.iter().for_each(|turn| turn.mv.hash(&mut game));
        repeated += u64::from(!seen.insert(game.finish()));
        if let Some(fault) = record.fault
            && faults.len() < MOST_FAULTS
        {
            faults.push(format!("game {}, {}: {fault}", record.number, record.cause));
        }
        if refreshed.elapsed() > REFRESH {
            refreshed = Instant::now();
            bar.set_message(live_table(&standing));
        }
        if standing.decision().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;

    if repeated > 0 {
        tell(&format!(
            "{repeated} of {} games are the same as another, move by move: the error is larger than told; take more openings (--openings random:8)",
            standing.results().games()
        ));
    }
    let seconds = began.elapsed().as_secs_f64();
    let mut out = io::stdout().lock();
    if shown.json {
        let mut document = json!({ "game": plan.rules.about.name, "a": a, "b": b, "seed": seed });
        if let (Some(into), Some(from)) = (document.as_object_mut(), standing.as_json().as_object_mut()) {
            into.append(from);
        }
        document["faults"] = json!(faults);
        document["repeated"] = json!(repeated);
        if shown.timing {
            document["timing"] = json!({
                "games": timing.games, "seconds": seconds, "games_per_second": timing.games as f64 / seconds,
                "moves": timing.moves, "referee_us_per_move": timing.overhead().as_secs_f64() * 1e6,
            });
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        write!(out, "{}", report(&standing, a, b))?;
        for fault in &faults {
            writeln!(out, "{fault}")?;
        }
        if shown.timing {
            writeln!(
                out,
                "{} games in {seconds:.2} s, {:.0} a second; {} moves, of which the referee took {:.2} us each",
                timing.games,
                timing.games as f64 / seconds,
                timing.moves,
                timing.overhead().as_secs_f64() * 1e6
            )?;
        }
    }
    Ok(())
}

fn live_table(standing: &Standing) -> String {
    let Results { wins, draws, losses } = standing.results();
    let elo = standing.estimate().map_or(String::new(), |found| {
        let [low, high] = found.interval.map(elo);
        format!("   Elo {:+.1} [{low:+.1}, {high:+.1}]", elo(found.score))
    });
    let ratio = standing.ratio().map_or(String::new(), |ratio| format!("   LLR {ratio:+.2} of ±{:.2}", Sprt::bound()));
    format!("won {wins}, drawn {draws}, lost {losses}{elo}{ratio}")
}

fn report(standing: &Standing, a: &str, b: &str) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    let results = standing.results();
    let (games, Results { wins, draws, losses }) = (results.games(), results);
    _ = writeln!(text, "{a} against {b}: {games} games, {wins} won, {draws} drawn, {losses} lost");
    if let Some(found) = standing.estimate() {
        let [low, high] = found.interval.map(elo);
        _ = writeln!(
            text,
            "score {:.1} %, Elo {:+.1}, 95 % interval {low:+.1} to {high:+.1}, likelihood of superiority {:.1} %",
            100.0 * found.score,
            elo(found.score),
            100.0 * found.los
        );
        let pairs = standing.pairs().0;
        _ = writeln!(text, "pairs by points 0, 1/2, 1, 3/2, 2: {pairs:?}");
    }
    if let Some(ratio) = standing.ratio() {
        let decision = match standing.decision() {
            Some((Decision::Accepted, pairs)) => format!("the second hypothesis holds, after {pairs} pairs"),
            Some((Decision::Rejected, pairs)) => format!("the first hypothesis holds, after {pairs} pairs"),
            None => "undecided".into(),
        };
        _ = writeln!(text, "sequential test: log-likelihood ratio {ratio:+.2} of ±{:.2}, {decision}", Sprt::bound());
    }
    for (cause, count) in standing.causes() {
        _ = writeln!(text, "{count:8}  {cause}");
    }
    text
}
