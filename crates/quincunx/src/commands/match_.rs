//! `match`: two agents, colours swapped in pairs.

use std::{fmt::Write as _, time::Instant};

use anyhow::anyhow;
use quincunx_arena::{Plan, Standing, statistic::Sprt};
use quincunx_outside::{build, is_program};
use serde_json::{Value, json};

use super::{
    announce_seed,
    contest::{plain, print},
};
use crate::{cli::MatchSettings, tell};

pub(crate) fn run(settings: &MatchSettings) -> anyhow::Result<()> {
    let MatchSettings { contest, a, b, games, sprt, timing: with_timing, json: as_json } = settings;
    let sprt = sprt.as_deref().map(Sprt::parse).transpose()?;
    let seed = contest.seed();
    let mut plan = contest.plan(vec![a.clone(), b.clone()], games.div_ceil(2), seed)?;
    plan.bouts = Plan::pairs_between(0, 1, *games, 0).collect();
    announce_seed(contest.seed, seed);
    // What cannot even be started plays no game, and is no reason for the other to win.
    for spec in [a, b].into_iter().filter(|spec| is_program(spec)) {
        build(spec, &plan.rules, seed)?
            .get_ready()
            .map_err(|failure| anyhow!("{spec} cannot be started: {failure}"))?;
    }
    let began = Instant::now();
    let mut runner = contest.runner()?;
    let played = Standing::play(sprt, &plan, &mut runner, contest.out.as_deref());
    let (standing, timing) = played.map_err(plain)?;
    if standing.repeated() > 0 {
        tell(&format!(
            "{} of {} games are the same as another, move by move: the error is larger than told; take more openings (--openings random:8)",
            standing.repeated(),
            standing.results().games()
        ));
    }
    let seconds = began.elapsed().as_secs_f64();
    let speed = timing.games as f64 / seconds;
    let overhead = timing.overhead().as_secs_f64() * 1e6;
    let document = || {
        let mut document = document(&standing, settings, seed);
        let set_aside = runner.set_aside();
        if !set_aside.is_empty() {
            document["set_aside"] = json!(set_aside);
        }
        if *with_timing {
            document["timing"] = json!({
                "games": timing.games, "seconds": seconds, "games_per_second": speed,
                "moves": timing.moves, "referee_us_per_move": overhead, "averages": standing.times_json(),
            });
        }
        document
    };
    let text = || {
        let mut text = standing.text([a, b]);
        for line in runner.set_aside() {
            _ = writeln!(text, "{line}");
        }
        if *with_timing {
            text.push_str(&standing.times_text());
            _ = writeln!(
                text,
                "{} games in {seconds:.2} s, {speed:.0} a second; {} moves, of which the referee took {overhead:.2} us each",
                timing.games, timing.moves
            );
        }
        text
    };
    print(*as_json, document, text)
}

/// What came out of a match, in JSON.
pub(super) fn document(standing: &Standing, settings: &MatchSettings, seed: u64) -> Value {
    let MatchSettings { contest, a, b, games, .. } = settings;
    let complete = standing.is_complete(*games);
    let mut document = json!({ "game": contest.game, "a": a, "b": b, "seed": seed, "complete": complete });
    if let (Some(into), Some(from)) = (document.as_object_mut(), standing.as_json().as_object_mut()) {
        into.append(from);
    }
    document
}
