//! The opening book of the 8x8 game, as made: `quincunx book othello --positions 1000 --nodes 1000000 --lines 4`.

use std::sync::LazyLock;

use quincunx_search::book::Book;

static EMBEDDED: LazyLock<Book> =
    LazyLock::new(|| Book::read(include_bytes!("book.bin")).expect("the book in the repository is whole"));

/// The book that comes with the program.
pub(super) fn embedded() -> &'static Book {
    &EMBEDDED
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;

    use super::*;
    use crate::othello::Othello;

    #[test]
    fn the_embedded_book_is_small_and_begins_with_the_start() {
        let start = Othello::<8>::start("8x8").unwrap();
        assert_eq!(embedded().moves(&start).len(), 4, "four mirror images of one move");
        assert!(embedded().to_bytes().len() <= 200_000);
    }
}
