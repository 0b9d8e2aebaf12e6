//! Openings: where the games of a match begin, so that two deterministic agents do not play one game over and over.

use std::{collections::HashSet, fs, path::Path};

use quincunx_agents::{Agent, Request};
use quincunx_game::{AnyGame, Rules, TextError, text::quoted};
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

/// A longer file is no list of openings.
const LARGEST_FILE: u64 = 64 << 20;

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
    /// them that favour nobody, or a file with one a line.
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
        Self::from_file(Path::new(word), rules)
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

    /// One opening a line: moves separated by spaces, or a position, with moves behind it after a `;`. Lines that begin
    /// with # and empty ones are skipped.
    fn from_file(path: &Path, rules: &Rules) -> Result<Vec<Self>, TextError> {
        let name = path.display();
        let unreadable =
            |error: &dyn std::fmt::Display| TextError::new(format!("cannot read openings {name}: {error}"));
        let found = fs::metadata(path).map_err(|error| unreadable(&error))?;
        if !found.is_file() {
            return Err(unreadable(&"it is not a file (openings are a file, random:K, balanced:K or start)"));
        }
        if found.len() > LARGEST_FILE {
            return Err(unreadable(&format!("it has more than {LARGEST_FILE} bytes")));
        }
        let text = fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        let (mut openings, mut seen) = (Vec::new(), HashSet::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (opening, game) = Self::parse(line, rules)
                .map_err(|error| TextError::new(format!("{name}, line {}: {error}", index + 1)))?;
            if game.outcome().is_some() {
                return Err(TextError::new(format!("{name}, line {}: the game is over there", index + 1)));
            }
            if seen.insert(game.position_text()) {
                openings.push(opening);
            }
        }
        if openings.is_empty() {
            return Err(TextError::new(format!("there is no opening in {name}")));
        }
        Ok(openings)
    }

    fn parse(line: &str, rules: &Rules) -> Result<(Self, Box<dyn AnyGame>), TextError> {
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        // Transcripts of the Othello world are written without spaces.
        let joined = |text: &str| {
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(2).map(|pair| pair.iter().collect()).collect::<Vec<String>>()
        };
        if let Some((position, moves)) = line.split_once(';') {
            let opening = Self { position: Some(position.trim().to_string()), moves: words(moves) };
            return opening.set_up(rules).map(|game| (opening, game));
        }
        let as_moves = Self { position: None, moves: words(line) };
        let error = match as_moves.set_up(rules) {
            Ok(game) => return Ok((as_moves, game)),
            Err(error) => error,
        };
        let others = [
            Self { position: Some(line.to_string()), moves: Vec::new() },
            Self { position: None, moves: joined(line) },
        ];
        for opening in others {
            if let Ok(game) = opening.set_up(rules) {
                return Ok((opening, game));
            }
        }
        Err(TextError::new(format!("{} is neither a list of moves ({error}) nor a position", quoted(line))))
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
        fs::write(&path, "d3 c5\nd3 z9\n").unwrap();
        let error = Opening::list(path.to_str().unwrap(), &othello(), 10, 1).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        fs::remove_file(&path).unwrap();
    }
}
