//! What surrounds a game, tried with the smallest game there is: records, rules, tables, pictures and counts.

mod any_game;
mod game;
mod pictures;
mod ring;
mod rules;
