//! A text given as an agent is refused in one line, or names an agent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_agents::{Spec, build};
use quincunx_fuzz::{must_explain, ruleset};

/// What stands behind the colon here is a program or a directory: not to be started by a fuzzer.
const FROM_OUTSIDE: [&str; 4] = ["files", "ugi", "gtp", "nboard"];

fuzz_target!(|data: &[u8]| {
    let Some((rules, rest)) = ruleset(data) else { return };
    let text = String::from_utf8_lossy(rest);
    let spec = match Spec::parse(&text) {
        Ok(spec) => spec,
        Err(error) => return must_explain(&error),
    };
    if FROM_OUTSIDE.contains(&spec.kind.as_str()) {
        return;
    }
    if let Err(error) = build(&text, &rules, 1) {
        must_explain(&error);
    }
});
