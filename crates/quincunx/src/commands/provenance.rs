//! Where a file comes from: version, machine, seed and command line, so that it can be made again.

use std::{env, path::Path};

use anyhow::Context;
use quincunx_machine::write_whole;
use serde_json::{Value, json};

/// What made a result: version with commit and target, machine, command line, and the seed if there is one.
pub(crate) fn made_by(seed: Option<u64>) -> Value {
    let command: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    json!({ "version": quincunx_version::VERSION, "machine": machine(), "command": command, "seed": seed })
}

/// Writes what made a binary file into `FILE.json` beside it, with its checksum.
pub(crate) fn write_beside(file: &Path, seed: Option<u64>, contents: &[u8]) -> anyhow::Result<()> {
    let mut document = made_by(seed);
    // The file ends with its checksum.
    let checksum = contents.last_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    document["checksum"] = format!("{checksum:016x}").into();
    let mut name = file.file_name().context("the file has no name")?.to_os_string();
    name.push(".json");
    let beside = file.with_file_name(name);
    write_whole(&beside, serde_json::to_string_pretty(&document)? + "\n")
        .with_context(|| format!("cannot write {}", beside.display()))
}

/// The machine, as far as a result depends on it: processor, threads and system.
fn machine() -> String {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} threads, {}", env::consts::OS)
}
