//! A text given as a ruleset is refused in one line, or gives rules whose own text gives them again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quincunx_fuzz::{game, must_explain};
use quincunx_game::Rules;

fuzz_target!(|data: &[u8]| {
    let Some((about, rest)) = game(data) else { return };
    let text = String::from_utf8_lossy(rest);
    match Rules::parse(about, &text) {
        Ok(rules) => {
            let again = Rules::parse(about, &rules.to_string()).expect("the text of rules is a ruleset");
            assert_eq!(again.to_string(), rules.to_string());
            assert_eq!(again.ruleset.name, rules.ruleset.name);
            assert_eq!(
                (again.first, again.repetition, again.plies),
                (rules.first, rules.repetition, rules.plies),
                "{text:?}"
            );
        }
        Err(error) => must_explain(&error),
    }
});
