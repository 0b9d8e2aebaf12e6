//! What surrounds a game, tried with the smallest game there is: records, rules, tables, pictures and counts.

mod any_game;
mod game;
mod pictures;
mod rules;

use quincunx_game::{Game, Position, Rules};
use quincunx_ring::Ring;

/// A game of Ring under a ruleset with settings, from the start.
fn game(rules: &str) -> Game<Ring> {
    Game::new(Rules::parse(Ring::about(), rules).unwrap()).unwrap()
}
