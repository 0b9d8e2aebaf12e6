//! The plan of a contest: who plays whom, from which opening, under which limits. The same plan gives the same games.

use quincunx_game::{Rules, TextError};
use quincunx_outside::build;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Fixture, Limit, Opening};

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bout {
    /// The participants by their number, by side.
    pub seats: [usize; 2],
    /// The pair of games it belongs to; the games of a pair share their opening.
    pub pair: u64,
}

/// Everything that decides which games are played and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules of every game.
    pub rules: Rules,
    /// The agents, by spec.
    pub agents: Vec<String>,
    /// The limits of every game.
    pub limit: Limit,
    /// The openings; pair number p begins with number p, from the first again after the last.
    pub openings: Vec<Opening>,
    /// How the openings were asked for.
    pub openings_word: String,
    /// Whether a drawn game goes to the player that used less time.
    pub draws_to_faster: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// The games.
    pub bouts: Vec<Bout>,
}

impl Plan {
    /// A plan without games, limits and favours: openings for `pairs` pairs, as [`Opening::list`] reads them, between
    /// these agents. Every agent is built once, so that a wrong spec is told before the first game.
    pub fn new(rules: Rules, agents: Vec<String>, openings: &str, pairs: usize, seed: u64) -> Result<Self, TextError> {
        let plan = Self {
            rules,
            agents,
            limit: Limit::default(),
            openings: Opening::list(openings, &rules, pairs, seed)?,
            openings_word: openings.to_string(),
            draws_to_faster: false,
            seed,
            bouts: Vec::new(),
        };
        if plan.agents.iter().any(|spec| spec == "human") {
            return Err(TextError::new("a person cannot sit in a contest; use play"));
        }
        plan.agents.iter().try_for_each(|spec| build(spec, &plan.rules, 0).map(drop))?;
        Ok(plan)
    }

    /// Games between two agents in pairs, colours swapped; the first agent has the first side in the first game of
    /// each.
    pub fn pairs_between(a: usize, b: usize, games: u64, first_pair: u64) -> impl Iterator<Item = Bout> {
        (0..games).map(move |game| {
            let seats = if game % 2 == 0 { [a, b] } else { [b, a] };
            Bout { seats, pair: first_pair + game / 2 }
        })
    }

    /// The game with this number: who plays, and from where.
    pub(crate) fn game(&self, number: u64) -> Result<(Bout, &Opening), TextError> {
        let games = self.bouts.len();
        let bout = self.bouts.get(number as usize);
        let bout =
            bout.ok_or_else(|| TextError::new(format!("there is no game {number} among the {games} of the plan")))?;
        Ok((*bout, &self.openings[(bout.pair % self.openings.len() as u64) as usize]))
    }

    /// The game with this number, to be played elsewhere.
    pub fn fixture(&self, number: u64) -> Result<Fixture, TextError> {
        let (bout, opening) = self.game(number)?;
        Ok(Fixture { number, bout, opening: opening.clone() })
    }

    /// What must be the same for a killed run to go on: everything but the number of games and threads.
    pub fn identity(&self) -> Value {
        json!({
            "game": self.rules.about.name, "ruleset": self.rules.to_string(), "agents": self.agents,
            "limit": self.limit.to_string(), "openings": self.openings_word, "seed": self.seed,
            "draws_to_faster": self.draws_to_faster,
        })
    }
}
