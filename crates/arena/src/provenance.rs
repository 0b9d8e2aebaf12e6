//! Where a result comes from: version, machine, command line, seed and evaluators, so that it can be made again.

use std::{env, path::Path};

use quincunx_agents::evaluator;
use quincunx_game::Rules;
use quincunx_machine::description;
use quincunx_search::{AnyEvaluator, selfplay::fingerprint};
use quincunx_version::VERSION;
use serde_json::{Map, Value, json};

use crate::{ContestError, Plan, error::write};

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

/// Says in `made_by.json` of a directory what began to fill it, unless that is said there already.
pub(crate) fn describe(directory: &Path, seed: u64) -> Result<(), ContestError> {
    let path = directory.join("made_by.json");
    if path.exists() { Ok(()) } else { write(&path, &format!("{:#}\n", made_by(Some(seed)))) }
}

/// What stands in `contest.json`: the identity of the plan, and what made its games, with the fingerprint of each engine's
/// evaluator by its spec.
pub(crate) fn contest_document(plan: &Plan) -> Value {
    let mut document = plan.identity();
    if let (Some(into), Some(from)) = (document.as_object_mut(), made_by(Some(plan.seed)).as_object_mut()) {
        into.append(from);
        into.insert("evaluators".into(), evaluators(&plan.agents, &plan.rules).into());
    }
    document
}

/// The fingerprint of the evaluator of each engine among the agents, by its spec.
fn evaluators(agents: &[String], rules: &Rules) -> Map<String, Value> {
    let told = agents.iter().filter_map(|spec| {
        let evaluator = evaluator(spec, rules).ok()??;
        Some((spec.clone(), format!("{:016x}", fingerprint(&*evaluator)).into()))
    });
    told.collect()
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
