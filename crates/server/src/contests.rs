//! Contests on disk: the runs below a folder, how each stands while it is played, and their reports.
//!
//! A run is a directory with `contest.json` and `games.jsonl`, as `match`, `tournament` and `grade` write them with
//! `--out`; a report is an HTML file. What a client names is looked up among what was found below the folder: no path
//! of a client is ever joined to it, and links are not followed.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, UNIX_EPOCH},
};

use quincunx_arena::{CrossTable, GameRecord, Results};
use quincunx_game::{Side, refusal};
use quincunx_messages::Line;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// Folders below folders that are looked into.
const DEEPEST: usize = 4;
/// Files and folders looked at in all.
const MOST_ENTRIES: usize = 10_000;
/// Bytes of a report, and of a `contest.json`.
const LARGEST_REPORT: u64 = 64 << 20;
const LARGEST_CONTEST: u64 = 1 << 20;
/// Bytes of games read for one answer; the next one goes on from there.
const MOST_AT_ONCE: u64 = 64 << 20;
/// Agents counted one by one.
const MOST_AGENTS: usize = 1_000;
/// The last games, which can be looked at.
const RECENT: usize = 20;
/// Runs whose counts are remembered.
const MOST_REMEMBERED: usize = 100;

/// The folder of contests, and how far the games of each run were counted.
pub(crate) struct Contests {
    folder: PathBuf,
    counted: Mutex<HashMap<PathBuf, Counted>>,
}

/// What was found below the folder, by its path from there.
#[derive(Default)]
struct Found {
    runs: BTreeMap<String, PathBuf>,
    reports: BTreeMap<String, PathBuf>,
}

/// The games of a run, counted up to a byte of its file.
#[derive(Default)]
struct Counted {
    bytes: u64,
    /// The agents with their numbers in the contest, if its records tell them: two may have the same spec.
    agents: Vec<(Option<usize>, String)>,
    table: CrossTable,
    recent: VecDeque<Recent>,
}

/// The runs and reports below the folder, the last touched run first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContestList {
    runs: Vec<Run>,
    reports: Vec<Report>,
}

/// A run as it stands in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Run {
    name: String,
    #[schema(required)]
    game: Option<String>,
    #[schema(required)]
    ruleset: Option<String>,
    #[schema(required)]
    limit: Option<String>,
    /// How many agents play in it.
    agents: usize,
    /// When the last game was written, in milliseconds since 1970.
    #[schema(required)]
    updated: Option<u64>,
    ended: bool,
}

/// A report as it stands in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Report {
    name: String,
    /// When it was written, in milliseconds since 1970.
    #[schema(required)]
    updated: Option<u64>,
}

/// How a run stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct Standing {
    #[serde(flatten)]
    run: Run,
    /// Whether there are more games than have been counted so far.
    behind: bool,
    /// The reports beside it.
    reports: Vec<String>,
    games: u64,
    /// The agents by their share of the points, the best first.
    table: Vec<Rank>,
    /// The numbers of two agents, with wins of the first, draws and losses.
    cross: Vec<(usize, usize, (u64, u64, u64))>,
    /// How many games ended for which reason.
    causes: BTreeMap<String, u64>,
    /// The last games, the newest first.
    recent: Vec<Recent>,
    /// The machines that play it now, if it is played over a queue.
    #[schema(required)]
    machines: Option<Machines>,
}

/// The machines that play a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct Machines {
    workers: Vec<Machine>,
    /// Games a second.
    rate: f64,
}

/// A machine that plays.
#[derive(Serialize, ToSchema)]
pub(crate) struct Machine {
    name: String,
    /// Games at the same time.
    cores: usize,
    /// Games of the run that came from it.
    games: u64,
}

/// An agent in the table of a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rank {
    agent: usize,
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The points of all that could be made, from 0 to 1.
    share: f64,
}

/// One of the last games of a run.
#[derive(Serialize, ToSchema, Clone)]
pub(crate) struct Recent {
    number: u64,
    #[schema(min_items = 2, max_items = 2)]
    agents: [String; 2],
    winner: Winner,
    cause: String,
    line: Line,
}

/// The result of a game.
#[derive(Serialize, ToSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Winner {
    First,
    Second,
    Draw,
}

impl Contests {
    /// The contests below a folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, counted: Mutex::default() }
    }

    /// All runs and reports, the last touched first.
    pub(crate) fn list(&self) -> ContestList {
        let found = self.find();
        let mut runs: Vec<_> = found.runs.iter().map(|(name, path)| Run::read(name, path)).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.updated));
        let reports = found.reports.into_iter().map(|(name, path)| Report { name, updated: touched(&path) });
        ContestList { runs, reports: reports.collect() }
    }

    /// How a run stands.
    pub(crate) fn standing(&self, name: &str) -> Result<Standing, Refusal> {
        let mut found = self.find();
        let path =
            found.runs.remove(name).ok_or_else(|| Refusal::missing(refusal!("run.missing", "there is no such run")))?;
        let mut counted = self.counted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if counted.len() >= MOST_REMEMBERED && !counted.contains_key(&path) {
            counted.clear();
        }
        let counts = counted.entry(path.clone()).or_default();
        let behind = counts.read_on(&path.join("games.jsonl")).map_err(|error| {
            tracing::warn!(%error, name, "a run cannot be read");
            Refusal::unavailable(refusal!("run.unreadable", "this run cannot be read"))
        })?;
        let beside = format!("{name}/");
        let run = Run::read(name, &path);
        Ok(Standing {
            machines: if run.ended { None } else { Machines::read(&path) },
            run,
            behind,
            reports: found.reports.into_keys().filter(|report| report.starts_with(&beside)).collect(),
            games: counts.table.games(),
            table: counts.ranking(),
            cross: counts.cross(),
            causes: counts.table.causes().clone(),
            recent: counts.recent.iter().rev().cloned().collect(),
        })
    }

    /// The file of a report and its size.
    pub(crate) fn report(&self, name: &str) -> Result<(File, u64), Refusal> {
        let missing = || Refusal::missing(refusal!("report.missing", "there is no such report"));
        let path = self.find().reports.remove(name).ok_or_else(missing)?;
        let file = File::open(path).map_err(|_| missing())?;
        let length = file.metadata().map_err(|_| missing())?.len();
        if length > LARGEST_REPORT { Err(missing()) } else { Ok((file, length)) }
    }

    /// Looks through the folder.
    fn find(&self) -> Found {
        let mut found = Found::default();
        let mut folders = vec![(self.folder.clone(), String::new(), 0)];
        let mut looked_at = 0;
        while let Some((folder, prefix, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let mut is_run = [false; 2];
            for entry in entries.flatten() {
                looked_at += 1;
                if looked_at > MOST_ENTRIES {
                    return found;
                }
                let file_name = entry.file_name();
                let Some(file) = file_name.to_str().filter(|name| !name.starts_with('.')) else { continue };
                // The kind of the entry itself: a link is neither a file nor a folder.
                let Ok(kind) = entry.file_type() else { continue };
                let name = format!("{prefix}{file}");
                if kind.is_dir() && depth < DEEPEST {
                    folders.push((entry.path(), format!("{name}/"), depth + 1));
                } else if kind.is_file() {
                    is_run[0] |= file == "contest.json";
                    is_run[1] |= file == "games.jsonl";
                    if Path::new(file).extension().is_some_and(|kind| kind.eq_ignore_ascii_case("html")) {
                        found.reports.insert(name, entry.path());
                    }
                }
            }
            if is_run == [true; 2] {
                let name = prefix.strip_suffix('/').unwrap_or(".");
                found.runs.insert(name.to_string(), folder);
            }
        }
        found
    }
}

impl Run {
    /// Reads what the directory of a run says of it.
    fn read(name: &str, path: &Path) -> Self {
        let contest = read_at_most(&path.join("contest.json"), LARGEST_CONTEST).unwrap_or_default();
        let contest: Value = serde_json::from_slice(&contest).unwrap_or_default();
        let text = |name: &str| contest[name].as_str().map(String::from);
        let updated = touched(&path.join("games.jsonl"));
        // The last thing a run does is to write its games down for people.
        let written = touched(&path.join("games.txt"));
        Self {
            name: name.into(),
            game: text("game"),
            ruleset: text("ruleset"),
            limit: text("limit"),
            agents: contest["agents"].as_array().map_or(0, Vec::len),
            updated,
            ended: written.is_some_and(|written| updated.is_some_and(|updated| written >= updated)),
        }
    }
}

impl Machines {
    /// Reads which machines play a run now. A killed coordinator leaves a file that nobody updates.
    fn read(path: &Path) -> Option<Self> {
        const FRESH: Duration = Duration::from_secs(15);
        let path = path.join(quincunx_arena::Machines::FILE);
        let written = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?.modified().ok()?;
        if written.elapsed().is_ok_and(|age| age > FRESH) {
            return None;
        }
        let found = serde_json::from_slice(&read_at_most(&path, LARGEST_CONTEST).ok()?).ok()?;
        let quincunx_arena::Machines { workers, rate } = found;
        let workers =
            workers.into_iter().map(|quincunx_arena::Machine { name, cores, games }| Machine { name, cores, games });
        Some(Self { workers: workers.collect(), rate })
    }
}

/// When a file was last written, in milliseconds since 1970.
fn touched(path: &Path) -> Option<u64> {
    let changed = fs::symlink_metadata(path).ok()?.modified().ok()?;
    changed.duration_since(UNIX_EPOCH).ok().map(|time| time.as_millis() as u64)
}

fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

impl Counted {
    /// Counts the games written since last time; whether there are still more.
    fn read_on(&mut self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < self.bytes {
            // The run began anew.
            *self = Self::default();
        }
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut reader = BufReader::new(file.take(MOST_AT_ONCE));
        let (mut line, mut read) = (Vec::new(), 0);
        loop {
            line.clear();
            let bytes = reader.read_until(b'\n', &mut line)? as u64;
            read += bytes;
            if line.last() != Some(&b'\n') {
                // Half a line is still being written, unless it is longer than any game.
                if bytes == MOST_AT_ONCE {
                    self.bytes += bytes;
                }
                return Ok(read >= MOST_AT_ONCE);
            }
            self.bytes += bytes;
            if let Ok(game) = serde_json::from_slice::<GameRecord>(&line) {
                self.count(game);
            }
        }
    }

    fn count(&mut self, game: GameRecord) {
        let seats = game.seats.map_or([None; 2], |seats| seats.map(Some));
        let numbers = [0, 1].map(|side| self.number_of(seats[side], &game.agents[side]));
        let [Some(first), Some(second)] = numbers else { return };
        self.table.add([first, second], &game);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        let moves = game.move_texts().collect::<Vec<_>>().join(" ");
        self.recent.push_back(Recent {
            number: game.number,
            agents: game.agents,
            winner: match game.winner {
                Some(Side::First) => Winner::First,
                Some(Side::Second) => Winner::Second,
                None => Winner::Draw,
            },
            cause: game.cause,
            line: Line { game: game.game, ruleset: Some(game.ruleset), position: Some(game.start), moves },
        });
    }

    fn number_of(&mut self, seat: Option<usize>, agent: &str) -> Option<usize> {
        if let Some(number) = self.agents.iter().position(|(known, name)| *known == seat && name == agent) {
            return Some(number);
        }
        if self.agents.len() >= MOST_AGENTS {
            return None;
        }
        self.agents.push((seat, agent.to_string()));
        Some(self.agents.len() - 1)
    }

    /// What an agent is called: its spec, with a number behind it if another one has the same.
    fn name(&self, agent: usize) -> String {
        let name = &self.agents[agent].1;
        let same = |agents: &[(Option<usize>, String)]| agents.iter().filter(|(_, other)| other == name).count();
        match same(&self.agents) {
            1 => name.clone(),
            _ => format!("{name} ({})", same(&self.agents[..=agent])),
        }
    }

    /// The agents by their share of the points, the best first.
    fn ranking(&self) -> Vec<Rank> {
        let mut rows: Vec<(usize, Results)> = self.table.totals().into_iter().enumerate().collect();
        rows.sort_by(|(_, a), (_, b)| b.share().total_cmp(&a.share()));
        let rows = rows.into_iter().map(|(agent, results)| {
            let Results { wins, draws, losses } = results;
            Rank { agent, name: self.name(agent), wins, draws, losses, share: results.share() }
        });
        rows.collect()
    }

    /// The results of each pair of agents: their numbers, then wins of the first, draws and losses.
    fn cross(&self) -> Vec<(usize, usize, (u64, u64, u64))> {
        let row = |((a, b), Results { wins, draws, losses })| (a, b, (wins, draws, losses));
        self.table.pairings().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("quincunx-contests-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("cup")).unwrap();
        fs::write(folder.join("cup/contest.json"), r#"{"game":"othello","agents":["a","b"]}"#).unwrap();
        fs::write(folder.join("cup/games.jsonl"), "").unwrap();
        folder
    }

    fn line(number: u64, agents: [&str; 2], winner: &str) -> String {
        serde_json::json!({
            "number": number, "pair": 0, "game": "othello", "ruleset": "8x8", "agents": agents, "start": "x",
            "opening": ["d3"], "moves": [{ "move": "c3", "us": 1 }], "position": "y", "winner": winner,
            "cause": "most discs", "used": [0.0, 0.0],
        })
        .to_string()
    }

    #[test]
    fn a_running_contest_is_counted_as_it_grows_and_half_a_line_waits() {
        let folder = folder("grows");
        let contests = Contests::new(folder.clone());
        assert_eq!(contests.standing("cup").unwrap().games, 0);
        let mut games = fs::OpenOptions::new().append(true).open(folder.join("cup/games.jsonl")).unwrap();
        let second = line(1, ["b", "a"], "draw");
        write!(games, "{}\nnonsense\n{}", line(0, ["a", "b"], "first"), &second[..20]).unwrap();
        assert_eq!(contests.standing("cup").unwrap().games, 1);
        writeln!(games, "{}", &second[20..]).unwrap();
        let standing = contests.standing("cup").unwrap();
        assert_eq!(standing.games, 2);
        assert_eq!(standing.table[0].name, "a");
        assert!((standing.table[0].share - 0.75).abs() < 1e-9);
        assert_eq!(standing.table[1].losses, 1);
        assert_eq!(standing.cross, [(0, 1, (1, 1, 0))]);
        assert_eq!(standing.recent[0].line.moves, "d3 c3");
        assert!(!standing.run.ended);
        fs::write(folder.join("cup/games.txt"), "").unwrap();
        assert!(contests.standing("cup").unwrap().run.ended);
        fs::write(folder.join("cup/games.jsonl"), format!("{}\n", line(0, ["a", "b"], "second"))).unwrap();
        assert_eq!(contests.standing("cup").unwrap().games, 1, "a run that began anew");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn two_agents_with_the_same_spec_are_two() {
        let folder = folder("twins");
        let game = |number: u64, seats: [usize; 2]| {
            let text = line(number, ["a", "a"], "first");
            text.replace("\"start\"", &format!("\"seats\":{seats:?},\"start\""))
        };
        let games = [game(0, [0, 1]), game(1, [1, 0]), game(2, [0, 1])].join("\n");
        fs::write(folder.join("cup/games.jsonl"), games + "\n").unwrap();
        let standing = Contests::new(folder.clone()).standing("cup").unwrap();
        assert_eq!(standing.table.iter().map(|rank| rank.name.as_str()).collect::<Vec<_>>(), ["a (1)", "a (2)"]);
        assert_eq!(standing.cross, [(0, 1, (2, 0, 1))]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_machines_of_a_run_are_told_while_they_play() {
        let folder = folder("machines");
        let file = folder.join("cup").join(quincunx_arena::Machines::FILE);
        let contests = Contests::new(folder.clone());
        assert!(contests.standing("cup").unwrap().machines.is_none());
        fs::write(&file, r#"{"workers":[{"name":"w1","cores":4,"games":17}],"rate":2.5}"#).unwrap();
        let machines = contests.standing("cup").unwrap().machines.unwrap();
        assert_eq!((machines.workers[0].name.as_str(), machines.workers[0].games), ("w1", 17));
        assert!((machines.rate - 2.5).abs() < 1e-9);
        let long_ago = std::time::SystemTime::now() - Duration::from_secs(60);
        File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
        assert!(contests.standing("cup").unwrap().machines.is_none(), "its coordinator was killed");
        fs::write(&file, "nonsense").unwrap();
        assert!(contests.standing("cup").unwrap().machines.is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_outside_the_folder_can_be_named() {
        let folder = folder("outside");
        fs::write(folder.join("cup/report.html"), "<p>fine").unwrap();
        fs::write(folder.join("cup/secret.txt"), "secret").unwrap();
        let beside = folder.with_extension("html");
        fs::write(&beside, "outside").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&beside, folder.join("link.html")).unwrap();
            std::os::unix::fs::symlink("/etc", folder.join("etc")).unwrap();
        }
        let contests = Contests::new(folder.clone());
        let mut report = String::new();
        contests.report("cup/report.html").unwrap().0.read_to_string(&mut report).unwrap();
        assert_eq!(report, "<p>fine");
        let outside = format!("../{}", beside.file_name().unwrap().to_str().unwrap());
        for name in [
            outside.as_str(),
            beside.to_str().unwrap(),
            "link.html",
            "cup/secret.txt",
            "cup/../cup/report.html",
            "./cup/report.html",
            "",
        ] {
            assert!(contests.report(name).is_err(), "{name}");
        }
        assert!(contests.standing("../cup").is_err() && contests.standing("etc").is_err());
        fs::remove_dir_all(folder).unwrap();
        fs::remove_file(beside).unwrap();
    }
}
