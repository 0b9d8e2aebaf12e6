//! `files:DIR`: a program that is started anew for each move, reads a file and writes one.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{self, Read},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use nix::libc;
use quincunx_agents::{Agent, Answer, Failure, Fault, Request};
use quincunx_game::{
    AnyGame, Rules, TextError,
    exchange::{Exchange, LARGEST_FILE},
};
use quincunx_games::entry;
use quincunx_search::Limits;

use super::{CALIBRATION_FILE, PLAY_DATA_FILE};
use crate::{
    sandbox::{Ending, Folder, How, Needs, Sandbox, Unreadable, Watch},
    settings::Settings,
};

/// What is told as time left if the game has no limit.
const UNLIMITED_SECONDS: f64 = 100.0;

/// The longest a calibration may take.
const CALIBRATION: Duration = Duration::from_secs(300);

/// The largest `calibration.txt` that is kept.
const LARGEST_CALIBRATION: u64 = 1 << 20;

/// The directories of all agents named so far, each with what its calibration has written.
static CALIBRATIONS: Mutex<BTreeMap<PathBuf, Arc<Calibration>>> = Mutex::new(BTreeMap::new());

type Calibration = Mutex<Option<Option<Vec<u8>>>>;

struct FileAgent {
    settings: Settings,
    source: PathBuf,
    exchange: &'static dyn Exchange,
    program: Vec<String>,
    calibration: Arc<Calibration>,
    /// The sandbox of this game, with the directory.
    sandbox: Option<Sandbox>,
}

pub(crate) fn build(settings: Settings, path: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    settings.without_options()?;
    let source = Path::new(path)
        .canonicalize()
        .map_err(|error| TextError::new(format!("the agent directory {path} cannot be opened: {error}")))?;
    if !source.is_dir() {
        return Err(TextError::new(format!("{path} is not a directory with an agent")));
    }
    let program = find_program(&source, "homework")?.ok_or_else(|| {
        TextError::new(format!(
            "{path} holds no agent: expected homework, homework.py, homework.jar, homework.class, CMD, or one executable"
        ))
    })?;
    let mut calibrations = CALIBRATIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let calibration = Arc::clone(calibrations.entry(source.clone()).or_default());
    let exchange = entry(rules.about.name)?.files;
    Ok(Box::new(FileAgent { settings, source, exchange, program, calibration, sandbox: None }))
}

/// The command for the program of this name in a directory, in the forms an author may hand it in.
fn find_program(source: &Path, name: &str) -> Result<Option<Vec<String>>, TextError> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
    let has = |file: &str| source.join(file).is_file();
    if has(name) {
        return if executable(&source.join(name)) {
            Ok(Some(vec![format!("./{name}")]))
        } else {
            Err(TextError::new(format!("{} is not executable", source.join(name).display())))
        };
    }
    if has(&format!("{name}.py")) {
        return Ok(Some(words(&["python3", &format!("{name}.py")])));
    }
    if has(&format!("{name}.jar")) {
        return Ok(Some(words(&["java", "-jar", &format!("{name}.jar")])));
    }
    if has(&format!("{name}.class")) {
        return Ok(Some(words(&["java", name])));
    }
    if name != "homework" {
        return Ok(None);
    }
    if has("CMD") {
        let text =
            read_command(&source.join("CMD")).map(|text| text.trim().to_string()).filter(|text| !text.is_empty());
        let command = text.ok_or_else(|| TextError::new(format!("{}/CMD holds no command", source.display())))?;
        return Ok(Some(vec!["/bin/sh".into(), "-c".into(), format!("{command} \"$@\""), "agent".into()]));
    }
    let entries = fs::read_dir(source).into_iter().flatten().flatten().take(10_000);
    let programs: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()) && executable(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with("calibrate"))
        .collect();
    match programs.as_slice() {
        [only] => Ok(Some(vec![format!("./{only}")])),
        _ => Ok(None),
    }
}

/// The text of a small plain file, never that of a file which a link leads to.
fn read_command(path: &Path) -> Option<String> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path).ok()?;
    let plain = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= LARGEST_FILE);
    let mut text = String::new();
    (plain && file.take(LARGEST_FILE).read_to_string(&mut text).is_ok()).then_some(text)
}

fn executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
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

        let mut command = self.program.clone();
        command.extend(handed.arguments);
        let ending = run(&mut sandbox, command, Watch::under(&request.limits, self.settings.stall))?;
        let mv = take_answer(self.exchange, &sandbox.folder, game, &handed.output, &ending)?;
        // What it read is cleared away, so that a directory holds one state at a time.
        sandbox.folder.clear(&handed.input).map_err(|error| broken(&error))?;
        self.sandbox = ending.more.then_some(sandbox);
        Ok(Answer { mv, seconds: began.elapsed().as_secs_f64(), cpu: Some(ending.cpu), ..Answer::default() })
    }

    fn new_game(&mut self) {
        self.sandbox = None;
    }
}

impl FileAgent {
    /// A sandbox for one game, with a copy of the agent's directory, calibrated.
    fn new_sandbox(&self) -> Result<Sandbox, Failure> {
        let calibration = self.calibrated();
        let sandbox = self.sandbox_with_copy()?;
        let prepare = || {
            sandbox.folder.clear(PLAY_DATA_FILE)?;
            calibration.map_or(Ok(()), |text| sandbox.folder.write(CALIBRATION_FILE, &text))
        };
        prepare().map_err(|error| broken(&error))?;
        Ok(sandbox)
    }

    fn sandbox_with_copy(&self) -> Result<Sandbox, Failure> {
        let sandbox = Sandbox::start(&self.settings, false, &Needs::default())?;
        sandbox.folder.fill_from(&self.source, self.settings.disk).map_err(|error| broken(&error))?;
        Ok(sandbox)
    }

    /// What the agent's calibration has written; it runs once, before the first game of any of its copies.
    fn calibrated(&self) -> Option<Vec<u8>> {
        let mut calibration = self.calibration.lock().unwrap_or_else(PoisonError::into_inner);
        calibration
            .get_or_insert_with(|| {
                let command = find_program(&self.source, "calibrate").ok().flatten()?;
                let mut sandbox = self.sandbox_with_copy().ok()?;
                let watch = Watch { cpu: Some(CALIBRATION), wall: Some(CALIBRATION), stall: self.settings.stall };
                // One that fails leaves its agent without the file, which is what the assignment allows for.
                run(&mut sandbox, command, watch).ok()?;
                sandbox.folder.read(CALIBRATION_FILE, LARGEST_CALIBRATION).ok()
            })
            .clone()
    }
}

fn broken(error: &io::Error) -> Failure {
    Failure::of(Fault::Crash, format!("its directory cannot be used: {error}"))
}

/// Runs a program to its end, and the end of everything it started.
fn run(sandbox: &mut Sandbox, command: Vec<String>, watch: Watch) -> Result<Ending, Failure> {
    sandbox.run(command, Some(watch))?;
    let longest = watch.wall.or(watch.cpu.map(|cpu| 10 * cpu + 3 * watch.stall));
    let patience = longest.unwrap_or(Duration::from_secs(86_400)) + Duration::from_secs(10);
    sandbox.ended(patience).ok_or_else(|| Failure::of(Fault::Crash, "its warden is gone"))
}

/// The move in the output file. The file decides; if there is none, the way the program ended names the fault.
fn take_answer(
    exchange: &dyn Exchange,
    folder: &Folder,
    game: &dyn AnyGame,
    output: &str,
    ending: &Ending,
) -> Result<String, Failure> {
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
    exchange.parse_answer(game, &text).map_err(|error| fault(Fault::MalformedOutput, format!("{output}: {error}")))
}
