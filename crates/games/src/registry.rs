//! Games by their names. A new game is one line here.

use std::sync::{PoisonError, RwLock};

use quincunx_game::{About, AnyGame, Rules, TextError, refusal, text::quoted};
use quincunx_search::{Entry, Variant};

/// The games of this program, in the order they are shown.
static GAMES: &[&Entry] = &[
    &quincunx_othello::ENTRY,
    &quincunx_pente::ENTRY,
    &quincunx_shobu::ENTRY,
    &quincunx_tessella::ENTRY,
    &quincunx_aboyne::ENTRY,
];

/// Games that others added.
static ADDED: RwLock<Vec<&'static Entry>> = RwLock::new(Vec::new());

/// Adds a game to those of this program. Everything that goes over all games, by [`all`] or by a name, finds it from
/// then on.
///
/// A game that was added before stays as it is.
///
/// # Panics
/// If there is another game of its name.
pub fn register(game: &'static Entry) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let known = GAMES.iter().chain(added.iter()).find(|known| known.about.name == game.about.name);
    match known {
        Some(&known) => assert!(std::ptr::eq(known, game), "there is another game {}", game.about.name),
        None => added.push(game),
    }
}

/// All games, in the order they are shown.
pub fn all() -> Vec<&'static About> {
    entries().into_iter().map(|entry| entry.about).collect()
}

/// All games with everything they bring, in the order they are shown.
pub fn entries() -> Vec<&'static Entry> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    GAMES.iter().chain(added.iter()).copied().collect()
}

/// What is known of the game of this name.
pub fn about(name: &str) -> Result<&'static About, TextError> {
    entry(name).map(|entry| entry.about)
}

/// The game of this name.
pub fn entry(name: &str) -> Result<&'static Entry, TextError> {
    entries().into_iter().find(|entry| entry.about.name == name).ok_or_else(|| {
        let names: Vec<_> = all().iter().map(|about| about.name).collect();
        let (given, names) = (quoted(name), names.join(", "));
        refusal!("game.unknown", "there is no game {given}; the games are {names}", given, names)
    })
}

/// The rules of a game by its name: a ruleset with its settings (see [`Rules::parse`]), or the default one.
pub fn rules(name: &str, ruleset: Option<&str>) -> Result<Rules, TextError> {
    let about = about(name)?;
    ruleset.map_or(Ok(Rules::of(about)), |text| Rules::parse(about, text))
}

/// What plays these rules.
///
/// # Panics
/// If they are rules of a game that is not registered.
pub fn variant(rules: &Rules) -> &'static dyn Variant {
    entry(rules.about.name).expect("rules are those of a registered game").variant(rules)
}

/// For a game that is set up without moves.
pub const NO_MOVES: [&str; 0] = [];

/// A game under `rules` from a position (the start if `None`), with these moves played from there. An error in a move
/// tells its number.
///
/// # Panics
/// If they are rules of a game that is not registered.
pub fn set_up(
    rules: Rules,
    position: Option<&str>,
    moves: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Box<dyn AnyGame>, TextError> {
    let mut game = variant(&rules).open(rules, position)?;
    for (number, mv) in (1..).zip(moves) {
        game.play(mv.as_ref()).map_err(|error| error.of_move(number))?;
    }
    Ok(game)
}

/// A game by its name, under a ruleset (the default one if `None`), from a position (the start if `None`).
pub fn open(name: &str, ruleset: Option<&str>, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
    set_up(rules(name, ruleset)?, position, NO_MOVES)
}
