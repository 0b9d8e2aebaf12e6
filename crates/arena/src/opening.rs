//! Openings: where the games of a match begin, so that two deterministic agents do not play one game over and over.

use std::{collections::HashSet, path::Path};

use quincunx_agents::{Agent, Request};
use quincunx_formats::{Checked, GamesFile, read};
use quincunx_game::{AnyGame, Rules, TextError};
use quincunx_games::set_up;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// A position to begin with and moves played from there before the agents take over.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The position; the start of the game if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// Draws in a row that gave nothing new, after which a list of random openings is taken as complete.
const VAIN_DRAWS: u32 = 300;

/// The agent that judges whether an opening is balanced.
const JUDGE: &str = "engine:nodes=5000,book=off,hash=4";

/// An opening is balanced if the judge gives neither side more than this chance to win.
const BALANCED: f64 = 0.6;

impl Opening {
    /// Sets the opening up on a game.
    pub fn set_up(&self, rules: &Rules) -> Result<Box<dyn AnyGame>, TextError> {
        set_up(*rules, self.position.as_deref(), &self.moves)
    }

    /// The openings a word names, at most `most`: `start`, `random:K` for K random plies, `balanced:K` for those of
    /// them that favour nobody, a file of openings or games, or `first:K:FILE` for the first K plies of its games.
    pub fn list(word: &str, rules: &Rules, most: usize, seed: u64) -> Result<Vec<Self>, TextError> {
        if word == "start" {
            return Ok(vec![Self::default()]);
        }
        let drawn = word.split_once(':').filter(|(kind, _)| ["random", "balanced"].contains(kind));
        if let Some((kind, plies)) = drawn {
            let plies = plies.parse().ok().filter(|plies| (0..=200).contains(plies));
            let plies =
                plies.ok_or_else(|| TextError::new(format!("{kind}:K wants a number of plies from 0 to 200")))?;
            let mut judge = if kind == "balanced" { Some(quincunx_agents::build(JUDGE, rules, seed)?) } else { None };
            return Self::draw(plies, rules, most, seed, |game| {
                judge.as_mut().is_none_or(|judge| balanced(&mut **judge, game))
            });
        }
        if let Some((plies, file)) = word.strip_prefix("first:").and_then(|rest| rest.split_once(':')) {
            let plies = plies.parse().ok().filter(|plies| (0..=1000).contains(plies));
            let plies = plies.ok_or_else(|| TextError::new("first:K:FILE wants a number of plies from 0 to 1000"))?;
            return Self::from_file(Path::new(file), rules, Some(plies));
        }
        Self::from_file(Path::new(word), rules, None)
    }

    /// Distinct openings of `plies` random moves each that `fit`, none of them decided: the game goes on, and the side
    /// to move cannot end it at once.
    fn draw(
        plies: u32,
        rules: &Rules,
        most: usize,
        seed: u64,
        mut fit: impl FnMut(&dyn AnyGame) -> bool,
    ) -> Result<Vec<Self>, TextError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = Self::default().set_up(rules)?;
        let (mut openings, mut seen, mut vain) = (Vec::new(), HashSet::new(), 0);
        while openings.len() < most.max(1) && vain < VAIN_DRAWS {
            vain += 1;
            let mut game = start.boxed_clone();
            let moves: Vec<String> = (0..plies).map_while(|_| game.play_random(&mut rng)).collect();
            if decided(&mut *game) || !seen.insert(game.hash()) || !fit(&*game) {
                continue;
            }
            vain = 0;
            openings.push(Self { position: None, moves });
        }
        if openings.is_empty() {
            return Err(TextError::new(format!(
                "every game drawn is decided or in favour of one side after {plies} random plies; take fewer"
            )));
        }
        Ok(openings)
    }

    /// The openings in a file of any format: its games as far as they go, or the first `plies` of each. A list has one
    /// opening a line: moves, a position, or a position with moves behind it after a `;`.
    fn from_file(path: &Path, rules: &Rules, plies: Option<usize>) -> Result<Vec<Self>, TextError> {
        let name = path.display();
        if !path.is_file() {
            return Err(TextError::new(format!(
                "cannot read openings {name}: it is not a file (openings are a file, first:K:FILE, random:K, balanced:K or start)"
            )));
        }
        let (mut openings, mut seen, mut number) = (Vec::new(), HashSet::new(), 0_u64);
        GamesFile::open(path)?.with(Some(*rules), None, |input| {
            read(input, &mut |found| {
                let Checked { record, mut game } = found?;
                number += 1;
                let wrong = |what: &str| Err(TextError::new(format!("opening {number}: {what}")));
                if record.rules.about.name != rules.about.name || record.rules.ruleset.name != rules.ruleset.name {
                    return wrong(&format!("it is one of {} ({})", record.rules.about.name, record.rules.ruleset.name));
                }
                while plies.is_some_and(|plies| game.ply() > plies) {
                    game.undo();
                }
                if game.outcome().is_some() {
                    return wrong("the game is over there; first:K:FILE takes the first K plies of each game");
                }
                if seen.insert(game.position_text()) {
                    openings.push(Self { position: record.start, moves: game.played() });
                }
                Ok(())
            })
        })?;
        Ok(openings)
    }
}

/// Whether the game is over or can be ended by the next move.
fn decided(game: &mut dyn AnyGame) -> bool {
    game.outcome().is_some()
        || game.choices().iter().any(|choice| {
            let ends = game.play(&choice.text).is_ok() && game.outcome().is_some();
            game.undo();
            ends
        })
}

/// Whether the judge takes both sides' chances for much the same.
fn balanced(judge: &mut dyn Agent, game: &dyn AnyGame) -> bool {
    judge.new_game();
    let answer = judge.choose(game, &Request::default());
    let chance = answer.ok().and_then(|answer| answer.win_probability);
    chance.is_some_and(|chance| (1.0 - BALANCED..=BALANCED).contains(&chance))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn othello() -> Rules {
        Rules::of(quincunx_games::about("othello").unwrap())
    }

    #[test]
    fn random_openings_are_distinct_open_and_repeatable() {
        let list = || Opening::list("random:8", &othello(), 500, 7).unwrap();
        let openings = list();
        assert_eq!(openings.len(), 500);
        assert_eq!(openings, list());
        let mut positions = HashSet::new();
        for opening in &openings {
            let game = opening.set_up(&othello()).unwrap();
            assert!(game.outcome().is_none() && game.ply() == 8);
            assert!(positions.insert(game.position_text()));
        }
    }

    #[test]
    fn balanced_openings_favour_nobody_where_random_ones_do() {
        let rules = Rules::of(quincunx_games::about("pente").unwrap());
        let share = |word: &str| {
            let openings = Opening::list(word, &rules, 20, 7).unwrap();
            assert_eq!(openings.len(), 20);
            let mut judge = quincunx_agents::build("engine:nodes=5000", &rules, 1).unwrap();
            openings.iter().filter(|opening| balanced(&mut *judge, &*opening.set_up(&rules).unwrap())).count()
        };
        assert!(share("balanced:6") >= 18);
        assert!(share("random:6") <= 10);
    }

    #[test]
    fn a_game_with_few_openings_gives_those_few() {
        let openings = Opening::list("random:1", &othello(), 500, 7).unwrap();
        assert_eq!(openings.len(), 4);
    }

    #[test]
    fn a_file_holds_moves_positions_and_transcripts() {
        let path = std::env::temp_dir().join(format!("quincunx-openings-{}", std::process::id()));
        let start = Opening::default().set_up(&othello()).unwrap().position_text();
        fs::write(&path, format!("# three openings, the last one twice\nd3 c5\n{start}\nd3c3\nd3 c3\n\n")).unwrap();
        let openings = Opening::list(path.to_str().unwrap(), &othello(), 10, 1).unwrap();
        assert_eq!(openings.len(), 3);
        let word = format!("first:1:{}", path.display());
        assert_eq!(Opening::list(&word, &othello(), 10, 1).unwrap().len(), 2);
        fs::write(&path, "game,ruleset,moves\nothello,6x6,c2\n").unwrap();
        let error = Opening::list(path.to_str().unwrap(), &othello(), 10, 1).unwrap_err().to_string();
        assert!(error.contains("it is one of othello (6x6)"), "{error}");
        fs::write(&path, "d3 c5\nd3 z9\n").unwrap();
        let error = Opening::list(path.to_str().unwrap(), &othello(), 10, 1).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        fs::remove_file(&path).unwrap();
    }
}
