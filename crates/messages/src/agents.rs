//! The agents that a person may choose as an opponent. No others are allowed, because the thinking of these is bounded.

use quincunx_agents::HIGHEST_LEVEL;
use quincunx_game::{Rules, TextError, refusal};
use quincunx_games::entry;

/// The specs on offer for a game: the engine's levels, the game's own agents, and those that play every game.
pub fn offered(rules: &Rules) -> Vec<String> {
    let levels = (1..=HIGHEST_LEVEL).map(|level| format!("engine:level={level}"));
    let own = entry(rules.about.name).into_iter().flat_map(|entry| entry.agents).map(|agent| agent.name);
    levels.chain(own.chain(["mcts", "random"]).map(String::from)).collect()
}

/// Refuses a spec that is not on offer.
pub fn check(spec: &str, rules: &Rules) -> Result<(), TextError> {
    let offered = offered(rules);
    if offered.iter().any(|known| known == spec) {
        return Ok(());
    }
    let names = offered.join(", ");
    Err(refusal!("opponent.unknown", "this server offers no such opponent; it offers {names}", names))
}
