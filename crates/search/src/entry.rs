//! Entries of the registry: everything that a game brings with it, behind one interface that knows no types.
//!
//! What makes weights, books and data, or serves learners, is not there in WebAssembly: a page would carry it for
//! nothing.
#![cfg_attr(target_family = "wasm", allow(unused_imports))]

use std::{
    any::TypeId,
    collections::BTreeMap,
    marker::PhantomData,
    sync::{Arc, PoisonError, RwLock},
};

use quincunx_game::{About, AnyGame, Game, Position, Rules, TextError, exchange::Exchange, format::Formats};

use crate::{
    Content, Evaluator, Limits, Stop, Tactics, Tuning,
    agent::{Agent, AnyEngine, EngineAgent, EngineSettings, MctsAgent, Options},
    book::{self, Book, Study},
    encoding::{self, AnyState},
    evaluator,
    probcut::{self, ProbCut, Sampling},
    selfplay::{self, AnyGenerator, Chunk, GameSummary, Generator, Settings},
    solver::{AnySolver, Held as HeldSolver},
    train::Train,
    tune::{self, Fit, Recipe},
};

#[cfg(not(target_family = "wasm"))]
use crate::vec_env::{AnyVecEnv, VecEnv};

#[cfg(feature = "promises")]
use crate::promises::{self, Promise};

/// A game as the registry holds it: its rules, and all that it knows and brings beyond them.
pub struct Entry {
    /// What is known of the game.
    pub about: &'static About,
    /// The types that play its rulesets.
    pub variants: &'static [&'static dyn Variant],
    /// The opening book of the default rules, if there is one.
    pub book: Option<fn() -> Arc<Book>>,
    /// Makes new weights from games, if the game has more than a few terms to weigh.
    pub train: Option<Train>,
    /// Agents that play this game only.
    pub agents: &'static [OwnAgent],
    /// Words, samples, lessons and vectors.
    pub content: Content,
    /// The files by which programs play it.
    pub files: &'static dyn Exchange,
    /// How an agent of this game is graded.
    pub grading: Grading,
    /// The files that hold games of it.
    pub formats: Formats,
}

/// The description of a grading run: opponents, number of games, points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grading {
    /// The reference agents: the spec of each, and what class lists call it.
    pub opponents: &'static [(&'static str, &'static str)],
    /// Games against each.
    pub games: u64,
    /// In how many of them the graded agent has the first move.
    pub first_moves: u64,
    /// Points a win.
    pub points: u64,
    /// Whether a drawn game goes to the player that used less time.
    pub draws_to_faster: bool,
}

impl Grading {
    /// Ten games against random play, ten against the game's classic agent.
    pub const USUAL: Self = Self {
        opponents: &[("random", "random"), ("classic", "minimax")],
        games: 10,
        first_moves: 6,
        points: 5,
        draws_to_faster: true,
    };
}

impl Entry {
    /// What plays these rules.
    pub fn variant(&self, rules: &Rules) -> &'static dyn Variant {
        let mut variants = self.variants.iter().copied();
        let played = variants.find(|variant| variant.plays(rules.ruleset.name));
        played.expect("every ruleset of an entry is played by one of its variants")
    }

    /// A game under these rules, from a position if one is given.
    pub fn open(&self, rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
        self.variant(&rules).open(rules, position)
    }

    /// The agent of the game's own with this name.
    pub fn agent(&self, name: &str) -> Option<&'static OwnAgent> {
        self.agents.iter().find(|agent| agent.name == name)
    }
}

/// An agent that plays one game only.
pub struct OwnAgent {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it does, in one line with an example of its options.
    pub help: &'static str,
    /// Builds it.
    pub build: BuildAgent,
}

/// Builds an agent for given rules with the options of its spec; the seed makes what is random in it.
pub type BuildAgent = fn(&Rules, &mut Options<'_>, u64) -> Result<Box<dyn Agent>, TextError>;

/// A type that plays one or more rulesets of a game.
pub trait Variant: Sync {
    /// Whether it plays the ruleset of this name.
    fn plays(&self, ruleset: &str) -> bool;

    /// A game under these rules, from a position if one is given.
    fn open(&self, rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError>;

    /// What a puzzle is about: a position, and the line that solves it.
    #[cfg(not(target_family = "wasm"))]
    fn themes(&self, rules: &Rules, position: &str, line: &[String]) -> Result<Vec<&'static str>, TextError>;

    /// A game whose moves are numbers, from a position if one is given.
    #[cfg(not(target_family = "wasm"))]
    fn state(&self, rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyState>, TextError>;

    /// Many games at once, for a learner.
    #[cfg(not(target_family = "wasm"))]
    fn vec_env(&self, rules: Rules, games: usize, seed: u64) -> Box<dyn AnyVecEnv>;

    /// Monte Carlo tree search as an agent.
    fn mcts(&self, limits: Limits, seed: u64) -> Box<dyn Agent>;

    /// The evaluator that comes with the program.
    fn evaluator(&self) -> Arc<dyn AnyEvaluator>;

    /// Whether the engine in a page carries the evaluator's weights.
    fn carried_by_pages(&self) -> bool;

    /// Whether this program does not carry the evaluator's weights and nobody has handed them in.
    fn needs_weights(&self) -> bool;

    /// Takes the weights of [`evaluator`](Self::evaluator) for a program that does not carry them; the error says what
    /// is wrong with the file.
    fn hand_in(&self, file: &[u8]) -> Result<(), TextError>;

    /// The moves that a book of these rules knows where a game stands, with what they are worth to the side to move in
    /// hundredths of the game's unit, the best first.
    fn book_moves(&self, book: &Book, game: &dyn AnyGame) -> Vec<(String, i32)>;

    /// The evaluator that a file of weights holds; the error says what is wrong with it.
    fn load(&self, file: &[u8]) -> Result<Arc<dyn AnyEvaluator>, TextError>;

    /// Replays the games of a chunk of self-play, one after the other; the error says what is wrong with one of them.
    #[cfg(not(target_family = "wasm"))]
    fn replay(&self, rules: Rules, chunk: &Chunk, visit: &mut dyn FnMut(&GameSummary)) -> Result<(), TextError>;

    /// Checks a promise along random games; panics if it is broken.
    #[cfg(feature = "promises")]
    fn check(&self, promise: Promise, rules: Rules);

    /// The number of different positions after 1, 2, … turns from the start.
    #[cfg(feature = "promises")]
    fn different_positions(&self, ruleset: &str, turns: usize) -> Vec<u64>;
}

/// An evaluator whatever the type of its game, and what can be done with it.
pub trait AnyEvaluator: Send + Sync {
    /// The numbers of the search that go with it.
    fn tuning(&self) -> &Tuning;

    /// The same evaluator with other numbers of the search.
    #[cfg(not(target_family = "wasm"))]
    fn with_tuning(&self, tuning: Tuning) -> Arc<dyn AnyEvaluator>;

    /// It as a file of weights, which [`Variant::load`] reads back.
    fn file(&self) -> Vec<u8>;

    /// An engine that believes it.
    fn engine(&self, settings: EngineSettings) -> Box<dyn AnyEngine>;

    /// The game's own solver, if it has one.
    fn solver(&self, mebibytes: usize, threads: usize) -> Option<Box<dyn AnySolver>>;

    /// An engine that believes it and plays against itself.
    #[cfg(not(target_family = "wasm"))]
    fn generator(&self, rules: Rules, settings: Settings) -> Box<dyn AnyGenerator>;

    /// An opening book by its own searches; `None` if it was stopped.
    #[cfg(not(target_family = "wasm"))]
    fn study(&self, rules: Rules, study: &Study, stop: &Stop, tell: &mut dyn FnMut(u32)) -> Option<Book>;

    /// A ProbCut table by its own searches; `None` if it was stopped.
    #[cfg(not(target_family = "wasm"))]
    fn fit_probcut(&self, rules: Rules, sampling: Sampling, stop: &Stop) -> Option<ProbCut>;

    /// The same evaluator with this ProbCut table; `None` if it keeps none.
    #[cfg(not(target_family = "wasm"))]
    fn with_probcut(&self, table: ProbCut) -> Option<Arc<dyn AnyEvaluator>>;

    /// Weights fitted to games against itself, and the evaluator with them; `None` if it is not a weighted sum.
    #[cfg(not(target_family = "wasm"))]
    fn tune(&self, rules: Rules, recipe: &Recipe, tell: &mut dyn FnMut(u32)) -> Option<(Fit, Arc<dyn AnyEvaluator>)>;
}

/// Evaluators whose weights were handed in, by type.
static HANDED_IN: RwLock<BTreeMap<TypeId, Arc<dyn AnyEvaluator>>> = RwLock::new(BTreeMap::new());

/// The evaluator of a type whose weights were handed in.
fn handed_in<E: Evaluator>() -> Option<Arc<dyn AnyEvaluator>> {
    HANDED_IN.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<E>()).cloned()
}

/// The [`Variant`] of an evaluator's positions.
pub struct Typed<E>(PhantomData<fn() -> E>);

impl<E: Evaluator> Typed<E> {
    /// The variant.
    pub const VARIANT: Self = Self(PhantomData);
}

impl<E: Evaluator> Variant for Typed<E> {
    fn plays(&self, ruleset: &str) -> bool {
        E::Position::start(ruleset).is_some()
    }

    fn open(&self, rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
        Ok(Box::new(match position {
            Some(text) => Game::from_position(rules, E::Position::parse(rules.ruleset.name, text)?),
            None => Game::<E::Position>::new(rules).expect("the variant plays the ruleset"),
        }))
    }

    #[cfg(not(target_family = "wasm"))]
    fn themes(&self, rules: &Rules, position: &str, line: &[String]) -> Result<Vec<&'static str>, TextError> {
        let position = E::Position::parse(rules.ruleset.name, position)?;
        let mut at = position;
        let moves = line.iter().map(|text| {
            let mv = at.parse_move(text)?;
            at.play(mv);
            Ok(mv)
        });
        Ok(position.themes(&moves.collect::<Result<Vec<_>, TextError>>()?))
    }

    #[cfg(not(target_family = "wasm"))]
    fn state(&self, rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyState>, TextError> {
        encoding::state::<E::Position>(rules, position)
    }

    #[cfg(not(target_family = "wasm"))]
    fn vec_env(&self, rules: Rules, games: usize, seed: u64) -> Box<dyn AnyVecEnv> {
        Box::new(VecEnv::<E::Position>::new(rules, games, seed))
    }

    fn mcts(&self, limits: Limits, seed: u64) -> Box<dyn Agent> {
        Box::new(MctsAgent::<E::Position>::new(limits, seed))
    }

    fn evaluator(&self) -> Arc<dyn AnyEvaluator> {
        handed_in::<E>().unwrap_or_else(|| Arc::new(Held(E::embedded())))
    }

    fn carried_by_pages(&self) -> bool {
        E::CARRIED_BY_PAGES
    }

    fn needs_weights(&self) -> bool {
        cfg!(target_family = "wasm") && !E::CARRIED_BY_PAGES && handed_in::<E>().is_none()
    }

    fn hand_in(&self, file: &[u8]) -> Result<(), TextError> {
        let evaluator = self.load(file)?;
        let mut handed_in = HANDED_IN.write().unwrap_or_else(PoisonError::into_inner);
        handed_in.insert(TypeId::of::<E>(), evaluator);
        Ok(())
    }

    fn load(&self, file: &[u8]) -> Result<Arc<dyn AnyEvaluator>, TextError> {
        Ok(held(evaluator::from_file::<E>(file)?))
    }

    fn book_moves(&self, book: &Book, game: &dyn AnyGame) -> Vec<(String, i32)> {
        let Some(game) = game.as_any().downcast_ref::<Game<E::Position>>() else { return Vec::new() };
        let position = game.position();
        book.moves(position).into_iter().map(|(mv, worth)| (position.move_text(mv), worth)).collect()
    }

    #[cfg(not(target_family = "wasm"))]
    fn replay(&self, rules: Rules, chunk: &Chunk, visit: &mut dyn FnMut(&GameSummary)) -> Result<(), TextError> {
        selfplay::games::<E::Position>(rules, chunk).try_for_each(|game| {
            visit(&game?.summary());
            Ok(())
        })
    }

    #[cfg(feature = "promises")]
    fn check(&self, promise: Promise, rules: Rules) {
        promise.check::<E>(rules);
    }

    #[cfg(feature = "promises")]
    fn different_positions(&self, ruleset: &str, turns: usize) -> Vec<u64> {
        promises::different_positions::<E::Position>(ruleset, turns)
    }
}

/// An evaluator whatever its type.
pub fn held<E: Evaluator>(evaluator: E) -> Arc<dyn AnyEvaluator> {
    Arc::new(Held(Arc::new(evaluator)))
}

/// The [`AnyEvaluator`] of one type.
struct Held<E>(Arc<E>);

impl<E: Evaluator> AnyEvaluator for Held<E> {
    fn tuning(&self) -> &Tuning {
        self.0.tuning()
    }

    #[cfg(not(target_family = "wasm"))]
    fn with_tuning(&self, tuning: Tuning) -> Arc<dyn AnyEvaluator> {
        held(self.0.with_tuning(tuning))
    }

    fn file(&self) -> Vec<u8> {
        evaluator::to_file(&*self.0)
    }

    fn engine(&self, settings: EngineSettings) -> Box<dyn AnyEngine> {
        Box::new(EngineAgent::new(self.0.clone(), settings))
    }

    fn solver(&self, mebibytes: usize, threads: usize) -> Option<Box<dyn AnySolver>> {
        Some(Box::new(HeldSolver(self.0.solver(mebibytes, threads)?)))
    }

    #[cfg(not(target_family = "wasm"))]
    fn generator(&self, rules: Rules, settings: Settings) -> Box<dyn AnyGenerator> {
        Box::new(Generator::new(self.0.clone(), rules, settings))
    }

    #[cfg(not(target_family = "wasm"))]
    fn study(&self, rules: Rules, study: &Study, stop: &Stop, tell: &mut dyn FnMut(u32)) -> Option<Book> {
        book::study(&self.0, rules, study, stop, tell)
    }

    #[cfg(not(target_family = "wasm"))]
    fn fit_probcut(&self, rules: Rules, sampling: Sampling, stop: &Stop) -> Option<ProbCut> {
        probcut::fit(&self.0, rules, sampling, stop)
    }

    #[cfg(not(target_family = "wasm"))]
    fn with_probcut(&self, table: ProbCut) -> Option<Arc<dyn AnyEvaluator>> {
        self.0.with_probcut(table).map(held)
    }

    #[cfg(not(target_family = "wasm"))]
    fn tune(&self, rules: Rules, recipe: &Recipe, tell: &mut dyn FnMut(u32)) -> Option<(Fit, Arc<dyn AnyEvaluator>)> {
        let fit = tune::tune(&self.0, rules, recipe, tell)?;
        let weights: Vec<f64> = fit.weights.iter().map(|&(_, weight, _)| weight).collect();
        let fitted = self.0.with_terms(&weights)?;
        Some((fit, held(fitted)))
    }
}
