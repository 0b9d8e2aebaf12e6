//! Othello on 8x8, and on 6x6 and 4x4.

mod book;
mod classic;
mod discs;
mod endgame;
mod evaluation;
mod shallow;
mod tactics;
mod text;

use quincunx_game::{
    About, FirstMove, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Tally, TextError,
    bits::{Bits, nth_bit},
    geometry::{Cell, Label, Tone, unit_square},
    hash::hash_of_sides,
    position::random_below,
};
use quincunx_search::{
    Entry,
    entry::{OwnAgent, Typed},
};
use rand::Rng;

use discs::{flips, mobility};
pub use evaluation::Evaluation;
pub use tactics::Counts;

static ABOUT: About = About {
    name: "othello",
    title: "Othello",
    summary: "Goro Hasegawa, 1971: outflank discs on 8x8 to flip them; most discs win",
    sides: ["Black", "White"],
    glyphs: ['●', '○'],
    rulesets: &[
        RulesetAbout { name: "8x8", summary: "the game", repetition: 0, plies: 0, first: FirstMove::Fixed },
        RulesetAbout { name: "6x6", summary: "on 6x6 squares", repetition: 0, plies: 0, first: FirstMove::Fixed },
        RulesetAbout { name: "4x4", summary: "on 4x4 squares", repetition: 0, plies: 0, first: FirstMove::Fixed },
    ],
    palette: Palette {
        frame: "#2b2320",
        plain: "#2f8455",
        alternate: "#2a784d",
        line: "#1d5638",
        label: "#d9cbb0",
        stones: ["#1f1f22", "#f3efe6"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<Evaluation>::VARIANT, &Typed::<Counts<6>>::VARIANT, &Typed::<Counts<4>>::VARIANT],
    book: Some(book::embedded),
    train: Some(evaluation::train),
    agents: &[OwnAgent {
        name: "classic",
        help: "the agent of the game's document: classic:depth=3",
        build: classic::build,
    }],
};

/// The end that most discs decide.
pub const MOST_DISCS: &str = "most discs";

/// A position on an `N` x `N` board, `N` being 8, 6 or 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello<const N: usize = 8> {
    /// The discs of the side to move.
    own: u64,
    /// The discs of the other side.
    enemy: u64,
    to_move: Side,
}

/// A square by its bit, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub(crate) u8);

impl Move {
    /// The forced pass.
    pub const PASS: Self = Self(64);
}

impl<const N: usize> Othello<N> {
    const RIM: usize = (8 - N) / 2;

    /// The squares of the board.
    pub(crate) const BOARD: u64 = {
        let mut board = 0;
        let mut cell = 0;
        while cell < N * N {
            board |= 1 << Self::bit_of_cell(cell);
            cell += 1;
        }
        board
    };

    const fn bit_of_cell(cell: usize) -> usize {
        8 * (cell / N + Self::RIM) + cell % N + Self::RIM
    }

    const fn cell_of_bit(bit: usize) -> usize {
        N * (bit / 8 - Self::RIM) + bit % 8 - Self::RIM
    }

    /// The discs of the side to move and of the other side, on the middle of an 8x8 bitboard.
    pub fn discs(&self) -> (u64, u64) {
        (self.own, self.enemy)
    }

    /// The squares where the side to move may place a disc.
    #[inline]
    pub fn placements(&self) -> u64 {
        Self::placements_of(self.own, self.enemy)
    }

    #[inline]
    fn placements_of(own: u64, enemy: u64) -> u64 {
        let found = mobility(own, enemy);
        if N == 8 { found } else { found & Self::BOARD }
    }

    fn of_side(&self, side: Side) -> u64 {
        if side == self.to_move { self.own } else { self.enemy }
    }

    /// The score of a finished game for the first side: the difference of discs, empty squares given to the winner.
    pub fn final_score(&self) -> i32 {
        let [black, white] = Side::BOTH.map(|side| self.of_side(side).count_ones() as i32);
        let empty = (N * N) as i32 - black - white;
        black - white + (black - white).signum() * empty
    }
}

impl<const N: usize> Position for Othello<N> {
    type Move = Move;
    type Undo = Self;

    const SYMMETRIES: usize = 8;

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let black = (1 << 28) | (1 << 35);
        let white = (1 << 27) | (1 << 36);
        let plays = matches!((ruleset, N), ("8x8", 8) | ("6x6", 6) | ("4x4", 4));
        plays.then_some(Self { own: black, enemy: white, to_move: Side::First })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.placements() != 0 || Self::placements_of(self.enemy, self.own) != 0 {
            return None;
        }
        let winner = match self.final_score() {
            0 => None,
            score if score > 0 => Some(Side::First),
            _ => Some(Side::Second),
        };
        Some(Outcome { winner, reason: MOST_DISCS })
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let places = self.placements();
        if places == 0 {
            if Self::placements_of(self.enemy, self.own) != 0 {
                visit(Move::PASS);
            }
            return;
        }
        for square in Bits(places) {
            visit(Move(square as u8));
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.placements().count_ones() {
            0 => u64::from(Self::placements_of(self.enemy, self.own) != 0),
            count => u64::from(count),
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        let places = self.placements();
        if places == 0 {
            return (Self::placements_of(self.enemy, self.own) != 0).then_some(Move::PASS);
        }
        let rank = random_below(rng, u64::from(places.count_ones()));
        Some(Move(nth_bit(places, rank as u32) as u8))
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Self {
        let before = *self;
        if mv == Move::PASS {
            self.hand_over();
            return before;
        }
        let flips = flips(before.own, before.enemy, u32::from(mv.0));
        self.own = before.enemy & !flips;
        self.enemy = before.own | flips | 1 << (mv.0 % 64);
        self.to_move = !before.to_move;
        before
    }

    #[inline]
    fn undo(&mut self, _mv: Move, before: Self) {
        *self = before;
    }

    fn hand_over(&mut self) {
        *self = Self { own: self.enemy, enemy: self.own, to_move: !self.to_move };
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    #[inline]
    fn hash(&self) -> u64 {
        hash_of_sides(self.own, self.enemy, self.to_move)
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move::<N>(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self { own: transformed_bits(self.own, symmetry), enemy: transformed_bits(self.enemy, symmetry), ..*self }
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        if mv == Move::PASS {
            return mv;
        }
        Move(transformed_bits(1 << (mv.0 % 64), symmetry).trailing_zeros() as u8)
    }

    fn colours_swapped(&self) -> Self {
        Self { to_move: !self.to_move, ..*self }
    }

    fn geometry(&self) -> Geometry {
        const FRAME: f32 = 0.7;
        let middle = |cell: usize| FRAME + 0.5 + cell as f32;
        let cells = (0..N * N)
            .map(|cell| {
                let (row, column) = (cell / N, cell % N);
                let centre = (middle(column), middle(row));
                Cell {
                    name: text::cell_name::<N>(cell),
                    outline: unit_square(centre),
                    centre,
                    grid: (row as u16 + 1, 3 * column as u16 + 4),
                    tone: Tone::Plain,
                }
            })
            .collect();
        let mut labels = Vec::new();
        for index in 0..N {
            let column = char::from(b'a' + index as u8).to_string();
            labels.push(Label { text: column, at: (middle(index), FRAME / 2.0), grid: (0, 3 * index as u16 + 4) });
            let row = (index + 1).to_string();
            labels.push(Label { text: row, at: (FRAME / 2.0, middle(index)), grid: (index as u16 + 1, 1) });
        }
        let dots = if N == 8 {
            [(2.0, 2.0), (6.0, 2.0), (2.0, 6.0), (6.0, 6.0)].map(|(x, y)| (x + FRAME, y + FRAME)).to_vec()
        } else {
            Vec::new()
        };
        let side = N as f32 + 2.0 * FRAME;
        Geometry { size: (side, side), cells, lines: Vec::new(), dots, labels, stone_radius: 0.42 }
    }

    fn cells(&self) -> usize {
        N * N
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        let bit = 1 << Self::bit_of_cell(cell);
        Side::BOTH.into_iter().find(|&side| self.of_side(side) & bit != 0)
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        if mv == Move::PASS { Vec::new() } else { vec![Self::cell_of_bit(mv.0 as usize)] }
    }

    fn tallies(&self) -> Vec<Tally> {
        let mut tallies = vec![Tally { name: "discs", values: Side::BOTH.map(|side| self.of_side(side).count_ones()) }];
        if self.outcome().is_some() {
            let half = (N * N) as i32;
            let score = self.final_score();
            tallies.push(Tally { name: "score", values: [half + score, half - score].map(|twice| (twice / 2) as u32) });
        }
        tallies
    }
}

/// A bitboard through a symmetry of the square: bit 0 of the number mirrors it upside down, bit 1 left to right, bit 2 along the diagonal.
const fn transformed_bits(mut bits: u64, symmetry: usize) -> u64 {
    const SWAPS: [(u32, u64); 3] =
        [(28, 0x0000_0000_f0f0_f0f0_u64), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)];
    if symmetry & 1 != 0 {
        bits = bits.swap_bytes();
    }
    if symmetry & 2 != 0 {
        bits = bits.reverse_bits().swap_bytes();
    }
    if symmetry & 4 != 0 {
        let mut step = 0;
        while step < SWAPS.len() {
            let (distance, mask) = SWAPS[step];
            let moved = (bits ^ (bits >> distance)) & mask;
            bits ^= moved ^ (moved << distance);
            step += 1;
        }
    }
    bits
}
