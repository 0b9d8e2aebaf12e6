//! Where a result comes from: version, machine, command line, seed and evaluators, so that it can be made again.

use std::{env, fs, io, path::Path};

use quincunx_agents::evaluator;
use quincunx_game::{Record, Rules};
use quincunx_machine::description;
use quincunx_search::{AnyEvaluator, selfplay::fingerprint};
use quincunx_version::VERSION;
use serde_json::{Map, Value, json};

use crate::{ContestError, error::write};

/// What made a result: version with commit and target, machine, command line, and the seed if there is one.
pub fn made_by(seed: Option<u64>) -> Value {
    let command: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    json!({ "version": VERSION, "machine": description(), "command": command, "seed": seed })
}

/// Writes what made a file into `FILE.json` beside it: the evaluator in it, or that searched for it, and the checksum that
/// ends its contents, if they are given.
pub fn write_beside(
    file: &Path,
    seed: Option<u64>,
    evaluator: &dyn AnyEvaluator,
    contents: &[u8],
) -> Result<(), ContestError> {
    let mut document = made_by(seed);
    document["evaluator"] = format!("{:016x}", fingerprint(evaluator)).into();
    if let Some(bytes) = contents.last_chunk::<8>() {
        document["checksum"] = format!("{:016x}", u64::from_le_bytes(*bytes)).into();
    }
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(".json");
    let beside = file.with_file_name(name);
    write(&beside, &format!("{document:#}\n"))
}

/// Says in the tags of a game what made it, and with which evaluators.
pub fn tag(record: &mut Record, seed: u64) {
    let made = made_by(Some(seed));
    let words: Vec<_> = made["command"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    record.push_tag("Version", VERSION);
    record.push_tag("Machine", made["machine"].as_str().unwrap_or_default());
    record.push_tag("Command", &words.join(" "));
    record.push_tag("Seed", &seed.to_string());
    for (name, spec) in ["FirstEvaluator", "SecondEvaluator"].into_iter().zip(record.players.clone()) {
        record.push_tag(name, &evaluator_of(&spec, &record.rules).unwrap_or_default());
    }
}

/// Says in `made_by.json` of a directory what began to fill it, unless that is said there already.
pub(crate) fn describe(directory: &Path, seed: u64) -> Result<(), ContestError> {
    let path = directory.join("made_by.json");
    if path.exists() { Ok(()) } else { write(&path, &format!("{:#}\n", made_by(Some(seed)))) }
}

/// An identity followed by what made it, with the fingerprint of the evaluator of each engine among the agents.
pub(crate) fn document(mut identity: Value, agents: &[String], rules: &Rules) -> Value {
    let mut made = made_by(identity["seed"].as_u64());
    if let (Some(into), Some(from)) = (identity.as_object_mut(), made.as_object_mut()) {
        into.append(from);
        into.insert("evaluators".into(), evaluators(agents, rules).into());
    }
    identity
}

/// Reserves a directory for a contest or an exam, as `kind` says: its `file` gets a document that begins with the
/// identity. An error if the file has another identity.
pub(crate) fn reserve(
    directory: &Path,
    file: &str,
    kind: &str,
    identity: &Value,
    document: impl FnOnce() -> Value,
) -> Result<(), ContestError> {
    let path = directory.join(file);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return write(&path, &format!("{:#}\n", document()));
        }
        Err(error) => return Err(ContestError::keeping(&path)(error)),
    };
    let found: Value = serde_json::from_str(&text)
        .map_err(|error| ContestError::wrong(format!("{} is damaged: {error}", path.display())))?;
    let differs = identity.as_object().into_iter().flatten().find(|(name, value)| found.get(name) != Some(value));
    differs.map_or(Ok(()), |(name, value)| {
        let before = found.get(name).unwrap_or(&Value::Null);
        let directory = directory.display();
        Err(ContestError::wrong(format!("{directory} holds another {kind}: {name} was {before} and is {value} now")))
    })
}

/// The fingerprint of the evaluator of each engine among the agents, by its spec.
fn evaluators(agents: &[String], rules: &Rules) -> Map<String, Value> {
    agents.iter().filter_map(|spec| Some((spec.clone(), evaluator_of(spec, rules)?.into()))).collect()
}

/// The fingerprint of the evaluator of an agent, if it is an engine.
fn evaluator_of(spec: &str, rules: &Rules) -> Option<String> {
    Some(format!("{:016x}", fingerprint(&*evaluator(spec, rules).ok()??)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_engines_have_evaluators_and_the_same_one_has_the_same_fingerprint() {
        let rules = quincunx_games::rules("shobu", None).unwrap();
        let agents = ["engine:level=1", "random", "engine:nodes=100", "engine:weights=missing.bin"].map(String::from);
        let found = evaluators(&agents, &rules);
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["engine:level=1", "engine:nodes=100"]);
        assert_eq!(found["engine:level=1"], found["engine:nodes=100"]);
        assert_eq!(found["engine:level=1"].as_str().map(str::len), Some(16));
    }
}
