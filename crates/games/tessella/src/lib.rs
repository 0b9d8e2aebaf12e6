//! Tessella on the diamond of size 5, and on those of size 4 and 6.

mod board;
mod classic;
mod encoding;
mod evaluation;
mod files;
mod formats;
mod moves;
mod net;
mod shape;
mod tactics;
#[cfg(test)]
mod tests;
mod text;
mod themes;

use quincunx_game::{
    About, FirstMove, FromTo, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Stones, Tally, TextError,
    bits::{Bits, mapped, nth_bit},
    position::random_below,
    position_of_stones, square_board,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, OwnAgent, Typed},
    net::train,
};
use rand::Rng;

use board::Board;
pub use evaluation::Evaluation;
use moves::{Destinations, move_to};
pub use net::NetEvaluation;

static ABOUT: About = About {
    name: "tessella",
    title: "Tessella",
    summary: "Michael Lefkowitz, 2019: step over octagons and squares, capture along a line with a backer; four captures win",
    sides: ["Light", "Dark"],
    glyphs: ['○', '●'],
    rulesets: &[
        RulesetAbout {
            name: "d5",
            summary: "the game: 41 cells, 7 pieces each, 4 captures win",
            repetition: 3,
            plies: 400,
            first: FirstMove::Fixed,
        },
        RulesetAbout {
            name: "d4",
            summary: "smaller: 25 cells, 5 pieces each, 3 captures win",
            repetition: 3,
            plies: 400,
            first: FirstMove::Fixed,
        },
        RulesetAbout {
            name: "d6",
            summary: "bigger: 61 cells, 9 pieces each, 5 captures win",
            repetition: 3,
            plies: 400,
            first: FirstMove::Fixed,
        },
    ],
    palette: Palette {
        frame: "#26343a",
        plain: "#7fa3a1",
        alternate: "#c98f5e",
        line: "#33474a",
        label: "#cfd8d3",
        stones: ["#f7f0df", "#2b2233"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<NetEvaluation>::VARIANT, &Typed::<Evaluation<4>>::VARIANT, &Typed::<Evaluation<6>>::VARIANT],
    book: None,
    train: if cfg!(target_family = "wasm") { None } else { Some(train::<Tessella<5>, { net::UNITS }>) },
    agents: &[OwnAgent {
        name: "classic",
        help: "the agent of the game's document",
        build: |rules, _, _| Ok(classic::build(rules)),
    }],
    content: content!("en", "pt", "zh"),
    files: &files::Files,
    grading: Grading::USUAL,
    formats: formats::FORMATS,
};

/// A position on the diamond of size `D`, which is 4, 5 or 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tessella<const D: usize = 5> {
    stones: Stones,
}

/// A step or a capture: the cell a piece leaves and the one it goes to.
pub type Move = FromTo;

impl<const D: usize> Tessella<D> {
    /// The pieces of a side at the start.
    pub const PIECES: u32 = 2 * D as u32 - 3;

    /// The captures that win.
    pub const CAPTURES_TO_WIN: u32 = D as u32 - 1;

    /// Why a game ended.
    pub const REASON: &str = match D {
        4 => "three captured",
        5 => "four captured",
        _ => "five captured",
    };

    /// The pieces of the side to move and of the other side, by cell number.
    pub fn pieces(&self) -> (u64, u64) {
        (self.stones.own, self.stones.enemy)
    }

    /// The row and the column of a cell in the array of the rules page.
    pub fn place(cell: usize) -> (usize, usize) {
        Board::<D>::place(cell)
    }

    /// Whether a side with these pieces has lost as many as lose the game.
    #[inline]
    pub fn has_lost(pieces: u64) -> bool {
        pieces.count_ones() <= Self::PIECES - Self::CAPTURES_TO_WIN
    }

    /// Whether a side with these pieces loses with the next one.
    #[inline]
    fn is_one_from_losing(pieces: u64) -> bool {
        pieces.count_ones() == Self::PIECES - Self::CAPTURES_TO_WIN + 1
    }

    #[inline]
    fn is_over(&self) -> bool {
        Self::has_lost(self.stones.own) || Self::has_lost(self.stones.enemy)
    }

    #[inline]
    fn destinations(&self) -> Destinations {
        moves::destinations::<D>(self.stones.own, self.stones.enemy)
    }
}

impl<const D: usize> Position for Tessella<D> {
    type Move = Move;

    const SYMMETRIES: usize = square_board::SYMMETRIES;

    position_of_stones!(stones, |cell| cell);

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let plays = matches!((ruleset, D), ("d5", 5) | ("d4", 4) | ("d6", 6));
        let light = Board::<D>::LOWER_EDGES;
        // The last cell is the one opposite to the first.
        let dark = light.reverse_bits() >> (64 - Board::<D>::CELLS);
        plays.then_some(Self { stones: Stones::new([light, dark], Side::First) })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, _counts: &[[u32; 2]]) -> String {
        text::write_stones::<D>(|cell| stones[cell], to_move)
    }

    /// Captures alone end a game: a side that has not lost always has a move.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let winner = if Self::has_lost(self.stones.own) { !self.stones.to_move } else { self.stones.to_move };
        self.is_over().then_some(Outcome::win(winner, Self::REASON))
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        for (direction, set) in self.destinations().into_iter().enumerate() {
            for to in Bits(set) {
                visit(move_to::<D>(direction, to, self.stones.occupied()));
            }
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.is_over() { 0 } else { u64::from(self.destinations().map(u64::count_ones).iter().sum::<u32>()) }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let sets = self.destinations();
        let counts = sets.map(u64::count_ones);
        let mut rank = random_below(rng, u64::from(counts.iter().sum::<u32>())) as u32;
        let mut direction = 0;
        while rank >= counts[direction] {
            rank -= counts[direction];
            direction += 1;
        }
        Some(move_to::<D>(direction, nth_bit(sets[direction], rank), self.stones.occupied()))
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Stones {
        let (from, to) = mv.sets();
        self.stones.play(|own, enemy| ((own & !from) | to, enemy & !to))
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self { stones: self.stones.mapped(|pieces| mapped(pieces, |cell| Board::<D>::image(cell, symmetry))) }
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        mv.mapped(|cell| Board::<D>::image(cell, symmetry))
    }

    fn colours_swapped(&self) -> Self {
        Self { stones: self.stones.colours_swapped() }
    }

    fn geometry(&self) -> Geometry {
        shape::geometry::<D>()
    }

    fn cells(&self) -> usize {
        Board::<D>::CELLS
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        vec![mv.from as usize, mv.to as usize]
    }

    fn tallies(&self) -> Vec<Tally> {
        let [light, dark] = self.stones.by_side().map(|pieces| Self::PIECES - pieces.count_ones());
        vec![Tally { name: "captures", values: [dark, light] }]
    }
}
