//! Engines on other machines: what is asked of them, and what is left to do here if they fail.

use std::{future::Future, pin::Pin, time::Duration};

use quincunx_game::AnyGame;
use quincunx_search::{
    Limits,
    agent::{Analysis, Answer, Request},
};

/// What comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A move that is wanted of an agent.
pub struct MoveWanted {
    /// The agent.
    pub spec: String,
    /// The seed of its random choices.
    pub seed: u64,
    /// Where the game stands.
    pub game: Box<dyn AnyGame>,
    /// How long it may think, and what ends it.
    pub request: Request,
}

/// A number that those who run a server may want to see.
pub struct Number {
    /// Its name, in small letters and underscores; one that ends in `_total` only grows.
    pub name: &'static str,
    /// What it counts, in one line.
    pub help: &'static str,
    /// Its value now.
    pub value: f64,
}

/// Engines on other machines. They may vanish at any time; whoever asks does then with what is left of the limits what
/// they did not do.
pub trait Elsewhere: Send + Sync {
    /// The move of an agent, which is legal; or what is left of the limits if nobody gave one.
    fn choose<'a>(&'a self, wanted: &'a MoveWanted) -> Later<'a, Result<Answer, Limits>>;

    /// The `count` best lines, whose moves are legal, telling `tell` each time the search got deeper; or what is left of
    /// the limits if nobody found them.
    fn analyse<'a>(
        &'a self,
        game: &'a dyn AnyGame,
        count: usize,
        request: &'a Request,
        tell: &'a mut (dyn FnMut(&Analysis) + Send),
    ) -> Later<'a, Result<Analysis, Limits>>;

    /// How it stands with them.
    fn numbers(&self) -> Vec<Number>;
}

/// Nobody thinks for less than this after somebody else has failed, unless a player's clock is shorter.
const LEAST: Duration = Duration::from_millis(100);

/// What is left of the limits of the agent of a spec after so much time, its own limits included.
pub fn left(spec: &str, limits: &Limits, after: Duration) -> Limits {
    let own = Limits { movetime: crate::spec::movetime(spec), ..Limits::default() };
    let left = limits.and(&own).less(after, Duration::ZERO);
    Limits { movetime: left.movetime.map(|time| time.max(LEAST)), ..left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_counts_the_time_of_the_spec() {
        let limits = Limits { movetime: Some(Duration::from_secs(20)), ..Limits::default() };
        let left = |spec, ms| super::left(spec, &limits, Duration::from_millis(ms)).movetime.unwrap().as_millis();
        assert_eq!(left("engine:movetime=2s", 0), 2000);
        assert_eq!(left("engine:movetime=2s,threads=2", 1500), 500);
        assert_eq!(left("engine:level=10", 400), 600);
        assert_eq!(left("mcts:movetime=300ms", 299), 100);
        assert_eq!(left("engine:movetime=2s", 9000), 100);
        assert_eq!(left("engine:level=4", 1000), 19_000);
    }
}
