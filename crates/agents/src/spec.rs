//! Spec strings: one way to name an agent, the same on the command line, in the server and in tournament files.

use quincunx_game::{Rules, TextError, text::quoted};

use crate::{Agent, random::Random};

/// A spec string taken apart: a kind, and its options in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What stands before the first colon.
    pub kind: String,
    /// What stands behind it, as `name=value` pairs separated by commas.
    pub options: Vec<(String, String)>,
}

impl Spec {
    /// Takes `kind` or `kind:name=value,name=value` apart.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let (kind, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let mut options = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                TextError::new(format!("{} in the agent {}: options are name=value", quoted(part), quoted(text)))
            })?;
            options.push((name.trim().to_string(), value.trim().to_string()));
        }
        Ok(Self { kind: kind.to_string(), options })
    }
}

/// The agent a spec names, for games under `rules`; `seed` makes what is random in it.
pub fn build(text: &str, _rules: &Rules, seed: u64) -> Result<Box<dyn Agent>, TextError> {
    let spec = Spec::parse(text)?;
    match spec.kind.as_str() {
        "random" => {
            if let Some((name, _)) = spec.options.first() {
                return Err(TextError::new(format!("random has no option {}; it has none", quoted(name))));
            }
            Ok(Box::new(Random::new(seed)))
        }
        _ => Err(TextError::new(format!("there is no agent {}; the agents are human, random", quoted(&spec.kind)))),
    }
}
