//! The agents that a person may choose as an opponent. No others are allowed, because the thinking of these is bounded.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use quincunx_agents::build;
use quincunx_game::{Rules, refusal};

use crate::refusal::Refusal;

/// Specs by game and ruleset.
type Offers = HashMap<(&'static str, &'static str), Vec<String>>;

/// The specs on offer that were found so far. Finding them builds agents, which costs memory and time.
static KNOWN: LazyLock<Mutex<Offers>> = LazyLock::new(Mutex::default);

/// The specs that are offered if the game has them.
fn candidates() -> impl Iterator<Item = String> {
    let levels = (1..=10).map(|level| format!("engine:level={level}"));
    levels.chain(["classic", "mcts", "near", "random"].map(String::from))
}

/// The specs on offer for a game.
pub(crate) fn offered(rules: &Rules) -> Vec<String> {
    let mut known = KNOWN.lock().expect("no thread panics with the lock");
    let key = (rules.about.name, rules.ruleset.name);
    known.entry(key).or_insert_with(|| candidates().filter(|spec| build(spec, rules, 0).is_ok()).collect()).clone()
}

/// Refuses a spec that is not on offer.
pub(crate) fn check(spec: &str, rules: &Rules) -> Result<(), Refusal> {
    let offered = offered(rules);
    if offered.iter().any(|known| known == spec) {
        return Ok(());
    }
    let names = offered.join(", ");
    Err(Refusal::wrong(refusal!("opponent.unknown", "this server offers no such opponent; it offers {names}", names)))
}
