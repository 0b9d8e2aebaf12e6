//! The interpreters of this system, and which files they need: programs of any author may be started by them.

use std::{
    collections::BTreeSet,
    env,
    fmt::Write,
    fs::{self, File},
    io::Read,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use super::root::SYSTEM;

/// The interpreters that are looked for outside the system folders, where everything is visible anyway.
const NAMES: [&str; 12] =
    ["python3", "python", "pypy3", "java", "node", "deno", "bun", "ruby", "perl", "lua", "julia", "dotnet"];

/// Where Python keeps packages, below the folders of its libraries.
const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

/// What of the folder of an interpreter is shown.
const PARTS: [&str; 7] = ["bin", "lib", "lib64", "conf", "jmods", "release", "pyvenv.cfg"];

/// Where programs are found in the system folders.
const SYSTEM_SEARCH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games";

/// Interpreters outside the system folders.
#[derive(Default)]
pub(super) struct Interpreters {
    /// The files and directories they need.
    pub(super) readable: BTreeSet<PathBuf>,
    /// The directories to search for programs, as in `PATH`.
    pub(super) search: String,
}

/// Those that the user's `PATH` leads to, found out once.
pub(super) fn interpreters() -> &'static Interpreters {
    static FOUND: OnceLock<Interpreters> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Interpreters::default();
        for path in NAMES.iter().filter_map(|name| locate(name)).filter(|path| !in_system(path)) {
            for program in programs(&path) {
                found.add(&program);
            }
        }
        found.search.push_str(SYSTEM_SEARCH);
        found
    })
}

impl Interpreters {
    fn add(&mut self, program: &Path) {
        let Some(directory) = program.parent() else { return };
        if !in_system(directory) && !self.search.split(':').any(|known| Path::new(known) == directory) {
            _ = write!(self.search, "{}:", directory.display());
        }
        for path in [Some(program.to_path_buf()), program.canonicalize().ok()].into_iter().flatten() {
            let Some(prefix) = path.parent().and_then(Path::parent).filter(|_| !in_system(&path)) else { continue };
            self.readable.extend(PARTS.iter().map(|part| prefix.join(part)).filter(|path| path.exists()));
        }
    }
}

/// The program itself; of a Python that is chosen by a script, the one it chooses, and that which this one is based on.
fn programs(path: &Path) -> Vec<PathBuf> {
    const ASK: &str = "import os, sys
name = os.path.basename(sys.executable)
for prefix in sys.prefix, sys.base_prefix: print(os.path.join(prefix, 'bin', name))";
    let mut beginning = [0; 2];
    let script = File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok() && &beginning == b"#!";
    if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("py")) {
        return vec![path.to_path_buf()];
    }
    let asked = Command::new(path).args(["-I", "-c", ASK]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let said = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let own = (!script).then(|| path.to_path_buf());
    own.into_iter().chain(said.lines().map(PathBuf::from)).filter(|path| path.exists()).collect()
}

/// All that is installed of our own engine as a package for Python, found out once.
pub(super) fn own_packages() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let system = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"].map(PathBuf::from);
        let libraries = system.iter().chain(&interpreters().readable);
        let versions = libraries.flat_map(|library| named(library, "python").chain(named(library, "pypy")));
        let packages = versions.flat_map(|version| PACKAGES.map(|name| version.join(name)));
        packages.flat_map(|folder| named(&folder, "quincunx")).collect()
    })
}

/// What in a folder has a name that begins so.
fn named(folder: &Path, beginning: &'static str) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(move |entry| entry.file_name().as_bytes().starts_with(beginning.as_bytes()))
        .map(|entry| entry.path())
}

/// The program that a name leads to, as the user's shell finds it.
pub(crate) fn locate(name: &str) -> Option<PathBuf> {
    every(name).into_iter().next()
}

/// All programs of a name that a shell could find.
pub(super) fn every(name: &str) -> Vec<PathBuf> {
    let search = env::var_os("PATH").unwrap_or_default();
    let executable =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    env::split_paths(&search).filter(|path| path.is_absolute()).map(|path| path.join(name)).filter(executable).collect()
}

/// Whether a path is in a folder that every program sees.
pub(crate) fn in_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}
