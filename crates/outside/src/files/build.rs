//! Builds what was handed in as sources: in the sandbox, within limits of its own, and once for the same content.

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs::{self, File},
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, SystemTime},
};

use nix::unistd::geteuid;
use quincunx_agents::{Failure, Fault};
use quincunx_game::TextError;
use sha2::{Digest, Sha256};

use super::{
    client::run,
    submission::{Recipe, agent, agent_directory, calibration, has_file, made},
};
use crate::{
    sandbox::{Ending, How, MOST_FILES, Needs, Sandbox, Watch, locate},
    settings::Settings,
    words::is_active,
};

/// The CPU time and the wall-clock time that building a program may take.
const TIME: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(180)];

/// The bytes that what was handed in and what is built from it may take.
const DISK: u64 = 512 << 20;

/// A build that was not used for so long is removed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The most of a compiler's messages that is kept, in characters.
const MOST_MESSAGES: usize = 8_000;

/// Counted up whenever builds are made in another way.
const FORMAT: u32 = 1;

/// What was made of a submission.
#[derive(Debug)]
pub(super) struct Built {
    /// The directory that a game's copy is made of.
    pub(super) directory: PathBuf,
    /// The command that starts the agent.
    pub(super) command: Vec<String>,
    /// The command that starts its calibration, if it has one.
    pub(super) calibration: Option<Vec<String>>,
    /// What compilers said, and why there is no calibration if it could not be built.
    pub(super) messages: String,
}

/// Why a submission cannot be run, and what the compiler said.
#[derive(Clone, Debug)]
pub(super) struct NotBuilt {
    pub(super) failure: Failure,
    pub(super) messages: String,
}

type Kept = Arc<Mutex<Option<Result<Arc<Built>, NotBuilt>>>>;

/// The submissions built so far by this process, by their directories.
static BUILT: Mutex<BTreeMap<PathBuf, Kept>> = Mutex::new(BTreeMap::new());

/// The file that makes an agent of this very directory, if it is one.
pub fn agent_file(directory: &Path) -> Option<String> {
    agent(directory).ok().map(|recipe| recipe.from)
}

/// Says whether a directory holds an agent, without building it.
pub(super) fn check(given: &Path) -> Result<(), TextError> {
    agent(&agent_directory(given)).map(drop)
}

/// Builds what a directory holds, unless this process or an earlier one did. Who comes second waits for the first.
pub(super) fn built(given: &Path) -> Result<Arc<Built>, NotBuilt> {
    let kept = {
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(built.entry(given.to_path_buf()).or_default())
    };
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get_or_insert_with(|| build(&agent_directory(given)).map(Arc::new)).clone()
}

fn build(source: &Path) -> Result<Built, NotBuilt> {
    let refused = |error: &dyn std::fmt::Display| not_built(error.to_string(), String::new());
    let recipe = agent(source).map_err(|error| refused(&error))?;
    if let Some(program) = recipe.run.as_ref().and_then(|run| run.first())
        && !program.contains('/')
        && locate(program).is_none()
    {
        return Err(refused(&format!("{} needs {program}, which is not on this machine", recipe.from)));
    }
    let calibrator = calibration(source);
    let to_build: Vec<&Recipe> =
        std::iter::once(&recipe).chain(&calibrator).filter(|recipe| !recipe.builds.is_empty()).collect();
    if to_build.is_empty() {
        let calibration = calibrator.and_then(|recipe| recipe.run);
        let command = recipe.run.unwrap_or_default();
        return Ok(Built { directory: source.to_path_buf(), command, calibration, messages: String::new() });
    }
    let content = content(source).map_err(|error| refused(&error))?;
    let place = cache().map_err(|error| refused(&format!("there is no place for what is built: {error}")))?;
    let kept = place.join(key(&content, &to_build));
    let messages_file = kept.join("messages.txt");
    if !messages_file.exists() {
        make(source, &recipe, calibrator.as_ref(), &kept)?;
    }
    let messages = fs::read_to_string(&messages_file).unwrap_or_default();
    // Marked as used; if it cannot be, it is only removed sooner.
    _ = File::open(&kept).and_then(|kept| kept.set_modified(SystemTime::now()));
    let directory = kept.join("agent");
    let found = match recipe.run {
        Some(run) => Some(run),
        None => made(&directory).map_err(|error| refused(&error))?.and_then(|recipe| recipe.run),
    };
    let command =
        found.ok_or_else(|| not_built(format!("its {} builds no program homework", recipe.from), messages.clone()))?;
    let calibration = calibrator.filter(|recipe| is_made(recipe, &directory)).and_then(|recipe| recipe.run);
    Ok(Built { directory, command, calibration, messages })
}

/// Whether the file that a recipe starts is there.
fn is_made(recipe: &Recipe, directory: &Path) -> bool {
    match recipe.run.as_deref() {
        Some([java, name]) if java == "java" => has_file(directory, &format!("{name}.class")),
        Some([program]) => has_file(directory, program),
        _ => true,
    }
}

/// Builds in a sandbox, and keeps the directory as it is afterwards together with the messages.
fn make(source: &Path, recipe: &Recipe, calibrator: Option<&Recipe>, kept: &Path) -> Result<(), NotBuilt> {
    let settings = Settings { stall: Duration::from_secs(60), disk: DISK, ..Settings::default() };
    let broken = |error: &dyn std::fmt::Display| not_built(format!("it cannot be built: {error}"), String::new());
    let mut sandbox = Sandbox::start(&settings, false, &Needs::default()).map_err(|failure| broken(&failure))?;
    sandbox.folder.fill_from(source, DISK).map_err(|error| broken(&error))?;
    let mut messages = String::new();
    if !recipe.builds.is_empty() {
        let made = attempt(&mut sandbox, recipe, &mut messages);
        made.map_err(|failure| NotBuilt { failure, messages: messages.clone() })?;
    }
    if let Some(calibrator) = calibrator.filter(|calibrator| !calibrator.builds.is_empty()) {
        // An agent without its calibration can play.
        if let Err(failure) = attempt(&mut sandbox, calibrator, &mut messages) {
            _ = writeln!(messages, "{}: {}", calibrator.from, failure.message);
        }
    }
    keep(&sandbox, kept, &messages)
        .map_err(|error| not_built(format!("what it builds cannot be kept: {error}"), messages))
}

/// Tries the commands of a recipe until one succeeds; the messages of the first are kept, since that is the usual way.
fn attempt(sandbox: &mut Sandbox, recipe: &Recipe, messages: &mut String) -> Result<(), Failure> {
    let watch = Watch { cpu: Some(TIME[0]), wall: Some(TIME[1]), stall: TIME[0] };
    let mut first = None;
    for command in &recipe.builds {
        let program = command.first().map_or("", String::as_str);
        if !program.starts_with('/') && locate(program).is_none() {
            return Err(cannot_build(recipe, format!("there is no {program} on this machine")));
        }
        let ending = run(sandbox, command.clone(), watch)?;
        let text = shortened(&ending.stderr);
        if ending.how == How::Exited(0) {
            if let Some((_, why)) = first {
                _ = writeln!(messages, "{} builds only with `{}`; otherwise: {why}", recipe.from, command.join(" "));
            }
            messages.push_str(&text);
            return Ok(());
        }
        let why = reason(&ending);
        let more = ending.more;
        first.get_or_insert((text, why));
        if !more {
            break;
        }
    }
    let (text, why) = first.unwrap_or_default();
    messages.push_str(&text);
    Err(cannot_build(recipe, why))
}

fn cannot_build(recipe: &Recipe, why: impl std::fmt::Display) -> Failure {
    Failure::of(Fault::Crash, format!("{} does not build: {why}", recipe.from))
}

/// Why a build failed, in one line: the first error that the compiler names, or how it ended.
fn reason(ending: &Ending) -> String {
    const MOST: usize = 200;
    let line = ending.stderr.lines().map(str::trim).find(|line| line.contains("error") || line.contains("Error"));
    match (&ending.how, line) {
        (How::Exited(_), Some(line)) => line.chars().filter(|letter| !is_active(*letter)).take(MOST).collect(),
        (How::OutOfCpu | How::OutOfTime, _) => format!("it takes more than {} s", TIME[0].as_secs()),
        _ => ending.failure().message,
    }
}

fn shortened(text: &str) -> String {
    let mut text: String = text.chars().take(MOST_MESSAGES).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Copies what was built out of its sandbox.
fn keep(sandbox: &Sandbox, kept: &Path, messages: &str) -> io::Result<()> {
    make_whole(kept, |place| {
        fs::create_dir(place.join("agent"))?;
        sandbox.folder.copy_to(&place.join("agent"), DISK)?;
        fs::write(place.join("messages.txt"), messages)
    })
}

/// Makes a directory that is complete or not there.
pub(super) fn make_whole(kept: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let making = kept.with_extension(format!("{}-{number}", std::process::id()));
    let made = fs::create_dir_all(&making).and_then(|()| make(&making)).and_then(|()| fs::rename(&making, kept));
    match made {
        Ok(()) => Ok(()),
        Err(error) => {
            _ = fs::remove_dir_all(&making);
            // Another run may have been faster, with the same content.
            if kept.is_dir() { Ok(()) } else { Err(error) }
        }
    }
}

fn not_built(message: impl Into<String>, messages: String) -> NotBuilt {
    NotBuilt { failure: Failure::of(Fault::Crash, message), messages }
}

/// The name under which a build is kept: what it is made of, how, and by which compilers.
fn key(content: &str, recipes: &[&Recipe]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(format!("{FORMAT} {content}"));
    for word in recipes.iter().flat_map(|recipe| recipe.builds.iter().flatten()) {
        hasher.update(word);
        hasher.update([0]);
        if let Some(found) = locate(word).and_then(|path| fs::metadata(path).ok()) {
            hasher.update(format!("{} {}", found.len(), found.mtime()));
        }
    }
    hex(hasher)
}

/// A number for everything in a directory: the same if names, modes and contents are, wherever it is and whenever its
/// files were written.
pub(super) fn content(directory: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut open = vec![PathBuf::new()];
    let (mut files, mut left) = (0, DISK);
    while let Some(inner) = open.pop() {
        let entries = fs::read_dir(directory.join(&inner))?.collect::<io::Result<Vec<_>>>()?;
        files += entries.len();
        if files > MOST_FILES {
            return Err(io::Error::other(format!("it holds more than {MOST_FILES} files")));
        }
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let path = inner.join(name);
            let outer = directory.join(&path);
            let found = fs::symlink_metadata(&outer)?;
            let bytes = path.as_os_str().as_bytes();
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
            if found.is_dir() {
                hasher.update(b"d");
                open.push(path);
            } else if found.is_symlink() {
                let target = fs::read_link(&outer)?;
                let target = target.as_os_str().as_bytes();
                hasher.update(b"l");
                hasher.update((target.len() as u64).to_le_bytes());
                hasher.update(target);
            } else if found.is_file() {
                hasher.update(if found.permissions().mode() & 0o111 == 0 { b"f" } else { b"x" });
                left = left
                    .checked_sub(found.len())
                    .ok_or_else(|| io::Error::other(format!("it holds more than {} MB", DISK >> 20)))?;
                hasher.update(found.len().to_le_bytes());
                let mut file = File::open(&outer)?.take(found.len());
                let mut part = vec![0; 1 << 16];
                while let count @ 1.. = file.read(&mut part)? {
                    hasher.update(&part[..count]);
                }
            } else {
                hasher.update(b"?");
            }
        }
    }
    Ok(hex(hasher))
}

pub(super) fn hex(hasher: Sha256) -> String {
    let mut text = String::new();
    for byte in hasher.finalize() {
        _ = write!(text, "{byte:02x}");
    }
    text
}

/// The directory of all builds of this user; old ones are removed from it once.
pub(super) fn cache() -> Result<&'static Path, &'static str> {
    static PLACE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = PLACE.get_or_init(|| find_cache().map_err(|error| error.to_string()));
    found.as_deref().map_err(String::as_str)
}

fn find_cache() -> io::Result<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let places = [
        home.map(|home| home.join("quincunx").join("builds")),
        Some(env::temp_dir().join(format!("quincunx-builds-{}", geteuid()))),
    ];
    let mut refused = io::Error::other("no home");
    for place in places.into_iter().flatten() {
        match private(&place) {
            Ok(()) => {
                remove_old(&place);
                return Ok(place);
            }
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Makes a directory that only this user can write to, or finds it so.
fn private(place: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(place)?;
    let found = fs::symlink_metadata(place)?;
    if !found.is_dir() || found.uid() != geteuid().as_raw() || found.mode() & 0o022 != 0 {
        return Err(io::Error::other(format!("{} belongs to others", place.display())));
    }
    // A system may let nobody write here whatever the modes say.
    let trial = place.join(format!(".trial-{}", std::process::id()));
    fs::write(&trial, "")?;
    fs::remove_file(&trial)
}

fn remove_old(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|found| found.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            _ = fs::remove_dir_all(entry.path());
        }
    }
}
