//! A class: every submission graded by the same exam, in one queue over all threads, kept on disk as results come.

use std::{
    collections::VecDeque,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use quincunx_game::TextError;
use quincunx_outside::files::{Prepared, content_of};
use quincunx_search::Stop;
use serde_json::{Value, json};

use crate::{
    ContestError, Desk, Ended, GameRecord, Journal, Machines, Plan, Players, Progress, Runner,
    class_list::{ClassList, Entry, State},
    error::write,
    grade::{Candidate, Exam, Grade},
    journal::lock,
    play, provenance,
};

/// The lists are written again at most this often while games are played, and once at the end.
const BETWEEN_LISTS: Duration = Duration::from_secs(2);

/// What is kept of one submission beside its games.
const ENTRY_FILE: &str = "agent.json";

/// What all submissions are graded by.
const CLASS_FILE: &str = "class.json";

/// How a class is graded.
#[derive(Clone, Debug, Default)]
pub struct ClassRun<'a> {
    /// Where games, lists and pages go.
    pub out: Option<&'a Path>,
    /// The only names to be graded, again if they were before; all if it is empty.
    pub only: &'a [String],
}

impl Exam {
    /// Grades a class. One submission that cannot be run has no points, and the others go on. The directory gets
    /// `class.csv`, `class.html`, and a directory with games and a page for each; all of them are complete at any time.
    /// Whatever was graded before is kept if neither the submission nor the exam has changed.
    pub fn class(
        &self,
        candidates: &[Candidate],
        run: &ClassRun<'_>,
        runner: &mut Runner,
    ) -> Result<ClassList, ContestError> {
        if let Some(name) = run.only.iter().find(|name| candidates.iter().all(|candidate| candidate.name != **name)) {
            return Err(ContestError::wrong(format!("there is no submission {name:?} to be graded")));
        }
        let _lock = run.out.map(|out| self.claim(out)).transpose()?;
        let mut students: Vec<Student> =
            candidates.iter().map(|candidate| Student::new(candidate, self, run)).collect();
        let asked: Vec<usize> = (0..students.len()).filter(|&index| students[index].asked).collect();
        let games = self.games();
        runner.progress.tell(&self.estimate(asked.len(), runner.workers.count));
        runner.progress.begin(asked.len() as u64 * games);
        let mut lists = Lists { exam: self, out: run.out, written: None };
        lists.write(&students, true)?;
        let workers = runner.workers.count;
        let (stop, progress) = (&runner.stop, &mut *runner.progress);
        let worked = if let Some(players) = runner.elsewhere.as_deref_mut() {
            play_elsewhere(candidates, &asked, players, stop, &mut students, &mut lists, progress)
        } else {
            let queue = Queue::new(asked);
            thread::scope(|scope| {
                let (sender, events) = mpsc::channel();
                for _ in 0..workers {
                    let (sender, queue) = (sender.clone(), &queue);
                    scope.spawn(move || work(self, candidates, queue, stop, &sender));
                }
                drop(sender);
                let result = take_events(&events, &queue, &mut students, &mut lists, progress);
                queue.close();
                result
            })
        };
        let finished = students.iter_mut().try_for_each(Student::close);
        lists.write(&students, true)?;
        runner.progress.end();
        worked.and(finished)?;
        Ok(ClassList::new(self, students.into_iter().map(|student| student.entry).collect()))
    }

    /// Keeps others away from the directory, and refuses one that holds another exam.
    fn claim(&self, out: &Path) -> Result<fs::File, ContestError> {
        fs::create_dir_all(out).map_err(ContestError::keeping(out))?;
        let lock = lock(out)?;
        let identity = self.identity();
        provenance::reserve(out, CLASS_FILE, "exam", &identity, || {
            let opponents: Vec<String> = self.grading.opponents.iter().map(|(spec, _)| (*spec).into()).collect();
            provenance::document(identity.clone(), &opponents, &self.rules)
        })?;
        Ok(lock)
    }

    /// What grading so many agents can take at most.
    fn estimate(&self, agents: usize, workers: usize) -> String {
        let games = agents as u64 * self.games();
        let most = self.limit.cpu_most.or(self.limit.cpu).unwrap_or_default();
        let longest = 2 * most * games as u32 / workers.max(1) as u32;
        format!(
            "{agents} agents, {games} games on {workers} threads: at most {} if every program uses all of its {} s; the \
             bar tells more as games end",
            hours(longest),
            most.as_secs_f64()
        )
    }
}

/// A long time for people.
fn hours(time: Duration) -> String {
    let minutes = time.as_secs().div_ceil(60);
    if minutes >= 120 { format!("{} h {} min", minutes / 60, minutes % 60) } else { format!("{minutes} min") }
}

/// One submission on its way through the exam.
struct Student {
    entry: Entry,
    /// Whether it is to be graded in this run.
    asked: bool,
    directory: Option<PathBuf>,
    journal: Option<Journal>,
    grade: Option<Grade>,
    pending: usize,
}

impl Student {
    /// What is known of a submission from an earlier run; what is to be graded again is forgotten.
    fn new(candidate: &Candidate, exam: &Exam, run: &ClassRun<'_>) -> Self {
        let directory = run.out.map(|out| out.join(&candidate.name));
        let kept = directory.as_ref().and_then(|directory| fs::read(directory.join(ENTRY_FILE)).ok());
        let kept = kept.and_then(|text| serde_json::from_slice::<Entry>(&text).ok());
        let named = run.only.contains(&candidate.name);
        let asked = run.only.is_empty() || named;
        let mut entry = kept.filter(|entry| entry.name == candidate.name && !named);
        if asked && let Some(kept) = &entry {
            let content = || content_of(&candidate.spec).is_ok_and(|content| content == kept.content);
            let same = candidate.refusal().is_none() && content();
            if !same {
                entry = None;
            }
        }
        let asked = asked && entry.as_ref().is_none_or(|entry| entry.state != State::Graded);
        if asked
            && entry.is_none()
            && let Some(directory) = &directory
        {
            // Games of what was handed in before, or of a run that was asked to be made again.
            for name in ["contest.json", "games.jsonl", "games.txt", ENTRY_FILE] {
                _ = fs::remove_file(directory.join(name));
            }
        }
        let entry = entry.unwrap_or_else(|| Entry::waiting(&candidate.name, exam));
        Self { entry, asked, directory, journal: None, grade: None, pending: 0 }
    }

    /// Takes what was found out before the first game; the games that are to be played.
    fn prepared(&mut self, exam: &Exam, prepared: Prepared, plan: Option<Plan>) -> Result<Vec<u64>, ContestError> {
        self.entry.content.clone_from(&prepared.content);
        let Some(plan) = plan else {
            self.entry.refuse(prepared.refusal.as_deref().unwrap_or("it cannot be run"));
            self.grade = Some(Grade::refused(&self.entry.name, exam, prepared));
            self.keep()?;
            return Ok(Vec::new());
        };
        let mut old = Vec::new();
        if let Some(directory) = &self.directory {
            let (journal, found) = match Journal::open(directory, &plan) {
                // The class was moved: what was handed in is the same, but nobody can know that of its games.
                Err(ContestError::Wrong(_)) => {
                    for name in ["contest.json", "games.jsonl", "games.txt"] {
                        _ = fs::remove_file(directory.join(name));
                    }
                    Journal::open(directory, &plan)?
                }
                opened => opened?,
            };
            self.journal = Some(journal);
            old = found;
        }
        let pending: Vec<u64> =
            (0..plan.bouts.len() as u64).filter(|number| old.iter().all(|record| record.number != *number)).collect();
        self.pending = pending.len();
        self.grade = Some(Grade::new(&self.entry.name, exam, plan, old, prepared));
        self.update()?;
        Ok(pending)
    }

    fn take(&mut self, record: GameRecord) -> Result<(), ContestError> {
        if let Some(journal) = &mut self.journal {
            journal.add(&record);
            journal.flush()?;
        }
        if let Some(grade) = &mut self.grade {
            grade.add(record);
        }
        self.pending -= 1;
        self.update()
    }

    /// Brings entry and page up to date with the games; with the last one everything is closed.
    fn update(&mut self) -> Result<(), ContestError> {
        let Some(grade) = &self.grade else { return Ok(()) };
        self.entry.follow(grade, self.pending == 0);
        self.keep()?;
        if self.pending == 0 { self.close() } else { Ok(()) }
    }

    fn keep(&self) -> Result<(), ContestError> {
        let (Some(directory), Some(grade)) = (&self.directory, &self.grade) else { return Ok(()) };
        fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        grade.write_page(&directory.join("grade.html"))?;
        let entry = serde_json::to_string_pretty(&self.entry).expect("an entry is plain data");
        write(&directory.join(ENTRY_FILE), &format!("{entry}\n"))
    }

    fn close(&mut self) -> Result<(), ContestError> {
        match (self.journal.take(), &self.grade) {
            (Some(mut journal), Some(grade)) => grade.plan().map_or(Ok(()), |plan| journal.finish(plan)),
            _ => Ok(()),
        }
    }
}

/// The lists of the class on disk.
struct Lists<'a> {
    exam: &'a Exam,
    out: Option<&'a Path>,
    written: Option<Instant>,
}

impl Lists<'_> {
    fn write(&mut self, students: &[Student], now: bool) -> Result<(), ContestError> {
        let Some(out) = self.out else { return Ok(()) };
        if !now && self.written.is_some_and(|written| written.elapsed() < BETWEEN_LISTS) {
            return Ok(());
        }
        self.written = Some(Instant::now());
        let list = ClassList::new(self.exam, students.iter().map(|student| student.entry.clone()).collect());
        write(&out.join("class.csv"), &list.csv())?;
        write(&out.join("class.html"), &list.page(self.exam))
    }
}

/// What the threads have done.
enum Event {
    /// A submission was built, or cannot be.
    Prepared(usize, Box<Result<(Prepared, Option<Plan>), TextError>>),
    /// A game has ended.
    Played(usize, Box<Result<GameRecord, TextError>>),
}

/// What is to be done. Games come before submissions that are still to be built, so that one after the other is finished.
struct Queue {
    open: Mutex<Open>,
    changed: Condvar,
    closed: AtomicBool,
}

struct Open {
    to_prepare: VecDeque<usize>,
    /// Submissions that somebody is building.
    preparing: usize,
    games: VecDeque<(usize, Arc<Plan>, u64)>,
}

enum Job {
    Prepare(usize),
    Play(usize, Arc<Plan>, u64),
}

impl Queue {
    fn new(to_prepare: Vec<usize>) -> Self {
        let open = Open { to_prepare: to_prepare.into(), preparing: 0, games: VecDeque::new() };
        Self { open: Mutex::new(open), changed: Condvar::new(), closed: AtomicBool::new(false) }
    }

    /// The next thing to do; `None` if there is nothing left, or all is to end.
    fn next(&self, stop: &Stop) -> Option<Job> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if stop.is_stopped() || self.closed.load(Ordering::Relaxed) {
                return None;
            }
            if let Some((student, plan, number)) = open.games.pop_front() {
                return Some(Job::Play(student, plan, number));
            }
            if let Some(student) = open.to_prepare.pop_front() {
                open.preparing += 1;
                return Some(Job::Prepare(student));
            }
            if open.preparing == 0 {
                return None;
            }
            // Others may bring games; a signal to stop comes from outside.
            let waited = self.changed.wait_timeout(open, Duration::from_millis(100));
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A submission is built: these are its games.
    fn add(&self, student: usize, plan: Option<&Plan>, numbers: Vec<u64>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.preparing -= 1;
        if let Some(plan) = plan {
            let plan = Arc::new(plan.clone());
            open.games.extend(numbers.into_iter().map(|number| (student, Arc::clone(&plan), number)));
        }
        drop(open);
        self.changed.notify_all();
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

/// The life of a thread.
fn work(exam: &Exam, candidates: &[Candidate], queue: &Queue, stop: &Stop, done: &mpsc::Sender<Event>) {
    while let Some(job) = queue.next(stop) {
        let event = match job {
            Job::Prepare(student) => Event::Prepared(student, Box::new(get_ready(exam, &candidates[student]))),
            Job::Play(student, plan, number) => match play(&plan, number, stop).transpose() {
                Some(played) => Event::Played(student, Box::new(played)),
                None => return,
            },
        };
        if done.send(event).is_err() {
            return;
        }
    }
}

/// Builds a submission; its games are planned if it can be run.
fn get_ready(exam: &Exam, candidate: &Candidate) -> Result<(Prepared, Option<Plan>), TextError> {
    let prepared = candidate.prepare(&exam.rules)?;
    let plan = if prepared.refusal.is_none() { Some(exam.plan(&candidate.spec)?) } else { None };
    Ok((prepared, plan))
}

/// Takes what the threads have done until they end.
fn take_events(
    events: &mpsc::Receiver<Event>,
    queue: &Queue,
    students: &mut [Student],
    lists: &mut Lists<'_>,
    progress: &mut dyn Progress,
) -> Result<(), ContestError> {
    let exam = lists.exam;
    for event in events {
        match event {
            Event::Prepared(number, found) => {
                let (prepared, plan) = match *found {
                    Ok(found) => found,
                    Err(error) => (Prepared { refusal: Some(error.to_string()), ..Prepared::default() }, None),
                };
                let student = &mut students[number];
                let numbers = student.prepared(exam, prepared, plan.clone())?;
                for _ in numbers.len() as u64..exam.games() {
                    progress.advance();
                }
                queue.add(number, plan.as_ref(), numbers);
            }
            Event::Played(number, record) => {
                students[number].take((*record)?)?;
                progress.advance();
            }
        }
        let graded = students.iter().filter(|student| student.entry.state == State::Graded).count();
        progress.show(format!("{graded} of {} agents graded", students.len()));
        lists.write(students, false)?;
    }
    Ok(())
}

/// Has the games of one submission after the other played by other machines.
fn play_elsewhere(
    candidates: &[Candidate],
    asked: &[usize],
    players: &mut dyn Players,
    stop: &Stop,
    students: &mut [Student],
    lists: &mut Lists<'_>,
    progress: &mut dyn Progress,
) -> Result<(), ContestError> {
    let exam = lists.exam;
    for &number in asked {
        if stop.is_stopped() {
            break;
        }
        let found = get_ready(exam, &candidates[number]);
        let (prepared, plan) =
            found.unwrap_or_else(|error| (Prepared { refusal: Some(error.to_string()), ..Prepared::default() }, None));
        let student = &mut students[number];
        let pending = student.prepared(exam, prepared, plan.clone())?;
        for _ in pending.len() as u64..exam.games() {
            progress.advance();
        }
        if let Some(plan) = &plan {
            let mut desk = StudentDesk { student, progress };
            match players.play(plan, &pending, stop, &mut desk)? {
                Ended::Done(_) if stop.is_stopped() => {}
                Ended::Done(_) => players.finish(plan)?,
                // Games with a clock are not compared, so that none is ever taken back.
                Ended::Retracted(_) => return Err(ContestError::Queue("a worker was found wrong; begin again".into())),
            }
        }
        let graded = students.iter().filter(|student| student.entry.state == State::Graded).count();
        progress.show(format!("{graded} of {} agents graded", students.len()));
        lists.write(students, false)?;
    }
    Ok(())
}

/// Where the games of a submission go.
struct StudentDesk<'a> {
    student: &'a mut Student,
    progress: &'a mut dyn Progress,
}

impl Desk for StudentDesk<'_> {
    fn take(
        &mut self,
        records: &mut dyn Iterator<Item = Result<GameRecord, TextError>>,
    ) -> Result<ControlFlow<()>, ContestError> {
        for record in records {
            self.student.take(record?)?;
            self.progress.advance();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn progress(&mut self) -> &mut dyn Progress {
        self.progress
    }

    fn show_machines(&mut self, machines: &Machines) {
        if let Some(journal) = &mut self.student.journal {
            journal.keep_machines(machines);
        }
        self.progress.show_crew(machines.to_string());
    }
}

/// The exam as it is named on disk: everything that decides points.
impl Exam {
    fn identity(&self) -> Value {
        json!({
            "game": self.rules.about.name, "ruleset": self.rules.to_string(), "limit": self.limit.to_string(),
            "openings": self.openings, "seed": self.seed, "strict": self.strict,
        })
    }
}
