//! What an opening book promises: how it is made, and which moves are taken from it.

use std::collections::HashSet;

use quincunx_game::{Game, Position, Rules};
use quincunx_games::{
    about, entry,
    othello::{Evaluation, Othello},
};
use quincunx_search::{
    Evaluator, Stop, Tactics,
    book::{Book, Study, choose, study},
};

const SMALL: Study = Study { positions: 30, nodes: 2000, lines: 3 };

fn othello() -> Rules {
    Rules::of(about("othello").unwrap())
}

fn embedded() -> std::sync::Arc<Book> {
    entry("othello").unwrap().book.unwrap()()
}

fn small_book() -> Book {
    study(&Evaluation::embedded(), othello(), &SMALL, &Stop::default(), &mut |_| {}).unwrap()
}

/// The studied positions of a book that its own moves lead to.
fn studied(book: &Book, rules: Rules) -> Vec<Othello<8>> {
    let mut found = vec![*Game::<Othello<8>>::new(rules).unwrap().position()];
    let mut seen = HashSet::new();
    let mut next = 0;
    while let Some(&position) = found.get(next) {
        for (mv, _) in book.moves(&position) {
            let mut child = position;
            child.play(mv);
            if !book.moves(&child).is_empty() && seen.insert(child.hash()) {
                found.push(child);
            }
        }
        next += 1;
    }
    found
}

#[test]
fn the_same_study_makes_the_same_book() {
    assert_eq!(small_book(), small_book());
    let stop = Stop::default();
    stop.stop();
    assert_eq!(study(&Evaluation::embedded(), othello(), &SMALL, &stop, &mut |_| {}), None);
}

#[test]
fn a_studied_position_is_worth_what_its_best_move_is() {
    let book = small_book();
    let positions = studied(&book, othello());
    // Mirror images are different positions here and one in the book.
    assert!(positions.len() >= SMALL.positions as usize, "{}", positions.len());
    for position in positions {
        let worth = i32::from(book.find(&position).unwrap().worth);
        let best = book.moves(&position)[0].1;
        // The last bit of a worth says whether the position was studied.
        assert!((worth - best).abs() <= 2, "{} {worth} {best}", position.text());
    }
}

#[test]
fn mirror_images_are_one_position_of_a_book() {
    let book = small_book();
    for position in studied(&book, othello()) {
        for symmetry in 0..Othello::<8>::SYMMETRIES {
            assert_eq!(book.find(&position.transformed(symmetry)), book.find(&position));
        }
    }
}

#[test]
fn moves_from_the_book_are_good_varied_and_the_same_for_one_seed() {
    let book = embedded();
    let game = Game::<Othello<8>>::new(othello()).unwrap();
    let first: HashSet<u8> =
        (0..50).map(|seed| Othello::<8>::code(choose(&book, &game, seed).unwrap().0) as u8).collect();
    assert_eq!(first.len(), 4, "all four mirror images of the first move");
    let mut games = HashSet::new();
    for seed in 0..50 {
        let mut game = game.clone();
        while let Some((mv, worth)) = choose(&book, &game, seed) {
            assert_eq!(choose(&book, &game, seed), Some((mv, worth)));
            let best = book.moves(game.position())[0].1;
            assert!(worth >= best - 50 && game.position().moves().contains(&mv));
            game.play(mv);
        }
        assert!(game.moves().len() >= 8, "the book ends after {} plies", game.moves().len());
        games.insert(game.position().text());
    }
    assert!(games.len() >= 10, "{} lines", games.len());
}

#[test]
fn a_book_is_silent_where_it_knows_nothing_and_under_other_rules() {
    let short = Rules::parse(about("othello").unwrap(), "8x8,plies=20").unwrap();
    assert_eq!(choose(&embedded(), &Game::<Othello<8>>::new(short).unwrap(), 1), None);
    let small = Rules::parse(about("othello").unwrap(), "6x6").unwrap();
    assert_eq!(choose(&embedded(), &Game::<Othello<6>>::new(small).unwrap(), 1), None);
    // A position that was only met as an answer has no moves, though mirror images of what follows may be known.
    let book = small_book();
    let mut unstudied = 0;
    for position in studied(&book, othello()) {
        for (mv, _) in book.moves(&position) {
            let mut child = position;
            child.play(mv);
            if !book.find(&child).unwrap().studied {
                assert!(book.moves(&child).is_empty());
                unstudied += 1;
            }
        }
    }
    assert!(unstudied > 0);
}

#[test]
fn books_are_read_back_and_damage_is_told() {
    let (book, rules) = (small_book(), othello());
    let bytes = book.to_bytes(&rules);
    let read = Book::read(&rules, &bytes).unwrap();
    assert_eq!(read.to_bytes(&rules), bytes);
    assert_eq!(read.len(), book.len());
    let message = |bytes: &[u8]| Book::read(&rules, bytes).unwrap_err().to_string();
    assert!(message(&bytes[1..]).contains("not a file"));
    assert!(message(&bytes[..bytes.len() - 1]).contains("truncated"));
    let other = Rules::of(about("pente").unwrap());
    assert!(Book::read(&other, &bytes).unwrap_err().to_string().contains("for \"othello\", not for pente"));
}
