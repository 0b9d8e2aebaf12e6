//! A board as lines of text, coloured if the terminal shows colours.

use crate::{AnyGame, geometry::Tone};

/// How a board is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// 24-bit ANSI colours.
    Colour,
    /// Characters alone.
    Plain,
}

#[derive(Clone, Copy)]
struct Glyph {
    character: char,
    ink: Option<&'static str>,
    paper: Option<&'static str>,
}

/// The board with coordinates, the last move in brackets.
pub fn board(game: &dyn AnyGame, style: Style) -> String {
    const BLANK: Glyph = Glyph { character: ' ', ink: None, paper: None };
    let (geometry, about) = (game.geometry(), game.rules().about);
    let (stones, marks) = (game.stones(), game.last_marks());
    let palette = &about.palette;

    let places = geometry.cells.iter().map(|cell| (cell.grid, 2));
    let places = places.chain(geometry.labels.iter().map(|label| (label.grid, label.text.chars().count())));
    let (mut height, mut width) = (0, 0);
    for ((row, column), length) in places {
        height = height.max(row as usize + 1);
        width = width.max(column as usize + length);
    }
    let mut canvas = vec![vec![BLANK; width]; height];

    for (index, cell) in geometry.cells.iter().enumerate() {
        let (row, column) = (cell.grid.0 as usize, cell.grid.1 as usize);
        let paper = match cell.tone {
            Tone::Alternate => palette.alternate,
            Tone::Plain | Tone::Bare | Tone::Goal(_) => palette.plain,
        };
        let (character, ink) = match (stones[index], cell.tone) {
            (Some(side), _) => {
                // Colours tell the sides apart better than shapes: a hollow stone would vanish on a pale board.
                let shape = if style == Style::Colour { '●' } else { about.glyphs[side.index()] };
                (shape, palette.stones[side.index()])
            }
            (None, Tone::Goal(side)) => ('✕', palette.stones[side.index()]),
            (None, _) if geometry.dots.contains(&cell.centre) => ('•', palette.line),
            (None, Tone::Alternate) => ('▫', palette.line),
            (None, _) => ('·', palette.line),
        };
        let marked = marks.contains(&index);
        for (offset, bracket) in [(0, '['), (2, ']')] {
            let place = &mut canvas[row][column + offset - 1];
            place.paper = Some(paper);
            if marked {
                *place = Glyph { character: bracket, ink: Some(readable_on(paper)), paper: Some(paper) };
            }
        }
        canvas[row][column] = Glyph { character, ink: Some(ink), paper: Some(paper) };
    }
    for row in &mut canvas {
        close_gaps(row);
    }
    for label in &geometry.labels {
        for (offset, character) in label.text.chars().enumerate() {
            canvas[label.grid.0 as usize][label.grid.1 as usize + offset].character = character;
        }
    }

    let mut text = String::new();
    for row in canvas {
        let line: String = match style {
            Style::Plain => row.iter().map(|glyph| glyph.character).collect(),
            Style::Colour => row.iter().map(coloured).collect(),
        };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Paints single columns between two cells, so that neighbours touch.
fn close_gaps(row: &mut [Glyph]) {
    for middle in 1..row.len().saturating_sub(1) {
        if row[middle].paper.is_none() && row[middle + 1].paper.is_some() {
            row[middle].paper = row[middle - 1].paper;
        }
    }
}

/// Black or white, whichever shows on `paper`.
fn readable_on(paper: &str) -> &'static str {
    let (r, g, b) = rgb(paper);
    let brightness = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
    if brightness > 128_000 { "#000000" } else { "#ffffff" }
}

fn coloured(glyph: &Glyph) -> String {
    let Some(paper) = glyph.paper else { return glyph.character.to_string() };
    let (r, g, b) = rgb(paper);
    let ink = glyph.ink.map_or(String::new(), |ink| {
        let (r, g, b) = rgb(ink);
        format!("\x1b[38;2;{r};{g};{b}m")
    });
    format!("\x1b[48;2;{r};{g};{b}m{ink}{}\x1b[0m", glyph.character)
}

/// The parts of a `#rrggbb` colour.
pub(crate) fn rgb(colour: &str) -> (u8, u8, u8) {
    let part = |from: usize| u8::from_str_radix(colour.get(from..from + 2).unwrap_or("0"), 16).unwrap_or(0);
    (part(1), part(3), part(5))
}
