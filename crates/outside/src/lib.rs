//! Programs from outside as agents, and this engine as a program for others: the sandbox, and both ends of each
//! protocol.
//!
//! Each protocol is a folder: `client.rs` drives a program, `engine.rs` answers as one. The clients start programs in
//! the sandbox, which needs Linux; the other ends work on every system.

mod dialogue;
mod error;
pub mod files;
pub mod gtp;
pub mod nboard;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod settings;
pub mod ugi;
pub mod words;

use quincunx_agents::Agent;
use quincunx_game::{Rules, TextError};

pub use error::ServeError;
#[cfg(target_os = "linux")]
pub use sandbox::{missing_walls, set_warden, trust_programs, warden_main};

/// The kinds of programs from outside, each with an example.
pub const PROGRAMS: [(&str, &str); 4] = [
    ("files", "a directory with a program that reads input.txt and writes output.txt: files:DIR"),
    ("ugi", "a program that speaks UGI: ugi:COMMAND, ugi:[Hash=64]COMMAND"),
    ("gtp", "a program that speaks GTP: gtp:COMMAND"),
    ("nboard", "a program that speaks NBoard (Othello): nboard:COMMAND, nboard:[depth=12]COMMAND"),
];

/// The agent a spec names, ours or a program from outside: only for specs of the user who runs this program,
/// since such a spec runs commands. `seed` makes what is random in an agent of ours.
pub fn build(text: &str, rules: &Rules, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let (kind, rest) = text.trim_start().split_once(':').unwrap_or((text.trim(), ""));
    if is_program(text) { program(text, kind, rest, rules) } else { quincunx_agents::build(text, rules, seed) }
}

/// Whether a spec names a program from outside.
pub fn is_program(text: &str) -> bool {
    let kind = text.trim().split(':').next();
    PROGRAMS.iter().any(|(name, _)| Some(*name) == kind)
}

#[cfg(target_os = "linux")]
fn program(text: &str, kind: &str, rest: &str, rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    let make = match kind {
        "files" => files::client::build,
        "ugi" => ugi::client::build,
        "gtp" => gtp::client::build,
        _ => nboard::client::build,
    };
    let (settings, command) = settings::Settings::parse(rest)?;
    if command.is_empty() {
        return Err(TextError::new(format!("{} names no program", quincunx_game::text::quoted(text))));
    }
    let agent = make(settings, command, rules)?;
    sandbox::refusal().map_or(Ok(agent), |why| Err(TextError::new(why)))
}

/// The walls that are missing around programs from outside: none can be run here.
#[cfg(not(target_os = "linux"))]
pub fn missing_walls() -> Option<&'static str> {
    None
}

/// Lets programs from outside run from now on even if a wall is missing: none can be run here.
#[cfg(not(target_os = "linux"))]
pub fn trust_programs() {}

#[cfg(not(target_os = "linux"))]
fn program(_text: &str, kind: &str, _rest: &str, _rules: &Rules) -> Result<Box<dyn Agent>, TextError> {
    Err(TextError::new(format!("{kind}: programs from outside run in a sandbox that needs Linux")))
}

#[cfg(all(test, not(target_os = "linux")))]
mod tests {
    use quincunx_games::all;

    use super::*;

    #[test]
    fn programs_are_refused_in_one_line_without_a_sandbox() {
        let rules = Rules::of(all()[0]);
        assert!(build("random", &rules, 0).is_ok());
        for (kind, _) in PROGRAMS {
            let error = build(&format!("{kind}:/bin/true"), &rules, 0).err().expect(kind).to_string();
            assert!(error.contains(kind) && error.contains("Linux") && !error.contains('\n'), "{error}");
        }
    }
}
