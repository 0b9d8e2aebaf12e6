//! What the opening book knows of a position.

use quincunx_agents::embedded_book;
use quincunx_game::{AnyGame, TextError};
use quincunx_games::variant;
use serde::Serialize;
use utoipa::ToSchema;

use crate::line::Line;

/// What the book that comes with the program knows.
#[derive(Serialize, ToSchema)]
pub struct BookView {
    /// Whether there is a book for these rules.
    has_book: bool,
    /// The moves it knows here, the best first.
    moves: Vec<BookMove>,
}

/// A move of the book.
#[derive(Serialize, ToSchema)]
struct BookMove {
    #[serde(rename = "move")]
    mv: String,
    /// What it is worth to the side to move, in hundredths of the game's unit.
    worth: i32,
}

/// What the book knows where a line leads.
pub fn book_of(line: &Line) -> Result<BookView, TextError> {
    let game = line.open()?;
    Ok(look_up(&*game))
}

fn look_up(game: &dyn AnyGame) -> BookView {
    let Some(book) = embedded_book(game.rules()) else { return BookView { has_book: false, moves: Vec::new() } };
    let known = if game.outcome().is_some() { Vec::new() } else { variant(game.rules()).book_moves(&book, game) };
    BookView { has_book: true, moves: known.into_iter().map(|(mv, worth)| BookMove { mv, worth }).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_knows_the_beginning_and_only_of_games_that_have_one() {
        let line = |game: &str, moves: &str| Line { game: game.into(), moves: moves.into(), ..Line::default() };
        let start = book_of(&line("othello", "")).unwrap();
        assert!(start.has_book && start.moves.len() == 4, "four mirror images of one move");
        let next = book_of(&line("othello", "f5")).unwrap();
        assert!(!next.moves.is_empty() && next.moves.is_sorted_by_key(|known| -known.worth));
        assert!(!book_of(&line("shobu", "")).unwrap().has_book);
        assert!(book_of(&line("othello", "a1")).is_err());
    }
}
