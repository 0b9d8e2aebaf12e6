//! `files:DIR`: a program that is started anew for each move, reads a file and writes one.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use quincunx_agents::{Agent, Answer, Failure, Fault, Request};
use quincunx_game::{
    AnyGame, Rules, TextError,
    exchange::{Exchange, LARGEST_FILE},
    text::quoted,
};
use quincunx_games::entry;
use quincunx_search::Limits;

use super::{
    CALIBRATION_FILE, PLAY_DATA_FILE, Prepared,
    archive::unpacked,
    archive_name,
    build::{Built, NotBuilt, built, check, content},
    submission::is_clutter,
};
use crate::{
    sandbox::{Ending, Folder, How, Needs, Sandbox, Unreadable, Watch},
    settings::Settings,
};

/// What is told as time left if the game has no limit.
const UNLIMITED_SECONDS: f64 = 100.0;

/// The longest a calibration may take.
const CALIBRATION: Duration = Duration::from_secs(300);

/// Names in a directory that are looked at to see what a program has written.
const MOST_NAMES: usize = 1000;

/// The largest `calibration.txt` that is kept.
const LARGEST_CALIBRATION: u64 = 1 << 20;

/// The submissions named so far, each with what its calibration has written.
static CALIBRATIONS: Mutex<BTreeMap<PathBuf, Arc<Calibration>>> = Mutex::new(BTreeMap::new());

type Calibration = Mutex<Option<Calibrated>>;

/// What came of a calibration.
#[derive(Clone, Default)]
struct Calibrated {
    /// What it has written.
    text: Option<Vec<u8>>,
    /// What its author should know, if it failed.
    remark: Option<String>,
}

struct FileAgent {
    settings: Settings,
    source: PathBuf,
    exchange: &'static dyn Exchange,
    calibration: Arc<Calibration>,
    /// What was built of it, once that is known.
    built: Option<Arc<Built>>,
    /// The sandbox of this game, with the directory.
    sandbox: Option<Sandbox>,
}

pub(crate) fn build(settings: Settings, path: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    Ok(Box::new(FileAgent::new(settings, path, rules)?))
}

/// A number for the content of what a `files:` spec names, whether it can be run or not.
pub fn content_of(spec: &str) -> Result<String, TextError> {
    let (_, path) = Settings::parse(spec.trim_start().strip_prefix("files:").unwrap_or(spec))?;
    let directory = open_submission(Path::new(path))?;
    content(&directory).map_err(|error| TextError::new(format!("{path}: {error}")))
}

/// The directory with what was handed in: the given one, or that into which an archive was unpacked.
pub fn open_submission(path: &Path) -> Result<PathBuf, TextError> {
    if path.is_dir() { Ok(path.to_path_buf()) } else { unpacked(path) }
}

/// Builds and calibrates the program of a `files:` spec, so that only games are left to do. Whatever is wrong with the
/// program itself is told in the answer.
pub fn prepare(spec: &str, rules: &Rules) -> Result<Prepared, TextError> {
    let (settings, path) = Settings::parse(spec.trim_start().strip_prefix("files:").unwrap_or(spec))?;
    let mut prepared = Prepared::default();
    let mut agent = match FileAgent::new(settings, path, rules) {
        Ok(agent) => agent,
        Err(error) => {
            // Its author knows the name, and the path is the grader's.
            let error = error.to_string();
            let refusal = error.strip_prefix(path).map_or(error.as_str(), |rest| rest.trim_start_matches([':', ' ']));
            return Ok(Prepared { refusal: Some(refusal.to_string()), ..prepared });
        }
    };
    match content(&agent.source) {
        Ok(content) => prepared.content = content,
        Err(error) => return Ok(Prepared { refusal: Some(error.to_string()), ..prepared }),
    }
    match built(&agent.source) {
        Ok(built) => {
            prepared.messages.clone_from(&built.messages);
            agent.built = Some(built);
            prepared.calibration = match agent.calibrated() {
                Ok(calibrated) => calibrated.remark,
                Err(failure) => Some(failure.message),
            };
        }
        Err(NotBuilt { failure, messages }) => {
            prepared.refusal = Some(failure.message);
            prepared.messages = messages;
        }
    }
    Ok(prepared)
}

impl Agent for FileAgent {
    fn get_ready(&mut self) -> Result<(), Failure> {
        if self.sandbox.is_none() {
            self.sandbox = Some(self.new_sandbox()?);
        }
        Ok(())
    }

    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        let began = Instant::now();
        let mut sandbox = match self.sandbox.take() {
            Some(sandbox) => sandbox,
            None => self.new_sandbox()?,
        };
        let Limits { movetime, clock, cpu, .. } = request.limits;
        let left = cpu.or(clock.map(|clock| clock.left)).or(movetime);
        let handed = self.exchange.handover(game, left.map_or(UNLIMITED_SECONDS, |left| left.as_secs_f64()));
        sandbox.folder.clear(&handed.output).map_err(|error| broken(&error))?;
        sandbox.folder.write(&handed.input, handed.text.as_bytes()).map_err(|error| broken(&error))?;

        let mut command = self.built()?.command.clone();
        command.extend(handed.arguments);
        let ending = run(&mut sandbox, command, Watch::under(&request.limits, self.settings.stall))?;
        let strict = self.settings.strict;
        let (mv, remark) = take_answer(self.exchange, &sandbox.folder, game, &handed.output, &ending, strict)?;
        // What it read is cleared away, so that a directory holds one state at a time.
        sandbox.folder.clear(&handed.input).map_err(|error| broken(&error))?;
        self.sandbox = ending.more.then_some(sandbox);
        Ok(Answer { mv, seconds: began.elapsed().as_secs_f64(), cpu: Some(ending.cpu), remark, ..Answer::default() })
    }

    fn new_game(&mut self) {
        self.sandbox = None;
    }
}

impl FileAgent {
    fn new(settings: Settings, path: &str, rules: &Rules) -> Result<Self, TextError> {
        settings.without_options_and_folder()?;
        let source = Path::new(path)
            .canonicalize()
            .map_err(|error| TextError::new(format!("the agent directory {path} cannot be opened: {error}")))?;
        let source = if source.is_dir() {
            source
        } else if archive_name(path).is_some() {
            // By the given name: where a link leads is nothing to tell.
            unpacked(Path::new(path))?
        } else {
            return Err(TextError::new(format!("{path} is neither a directory with an agent nor a zip or tar file")));
        };
        check(&source).map_err(|error| TextError::new(format!("{path} {error}")))?;
        let mut calibrations = CALIBRATIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let calibration = Arc::clone(calibrations.entry(source.clone()).or_default());
        let exchange = entry(rules.about.name)?.files;
        Ok(Self { settings, source, exchange, calibration, built: None, sandbox: None })
    }

    /// What was built of the submission.
    fn built(&mut self) -> Result<Arc<Built>, Failure> {
        if self.built.is_none() {
            self.built = Some(built(&self.source).map_err(|NotBuilt { failure, .. }| failure)?);
        }
        self.built.clone().ok_or_else(|| Failure::of(Fault::Crash, "it was not built"))
    }

    /// A sandbox for one game, with a copy of the agent's directory, calibrated.
    fn new_sandbox(&mut self) -> Result<Sandbox, Failure> {
        let calibration = self.calibrated()?.text;
        let sandbox = self.sandbox_with_copy()?;
        let prepare = || {
            sandbox.folder.clear(PLAY_DATA_FILE)?;
            calibration.map_or(Ok(()), |text| sandbox.folder.write(CALIBRATION_FILE, &text))
        };
        prepare().map_err(|error| broken(&error))?;
        Ok(sandbox)
    }

    fn sandbox_with_copy(&mut self) -> Result<Sandbox, Failure> {
        let built = self.built()?;
        let sandbox = Sandbox::start(&self.settings, false, &Needs::default())?;
        sandbox.folder.fill_from(&built.directory, self.settings.disk).map_err(|error| broken(&error))?;
        Ok(sandbox)
    }

    /// What the agent's calibration has written; it runs once, before the first game of any of its copies.
    fn calibrated(&mut self) -> Result<Calibrated, Failure> {
        let Some(command) = self.built()?.calibration.clone() else { return Ok(Calibrated::default()) };
        let calibration = Arc::clone(&self.calibration);
        let mut calibration = calibration.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(calibration.get_or_insert_with(|| self.calibrate(command)).clone())
    }

    /// Runs the calibration. One that fails leaves its agent without the file, which is what the assignment allows for.
    fn calibrate(&mut self, command: Vec<String>) -> Calibrated {
        let failed = |remark: String| Calibrated { text: None, remark: Some(format!("calibrate: {remark}")) };
        let mut sandbox = match self.sandbox_with_copy() {
            Ok(sandbox) => sandbox,
            Err(failure) => return failed(failure.message),
        };
        let before = sandbox.folder.names(MOST_NAMES);
        let watch = Watch { cpu: Some(CALIBRATION), wall: Some(CALIBRATION), stall: self.settings.stall };
        let ending = match run(&mut sandbox, command, watch) {
            Ok(ending) => ending,
            Err(failure) => return failed(failure.message),
        };
        match ending.how {
            How::Exited(0) => {}
            How::OutOfCpu | How::OutOfTime => return failed(format!("it took more than {} s", CALIBRATION.as_secs())),
            _ => return failed(ending.failure().message),
        }
        match sandbox.folder.read(CALIBRATION_FILE, LARGEST_CALIBRATION) {
            Ok(text) => Calibrated { text: Some(text), remark: None },
            Err(Unreadable::Missing) => {
                let names = sandbox.folder.names(MOST_NAMES);
                let new = names.into_iter().find(|name| !before.contains(name) && !is_clutter(name));
                let instead = new.map_or(String::new(), |name| format!(", but {}", quoted(&name)));
                failed(format!("it did not write {CALIBRATION_FILE}{instead}"))
            }
            Err(Unreadable::TooLarge) => {
                failed(format!("{CALIBRATION_FILE} has more than {LARGEST_CALIBRATION} bytes"))
            }
            Err(Unreadable::NoFile) => failed(format!("{CALIBRATION_FILE} is not a plain file")),
            Err(Unreadable::Refused(why)) => failed(format!("{CALIBRATION_FILE} cannot be read: {why}")),
        }
    }
}

fn broken(error: &io::Error) -> Failure {
    Failure::of(Fault::Crash, format!("its directory cannot be used: {error}"))
}

/// Runs a program to its end, and the end of everything it started.
pub(super) fn run(sandbox: &mut Sandbox, command: Vec<String>, watch: Watch) -> Result<Ending, Failure> {
    sandbox.run(command, Some(watch))?;
    let longest = watch.wall.or(watch.cpu.map(|cpu| 10 * cpu + 3 * watch.stall));
    let patience = longest.unwrap_or(Duration::from_secs(86_400)) + Duration::from_secs(10);
    sandbox.ended(patience).ok_or_else(|| Failure::of(Fault::Crash, "its warden is gone"))
}

/// The move in the output file, and what its author should know of its form. The file decides; if there is none, the way the program ended names the fault.
fn take_answer(
    exchange: &dyn Exchange,
    folder: &Folder,
    game: &dyn AnyGame,
    output: &str,
    ending: &Ending,
    strict: bool,
) -> Result<(String, Option<String>), Failure> {
    if !matches!(ending.how, How::Exited(_) | How::Signalled(_)) {
        return Err(ending.failure());
    }
    let fault = |fault, what| ending.failed(fault, what);
    let bytes = folder.read(output, LARGEST_FILE).map_err(|error| match error {
        Unreadable::Missing if ending.how == How::Exited(0) => {
            fault(Fault::NoOutput, format!("it ended without writing {output}"))
        }
        Unreadable::Missing => ending.failure(),
        Unreadable::NoFile => fault(Fault::MalformedOutput, format!("{output} is not a plain file")),
        Unreadable::TooLarge => fault(Fault::Excess, format!("{output} has more than {LARGEST_FILE} bytes")),
        Unreadable::Refused(why) => fault(Fault::MalformedOutput, format!("{output} cannot be read: {why}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| fault(Fault::MalformedOutput, format!("{output} is not text")))?;
    let wrong = |what: &dyn std::fmt::Display| fault(Fault::MalformedOutput, format!("{output}: {what}"));
    let mv = exchange.parse_answer(game, &text).map_err(|error| wrong(&error))?;
    let sloppy = sloppiness(&text);
    match sloppy {
        Some(what) if strict => Err(wrong(&what)),
        _ => Ok((mv, sloppy.map(|what| format!("{output}: {what}")))),
    }
}

/// How an answer that can be understood differs from the exact form: one line that ends with a line feed.
fn sloppiness(text: &str) -> Option<&'static str> {
    if text.contains('\r') {
        return Some("the line ends with CR LF instead of LF");
    }
    let Some(line) = text.strip_suffix('\n') else { return Some("there is no newline at the end") };
    if line.contains('\n') {
        Some("there are empty lines at the end")
    } else if line.ends_with(char::is_whitespace) {
        Some("there are blanks behind the move")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_line_with_a_line_feed_is_exact() {
        assert_eq!(sloppiness("10K\n"), None);
        for (text, says) in [("10K", "no newline"), ("10K\r\n", "CR LF"), ("10K \n", "blanks"), ("10K\n\n", "empty")] {
            assert!(sloppiness(text).is_some_and(|what| what.contains(says)), "{text:?}");
        }
    }
}
