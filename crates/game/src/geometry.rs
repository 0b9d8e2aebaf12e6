//! A board in the plane: what every picture, page and terminal draws, whatever the game.

/// A point; x grows to the right, y downwards, and a cell is about one unit wide.
pub type Point = (f32, f32);

/// A place in a terminal: row and column, both from 0 at the top left.
pub type GridPlace = (u16, u16);

/// The board of a game: everything there is to draw but the stones.
#[derive(Clone, PartialEq, Debug)]
pub struct Geometry {
    /// Width and height; every coordinate lies between 0 and these.
    pub size: Point,
    /// The cells, by the index that paths and stones use.
    pub cells: Vec<Cell>,
    /// Lines drawn over the cells.
    pub lines: Vec<[Point; 2]>,
    /// Small dots drawn over the lines, such as star points.
    pub dots: Vec<Point>,
    /// Coordinates beside the board.
    pub labels: Vec<Label>,
    /// How large a stone is.
    pub stone_radius: f32,
}

/// One cell of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Its name in the notation of the game.
    pub name: String,
    /// Its outline, for drawing and for aiming at.
    pub outline: Vec<Point>,
    /// Where its stone stands.
    pub centre: Point,
    /// Where it stands in a terminal.
    pub grid: GridPlace,
    /// How it is coloured.
    pub tone: Tone,
}

/// What kind of cell it is, as far as colour goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// An ordinary cell.
    Plain,
    /// A cell of the board's second kind.
    Alternate,
    /// The goal of a side, an ordinary cell marked in that side's colour.
    Goal(crate::Side),
    /// No area of its own: only the lines through it are drawn.
    Bare,
}

/// A piece of text beside the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The text.
    pub text: String,
    /// The middle of the text.
    pub at: Point,
    /// Where its first character stands in a terminal.
    pub grid: GridPlace,
}

/// A regular polygon around `centre` whose corners lie at `radius`, the first at `angle` (in turns, from the right,
/// clockwise).
pub fn regular_polygon(centre: Point, radius: f32, corners: usize, angle: f32) -> Vec<Point> {
    (0..corners)
        .map(|corner| {
            let turn = (angle + corner as f32 / corners as f32) * std::f32::consts::TAU;
            (centre.0 + radius * turn.cos(), centre.1 + radius * turn.sin())
        })
        .collect()
}

/// The square of side 1 around `centre`.
pub fn unit_square((x, y): Point) -> Vec<Point> {
    vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
}
