//! The terminal: whether it has colours, how wide it is, and text wrapped to that.

use std::io::{self, IsTerminal};

use console::{Term, measure_text_width};
use quincunx_game::{
    AnyGame,
    terminal::{self, Style},
};

/// The width of lists that are not printed on a terminal, and the most on a wide one.
const WIDTH: usize = 100;

/// Narrower terminals than this are taken as not knowing their width.
const NARROWEST: usize = 20;

/// Colours on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one; plain characters otherwise.
pub(crate) fn style() -> Style {
    let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || is_dumb();
    if io::stdout().is_terminal() && !declined { Style::Colour } else { Style::Plain }
}

/// Whether the terminal understands nothing but text.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// The columns of standard output if it is a terminal.
pub(crate) fn columns() -> Option<usize> {
    columns_of(&Term::stdout())
}

fn columns_of(terminal: &Term) -> Option<usize> {
    let columns = terminal.is_term().then(|| usize::from(terminal.size().1));
    columns.filter(|&columns| columns >= NARROWEST)
}

/// The board of a game for standard output.
pub(crate) fn board(game: &dyn AnyGame) -> String {
    board_within(game, style(), columns())
}

/// A board; if it is wider than so many columns, its cells move together where nothing stands between them.
fn board_within(game: &dyn AnyGame, style: Style, columns: Option<usize>) -> String {
    let text = terminal::board(game, style);
    let width = text.lines().map(measure_text_width).max().unwrap_or(0);
    if columns.is_none_or(|columns| width <= columns) {
        return text;
    }
    let mut of_cells = vec![false; width + 1];
    for cell in &game.geometry().cells {
        of_cells[cell.grid.1 as usize] = true;
    }
    let mut rows: Vec<Vec<&str>> = text.lines().map(glyphs).collect();
    let is_blank = |row: &Vec<&str>, column| {
        row.get(column).is_none_or(|glyph: &&str| glyph.trim_end_matches(RESET).ends_with(' '))
    };
    for column in (1..width).rev() {
        let between = of_cells[column - 1] && of_cells[column + 1] && !of_cells[column];
        if between && rows.iter().all(|row| is_blank(row, column)) {
            for row in rows.iter_mut().filter(|row| row.len() > column) {
                row.remove(column);
            }
        }
    }
    rows.into_iter().map(|row| row.concat() + "\n").collect()
}

/// What ends the colours of a character.
const RESET: &str = "\x1b[0m";

/// The characters of a line, each with its colours.
fn glyphs(line: &str) -> Vec<&str> {
    let (mut glyphs, mut rest) = (Vec::new(), line);
    while let Some(first) = rest.chars().next() {
        let coloured = rest.find(RESET).filter(|_| first == '\x1b').map(|at| at + RESET.len());
        let (glyph, others) = rest.split_at(coloured.unwrap_or(first.len_utf8()));
        glyphs.push(glyph);
        rest = others;
    }
    glyphs
}

/// A list of words in lines of at most a hundred characters, or the width of the terminal.
pub(crate) fn wrapped(line: &str) -> String {
    wrapped_to(line, columns().map_or(WIDTH, |columns| columns.min(WIDTH)), 0)
}

/// Text as it is; on a terminal, lines that are too long for it are wrapped.
pub(crate) fn fitted(text: &str) -> String {
    fitted_to(text, columns())
}

/// The same for standard error.
pub(crate) fn fitted_error(text: &str) -> String {
    fitted_to(text, columns_of(&Term::stderr()))
}

fn fitted_to(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.into() };
    let lines = text.split('\n').map(|line| wrapped_to(line, columns, hanging(line, columns)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Where the later lines of a wrapped line begin: below its last column, if that leaves half of the width to it.
fn hanging(line: &str, columns: usize) -> usize {
    let characters: Vec<char> = line.chars().collect();
    let begins = |&at: &usize| characters[..at].ends_with(&[' ', ' ']) && characters[at] != ' ';
    (1..characters.len().min(columns / 2)).rev().find(begins).unwrap_or(0)
}

/// Breaks a line between words, with spaces before each later line. A word that is longer than a line stays whole.
fn wrapped_to(line: &str, most: usize, hanging: usize) -> String {
    if line.chars().count() <= most {
        return line.into();
    }
    let (mut text, mut width) = (String::new(), 0);
    for (number, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && width > hanging && width + 1 + length > most && length > 0 {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            // Less of them before a word that would not fit otherwise.
            width = hanging.min(most.saturating_sub(length));
            text.extend(std::iter::repeat_n(' ', width));
        } else if number > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_below_their_last_column() {
        let text = "agent   plays what it finds, and more\nshort\n";
        assert_eq!(fitted_to(text, None), text);
        assert_eq!(fitted_to(text, Some(22)), "agent   plays what it\n        finds, and\n        more\nshort\n");
        assert_eq!(fitted_to("a line of plain words", Some(20)), "a line of plain\nwords");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_unless_a_word_is() {
        let long = "x".repeat(30);
        let text = format!("  1    +253   254   7.0/8   engine:level=1 and {long} and so on, one two three four five");
        for columns in 20..70 {
            let fitted = fitted_to(&text, Some(columns));
            for line in fitted.lines() {
                assert!(line.chars().count() <= columns || line.contains(&long), "{columns}: {line}");
            }
            let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
            assert_eq!(words(&fitted), words(&text), "nothing is lost");
        }
    }

    #[test]
    fn every_board_fits_forty_columns() {
        for about in quincunx_games::all() {
            for ruleset in about.rulesets {
                let mut game = quincunx_games::open(about.name, Some(ruleset.name), None).unwrap();
                let first = game.choices()[0].text.clone();
                game.play(&first).unwrap();
                for style in [Style::Plain, Style::Colour] {
                    let narrow = board_within(&*game, style, Some(40));
                    let width = narrow.lines().map(measure_text_width).max().unwrap();
                    assert!(width <= 40, "{} {}: {width} columns\n{narrow}", about.name, ruleset.name);
                    let bare = |text: &str| console::strip_ansi_codes(text).replace(' ', "");
                    assert_eq!(bare(&narrow), bare(&terminal::board(&*game, style)), "nothing is left out");
                }
            }
        }
    }
}
