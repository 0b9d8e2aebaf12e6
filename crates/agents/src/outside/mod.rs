//! Programs from outside as agents: each runs under a warden of its own, confined, watched and ended whole.

mod confine;
mod engine;
mod files;
mod first;
mod folder;
mod group;
mod gtp;
mod line;
mod nboard;
mod order;
mod settings;
mod tree;
mod ugi;
mod ward;
mod warden;

use quincunx_game::{Rules, TextError, text::quoted};

pub use gtp::gtp_colour;
pub use ward::{confinement, set_warden};
pub use warden::warden_main;

use crate::Agent;
use settings::Settings;

/// The kinds of agents from outside, each with an example.
pub(crate) const KINDS: [(&str, &str); 4] = [
    ("files", "a directory with a program that reads input.txt and writes output.txt: files:DIR"),
    ("ugi", "a program that speaks UGI: ugi:COMMAND, ugi:[Hash=64]COMMAND"),
    ("gtp", "a program that speaks GTP: gtp:COMMAND"),
    ("nboard", "a program that speaks NBoard (Othello): nboard:COMMAND, nboard:[depth=12]COMMAND"),
];

/// How a kind is made: from its settings, what stands behind them, and the rules.
type Make = fn(Settings, &str, &Rules) -> Result<Box<dyn Agent>, TextError>;

/// The agent from outside that a spec names; `None` where it names another kind.
pub(crate) fn build(text: &str, rules: &Rules) -> Option<Result<Box<dyn Agent>, TextError>> {
    let (kind, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
    let make: Make = match kind {
        "files" => files::build,
        "ugi" => ugi::build,
        "gtp" => gtp::build,
        "nboard" => nboard::build,
        _ => return None,
    };
    Some(Settings::parse(rest).and_then(|(settings, rest)| {
        if rest.is_empty() {
            return Err(TextError::new(format!("{} names no program", quoted(text))));
        }
        make(settings, rest, rules)
    }))
}
