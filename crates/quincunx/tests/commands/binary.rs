//! Running the binary and looking at what came out of it.

use std::{
    ffi::OsStr,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

/// The binary: `quincunx`, or the one with a sixth game, whose package runs these tests, too.
pub(crate) const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_quincunx"), option_env!("CARGO_BIN_EXE_quincunx-with-ring")) {
        (Some(program), _) | (None, Some(program)) => program,
        (None, None) => panic!("these are tests of a package with one of the two"),
    };

/// What one run of the binary left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output of a run that did what was asked.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The JSON document on standard output of a run that did what was asked.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).unwrap()
    }

    /// The message of a run that refused: one line of sensible length on standard error, nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        let message = self.stderr.strip_suffix('\n').unwrap();
        assert!(message.starts_with("quincunx: "), "{message}");
        assert!(!message.contains('\n') && message.len() <= 600, "{message}");
        message.to_string()
    }
}

/// Runs the binary with nothing to read.
pub(crate) fn quincunx<T: AsRef<OsStr>>(arguments: &[T]) -> Run {
    quincunx_reading("", arguments)
}

/// Runs the binary with `input` to read.
pub(crate) fn quincunx_reading<T: AsRef<OsStr>>(input: &str, arguments: &[T]) -> Run {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let (mut pipe, input) = (child.stdin.take().unwrap(), input.to_string());
    // It may end before it has read everything: not being able to write all of it is no failure.
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The binary with its output caught, about to be run.
pub(crate) fn command<T: AsRef<OsStr>>(arguments: &[T]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Every ruleset of every game, as the binary lists them: game, ruleset, the names of the sides.
pub(crate) fn every_ruleset() -> Vec<(String, String, [String; 2])> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let list = quincunx(&["games", "--json"]).json();
    let mut rulesets = Vec::new();
    for game in list["games"].as_array().unwrap() {
        for ruleset in game["rulesets"].as_array().unwrap() {
            let sides = [text(&game["sides"][0]), text(&game["sides"][1])];
            rulesets.push((text(&game["name"]), text(&ruleset["name"]), sides));
        }
    }
    rulesets
}

/// An empty directory of this test's own.
pub(crate) fn directory(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    drop(std::fs::remove_dir_all(&path));
    std::fs::create_dir_all(&path).unwrap();
    path
}
