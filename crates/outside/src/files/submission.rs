//! What an author has handed in: which file of a directory is the program, how it is built, and how it is started.

use std::{
    fs::{self, File, OpenOptions},
    io::Read,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use nix::libc;
use quincunx_game::{TextError, exchange::LARGEST_FILE, text::quoted};

/// The name of the agent's program, without its ending.
pub(super) const AGENT: &str = "homework";

/// The name of the program that runs once before the first game.
pub(super) const CALIBRATION: &str = "calibrate";

/// Endings of source files in which an agent may be written.
const SOURCES: [&str; 13] = ["cpp", "cc", "cxx", "c", "java", "py", "rs", "go", "kt", "js", "hs", "ipynb", "jl"];

/// Directories inside each other that hold nothing but the next one, at most: archives are often made so.
const DEEPEST: usize = 5;

/// Entries of a directory that are looked at.
const MOST_ENTRIES: usize = 10_000;

/// How a program is made and started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Recipe {
    /// What it is made of, by its name in messages.
    pub(super) from: String,
    /// The commands that may make it; the next one is tried if one fails. None if it can be started as it is.
    pub(super) builds: Vec<Vec<String>>,
    /// The command that starts it; `None` if that is found after it was made.
    pub(super) run: Option<Vec<String>>,
}

impl Recipe {
    fn ready(from: &str, run: &[&str]) -> Self {
        Self { from: from.into(), builds: Vec::new(), run: Some(words(run)) }
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

/// The directory that holds the agent: the given one, or the only one in it, and so on.
pub(super) fn agent_directory(given: &Path) -> PathBuf {
    let mut directory = given.to_path_buf();
    for _ in 0..DEEPEST {
        if !matches!(agent_in(&directory), Ok(None)) {
            return directory;
        }
        let names = entries(&directory);
        let visible: Vec<_> = names.iter().filter(|name| !is_clutter(name)).collect();
        let [only] = visible.as_slice() else { break };
        let inner = directory.join(only);
        if !fs::symlink_metadata(&inner).is_ok_and(|found| found.is_dir()) {
            break;
        }
        directory = inner;
    }
    if matches!(agent_in(&directory), Ok(Some(_))) { directory } else { given.to_path_buf() }
}

/// Whether a name is of what systems leave in archives and directories by themselves.
pub(super) fn is_clutter(name: &str) -> bool {
    name == "__MACOSX" || name.starts_with('.')
}

/// The names in a directory, sorted.
fn entries(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().take(MOST_ENTRIES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The agent in a directory; the error says what is wrong with it, or why there is none.
pub(super) fn agent(directory: &Path) -> Result<Recipe, TextError> {
    agent_in(directory)?.ok_or_else(|| TextError::new(no_agent(directory)))
}

fn agent_in(directory: &Path) -> Result<Option<Recipe>, TextError> {
    if let Some(recipe) = sources(directory, AGENT) {
        return Ok(Some(recipe));
    }
    let to_make = has_file(directory, "Makefile") || has_file(directory, "makefile");
    if to_make && python(directory, AGENT).is_none() {
        let builds = vec![words(&["/bin/sh", "-c", "make 1>&2"])];
        return Ok(Some(Recipe { from: "Makefile".into(), builds, run: None }));
    }
    made(directory)
}

/// The agent in a directory in which nothing is left to be made.
pub(super) fn made(directory: &Path) -> Result<Option<Recipe>, TextError> {
    if let Some(recipe) = program(directory, AGENT)? {
        return Ok(Some(recipe));
    }
    if has_file(directory, "CMD") {
        let text = read_command(&directory.join("CMD")).map(|text| text.trim().to_string());
        let command = text
            .filter(|text| !text.is_empty())
            .ok_or_else(|| TextError::new("holds no agent: CMD holds no command"))?;
        return Ok(Some(Recipe::ready("CMD", &["/bin/sh", "-c", &format!("{command} \"$@\""), "agent"])));
    }
    let programs: Vec<String> = entries(directory)
        .into_iter()
        .filter(|name| executable(&directory.join(name)) && !name.starts_with(CALIBRATION))
        .filter(|name| !source_ending(name) || is_script(&directory.join(name)))
        .collect();
    match programs.as_slice() {
        [only] => Ok(Some(Recipe::ready(only, &[&format!("./{only}")]))),
        _ => Ok(None),
    }
}

/// The calibration in a directory, if there is one.
pub(super) fn calibration(directory: &Path) -> Option<Recipe> {
    sources(directory, CALIBRATION).or_else(|| program(directory, CALIBRATION).ok().flatten())
}

/// The program of this name that is to be compiled.
fn sources(directory: &Path, name: &str) -> Option<Recipe> {
    if has_file(directory, &format!("{name}.cpp")) {
        let from = format!("{name}.cpp");
        // The compiler's own standard first; the oldest and the newest accept what it does not. Headers of older compilers
        // included each other, so that nobody noticed a missing one.
        let compile =
            |standard: &[&str]| words(&[&["g++"], standard, &["-O2", "-pthread", "-o", name, &from]].concat());
        let builds = vec![
            compile(&[]),
            compile(&["-std=gnu++11"]),
            compile(&["-std=gnu++20"]),
            compile(&["-include", "bits/stdc++.h"]),
        ];
        return Some(Recipe { from: from.clone(), builds, run: Some(vec![format!("./{name}")]) });
    }
    if has_file(directory, &format!("{name}.java")) {
        let from = format!("{name}.java");
        let builds = vec![words(&["javac", "-encoding", "UTF-8", "-nowarn", &from])];
        return Some(Recipe { from: from.clone(), builds, run: Some(words(&["java", name])) });
    }
    None
}

fn python(directory: &Path, name: &str) -> Option<Recipe> {
    let from = format!("{name}.py");
    has_file(directory, &from).then(|| Recipe::ready(&from, &["python3", &from]))
}

/// The program of this name that can be started as it is.
fn program(directory: &Path, name: &str) -> Result<Option<Recipe>, TextError> {
    let has = |ending: &str| has_file(directory, &format!("{name}{ending}"));
    if has("") {
        return if executable(&directory.join(name)) {
            Ok(Some(Recipe::ready(name, &[&format!("./{name}")])))
        } else {
            Err(TextError::new(format!("holds no agent: {name} is not executable")))
        };
    }
    let jar = format!("{name}.jar");
    Ok(if has(".py") {
        python(directory, name)
    } else if has(".jar") {
        Some(Recipe::ready(&jar, &["java", "-jar", &jar]))
    } else if has(".class") {
        Some(Recipe::ready(&format!("{name}.class"), &["java", name]))
    } else {
        None
    })
}

/// Why a directory holds no agent, with the file that was probably meant to be one.
fn no_agent(directory: &Path) -> String {
    let names: Vec<String> = entries(directory).into_iter().filter(|name| !is_clutter(name)).collect();
    if names.is_empty() {
        return "holds no agent: it is empty".into();
    }
    let is_link = |name: &&String| fs::symlink_metadata(directory.join(name)).is_ok_and(|found| found.is_symlink());
    if let Some(name) = names.iter().find(is_link) {
        return format!("holds no agent: {} is a link, and links are not followed", quoted(name));
    }
    let meant: Vec<&String> =
        names.iter().filter(|name| source_ending(name) && !name.starts_with(CALIBRATION)).collect();
    let ending = |name: &str| name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    let known = ["cpp", "java", "py"];
    if let Some(name) = meant.iter().find(|name| known.contains(&ending(name).as_str())) {
        let right = format!("{AGENT}.{}", ending(name));
        return format!("holds no agent: {} should be called {right}", quoted(name));
    }
    if let Some(name) = meant.first() {
        let right = match ending(name).as_str() {
            "cc" | "cxx" => format!("{} should be called {AGENT}.cpp", quoted(name)),
            _ => format!("{} needs a Makefile that builds it, or a CMD that starts it", quoted(name)),
        };
        return format!("holds no agent: {right}");
    }
    format!(
        "holds no agent: expected {AGENT}.cpp, {AGENT}.java, {AGENT}.py, {AGENT}, {AGENT}.jar, {AGENT}.class, \
         Makefile, CMD, or one executable"
    )
}

fn source_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Whether a directory has a plain file of this name. A link is none: what it leads to is a matter of this machine, and
/// whether anything is there must not be told.
pub(super) fn has_file(directory: &Path, name: &str) -> bool {
    fs::symlink_metadata(directory.join(name)).is_ok_and(|found| found.is_file())
}

/// Whether a plain file names its interpreter.
fn is_script(path: &Path) -> bool {
    open_plain(path).is_some_and(|file| {
        let mut beginning = Vec::new();
        file.take(2).read_to_end(&mut beginning).is_ok() && beginning == b"#!"
    })
}

/// The text of a small plain file, never that of a file which a link leads to.
fn read_command(path: &Path) -> Option<String> {
    let file = open_plain(path).filter(|file| file.metadata().is_ok_and(|found| found.len() <= LARGEST_FILE))?;
    let mut text = String::new();
    file.take(LARGEST_FILE).read_to_string(&mut text).ok()?;
    Some(text)
}

fn open_plain(path: &Path) -> Option<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path).ok()?;
    file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
}

fn executable(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
