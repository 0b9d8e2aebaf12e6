//! What surrounds a game, tried with the smallest game there is: records, rules, tables, pictures and counts.

mod pictures;
mod record;
mod ring;
mod rules;
mod table;
