//! Finds out which commit, target and instruction set this is built from and for, with nothing but git, if it is there.

use std::{env, path::Path, process::Command};

/// The instruction sets that the speed of the games depends on.
const TOLD: [&str; 7] = ["popcnt", "bmi2", "avx2", "avx512f", "avx512vl", "neon", "simd128"];

/// The variable that gives the commit.
const GIVEN: &str = "QUINCUNX_COMMIT";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={GIVEN}");
    // Where the sources are copied without their repository, as into an image, the commit can be given.
    let given = env::var(GIVEN).ok().filter(|hash| !hash.is_empty() && hash.bytes().all(|b| b.is_ascii_hexdigit()));
    let commit = given.or_else(commit).map_or("unknown commit".into(), |hash| format!("commit {hash}"));
    let of_cargo = |name| env::var(name).unwrap_or_default();
    let (version, target, features) =
        (of_cargo("CARGO_PKG_VERSION"), of_cargo("TARGET"), of_cargo("CARGO_CFG_TARGET_FEATURE"));
    let features: Vec<&str> = features.split(',').filter(|feature| TOLD.contains(feature)).collect();
    let instructions = if features.is_empty() { "baseline".into() } else { features.join(" ") };
    println!("cargo::rustc-env=QUINCUNX_VERSION={version} ({commit}, {target}, {instructions})");
}

/// The first 12 digits of the commit that is checked out; `None` without git, or if the repository is not that of these
/// sources: an archive may be unpacked inside another project.
fn commit() -> Option<String> {
    if git(&["rev-parse", "--show-prefix"])? != "crates/version/" {
        return None;
    }
    let hash = git(&["rev-parse", "--verify", "--short=12", "HEAD"]);
    // A checkout changes HEAD, a commit the file of the branch. If that file is missing, because the branch is packed, its
    // folder is watched: a missing file would count as changed at every build.
    for name in std::iter::once("HEAD".into()).chain(git(&["symbolic-ref", "--quiet", "HEAD"])) {
        let path = git(&["rev-parse", "--git-path", &name])?;
        let watched = Path::new(&path).ancestors().find(|path| path.exists())?;
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    hash
}

/// What git answers in one line, in the folder of this crate; `None` if it is missing or refuses.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
