//! The board as SVG and as text.

use quincunx_game::{
    AnyGame, svg,
    terminal::{self, Style},
};

use crate::game;

fn after(moves: &str) -> Box<dyn AnyGame> {
    let mut game: Box<dyn AnyGame> = Box::new(game("plain"));
    for mv in moves.split_whitespace() {
        game.play(mv).unwrap();
    }
    game
}

/// Panics unless every element is closed and every attribute is quoted.
fn must_be_well_formed(document: &str) {
    let mut open = Vec::new();
    for part in document.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{part}");
        let name = tag.split(' ').next().unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert_eq!(tag.matches("=\"").count(), tag.matches('"').count() / 2, "{tag}");
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn svg_is_well_formed_with_every_cell_and_every_stone() {
    for moves in ["", "+", "+ - +"] {
        let game = after(moves);
        let picture = svg::picture(&*game);
        must_be_well_formed(&picture);
        assert_eq!(picture.matches('Z').count(), 6, "six closed outlines");
        let stones = game.stones().iter().flatten().count();
        assert_eq!(picture.matches("url(#ring-stone-").count(), stones);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}

#[test]
fn svg_marks_the_last_move_and_the_cells_that_won() {
    let moved = svg::picture(&*after("+"));
    assert_eq!(moved.matches("class=\"last\"").count(), 2, "where the stone came from and where it stands");
    let start = svg::picture(&*after(""));
    assert!(!start.contains("class=\"last\"") && !start.contains("class=\"winning\""));
    let won = svg::picture(&*after("+ - +"));
    assert!(won.contains("class=\"last\"") && won.contains("class=\"winning\""));
}

#[test]
fn plain_board_shows_stones_goals_dots_and_the_last_move_in_brackets() {
    let expected = "[✕][●] ·  ○  ·  ·\n 0  1  2  3  4  5\n";
    assert_eq!(terminal::board(&*after("+"), Style::Plain), expected);
    assert_eq!(terminal::board(&*after(""), Style::Plain), " ●  •  ·  ○  ·  ·\n 0  1  2  3  4  5\n");
}

#[test]
fn coloured_board_is_the_plain_one_with_colours_instead_of_shapes() {
    let game = after("+ +");
    let coloured = terminal::board(&*game, Style::Colour);
    let mut characters = String::new();
    for (index, part) in coloured.split('\x1b').enumerate() {
        characters.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    let plain = terminal::board(&*game, Style::Plain).replace('○', "●");
    assert_eq!(trimmed(&characters), trimmed(&plain));
    for colour in ["38;2;170;0;0m●", "38;2;0;0;170m●"] {
        assert!(coloured.contains(colour), "a stone in the colour of its side: {coloured:?}");
    }
}

#[test]
fn colours_end_on_their_line() {
    for line in terminal::board(&*after("+ +"), Style::Colour).lines().filter(|line| line.contains('\x1b')) {
        let last = line.rsplit('\x1b').next().unwrap();
        assert!(last.starts_with("[0m"), "{line:?}");
    }
}
