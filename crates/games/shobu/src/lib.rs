//! Shobu: a passive move on a homeboard, then the same move on a board of the other colour, where it may push.

mod classic;
mod encoding;
mod evaluation;

mod movers;
mod picture;
mod tactics;
#[cfg(test)]
mod tests;
mod text;
mod themes;
mod turns;
mod vectors;

use quincunx_game::{
    About, FirstMove, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Stones, Tally, TextError,
    bits::{Bits, mapped},
    exchange::Plain,
    format::Formats,
    outcome::NO_LEGAL_MOVE,
    position::random_below,
    position_of_stones, square_board,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, OwnAgent, Typed},
    net::train,
};
use rand::Rng;

pub use evaluation::Evaluation;
use movers::Movers;
use vectors::{SHIFTS, Vector};

static ABOUT: About = About {
    name: "shobu",
    title: "Shobu",
    summary: "Manolis Vranas and Jamie Sajdak, 2019: push all enemy stones off one of four 4x4 boards",
    sides: ["Black", "White"],
    glyphs: ['●', '○'],
    rulesets: &[RulesetAbout {
        name: "standard",
        summary: "the game",
        repetition: 3,
        plies: 400,
        first: FirstMove::Fixed,
    }],
    palette: Palette {
        frame: "#2d2622",
        plain: "#d0a46e",
        alternate: "#835334",
        line: "#a67b4d",
        label: "#efe0c4",
        stones: ["#222226", "#f5f1e8"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<Evaluation>::VARIANT],
    book: None,
    train: if cfg!(target_family = "wasm") { None } else { Some(train::<Shobu, { evaluation::UNITS }>) },
    agents: &[OwnAgent {
        name: "classic",
        help: "the agent of the game's document: classic:depth=3",
        build: classic::build,
    }],
    content: content!("en", "pt", "zh"),
    files: &Plain,
    grading: Grading::USUAL,
    formats: Formats::NONE,
};

/// The end that a board without stones of the loser makes.
pub const BOARD_EMPTIED: &str = "board emptied";

/// The cells of the lower boards, `a` and `b`, the homeboards of the first side.
const LOWER: u64 = 0x0000_ffff_0000_ffff;

/// A position. The boards lie in a word in the order of `BOARDS`, so that each half of the word holds one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shobu {
    stones: Stones,
}

/// The letters of the boards by their place in a word: the dark ones, lower and upper, then the light ones.
const BOARDS: [char; 4] = ['a', 'c', 'b', 'd'];

/// A turn: the passive origin, the aggressive origin and the vector, in 6, 6 and 4 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u16);

impl Move {
    #[inline]
    fn new(passive: u32, aggressive: u32, vector: usize) -> Self {
        Self((passive | aggressive << 6 | (vector as u32) << 12) as u16)
    }

    #[inline]
    fn passive(self) -> usize {
        self.0 as usize % 64
    }

    #[inline]
    fn aggressive(self) -> usize {
        self.0 as usize / 64 % 64
    }

    #[inline]
    fn vector(self) -> Vector {
        Vector(self.0 as usize >> 12)
    }
}

impl Shobu {
    /// The stones of the side to move and of the other side: 16 bits a board in the order a, c, b, d, from its top-left
    /// cell.
    pub fn stones(&self) -> (u64, u64) {
        (self.stones.own, self.stones.enemy)
    }

    /// The homeboards of the side to move.
    #[inline]
    fn home(&self) -> u64 {
        if self.stones.to_move == Side::First { LOWER } else { !LOWER }
    }

    #[inline]
    fn movers(&self) -> Movers {
        Movers::new(self.stones.own, self.stones.enemy, self.home())
    }

    /// The number of turns, as long as no board is emptied.
    #[inline]
    fn count_turns(&self) -> u64 {
        self.movers().counts().into_iter().sum()
    }

    /// Whether a side has lost all its stones of a board.
    #[inline]
    fn board_emptied(&self) -> bool {
        has_empty_board(self.stones.own) || has_empty_board(self.stones.enemy)
    }
}

/// Whether one of the four boards holds none of these stones.
#[inline]
fn has_empty_board(stones: u64) -> bool {
    // The borrow of the subtraction reaches the top bit of a board only from an empty board (or one above an empty
    // one).
    stones.wrapping_sub(0x0001_0001_0001_0001) & !stones & 0x8000_8000_8000_8000 != 0
}

impl Position for Shobu {
    type Move = Move;

    /// The eight of the square, the same on all boards, with and without exchanging the dark and the light boards.
    const SYMMETRIES: usize = 2 * square_board::SYMMETRIES;

    position_of_stones!(stones, |cell| cell);

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let stones = Stones::new([0xf000_f000_f000_f000, 0x000f_000f_000f_000f], Side::First);
        (ruleset == "standard").then_some(Self { stones })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, _counts: &[[u32; 2]]) -> String {
        text::write_stones(|cell| stones[cell], to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        if has_empty_board(self.stones.own) {
            Some(Outcome::win(!self.stones.to_move, BOARD_EMPTIED))
        } else if has_empty_board(self.stones.enemy) {
            Some(Outcome::win(self.stones.to_move, BOARD_EMPTIED))
        } else if self.count_turns() == 0 {
            Some(Outcome::win(!self.stones.to_move, NO_LEGAL_MOVE))
        } else {
            None
        }
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        if !self.board_emptied() {
            turns::for_each(&self.movers(), |passive, aggressive, vector| {
                visit(Move::new(passive, aggressive, vector));
            });
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.board_emptied() { 0 } else { self.count_turns() }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        if self.board_emptied() {
            return None;
        }
        turns::pick(&self.movers(), |count| random_below(rng, count))
            .map(|(passive, aggressive, vector)| Move::new(passive, aggressive, vector))
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Stones {
        let shifts = &SHIFTS[mv.vector().0];
        let (passive, aggressive) = (mv.passive(), mv.aggressive());
        let passive_mover = u64::from(shifts[passive % 16].mover) << (passive & 0x30);
        let shift = shifts[aggressive % 16];
        let on_board = |cells: u16| u64::from(cells) << (aggressive & 0x30);
        let path = on_board(shift.path);
        self.stones.play(|own, enemy| {
            let beyond = if enemy & path != 0 { on_board(shift.beyond) } else { 0 };
            (own ^ passive_mover ^ on_board(shift.mover), (enemy & !path) | beyond)
        })
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self { stones: self.stones.mapped(|stones| mapped(stones, |cell| transformed_cell(cell, symmetry))) }
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        let [passive, to, aggressive] = cells(mv).map(|cell| transformed_cell(cell as u32, symmetry));
        let vector = Vector::between(passive as usize % 16, to as usize % 16)
            .expect("a symmetry maps straight lines to straight lines");
        Move::new(passive, aggressive, vector.0)
    }

    /// Upside down as a whole, so that homeboards stay homeboards and the start stays the start.
    fn colours_swapped(&self) -> Self {
        let upside_down = |stones| mapped(stones, |cell| transformed_cell(cell, 1) ^ 16);
        Self { stones: self.stones.mapped(upside_down).colours_swapped() }
    }

    fn geometry(&self) -> Geometry {
        picture::geometry()
    }

    fn cells(&self) -> usize {
        64
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        cells(mv).to_vec()
    }

    fn marks(&self, mv: Move) -> Vec<usize> {
        let mut marks = self.path(mv);
        marks.extend(destination(mv.aggressive(), mv.vector()));
        marks
    }

    fn tallies(&self) -> Vec<Tally> {
        let stones = self.stones.by_side();
        let fewest = |stones: u64| (0..4).map(|board| on_board(stones, board).count_ones()).min().unwrap_or(0);
        vec![
            Tally { name: "stones", values: stones.map(u64::count_ones) },
            Tally { name: "fewest on a board", values: stones.map(fewest) },
        ]
    }

    /// The winner's stones on the board that was emptied.
    fn winning_cells(&self) -> Vec<usize> {
        let (own, enemy) = (self.stones.own, self.stones.enemy);
        let emptied = (0..4).filter(|&board| on_board(own, board) == 0 || on_board(enemy, board) == 0);
        emptied.flat_map(|board| Bits(on_board(own | enemy, board))).map(|cell| cell as usize).collect()
    }
}

/// The stones of one board, by its place in a word.
fn on_board(stones: u64, board: usize) -> u64 {
    stones & 0xffff << (16 * board)
}

/// The cell of the same board that a vector leads to.
fn destination(cell: usize, vector: Vector) -> Option<usize> {
    vector.walk(cell % 16, vector.distance()).map(|to| cell / 16 * 16 + to)
}

/// The passive origin and destination and the aggressive origin.
fn cells(mv: Move) -> [usize; 3] {
    let to = destination(mv.passive(), mv.vector()).unwrap_or(mv.passive());
    [mv.passive(), to, mv.aggressive()]
}

/// A cell through a symmetry: bit 0 of the number mirrors each board upside down, bit 1 left to right, bit 2 along the
/// diagonal; bit 3 exchanges the dark and the light boards.
fn transformed_cell(cell: u32, symmetry: usize) -> u32 {
    let (board, place) = (cell / 16, cell as usize % 16);
    let (row, column) = square_board::image((place / 4, place % 4), 4, symmetry);
    16 * (board ^ (symmetry as u32 >> 3 & 1) << 1) + (4 * row + column) as u32
}
