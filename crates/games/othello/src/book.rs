//! The opening book of the 8x8 game, as made: `quincunx book othello --positions 1000 --nodes 1000000 --lines 4`.

use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use std::sync::LazyLock;

#[cfg(not(target_family = "wasm"))]
use quincunx_game::Rules;
#[cfg(target_family = "wasm")]
use quincunx_search::book;
use quincunx_search::book::Book;

use super::ABOUT;

/// The book that comes with the program.
#[cfg(not(target_family = "wasm"))]
pub(super) fn embedded() -> Arc<Book> {
    static EMBEDDED: LazyLock<Arc<Book>> = LazyLock::new(|| {
        let book = Book::read(&Rules::of(&ABOUT), include_bytes!("book.bin"));
        Arc::new(book.expect("the book in the repository is whole"))
    });
    EMBEDDED.clone()
}

/// The book that the page handed in; an empty one before.
#[cfg(target_family = "wasm")]
pub(super) fn embedded() -> Arc<Book> {
    book::handed_in(ABOUT.name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;

    use super::*;
    use crate::Othello;

    #[test]
    fn the_embedded_book_is_small_and_begins_with_the_start() {
        let start = Othello::<8>::start("8x8").unwrap();
        assert_eq!(embedded().moves(&start).len(), 4, "four mirror images of one move");
        assert!(include_bytes!("book.bin").len() <= 200_000);
    }
}
