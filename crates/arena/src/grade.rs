//! Grading: an agent plays each of some reference agents and gets points for its wins.

use std::{
    collections::{BTreeSet, HashSet},
    fmt::Write as _,
    fs::{self, FileType},
    path::Path,
};

use quincunx_game::{FirstMove, Rules, Side, TextError, text::quoted};
use quincunx_outside::{
    build,
    files::{Prepared, agent_file, archive_name, prepare},
    is_program,
};
use quincunx_search::entry::Grading;
use serde_json::{Value, json};

use crate::{Bout, ContestError, GameRecord, Limit, Plan, Runner, play};

/// What every agent of a class is graded by.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The grading run.
    pub grading: Grading,
    /// The rules of every game.
    pub rules: Rules,
    /// The CPU time of each side for a game, which may vary from game to game.
    pub limit: Limit,
    /// The openings, as in a match; each game against a reference agent has its own.
    pub openings: String,
    /// Whether answers must have their exact form.
    pub strict: bool,
    /// The seed of everything random.
    pub seed: u64,
}

impl Exam {
    /// The games of one agent.
    pub fn games(&self) -> u64 {
        self.grading.opponents.len() as u64 * self.grading.games
    }

    /// The games of an agent: it is number 0, the reference agents follow.
    pub(crate) fn plan(&self, spec: &str) -> Result<Plan, TextError> {
        let Grading { opponents, games, first_moves, draws_to_faster, .. } = self.grading;
        let begins = match self.rules.first {
            FirstMove::Default(side) => side,
            FirstMove::Fixed | FirstMove::Random => Side::First,
        };
        let own = if self.strict { strict(spec) } else { spec.to_string() };
        let agents = std::iter::once(own).chain(opponents.iter().map(|(spec, _)| (*spec).to_string()));
        let bouts = (0..self.games()).map(|game| {
            let (opponent, round) = (1 + (game / games) as usize, game % games);
            let first = (round < first_moves) == (begins == Side::First);
            Bout { seats: if first { [0, opponent] } else { [opponent, 0] }, pair: game }
        });
        Ok(Plan {
            limit: self.limit,
            draws_to_faster,
            bouts: bouts.collect(),
            ..Plan::new(self.rules, agents.collect(), &self.openings, self.games() as usize, self.seed)?
        })
    }

    /// Grades the agent of a spec. The games go to the directory `out`, with a page under the agent's name. `game` names
    /// the only game to be played, if that is wanted.
    pub fn grade(
        &self,
        name: &str,
        spec: &str,
        runner: &mut Runner,
        out: Option<&Path>,
        game: Option<u64>,
    ) -> Result<Grade, ContestError> {
        let plan = self.plan(spec)?;
        let mut prepared = Prepared::default();
        if spec.starts_with("files:") {
            prepared = prepare(spec, &self.rules)?;
            if let Some(why) = &prepared.refusal {
                return Err(ContestError::wrong(why.clone()));
            }
        }
        let records = match game {
            Some(number) => play(&plan, number, &runner.stop)?.into_iter().collect(),
            None => runner.records(&plan, out)?,
        };
        let grade = Grade::new(name, self, plan, records, prepared);
        if let Some(directory) = out.filter(|_| game.is_none()) {
            grade.write_page(&directory.join("grade.html"))?;
        }
        Ok(grade)
    }
}

/// A spec of the same agent whose answers must have their exact form; agents of ours have no other.
fn strict(spec: &str) -> String {
    match spec.strip_prefix("files:") {
        Some(rest) => match rest.strip_prefix('[') {
            Some(settings) => format!("files:[strict=yes,{settings}"),
            None => format!("files:[strict=yes]{rest}"),
        },
        None => spec.to_string(),
    }
}

/// A submission that is to be graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Its name in lists, which is that of its directory among the results.
    pub name: String,
    /// What is run.
    pub spec: String,
    /// Why it is not even looked at, if so.
    refusal: Option<&'static str>,
}

/// A link is not followed: whoever can put one into the folder of a class could have somebody else's program graded, or
/// learn what is on this machine.
const LINK: &str = "it is a link, and links are not followed";

/// What to do about names of before Unicode, which some programs take out of archives as they are.
const NO_TEXT: &str = "its name is not text in UTF-8: rename it";

/// Archives that some hand in although nobody asked for them.
const OTHER_ARCHIVES: [&str; 8] = [".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tbz2", ".txz"];
const OTHER_ARCHIVE: &str = "it is an archive of another kind than zip, tar and tar.gz";

impl Candidate {
    /// Builds and calibrates it. Whatever is wrong with it is told in the answer.
    pub fn prepare(&self, rules: &Rules) -> Result<Prepared, TextError> {
        match self.refusal() {
            Some(why) => Ok(Prepared { refusal: Some(why.into()), ..Prepared::default() }),
            None => prepare(&self.spec, rules),
        }
    }

    /// Whether it is a folder in which an agent stands, without building it.
    fn holds_agent(&self) -> bool {
        let path = self.spec.strip_prefix("files:").map(Path::new);
        self.refusal.is_none() && path.and_then(agent_file).is_some()
    }

    /// Why it is not even looked at.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }
}

/// What is to be graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// One agent, by its spec.
    One(String),
    /// The submissions of a class.
    Class(Vec<Candidate>),
}

/// Names that the results of a class have for other things.
const RESERVED: [&str; 4] = ["class.csv", "class.html", "class.json", "lock"];

impl Candidates {
    /// An agent by its spec, directory or archive, or all submissions in a directory: folders, zip and tar files.
    pub fn find(agent: &str, rules: &Rules) -> Result<Self, TextError> {
        let path = Path::new(agent);
        let spec = format!("files:{agent}");
        if path.is_file() && archive_name(agent).is_some() {
            return Ok(Self::One(spec));
        }
        if !path.is_dir() {
            build(agent, rules, 0)?;
            return Ok(Self::One(agent.to_string()));
        }
        let class = submissions(path);
        if let Some(file) = agent_file(path) {
            // A program that somebody has left beside the submissions must not stand for the class.
            if class.iter().filter(|candidate| candidate.holds_agent()).nth(1).is_some() {
                let file = quoted(&file);
                let why =
                    format!("{agent} holds submissions and, beside them, {file}, as if it were one: move it away");
                return Err(TextError::new(why));
            }
            build(&spec, rules, 0)?;
            return Ok(Self::One(spec));
        }
        if class.is_empty() { build(&spec, rules, 0).map(|_| Self::One(spec)) } else { Ok(Self::Class(class)) }
    }
}

/// The submissions in a directory, by their names.
pub(crate) fn submissions(directory: &Path) -> Vec<Candidate> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<(String, FileType, Option<&'static str>)> = entries
        .filter_map(|entry| Some((entry.file_name(), entry.file_type().ok()?)))
        .map(|(file, kind)| {
            let name = file.to_string_lossy().into_owned();
            let refusals = [
                (kind.is_symlink(), LINK),
                (file.to_str().is_none(), NO_TEXT),
                (!kind.is_dir() && is_other_archive(&name), OTHER_ARCHIVE),
            ];
            (name, kind, refusals.into_iter().find_map(|(is, why)| is.then_some(why)))
        })
        .filter(|(name, kind, _)| {
            let archive = archive_name(name).is_some() || is_other_archive(name);
            (kind.is_dir() || kind.is_symlink() || archive) && !name.starts_with('.') && name != "__MACOSX"
        })
        .collect();
    // Folders first, so that an archive beside a folder of the same name is the one with the longer name.
    files.sort_by_key(|(name, kind, _)| (!kind.is_dir(), name.clone()));
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_path_buf());
    let mut taken: BTreeSet<String> = RESERVED.map(String::from).into();
    let mut found: Vec<Candidate> = files
        .into_iter()
        .map(|(file, kind, refusal)| {
            let short = if kind.is_dir() { &file } else { archive_name(&file).unwrap_or(&file) };
            let mut name = if taken.contains(short) { file.clone() } else { short.to_string() };
            while taken.contains(&name) {
                name.push('_');
            }
            taken.insert(name.clone());
            Candidate { name, spec: format!("files:{}", directory.join(file).display()), refusal }
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn is_other_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    archive_name(&name).is_none() && OTHER_ARCHIVES.iter().any(|ending| name.ends_with(ending))
}

/// The grade of an agent: its games, and what they are worth.
#[derive(Clone, Debug)]
pub struct Grade {
    pub(crate) name: String,
    pub(crate) exam: Exam,
    /// The games that were planned; none if it could not be run.
    plan: Option<Plan>,
    records: Vec<GameRecord>,
    pub(crate) prepared: Prepared,
}

impl Grade {
    pub(crate) fn new(name: &str, exam: &Exam, plan: Plan, mut records: Vec<GameRecord>, prepared: Prepared) -> Self {
        records.sort_by_key(|record| record.number);
        Self { name: name.to_string(), exam: exam.clone(), plan: Some(plan), records, prepared }
    }

    /// The grade of what cannot be run.
    pub(crate) fn refused(name: &str, exam: &Exam, prepared: Prepared) -> Self {
        Self { name: name.to_string(), exam: exam.clone(), plan: None, records: Vec::new(), prepared }
    }

    /// Takes one more game.
    pub(crate) fn add(&mut self, record: GameRecord) {
        let at = self.records.partition_point(|other| other.number < record.number);
        self.records.insert(at, record);
    }

    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// The games, by their numbers.
    pub(crate) fn records(&self) -> &[GameRecord] {
        &self.records
    }

    /// The points of all games won.
    pub fn points(&self) -> u64 {
        self.records.iter().map(|record| self.points_of(record)).sum()
    }

    /// How many games are different from each other, move by move.
    pub fn different(&self) -> usize {
        self.records.iter().map(GameRecord::moves_hash).collect::<HashSet<_>>().len()
    }

    /// The games won against a reference agent, by its place in the grading run.
    pub(crate) fn wins_against(&self, opponent: usize) -> usize {
        self.records.iter().filter(|record| self.won(record) && self.opponent(record) == opponent).count()
    }

    /// What went wrong in each game that was lost by a fault.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &str> {
        self.records.iter().filter(|record| !self.won(record)).filter_map(|record| record.fault.as_deref())
    }

    /// The side of the graded agent.
    pub(crate) fn side(&self, record: &GameRecord) -> Side {
        let bout = self.plan.as_ref().and_then(|plan| plan.bouts.get(record.number as usize));
        if bout.is_some_and(|bout| bout.seats[0] == 0) { Side::First } else { Side::Second }
    }

    /// The reference agent of a game, by its place in the grading run.
    fn opponent(&self, record: &GameRecord) -> usize {
        (record.number / self.exam.grading.games.max(1)) as usize
    }

    /// What the reference agent of a game is called.
    pub(crate) fn opponent_name(&self, record: &GameRecord) -> &'static str {
        self.exam.grading.opponents.get(self.opponent(record)).map_or("", |(spec, _)| spec)
    }

    pub(crate) fn won(&self, record: &GameRecord) -> bool {
        record.winner == Some(self.side(record))
    }

    pub(crate) fn points_of(&self, record: &GameRecord) -> u64 {
        if self.won(record) { self.exam.grading.points } else { 0 }
    }

    /// The points, of how many.
    pub(crate) fn total(&self) -> String {
        format!("{} of {} points", self.points(), self.exam.grading.points * self.exam.games())
    }

    /// The games in JSON, as they count.
    pub fn games_json(&self) -> Value {
        let game = |record: &GameRecord| {
            let side = self.side(record);
            json!({
                "number": record.number, "opponent": self.opponent_name(record),
                "side": self.exam.rules.about.side_id(side), "won": self.won(record),
                "points": self.points_of(record), "cause": record.cause, "fault": record.fault,
                "plies": record.plies(), "seconds": record.used[side.index()], "time": record.seconds,
                "moves": record.moves.iter().map(|turn| turn.mv.as_str()).collect::<Vec<_>>(),
            })
        };
        self.records.iter().map(game).collect()
    }

    /// A row for each game under a head.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [String; 7]> {
        let head = ["game", "against", "side", "result", "plies", "seconds", "cause"].map(String::from);
        let rows = self.records.iter().map(|record| {
            let (side, points) = (self.side(record), self.points_of(record));
            let fault = record.fault.as_ref().map_or(String::new(), |fault| format!(": {fault}"));
            let used = record.used[side.index()];
            [
                record.number.to_string(),
                self.opponent_name(record).to_string(),
                self.exam.rules.about.side_id(side),
                if self.won(record) { format!("won, {points} points") } else { "0 points".into() },
                record.plies().to_string(),
                record.seconds.map_or_else(|| format!("{used:.2}"), |time| format!("{used:.2} of {time:.2}")),
                format!("{}{fault}", record.cause),
            ]
        });
        std::iter::once(head).chain(rows)
    }

    /// The grade for people, game by game.
    pub fn text(&self) -> String {
        let mut text = format!("{}, graded at {}\n", self.name, self.exam.rules.about.title);
        for [number, opponent, side, result, plies, seconds, cause] in self.rows() {
            _ = writeln!(text, "{number:>4}  {opponent:8} {side:6} {result:13} {plies:>5} {seconds:>8}  {cause}");
        }
        for remark in self.remarks() {
            _ = writeln!(text, "{remark}");
        }
        let (games, different) = (self.records.len(), self.different());
        _ = writeln!(text, "{}, {games} games, {different} of them different", self.total());
        text
    }

    /// What the author should know beside the results: of the calibration, and of answers that were accepted although
    /// their form is not exact.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.prepared.calibration.clone().into_iter().collect();
        let mut sloppy: Vec<(&str, usize)> = Vec::new();
        for remark in self.records.iter().flat_map(|record| &record.moves).filter_map(|turn| turn.remark.as_deref()) {
            match sloppy.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, count)) => *count += 1,
                None => sloppy.push((remark, 1)),
            }
        }
        remarks.extend(sloppy.into_iter().map(|(remark, count)| {
            format!("{remark} ({count} answers); it was accepted, but the assignment asks for the exact form")
        }));
        remarks
    }
}

/// The submissions of a class, for a competition between them.
pub fn class_of(directory: &Path) -> Result<Vec<Candidate>, TextError> {
    let class = submissions(directory);
    if class.is_empty() {
        return Err(TextError::new(format!("{} holds no submissions", directory.display())));
    }
    Ok(class)
}

/// Whether a spec or path names a program that the sandbox is needed for.
pub fn needs_walls(agent: &str) -> bool {
    is_program(agent) || Path::new(agent).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_begins_in_six_of_each_ten_games() {
        let rules = Rules::of(quincunx_games::about("pente").unwrap());
        let exam = Exam {
            grading: quincunx_games::entry(rules.about.name).unwrap().grading,
            rules,
            limit: Limit::parse("cpu=100s").unwrap(),
            openings: "start".into(),
            strict: false,
            seed: 1,
        };
        let plan = exam.plan("random").unwrap();
        assert_eq!(plan.agents, ["random", "near", "classic"]);
        assert_eq!(plan.bouts.len(), 20);
        for opponent in [1, 2] {
            let against: Vec<_> = plan.bouts.iter().filter(|bout| bout.seats.contains(&opponent)).collect();
            assert_eq!(against.len(), 10);
            assert_eq!(against.iter().filter(|bout| bout.seats[0] == 0).count(), 6);
        }
    }

    #[test]
    fn the_exact_form_is_a_setting_of_programs_only() {
        let found = ["files:a", "files:[stall=1s]a", "random"].map(strict);
        assert_eq!(found, ["files:[strict=yes]a", "files:[strict=yes,stall=1s]a", "random"]);
    }

    #[test]
    fn a_game_without_an_agent_near_the_stones_is_graded_against_random() {
        let rules = Rules::of(quincunx_games::about("othello").unwrap());
        let specs: Vec<_> =
            quincunx_games::entry(rules.about.name).unwrap().grading.opponents.iter().map(|(spec, _)| *spec).collect();
        assert_eq!(specs, ["random", "classic"]);
    }
}
