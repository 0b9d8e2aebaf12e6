//! `grade`: the assignment's grading run, for one agent or a whole class.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::Context;
use quincunx_arena::{
    Journal,
    grade::{GradedGame, POINTS, graded, grading, points},
    report::Page,
};
use quincunx_game::{Rules, TextError};
use quincunx_games::about;
use quincunx_machine::write_whole;
use quincunx_outside::build;
use serde_json::{Value, json};

use super::{announce_seed, contest, seed_or_new};
use crate::{cli::GradeSettings, tell};

pub(crate) fn run(settings: &GradeSettings) -> anyhow::Result<()> {
    let rules = Rules::of(about(&settings.game)?);
    let seed = settings.seed.or_else(|| kept_seed(settings.out.as_deref()?)).unwrap_or_else(|| seed_or_new(None));
    match Graded::find(&settings.agent, &rules)? {
        Graded::One(spec) => {
            announce_seed(settings.seed, seed);
            let games = grade(settings, &rules, &spec, settings.out.as_deref(), seed)?;
            if let Some(directory) = &settings.out {
                write_page(&directory.join("grade.html"), &spec, &games)?;
            }
            let mut out = io::stdout().lock();
            if settings.json {
                let document = json!({
                    "game": rules.about.name, "agent": spec, "seed": seed, "time": settings.time,
                    "points": points(&games), "games": games.iter().map(as_json).collect::<Vec<_>>(),
                });
                writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
            } else {
                write!(out, "{}", report(&rules, &spec, &games))?;
            }
        }
        Graded::Class(folders) => {
            announce_seed(settings.seed, seed);
            class(settings, &rules, &folders, seed)?;
        }
    }
    Ok(())
}

/// The seed of a run that was ended: of the agent, or of any agent of the class.
fn kept_seed(out: &Path) -> Option<u64> {
    let below = || fs::read_dir(out).ok()?.flatten().find_map(|entry| Journal::seed(&entry.path()));
    Journal::seed(out).or_else(below)
}

/// What is to be graded.
enum Graded {
    One(String),
    Class(Vec<PathBuf>),
}

impl Graded {
    /// An agent by its spec or directory, or all agents in the directories below one.
    fn find(agent: &str, rules: &Rules) -> Result<Self, TextError> {
        let path = Path::new(agent);
        if !path.is_dir() {
            build(agent, rules, 0)?;
            return Ok(Self::One(agent.to_string()));
        }
        let spec = format!("files:{agent}");
        let Err(error) = build(&spec, rules, 0) else { return Ok(Self::One(spec)) };
        let mut folders: Vec<PathBuf> = fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect();
        folders.sort();
        if folders.is_empty() { Err(error) } else { Ok(Self::Class(folders)) }
    }
}

fn grade(
    settings: &GradeSettings,
    rules: &Rules,
    spec: &str,
    out: Option<&Path>,
    seed: u64,
) -> anyhow::Result<Vec<GradedGame>> {
    let plan = grading(spec, *rules, settings.time()?, seed);
    plan.check_agents()?;
    let mut records = Vec::new();
    contest::play(&plan, settings.workers(), out, |record, _| {
        records.push(record);
        ControlFlow::Continue(())
    })?;
    Ok(graded(&plan, records))
}

fn as_json(game: &GradedGame) -> Value {
    let record = &game.record;
    json!({
        "number": record.number, "opponent": game.opponent, "side": side_name(game), "won": game.won,
        "points": if game.won { POINTS } else { 0 }, "cause": record.cause, "fault": record.fault,
        "plies": record.opening.len() + record.moves.len(), "seconds": record.used[game.side.index()],
        "moves": record.moves.iter().map(|turn| turn.mv.as_str()).collect::<Vec<_>>(),
    })
}

fn side_name(game: &GradedGame) -> String {
    about(&game.record.game).map_or_else(|_| String::new(), |about| about.side_id(game.side))
}

fn rows(games: &[GradedGame]) -> Vec<Vec<String>> {
    let mut rows = vec![["game", "against", "side", "result", "plies", "seconds", "cause"].map(String::from).to_vec()];
    for game in games {
        let record = &game.record;
        rows.push(vec![
            record.number.to_string(),
            game.opponent.clone(),
            side_name(game),
            if game.won { format!("won, {POINTS} points") } else { "0 points".into() },
            (record.opening.len() + record.moves.len()).to_string(),
            format!("{:.2}", record.used[game.side.index()]),
            record.fault.as_ref().map_or_else(|| record.cause.clone(), |fault| format!("{}: {fault}", record.cause)),
        ]);
    }
    rows
}

fn report(rules: &Rules, spec: &str, games: &[GradedGame]) -> String {
    let mut text = format!("{spec}, graded at {}\n", rules.about.title);
    for row in rows(games) {
        let [number, opponent, side, result, plies, seconds, cause] = row.as_slice() else { continue };
        _ = writeln!(text, "{number:>4}  {opponent:8} {side:6} {result:13} {plies:>5} {seconds:>8}  {cause}");
    }
    _ = writeln!(text, "{} of {} points", points(games), POINTS * games.len() as u64);
    text
}

fn write_page(path: &Path, spec: &str, games: &[GradedGame]) -> anyhow::Result<()> {
    let mut page = Page::new(&format!("{spec}: {} of {} points", points(games), POINTS * games.len() as u64));
    page.table(&rows(games));
    page.heading("Games");
    let records: Vec<_> = games.iter().map(|game| game.record.clone()).collect();
    page.games(&records);
    write_whole(path, page.finish()).with_context(|| format!("cannot write {}", path.display()))
}

/// Grades every agent and gives the class list; one that cannot be run at all has no points, and the others go on.
fn class(settings: &GradeSettings, rules: &Rules, folders: &[PathBuf], seed: u64) -> anyhow::Result<()> {
    let mut csv = String::from("agent,points,wins,against_random,against_minimax,faults,note\n");
    let mut rows =
        vec![["agent", "points", "against random", "against minimax", "faults", "note"].map(String::from).to_vec()];
    let mut list = Vec::new();
    let mut pages = vec![None];
    for folder in folders {
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let spec = format!("files:{}", folder.display());
        let out = settings.out.as_ref().map(|out| out.join(&name));
        tell(&format!("grading {name}"));
        let graded = match build(&spec, rules, 0) {
            Ok(_) => Ok(grade(settings, rules, &spec, out.as_deref(), seed)?),
            Err(error) => Err(error.to_string()),
        };
        let games = graded.as_deref().unwrap_or_default();
        if let Some(directory) = &out
            && !games.is_empty()
        {
            write_page(&directory.join("grade.html"), &name, games)?;
        }
        pages.push((!games.is_empty()).then(|| format!("{}/grade.html", url_segment(&name))));
        let wins =
            |minimax: bool| games.iter().filter(|game| game.won && (game.opponent == "classic") == minimax).count();
        let faults = games.iter().filter(|game| !game.won && game.record.fault.is_some()).count();
        let fault = games.iter().find_map(|game| game.record.fault.clone().filter(|_| !game.won));
        let note = graded.as_ref().err().cloned().or(fault).unwrap_or_default();
        let total = points(games);
        _ = writeln!(
            csv,
            "{},{total},{},{},{},{faults},{}",
            csv_field(&name),
            wins(false) + wins(true),
            wins(false),
            wins(true),
            csv_field(&note)
        );
        rows.push(vec![
            name.clone(),
            total.to_string(),
            wins(false).to_string(),
            wins(true).to_string(),
            faults.to_string(),
            note.clone(),
        ]);
        list.push(json!({ "agent": name, "points": total, "faults": faults, "note": note }));
    }
    if let Some(directory) = &settings.out {
        let mut page = Page::new(&format!("Class list: {}", rules.about.title));
        page.paragraph(&format!(
            "{} agents, 10 games each against a random and a minimax agent, {} s a game, {POINTS} points a win. Seed {seed}.",
            folders.len(),
            settings.time
        ));
        page.linked_table(&rows, |row| pages.get(row).cloned().flatten());
        for (name, text) in [("class.csv", csv.clone()), ("class.html", page.finish())] {
            let path = directory.join(name);
            write_whole(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    let mut out = io::stdout().lock();
    if settings.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&json!({ "seed": seed, "class": list }))?)?;
    } else {
        write!(out, "{csv}")?;
    }
    Ok(())
}

/// A name as a part of a path in a link.
fn url_segment(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A field of a CSV file; a spreadsheet must not take it for a formula.
fn csv_field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " "))
}
