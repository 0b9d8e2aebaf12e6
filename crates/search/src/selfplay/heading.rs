//! The first line of a file of self-play: what makes its games what they are.

use std::fmt;

use quincunx_game::{Rules, TextError, text::quoted};

use crate::{AnyEvaluator, file::checksum};

/// How games of self-play are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Nodes a move.
    pub nodes: u64,
    /// The fewest and the most random plies that a game begins with.
    pub random_plies: (u32, u32),
    /// One later move in this many is random too; 0 for none.
    pub random_moves: u32,
    /// The seed of all that is random.
    pub seed: u64,
}

/// Everything that the games of a file depend on beside the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// The name of the game.
    pub game: String,
    /// The rules, as [`Rules::parse`] reads them.
    pub rules: String,
    /// How the games were made.
    pub settings: Settings,
    /// The [`fingerprint`] of the evaluator.
    pub evaluator: u64,
}

/// A number that tells evaluators apart: the checksum of its file of weights.
pub fn fingerprint(evaluator: &dyn AnyEvaluator) -> u64 {
    checksum(&evaluator.file())
}

impl Heading {
    /// The longest first line, its newline included.
    pub(crate) const LONGEST: u64 = 400;

    /// The heading of games under these rules.
    pub fn new(rules: &Rules, settings: Settings, evaluator: &dyn AnyEvaluator) -> Self {
        let (game, text) = (rules.about.name.to_string(), rules.to_string());
        Self { game, rules: text, settings, evaluator: fingerprint(evaluator) }
    }

    /// Reads the first line of a file, without its newline.
    pub fn parse(line: &str) -> Result<Self, TextError> {
        let foreign = || TextError::new("this is not a file of quincunx selfplay");
        let mut words: Vec<_> = line.split(' ').collect();
        // A word that only files with random moves have.
        let optional = words.iter().position(|word| word.starts_with("random-moves="));
        let random_moves = optional.map_or("random-moves=0", |at| words.remove(at));
        let &["quincunx", "selfplay", version, game, rules, nodes, random_plies, seed, evaluator] = &words[..] else {
            return Err(foreign());
        };
        if version != "1" {
            let version = quoted(version);
            return Err(TextError::new(format!(
                "this file of selfplay has version {version}; this program reads version 1"
            )));
        }
        let value = |word: &'_ str, name: &str| -> Option<String> {
            Some(word.strip_prefix(name)?.strip_prefix('=')?.to_string())
        };
        let settings = || {
            let plies = value(random_plies, "random-plies")?;
            let (least, most) = plies.split_once("..")?;
            Some(Settings {
                nodes: value(nodes, "nodes")?.parse().ok()?,
                random_plies: (least.parse().ok()?, most.parse().ok()?),
                random_moves: value(random_moves, "random-moves")?.parse().ok()?,
                seed: value(seed, "seed")?.parse().ok()?,
            })
        };
        let evaluator = value(evaluator, "evaluator").and_then(|digits| u64::from_str_radix(&digits, 16).ok());
        let (Some(settings), Some(evaluator)) = (settings(), evaluator) else { return Err(foreign()) };
        Ok(Self { game: game.into(), rules: rules.into(), settings, evaluator })
    }

    /// The first word in which another heading differs, as it stands here and there.
    pub fn difference(&self, other: &Self) -> Option<(String, String)> {
        let (here, there) = (self.to_string(), other.to_string());
        let mut words = here.split(' ').zip(there.split(' '));
        words.find(|(here, there)| here != there).map(|(here, there)| (here.into(), there.into()))
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, rules, settings, evaluator } = self;
        let Settings { nodes, random_plies: (least, most), random_moves, seed } = settings;
        write!(f, "quincunx selfplay 1 {game} {rules} nodes={nodes} random-plies={least}..{most} ")?;
        if *random_moves > 0 {
            write!(f, "random-moves={random_moves} ")?;
        }
        write!(f, "seed={seed} evaluator={evaluator:016x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_read_back_and_others_refused() {
        let settings = Settings { nodes: 600, random_plies: (4, 12), random_moves: 0, seed: 7 };
        let heading = Heading { game: "ring".into(), rules: "long,plies=9".into(), settings, evaluator: 0xfe };
        let line = heading.to_string();
        assert_eq!(Heading::parse(&line), Ok(heading.clone()));
        let other = Heading { settings: Settings { nodes: 601, ..settings }, ..heading.clone() };
        assert_eq!(heading.difference(&other), Some(("nodes=600".into(), "nodes=601".into())));
        assert_eq!(heading.difference(&heading), None);
        let random = Heading { settings: Settings { random_moves: 9, ..settings }, ..heading.clone() };
        assert_eq!(Heading::parse(&random.to_string()), Ok(random.clone()));
        assert_eq!(heading.difference(&random), Some(("seed=7".into(), "random-moves=9".into())));
        for wrong in ["", "quincunx weights 1 ring terms 3", &line[..line.len() - 20], &line.replace("..", "-")] {
            assert!(Heading::parse(wrong).unwrap_err().to_string().contains("not a file"), "{wrong}");
        }
        assert!(Heading::parse(&line.replacen('1', "2", 1)).unwrap_err().to_string().contains("version \"2\""));
    }
}
