//! The files that hold games of Othello.

mod ggf;
mod obf;
mod wthor;

use quincunx_game::{
    Rules, Side, TextError,
    board_text::{letter, read_cell},
    format::{AbstractPlay, Formats, Sgf},
    text::quoted,
};

/// All of them.
pub(super) const FORMATS: Formats = Formats {
    own: &[&wthor::Wthor, &ggf::Ggf, &obf::Obf],
    sgf: Some(&Sgf {
        games: &["2", "othello", "reversi"],
        colours: Some(["B", "W"]),
        ruleset: ruleset_of_size,
        size: size_of,
        read: read_sgf,
        write: write_sgf,
        set_up,
    }),
    abstract_play: Some(&AbstractPlay {
        name: "Reversi",
        ruleset: ruleset_of_variants,
        variants: |ruleset| match ruleset {
            "8x8" => Some(&[]),
            "6x6" => Some(&["standard-6"]),
            _ => None,
        },
        read: |mv, _| Some(mv.to_string()),
        write: |mv, _| Some(mv.to_string()),
    }),
};

fn ruleset_of_size(size: usize) -> Option<&'static str> {
    match size {
        8 => Some("8x8"),
        6 => Some("6x6"),
        4 => Some("4x4"),
        _ => None,
    }
}

fn size_of(ruleset: &str) -> usize {
    ruleset.split('x').next().and_then(|size| size.parse().ok()).unwrap_or(8)
}

/// The rules of a board of this size; the error says that there are none.
fn rules_of_size(size: usize) -> Result<Rules, TextError> {
    let ruleset = ruleset_of_size(size)
        .ok_or_else(|| TextError::new(format!("a board of {size}x{size} squares is not played here")))?;
    Rules::parse(&super::ABOUT, ruleset)
}

fn ruleset_of_variants(variants: &[String]) -> Result<&'static str, TextError> {
    match variants.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok("8x8"),
        ["standard-6"] => Ok("6x6"),
        _ => Err(TextError::new(format!("the variant {} is not played here", quoted(&variants.join(", "))))),
    }
}

/// A square as `dc` (column and row from the top left, as in Go) or as `d3`; nothing, or `tt`, is a pass.
fn read_sgf(value: &str, size: usize) -> Option<String> {
    let value = value.trim();
    if ["", "tt", "pass", "pa", "--"].iter().any(|pass| value.eq_ignore_ascii_case(pass)) {
        return Some("pass".into());
    }
    let lower = value.to_ascii_lowercase();
    if let &[column @ b'a'..=b'z', row @ b'a'..=b'z'] = lower.as_bytes() {
        let row = usize::from(row - b'a');
        return (row < size).then(|| format!("{}{}", char::from(column), row + 1));
    }
    read_cell(&lower).map(|_| lower)
}

fn write_sgf(mv: &str, _size: usize) -> Option<String> {
    if mv == "pass" {
        return Some(String::new());
    }
    let (column, row) = read_cell(mv)?;
    Some([letter(column), letter(row)].into_iter().collect())
}

/// The text of a position, squares named as in moves.
fn set_up(stones: &[Vec<String>; 2], to_move: Side, size: usize) -> Option<String> {
    let mut board = vec!['-'; size * size];
    for (letter, squares) in ['X', 'O'].into_iter().zip(stones) {
        for square in squares {
            let (column, row) = read_cell(square).filter(|&(column, row)| column < size && row < size)?;
            board[row * size + column] = letter;
        }
    }
    Some(format!("{} {}", board.into_iter().collect::<String>(), ['X', 'O'][to_move.index()]))
}
